//! The routes, each described next to its handler.

pub mod actions;
mod bugs;
pub mod editor;
mod events;
pub mod home;
mod projects;
mod repairs;
mod server;
mod sessions;
mod tasks;
mod usage;
mod verdicts;

use super::route::Route;
use super::{experiments, live, runs};

pub fn all() -> Vec<Route> {
    let parts = [
        server::routes(),
        tasks::routes(),
        sessions::routes(),
        usage::routes(),
        projects::routes(),
        actions::routes(),
        events::routes(),
        verdicts::routes(),
        bugs::routes(),
        live::routes(),
        runs::routes(),
        experiments::routes(),
        repairs::routes(),
    ];
    parts.into_iter().flatten().collect()
}
