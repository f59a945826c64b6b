//! HTTP: adapters that walk the action registry, and the files of the editor.
//!
//! Parts: [`app()`] is the whole application, with the handlers of [`routes`], [`live`] (watching sessions), `runs`
//! (finished attempts) and `experiments` inside [`layers`]. [`route`] describes each route next to its handler, and the
//! OpenAPI document is made from that. [`extract`] has the extractors, [`Api`] the shared state, [`Problem`] every
//! error; [`serve()`] listens and shuts down.

mod access;
mod app;
mod experiments;
pub mod extract;
pub mod layers;
pub mod live;
mod metrics;
mod noted;
mod openapi;
mod problem;
mod route;
mod routes;
mod runs;
mod serve;
mod state;

pub use access::{Access, AccessError, Scope};
pub use app::{app, editor_app, openapi_document};
pub use experiments::{Host, PlannedArm, PlannedExperiment, host};
pub use layers::connection_places::ConnectionLimits;
pub use noted::noted;
pub use problem::Problem;
pub use routes::editor;
pub use serve::{CLOSE_LIMIT, ServeLimits, Served, listen, serve, serve_with};
pub use state::{Api, AppState, GRACE};
