//! A line to Chromium that is slow, loses answers, carries garbage or falls silent: calls are answered or told of the
//! testbed's trouble, and the session goes on.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use scratchbed::model::EditorGeneration;
use scratchbed::page::LaunchOptions;
use scratchbed::session::{BrowserPool, Fleet, FleetOptions, SessionError, SessionOptions, Sessions, Start};
use serde_json::{Value, json};

use crate::support::browsers::serve_editor;
use crate::support::{launch_options, root};

/// Half of what users have: the tests wait for it.
const COMMAND_LIMIT: Duration = Duration::from_secs(15);
/// A lost answer costs the limit of its command, and the questions whether the page still answers.
const PATIENCE: Duration = Duration::from_secs(100);

/// Sessions whose Chromium is reached by `cdp_proxy.py`, with what goes wrong on the way.
async fn sessions(folder: &tempfile::TempDir, mut faults: Value) -> Sessions {
    let proxy = folder.path().join("chromium");
    fs::copy(root().join("tests/it/support/programs/cdp_proxy.py"), &proxy).unwrap();
    fs::set_permissions(&proxy, fs::Permissions::from_mode(0o755)).unwrap();
    faults["chromium"] = launch_options().find_chromium().unwrap().display().to_string().into();
    fs::write(folder.path().join("faults.json"), faults.to_string()).unwrap();
    let launch = LaunchOptions { chromium: Some(proxy), command_limit: COMMAND_LIMIT, ..launch_options() };
    let options = FleetOptions { editor_url: serve_editor().await, editor: EditorGeneration::Current, warm: 0 };
    let fleet = Fleet::start(BrowserPool::new(launch, 4), options);
    Sessions::new(fleet, SessionOptions { limit: 2, idle: Duration::from_secs(600) })
}

/// Takes pictures; how many came, and how many calls were told of trouble.
async fn pictures(sessions: &Sessions, id: &str, calls: usize) -> (usize, usize) {
    let session = sessions.get(id).await.unwrap();
    let mut came = 0;
    for _ in 0..calls {
        let picture = session.run(PATIENCE, |live| Box::pin(async move { live.page().screenshot().await }));
        match picture.await {
            Ok(Ok(png)) => came += usize::from(png.starts_with(b"\x89PNG")),
            // Any other error would be the caller's.
            Ok(Err(_)) | Err(SessionError::Page(_) | SessionError::NotRecovered { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    (came, calls - came)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_line_with_garbage_on_it_only_slows() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = sessions(&folder, json!({"delay_ms": 20, "garbage": 7})).await;
    let id = sessions.create(Start::default()).await.unwrap().id;
    assert_eq!(pictures(&sessions, &id, 4).await, (4, 0));
    sessions.shutdown().await;
}

/// What is lost is waited for, which takes no processor time: so all three wait beside one another.
#[tokio::test(flavor = "multi_thread")]
async fn answers_that_do_not_come_are_told_in_time_and_the_work_goes_on() {
    tokio::join!(
        a_browser_that_falls_silent_is_told_in_time_and_keeps_nothing(),
        a_lost_answer_is_told_to_one_call_and_the_session_goes_on(),
        a_page_that_could_not_be_opened_for_a_lost_answer_is_opened_again(),
    );
}

async fn a_lost_answer_is_told_to_one_call_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = sessions(&folder, json!({"drop": {"Page.captureScreenshot": 1}})).await;
    let id = sessions.create(Start::default()).await.unwrap().id;
    assert_eq!(pictures(&sessions, &id, 3).await, (2, 1));
    assert_eq!(sessions.inspect(&id).await.unwrap().page_lost, 0, "the page answers, so it stays");
    sessions.shutdown().await;
}

async fn a_page_that_could_not_be_opened_for_a_lost_answer_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = sessions(&folder, json!({"drop": {"Target.createBrowserContext": 1}})).await;
    let started = Instant::now();
    let id = sessions.create(Start::default()).await.unwrap().id;
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
    assert_eq!(pictures(&sessions, &id, 1).await, (1, 0));
    sessions.shutdown().await;
}

/// The first browser falls silent in the middle of its work, and so does every later one, at the same place.
async fn a_browser_that_falls_silent_is_told_in_time_and_keeps_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = sessions(&folder, json!({"silent": 40})).await;
    let started = Instant::now();
    let creating = tokio::spawn({
        let sessions = sessions.clone();
        async move { sessions.create(Start::default()).await }
    });
    // Nobody else waits for a browser that hangs as it starts.
    while !creating.is_finished() {
        let asked = Instant::now();
        sessions.list().await;
        let _ = sessions.fleet().status();
        assert!(asked.elapsed() < Duration::from_secs(2), "the list of sessions was held up");
        assert!(started.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let error = creating.await.unwrap().unwrap_err();
    assert!(matches!(error, SessionError::Page(_)), "{error}");
    let deadline = Instant::now() + Duration::from_secs(30);
    while sessions.fleet().status().lent > 0 || sessions.fleet().turns().status().work.0 > 0 {
        assert!(Instant::now() < deadline, "{:?}", sessions.fleet().status());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    sessions.shutdown().await;
}
