//! Browsers that all tests of the process share. A test gets a fleet of its own in them, and fails for what it leaves
//! behind. Tests that kill, count or measure browsers have their own, and are in modules named `own_browser_*`.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::post;
use futures::FutureExt as _;
use scratchbed::files::Checkout;
use scratchbed::http::editor::{EditorFiles, routes};
use scratchbed::model::EditorGeneration;
use scratchbed::page::code_cache::prepare;
use scratchbed::page::{CodeCache, LaunchOptions};
use scratchbed::session::{BrowserPool, Fleet, FleetOptions, SessionOptions, Sessions};
use scratchbed::setup::{self, Place};
use tokio::runtime::Runtime;
use tokio::sync::{Notify, OnceCell};

use super::{launch_options, root};

/// Pages that a shared browser carries at most. Tests run two at a time and have few pages each.
const SHARED_CAPACITY: usize = 12;
/// Pages that a browser of a test's own carries at most, as by default.
const OWN_CAPACITY: usize = 4;
/// How long the pages of a finished test may take to be closed.
const CLOSE_LIMIT: Duration = Duration::from_secs(30);

/// The runtime of all tests that share browsers: what drives a browser must live as long as the browser does.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
static CURRENT: Shared = Shared::new(|| pool(EditorGeneration::Current));
static REFERENCE: Shared = Shared::new(|| pool(EditorGeneration::Reference));

/// What tests share of one editor.
struct Shared {
    pool: LazyLock<BrowserPool>,
    /// Address of its page.
    url: OnceCell<String>,
}

impl Shared {
    const fn new(pool: fn() -> BrowserPool) -> Self {
        Self { pool: LazyLock::new(pool), url: OnceCell::const_new() }
    }

    const fn of(editor: EditorGeneration) -> &'static Self {
        match editor {
            EditorGeneration::Current => &CURRENT,
            EditorGeneration::Reference => &REFERENCE,
        }
    }
}

fn pool(editor: EditorGeneration) -> BrowserPool {
    BrowserPool::new(launch(editor), SHARED_CAPACITY)
}

/// How browsers for an editor are launched: with its compiled code.
fn launch(editor: EditorGeneration) -> LaunchOptions {
    let code = Some(CodeCache::of_checkout(&Checkout::at(root()), editor));
    LaunchOptions { code, ..launch_options() }
}

tokio::task_local! {
    /// The fleets of the running test.
    static FLEETS: Arc<Mutex<Vec<Fleet>>>;
}

/// Runs a test in the shared browsers.
///
/// # Panics
/// When the test panics, and when pages of its fleets are still open after it.
pub fn in_shared_browsers(test: impl Future<Output = ()>) {
    let left = pages_left_by(test, CLOSE_LIMIT);
    assert_eq!(left, 0, "the test left pages open in a shared browser: close its sessions, judges and leases");
}

/// Runs a test, and returns how many pages of its fleets are still open some time after it.
fn pages_left_by(test: impl Future<Output = ()>, limit: Duration) -> usize {
    let fleets = Arc::new(Mutex::new(Vec::new()));
    let (outcome, left) = RUNTIME.block_on(async {
        let outcome = AssertUnwindSafe(FLEETS.scope(Arc::clone(&fleets), test)).catch_unwind().await;
        let fleets = std::mem::take(&mut *fleets.lock().unwrap());
        (outcome, pages_left(&fleets, limit).await)
    });
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
    left
}

/// Closes fleets, and returns how many of their pages are still open when the time is over.
async fn pages_left(fleets: &[Fleet], limit: Duration) -> usize {
    for fleet in fleets {
        fleet.shutdown().await;
    }
    let lent = || fleets.iter().map(|fleet| fleet.status().lent).sum();
    let deadline = Instant::now() + limit;
    while lent() > 0 && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    lent()
}

/// A fleet in the shared browsers, without spare pages and without text recognition.
pub async fn fleet() -> Fleet {
    fleet_of(EditorGeneration::Current).await
}

/// The same with an editor of that generation, which is fetched unless it is there.
pub async fn fleet_of(editor: EditorGeneration) -> Fleet {
    register(options(editor, served(editor).await))
}

/// A fleet in the shared browsers that keeps spare pages.
pub async fn fleet_with_spare_pages(warm: usize) -> Fleet {
    let editor = EditorGeneration::Current;
    register(FleetOptions { warm, ..options(editor, served(editor).await) })
}

/// A fleet in the shared browsers whose pages open another address than the editor's.
pub fn fleet_at(url: &str) -> Fleet {
    register(options(EditorGeneration::Current, url.to_owned()))
}

/// The address of the current editor's page, for all tests in shared browsers.
pub async fn served_editor() -> String {
    served(EditorGeneration::Current).await
}

/// Starts a fleet of the running test.
fn register(options: FleetOptions) -> Fleet {
    let fleet = Fleet::start_in(&Shared::of(options.editor).pool, options);
    let register = |fleets: &Arc<Mutex<Vec<Fleet>>>| fleets.lock().unwrap().push(fleet.clone());
    FLEETS.try_with(register).expect("a test with a shared fleet runs in `in_shared_browsers`");
    fleet
}

/// Sessions over a fleet in the shared browsers.
pub async fn sessions(limit: usize) -> Sessions {
    sessions_over(fleet().await, limit)
}

/// A fleet with browsers of its own, for a test that kills, counts or measures them.
pub async fn own_fleet() -> Fleet {
    let editor = EditorGeneration::Current;
    Fleet::start(BrowserPool::new(launch(editor), OWN_CAPACITY), options(editor, serve_editor().await))
}

/// Sessions over a fleet with browsers of its own.
pub async fn own_sessions(limit: usize) -> Sessions {
    sessions_over(own_fleet().await, limit)
}

/// The same, and what is notified when a page calls the address `/dragging` of its server.
pub async fn own_sessions_that_tell(limit: usize) -> (Sessions, Arc<Notify>) {
    let (editor, told) = (EditorGeneration::Current, Arc::new(Notify::new()));
    let notified = Arc::clone(&told);
    let tell = move || {
        notified.notify_one();
        std::future::ready(())
    };
    let app = routes(&EditorFiles::of_checkout(root(), editor)).route("/dragging", post(tell));
    let url = serve_app(app).await;
    let fleet = Fleet::start(BrowserPool::new(launch(editor), OWN_CAPACITY), options(editor, url));
    (sessions_over(fleet, limit), told)
}

fn sessions_over(fleet: Fleet, limit: usize) -> Sessions {
    Sessions::new(fleet, SessionOptions { limit, idle: Duration::from_secs(600) })
}

const fn options(editor: EditorGeneration, editor_url: String) -> FleetOptions {
    FleetOptions { editor_url, editor, warm: 0 }
}

/// The address of the one editor of a generation that all tests in shared browsers use.
async fn served(editor: EditorGeneration) -> String {
    let serve =
        || async { if editor == EditorGeneration::Reference { served_reference().await } else { serve(editor).await } };
    Shared::of(editor).url.get_or_init(serve).await.clone()
}

/// The address of the reference editor, which is fetched and compiled unless it was: once for all pages, as set-up does.
async fn served_reference() -> String {
    let editor = EditorGeneration::Reference;
    let lock = tokio::task::spawn_blocking(fetch_reference_editor).await.unwrap();
    let url = serve(editor).await;
    let cache = CodeCache::of_checkout(&Checkout::at(root()), editor);
    // Without the code pages open all the same, more slowly.
    let _ = Box::pin(prepare(&launch_options(), &url, &cache)).await;
    drop(lock);
    url
}

/// Serves the editor on a free port for as long as the caller's runtime lives, and returns the address of its page.
pub async fn serve_editor() -> String {
    serve(EditorGeneration::Current).await
}

async fn serve(editor: EditorGeneration) -> String {
    serve_app(routes(&EditorFiles::of_checkout(root(), editor))).await
}

async fn serve_app(app: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    format!("http://{address}/editor?driven")
}

/// Fetches the reference editor unless it is there; nobody else sets up while the lock is kept.
fn fetch_reference_editor() -> std::fs::File {
    let place = Place { checkout: Checkout::at(root()), chromium: None };
    let lock = setup::lock(&place).unwrap();
    if !setup::has_reference_editor(&place) {
        setup::reference_editor_step().carry_out(&place).unwrap();
    }
    lock
}

/// A test that leaves a page behind fails, and not the next one.
#[test]
fn a_page_that_a_test_leaves_open_is_counted_against_it() {
    let kept = Mutex::new(None);
    let careless = async {
        let page = fleet().await.acquire().await.unwrap();
        *kept.lock().unwrap() = Some(page);
    };
    assert_eq!(pages_left_by(careless, Duration::from_millis(100)), 1);
    drop(kept);
    in_shared_browsers(async {
        let fleet = fleet().await;
        let page = fleet.acquire().await.unwrap();
        fleet.release(page).await;
    });
}
