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
use std::time::{SystemTime, UNIX_EPOCH};

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
    LaunchOptions::new(None, PathBuf::from(env!("CARGO_BIN_EXE_scratchbed")))
}

/// Returns true if the tests that look at a sample look at everything: the variable `SCRATCHBED_TESTS` is `all`.
pub fn everything() -> bool {
    std::env::var("SCRATCHBED_TESTS").is_ok_and(|asked| asked == "all")
}

/// The number of today, in UTC.
pub fn day() -> usize {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    usize::try_from(now.as_secs() / 86_400).unwrap()
}

/// Returns `count` neighbouring items that the date chooses, so that each item has its day; all with
/// `SCRATCHBED_TESTS=all`, or if there are no more.
pub fn of_the_day<T>(items: &[T], count: usize) -> Vec<&T> {
    if everything() {
        return items.iter().collect();
    }
    items.iter().cycle().skip(day() * count % items.len().max(1)).take(count.min(items.len())).collect()
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
