//! A page that served one project remembers nothing of it: each project that is loaded after one that changed whatever a program can
//! change is exported, and played, as in a page of its own. The pairs take turns by the date; all with `SCRATCHBED_TESTS=all`.

use std::path::Path;
use std::time::Duration;

use scratchbed::action::perform;
use scratchbed::compile::{Source, compile};
use scratchbed::model::{ActionCall, Extras, Mode};
use scratchbed::page::Page;
use scratchbed::project::Project;
use scratchbed::session::{SessionHandle, Sessions, Start};
use serde_json::{Value, json};

use crate::support::browsers::{fleet, in_shared_browsers, sessions};
use crate::support::twin_runs::TwinRuns;
use crate::support::{files, of_the_day, project_texts, root};

const LIMIT: Duration = Duration::from_secs(20);
/// Pairs that are exported, and played, each day.
const EXPORTED: usize = 8;
const PLAYED: usize = 24;

/// A project by its name, as a file.
type Named = (String, Vec<u8>);

async fn built(page: &Page, text: &Path) -> Named {
    let project = compile(page, &Source::read(text).unwrap()).await;
    let project = project.unwrap_or_else(|error| panic!("{}: {error}", text.display()));
    (text.display().to_string(), project.write().unwrap())
}

/// Projects that leave behind whatever one can: a language of speech, tempo, instruments, volumes, video, timers, clones, monitors,
/// questions, extensions, pen marks, layers, effects.
async fn dirty(page: &Page) -> Vec<Named> {
    let mut all = Vec::new();
    for text in files(&root().join("tests/fixtures/dirty")) {
        if text.extension().is_some_and(|end| end == "txt") {
            all.push(built(page, &text).await);
        }
    }
    assert_eq!(all.len(), 5);
    all
}

/// Forty other projects: those with what other tools write, those of the fixtures, the pool's, and that of a task.
async fn others(page: &Page) -> Vec<Named> {
    let mut all = Vec::new();
    for file in files(&root().join("tests/fixtures/foreign")) {
        if file.extension().is_some_and(|end| end == "sb3") {
            all.push((file.display().to_string(), std::fs::read(&file).unwrap()));
        }
    }
    for folder in ["tests/fixtures/projects", "assets/pool"] {
        for text in project_texts(&root().join(folder)).iter().filter(|text| text.ends_with("project.txt")) {
            all.push(built(page, text).await);
        }
    }
    all.push(built(page, &root().join("tasks/create/kite_gusts/golden.txt")).await);
    assert!(all.len() >= 40, "{}", all.len());
    all.truncate(40);
    all
}

fn pairs<'a>(dirty: &'a [Named], others: &'a [Named]) -> Vec<(&'a Named, &'a Named)> {
    others.iter().flat_map(|other| dirty.iter().map(move |dirty| (dirty, other))).collect()
}

async fn start(sessions: &Sessions, sb3: &[u8]) -> (String, SessionHandle) {
    let extras = Extras { extended: true, report: false };
    let id = sessions.create(Start { extras, ..Start::default() }).await.unwrap().id;
    sessions.load(&id, sb3.to_vec()).await.unwrap();
    let handle = sessions.get(&id).await.unwrap();
    (id, handle)
}

/// The exported project, without what the editor says of itself.
async fn export(session: &SessionHandle) -> Value {
    let project: Project = session.run(LIMIT, |live| Box::pin(live.export())).await.unwrap().unwrap();
    let mut json = project.json;
    json["meta"] = Value::Null;
    json
}

async fn run_for_a_second(session: &SessionHandle) {
    let Value::Object(args) = json!({"seconds": 1}) else { unreachable!() };
    let reply = perform(session, Mode::Composite, ActionCall::new("green_flag", args)).await.unwrap();
    assert!(reply.success, "{reply:?}");
}

#[test]
fn a_project_is_exported_the_same_whatever_its_session_had_before() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let (dirty, others) = (dirty(&lease.page).await, others(&lease.page).await);
        fleet.release(lease).await;
        let sessions = sessions(2).await;
        for ((before, stains), (name, sb3)) in of_the_day(&pairs(&dirty, &others), EXPORTED) {
            let (id, handle) = start(&sessions, stains).await;
            run_for_a_second(&handle).await;
            sessions.load(&id, sb3.clone()).await.unwrap();
            let after = export(&handle).await;
            let (fresh_id, fresh) = start(&sessions, sb3).await;
            assert_eq!(after, export(&fresh).await, "{name} after {before}");
            sessions.delete(&id).await.unwrap();
            sessions.delete(&fresh_id).await.unwrap();
        }
        sessions.shutdown().await;
    });
}

#[test]
fn a_project_is_played_the_same_whatever_its_page_has_played_before() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let (dirty, others) = (dirty(&lease.page).await, others(&lease.page).await);
        fleet.release(lease).await;
        let used = TwinRuns::new(fleet.clone());
        for ((before, stains), (name, sb3)) in of_the_day(&pairs(&dirty, &others), PLAYED) {
            let fresh = TwinRuns::new(fleet.clone());
            let alone = fresh.told(sb3).await;
            fresh.close().await;
            used.told(stains).await;
            assert_eq!(used.told(sb3).await, alone, "{name} after {before}");
        }
        used.close().await;
    });
}
