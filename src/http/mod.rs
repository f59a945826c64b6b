//! HTTP: adapters that walk the action registry, and the files of the editor.
//!
//! Parts: [`app()`] is the whole application as a value, [`routes`] inside [`layers`]; each route is described next to its
//! handler ([`route`]), and the OpenAPI document is made from those descriptions; [`extract`] has what handlers take from a
//! request, [`Api`] what they share; [`Problem`] is every error; [`serve()`] listens and shuts down. What an action means is
//! not known here.

mod access;
mod app;
mod extract;
mod layers;
mod live;
mod metrics;
mod noted;
mod openapi;
mod problem;
mod route;
mod routes;
mod runs;
pub mod scratchworld;
mod serve;
mod state;

pub use access::{Access, AccessError, Scope};
pub use app::{app, editor_app, openapi_document};
pub use layers::crowd::Crowd;
pub use problem::Problem;
pub use routes::editor;
pub use serve::{Patience, Served, serve, serve_with};
pub use state::{Api, AppState};
