//! The one integration test binary. Files named `browser_*` need Chromium and fail without it.

mod browser_page;
mod support;
