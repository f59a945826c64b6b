//! The one integration test binary. Files named `browser_*` need Chromium and fail without it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop at what it did not expect")]

mod api;
mod api_compat;
mod api_openapi;
mod api_security;
mod author_expand;
mod browser_api;
mod browser_author;
mod browser_build;
mod browser_check;
mod browser_cli;
mod browser_compat;
mod browser_composite;
mod browser_composite_names;
mod browser_counterexamples;
mod browser_drag;
mod browser_drag_run;
mod browser_events;
mod browser_helpers;
mod browser_judge;
mod browser_live;
mod browser_load;
mod browser_observe;
mod browser_oracle;
mod browser_pack;
mod browser_page;
mod browser_perception;
mod browser_primitive;
mod browser_run;
mod browser_session;
mod browser_virtual;
mod certificates;
mod cli_answers;
mod composite_editor;
mod house_readme;
mod house_rooms;
mod house_scripts;
mod labelled;
mod model_endpoint;
mod ocr_models;
mod ocr_read;
mod plain_browser;
mod reference_client;
mod support;
mod troubled_run;
