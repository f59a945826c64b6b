//! The live view: a page on which a person watches sessions and browses finished runs.
//!
//! Parts: [`page`] has the page's own files; [`states`] caches what sessions show, for all their watchers;
//! [`watch`] has the routes of one session. Runs are in `http/runs`.

mod page;
pub mod states;
mod watch;

pub use page::pages;
pub use page::{CSS, HTML, ICON, POLICY, SCRIPT, SVG};
pub use watch::routes;
