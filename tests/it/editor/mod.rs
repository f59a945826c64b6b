//! Chromium, pages, sessions, actions, observations, projects.

pub mod archive_differential;
pub mod browser_borrowed;
pub mod browser_build;
pub mod browser_composite;
pub mod browser_composite_names;
pub mod browser_events;
pub mod browser_first_project;
pub mod browser_keys;
pub mod browser_load;
pub mod browser_observe;
pub mod browser_page;
pub mod browser_primitive;
pub mod browser_reference_editor;
pub mod browser_round_trip;
pub mod browser_session;
pub mod browser_workbench;
pub mod fuzz_corpus;
pub mod ocr_models;
pub mod ocr_read;
pub mod own_browser_code_cache;
pub mod own_browser_exposure;
pub mod own_browser_first_project;
pub mod own_browser_keys;
pub mod own_browser_proxied;
pub mod own_browser_session_model;
pub mod own_browser_workbench;
