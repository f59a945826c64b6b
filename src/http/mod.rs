//! HTTP: adapters that walk the action registry, and the files of the editor.
//!
//! Parts: [`app()`] is the whole application as a value; each route is described next to its handler
//! ([`route`]), and the OpenAPI document is made from those descriptions; [`Problem`] is every error;
//! [`serve()`] listens and shuts down. What an action means is not known here.

mod access;
mod actions;
mod app;
mod bodies;
mod body;
mod crowd;
pub mod editor;
mod events;
mod home;
mod live;
mod log;
mod metrics;
mod noted;
mod openapi;
mod options;
mod origin;
mod problem;
mod projects;
mod query;
mod route;
mod runs;
pub mod scratchworld;
mod serve;
mod sessions;
mod state;
mod tasks;
mod verdicts;

pub use access::{Access, AccessError, Scope};
pub use app::{app, editor_app};
pub use crowd::Crowd;
pub use openapi::document as openapi_document;
pub use problem::Problem;
pub use serve::{Patience, Served, serve, serve_with};
pub use state::{Api, AppState};
