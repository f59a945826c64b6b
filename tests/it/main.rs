//! The one integration test binary. Files named `browser_*` need Chromium and fail without it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop at what it did not expect")]

mod api;
mod benchmarks;
mod cli;
mod editor;
mod experiments;
mod house;
mod judging;
mod server;
mod support;
