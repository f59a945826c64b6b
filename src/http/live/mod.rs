//! The live view: a page for a person who watches sessions and goes through finished runs.
//!
//! Parts: [`page`] has the page's own files; [`looks`] looks at sessions for all who watch them; [`watch`] are
//! the routes of one session. Runs are in `http/runs`.

pub mod looks;
mod page;
mod watch;

pub use page::pages;
pub use watch::routes;
