//! What several tests need: shared browsers, the program, scripted models, the paths of this checkout.

pub mod browsers;
pub mod composite_editor;
pub mod fleet_machines;
pub mod forged;
pub mod labelled;
pub mod model_endpoint;
pub mod plain_browser;
#[path = "../../../src/ledger/tests/server.rs"]
pub mod postgres_server;
pub mod program;
pub mod reference_client;
pub mod route_table;
pub mod scripted_planner;
pub mod scripted_solver;
pub mod scripted_tools;
pub mod trajectory_pages;

use std::path::{Path, PathBuf};

use scratchbed::page::LaunchOptions;

/// The root of this checkout.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A task of each category, for tests that look closely. That every task is sound is for `scratchbed check` to show,
/// whose certificates lie beside the tasks.
pub const MODEL_TASKS: [&str; 4] = ["kite_gusts", "stuck_ferry", "hungry_beetle", "stair_stones"];

/// How tests start Chromium: the tested binary is the guard.
pub fn launch_options() -> LaunchOptions {
    LaunchOptions { chromium: None, guard: PathBuf::from(env!("CARGO_BIN_EXE_scratchbed")), code: None }
}

/// All files below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found
}
