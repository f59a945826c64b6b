//! The files of the rating page, part of the program: it needs nothing from elsewhere.

use std::sync::Arc;

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::response::IntoResponse as _;
use axum::routing::get;
use tower_http::set_header::SetResponseHeaderLayer;

use super::Desk;
use crate::http::live::{CSS, HTML, ICON, POLICY, SCRIPT, SVG};

/// A file of `assets/rating`.
macro_rules! text {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/rating/", $name))
    };
}

/// Each with its name below the page's path.
const FILES: [(&str, &str, &str); 4] = [
    ("", HTML, text!("index.html")),
    ("rating.css", CSS, text!("rating.css")),
    ("rating.js", SCRIPT, text!("rating.js")),
    ("icon.svg", SVG, ICON),
];

/// The page and its files below a path.
pub(super) fn pages(path: &str) -> Router<Arc<Desk>> {
    let set = |name, value| SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value));
    FILES
        .into_iter()
        .fold(Router::new(), |router, (name, kind, text)| {
            let file = get(async move || ([(CONTENT_TYPE, kind)], text).into_response());
            router.route(&format!("{path}{name}"), file)
        })
        .layer(set(CONTENT_SECURITY_POLICY, POLICY))
        // The address is a secret.
        .layer(set(REFERRER_POLICY, "no-referrer"))
        .layer(set(CACHE_CONTROL, "no-store"))
}
