//! What several tests need: the paths of this checkout and a served editor.

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
use std::time::Duration;

use scratchbed::files::Checkout;
use scratchbed::http::editor::{EditorFiles, routes};
use scratchbed::model::EditorGeneration;
use scratchbed::page::LaunchOptions;
use scratchbed::session::{Fleet, FleetOptions, SessionOptions, Sessions};
use scratchbed::setup::{self, Place};

/// The root of this checkout.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A task of each category, for tests that look closely. That every task is sound is for `scratchbed check` to show,
/// whose certificates lie beside the tasks.
pub const MODEL_TASKS: [&str; 4] = ["kite_gusts", "stuck_ferry", "hungry_beetle", "stair_stones"];

/// How tests start Chromium: the tested binary is the guard.
pub fn launch_options() -> LaunchOptions {
    LaunchOptions { chromium: None, guard: PathBuf::from(env!("CARGO_BIN_EXE_scratchbed")) }
}

/// Serves the editor on a free port and returns the address of its page.
pub async fn serve_editor() -> String {
    serve(EditorGeneration::Current).await
}

async fn serve(editor: EditorGeneration) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = routes(&EditorFiles::of_checkout(root(), editor));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    format!("http://{address}/editor?driven")
}

/// A fleet without pages in reserve and without text recognition.
pub async fn fleet() -> Fleet {
    fleet_of(EditorGeneration::Current).await
}

/// The same with an editor of that generation, which is fetched unless it is there.
pub async fn fleet_of(editor: EditorGeneration) -> Fleet {
    if editor == EditorGeneration::Reference {
        tokio::task::spawn_blocking(fetch_reference_editor).await.unwrap();
    }
    let editor_url = serve(editor).await;
    Fleet::start(FleetOptions { editor_url, editor, launch: launch_options(), sessions_per_browser: 4, warm: 0 })
}

fn fetch_reference_editor() {
    let place = Place { checkout: Checkout::at(root()), chromium: None };
    let _lock = setup::lock(&place).unwrap();
    if !setup::has_reference_editor(&place) {
        setup::reference_editor_step().carry_out(&place).unwrap();
    }
}

/// Sessions over a fleet of their own, without pages in reserve.
pub async fn sessions(limit: usize) -> Sessions {
    Sessions::new(fleet().await, SessionOptions { limit, idle: Duration::from_secs(600) })
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
