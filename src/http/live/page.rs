//! The front page, the live view and their files, part of the program: it needs nothing from elsewhere.

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::IntoResponse as _;
use axum::routing::get;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::http::state::AppState;

/// Own scripts and styles only, none of them inline; pictures come as blobs because they may need a token.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/// The program's icon.
pub const ICON: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/live/icon.svg"));

pub const HTML: &str = "text/html; charset=utf-8";
pub const CSS: &str = "text/css; charset=utf-8";
pub const SCRIPT: &str = "text/javascript; charset=utf-8";
pub const SVG: &str = "image/svg+xml";

/// A file of the page: its address below `/live`, its media type, its text.
macro_rules! file {
    ($name:literal, $kind:expr) => {
        (concat!("/live/", $name), $kind, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/live/", $name)))
    };
}

/// Every file other than the page itself.
const FILES: &[(&str, &str, &str)] = &[
    file!("live.css", CSS),
    file!("experiments.css", CSS),
    file!("icon.svg", SVG),
    file!("app.js", SCRIPT),
    file!("client.js", SCRIPT),
    file!("dom.js", SCRIPT),
    file!("home.js", SCRIPT),
    file!("stream.js", SCRIPT),
    file!("lib/cells.js", SCRIPT),
    file!("lib/curves.js", SCRIPT),
    file!("lib/events.js", SCRIPT),
    file!("lib/experiments.js", SCRIPT),
    file!("lib/heat.js", SCRIPT),
    file!("lib/notation.js", SCRIPT),
    file!("lib/overlay.js", SCRIPT),
    file!("lib/player.js", SCRIPT),
    file!("lib/sse.js", SCRIPT),
    file!("lib/steps.js", SCRIPT),
    file!("lib/turns.js", SCRIPT),
    file!("lib/words.js", SCRIPT),
    file!("parts/cell.js", SCRIPT),
    file!("parts/curves.js", SCRIPT),
    file!("parts/dialog.js", SCRIPT),
    file!("parts/gates.js", SCRIPT),
    file!("parts/heat.js", SCRIPT),
    file!("parts/instruction.js", SCRIPT),
    file!("parts/log.js", SCRIPT),
    file!("parts/picture.js", SCRIPT),
    file!("parts/program.js", SCRIPT),
    file!("parts/standing.js", SCRIPT),
    file!("parts/strip.js", SCRIPT),
    file!("parts/tables.js", SCRIPT),
    file!("parts/thumbnail.js", SCRIPT),
    file!("parts/token.js", SCRIPT),
    file!("parts/turns.js", SCRIPT),
    file!("views/attempt.js", SCRIPT),
    file!("views/experiment.js", SCRIPT),
    file!("views/experiments.js", SCRIPT),
    file!("views/recorded.js", SCRIPT),
    file!("views/run.js", SCRIPT),
    file!("views/running.js", SCRIPT),
    file!("views/runs.js", SCRIPT),
    file!("views/session.js", SCRIPT),
    file!("views/sessions.js", SCRIPT),
    file!("views/tasks.js", SCRIPT),
];

/// The page and its files; the same for everyone, so no token is required.
pub fn pages() -> Router<AppState> {
    let page = ("/live", HTML, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/live/live.html")));
    let home = ("/", HTML, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/live/home.html")));
    let set = |name, value| SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value));
    FILES
        .iter()
        .chain([&page, &home])
        .fold(Router::new(), |router, &(path, kind, text)| {
            router.route(path, get(move || async move { ([(CONTENT_TYPE, kind)], text).into_response() }))
        })
        .layer(set(CONTENT_SECURITY_POLICY, POLICY))
        .layer(set(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(set(REFERRER_POLICY, "no-referrer"))
        // The files change with the program, which may be another one tomorrow at the same address.
        .layer(set(CACHE_CONTROL, "no-cache"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_script_of_the_page_is_served() {
        fn scripts_below(folder: &std::path::Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !path.ends_with("test") && !path.ends_with("types") {
                    scripts_below(&path, found);
                } else if path
                    .extension()
                    .is_some_and(|extension| extension == "js" || extension == "css" || extension == "svg")
                {
                    found.push(path.display().to_string());
                }
            }
        }
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/live");
        let mut found = Vec::new();
        scripts_below(std::path::Path::new(root), &mut found);
        let mut found: Vec<String> = found.iter().map(|path| path.replace(root, "/live")).collect();
        found.sort();
        // The link to a file of its own is not part of the page.
        found.retain(|path| path != "/live/replay.js");
        let mut served: Vec<&str> = FILES.iter().map(|(path, ..)| *path).collect();
        served.sort_unstable();
        assert_eq!(found, served);
    }
}
