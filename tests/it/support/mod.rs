//! What several tests need: shared browsers, the program, scripted models, the paths of this checkout.

pub mod browsers;
pub mod catalogue;
pub mod composite_editor;
mod extent;
pub mod fleet_machines;
mod folders;
pub mod forged;
pub mod labelled;
pub mod mcp_client;
pub mod meaning;
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
pub mod shown_requests;
pub mod strange_projects;
pub mod text_builds;
pub mod trajectory_pages;
pub mod twin_runs;

use std::path::{Path, PathBuf};

use scratchbed::page::LaunchOptions;

pub use extent::{day, everything};
pub use folders::{contents, digests, files, project_texts, texts_below};

/// The root of this checkout.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A task of each category, for tests that look closely. That every task is sound is for `scratchbed check` to show,
/// whose certificates lie beside the tasks.
pub const MODEL_TASKS: [&str; 4] = ["kite_gusts", "stuck_ferry", "hungry_beetle", "stair_stones"];

/// How tests start Chromium: the tested binary is the guard.
pub fn launch_options() -> LaunchOptions {
    LaunchOptions::new(None, PathBuf::from(env!("CARGO_BIN_EXE_scratchbed")))
}

/// Returns `count` neighbouring items that the date chooses, so that each item has its day; all with
/// `SCRATCHBED_TESTS=all`, or if there are no more.
pub fn of_the_day<T>(items: &[T], count: usize) -> Vec<&T> {
    if everything() {
        return items.iter().collect();
    }
    items.iter().cycle().skip(day() * count % items.len().max(1)).take(count.min(items.len())).collect()
}

/// Returns true if a part of a test is the one that the date chooses of these parts, which it must be one of: another one would
/// never be run. Always true with `SCRATCHBED_TESTS=all`.
pub fn has_its_day(part: &str, parts: &[&str]) -> bool {
    assert!(parts.contains(&part), "{part} is none of {parts:?}");
    of_the_day(parts, 1).contains(&&part)
}
