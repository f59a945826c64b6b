//! Many sessions at once: turns, back-pressure, leases, a killed Chromium.

use std::time::Duration;

use futures::future::join_all;
use scratchbed::action::perform;
use scratchbed::files::Checkout;
use scratchbed::model::{ActionCall, ActionReply, Coded, EditorGeneration, Mode};
use scratchbed::page::{CodeCache, LaunchOptions};
use scratchbed::session::{
    BrowserPool, Fleet, FleetOptions, SessionError, SessionHandle, SessionOptions, Sessions, Start,
};
use serde_json::{Value, json};

use crate::support::browsers::{in_shared_browsers, serve_editor, sessions};
use crate::support::{launch_options, root};

async fn call(session: &SessionHandle, mode: Mode, api: &str, args: Value) -> Result<ActionReply, SessionError> {
    let Value::Object(args) = args else { panic!("arguments are an object") };
    perform(session, mode, ActionCall::new(api, args)).await
}

async fn open(sessions: &Sessions) -> (String, SessionHandle) {
    let id = sessions.create(Start::default()).await.unwrap().id;
    let handle = sessions.get(&id).await.unwrap();
    (id, handle)
}

async fn browser_of(session: &SessionHandle) -> i32 {
    let id = session.run(LIMIT, |live| Box::pin(async move { live.browser_process_id() })).await.unwrap();
    i32::try_from(id).unwrap()
}

const LIMIT: Duration = Duration::from_secs(20);

/// A session with a long queue is served in its turn, too many calls are sent away before any work, and the
/// time in the queue is told apart from the time in service.
#[test]
fn a_session_with_many_calls_is_held_back_and_the_others_are_served() {
    in_shared_browsers(async {
        let sessions = sessions(2).await;
        let ((_, greedy), (_, modest)) = (open(&sessions).await, open(&sessions).await);
        let drag = || {
            call(
                &greedy,
                Mode::Primitive,
                "drag_and_drop",
                json!({"start_x": 400, "start_y": 600, "end_x": 450, "end_y": 600, "duration": 0.1}),
            )
        };
        let flood = async { join_all((0..40).map(|_| drag())).await };
        let other = async {
            let mut waits = Vec::new();
            for _ in 0..5 {
                let reply = call(&modest, Mode::Primitive, "click", json!({"x": 900, "y": 492})).await.unwrap();
                assert!(reply.success, "{reply:?}");
                waits.push(reply.timing.wait_ms);
            }
            waits
        };
        let (flood, waits) = tokio::join!(flood, other);
        let (served, refused): (Vec<_>, Vec<_>) = flood.into_iter().partition(Result::is_ok);
        assert!((30..40).contains(&served.len()) && !refused.is_empty(), "{} served", served.len());
        for refusal in refused {
            assert!(matches!(refusal, Err(SessionError::Busy { retry_after_s: 1.. })), "{refusal:?}");
        }
        let longest = served.iter().flatten().map(|reply| reply.timing.wait_ms).fold(0.0, f64::max);
        let typical = waits.iter().fold(0.0, |sum, wait| sum + wait) / 5.0;
        assert!(longest > 10.0 * typical.max(1.0), "the flood waits for itself: {longest} and {typical} ms");
        let one = served.iter().flatten().next().unwrap();
        assert!(one.timing.action_ms > 50.0 && one.timing.action_ms < longest, "{:?}", one.timing);
        sessions.shutdown().await;
    });
}

/// Sessions that have a browser each, with its page.
async fn one_a_browser(limit: usize) -> Sessions {
    let editor = EditorGeneration::Current;
    let code = Some(CodeCache::of_checkout(&Checkout::at(root()), editor));
    let pool = BrowserPool::new(LaunchOptions { code, ..launch_options() }, 1);
    let fleet = Fleet::start(pool, FleetOptions { editor_url: serve_editor().await, editor, warm: 0 });
    Sessions::new(fleet, SessionOptions { limit, idle: Duration::from_secs(600) })
}

/// The session in flight is told that it was the testbed's trouble and goes on with its project; the session in
/// another browser notices nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_chromium_is_told_as_infrastructure_and_touches_no_other_browser() {
    let sessions = one_a_browser(2).await;
    let ((hit_id, hit), (spared_id, spared)) = (open(&sessions).await, open(&sessions).await);
    let doomed = browser_of(&hit).await;
    assert_ne!(browser_of(&spared).await, doomed, "one session a browser");
    let added = call(&hit, Mode::Composite, "add_block", json!({"blockType": "motion_movesteps"})).await.unwrap();
    assert!(added.success, "{added:?}");
    // The project is brought back as it was after the last finished call.
    let _ = call(&hit, Mode::Composite, "observe", json!({})).await.unwrap();

    let slow = call(
        &hit,
        Mode::Primitive,
        "drag_and_drop",
        json!({"start_x": 400, "start_y": 600, "end_x": 690, "end_y": 130, "duration": 10}),
    );
    let kill = async {
        // In flight for certain once its turn is taken.
        while sessions.fleet().turns().status().input.0 == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(doomed), nix::sys::signal::Signal::SIGKILL).unwrap();
    };
    let (reply, ()) = tokio::join!(slow, kill);
    let error = reply.unwrap().error.unwrap();
    assert!(error.infrastructure && error.code == "browser_lost", "{error:?}");

    let after = call(&hit, Mode::Composite, "observe", json!({})).await.unwrap();
    assert!(after.success && after.data.to_string().contains("motion_movesteps"), "{:#}", after.data);
    let info = sessions.inspect(&hit_id).await.unwrap();
    assert_eq!((info.page_lost, info.recovered), (1, 1));
    let reply = call(&spared, Mode::Composite, "observe", json!({})).await.unwrap();
    assert!(reply.success, "{reply:?}");
    assert_eq!(sessions.inspect(&spared_id).await.unwrap().page_lost, 0);
    sessions.shutdown().await;
}

/// A lease ends when nobody calls, never during a call, and what happened is told for a while.
#[test]
fn a_lease_outlasts_a_call_and_then_ends() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let start = Start { lease: Some(Duration::from_secs(1)), ..Start::default() };
        let info = sessions.create(start).await.unwrap();
        assert!((info.lease_s - 1.0).abs() < f64::EPSILON);
        let handle = sessions.get(&info.id).await.unwrap();
        let slow = json!({"start_x": 400, "start_y": 600, "end_x": 690, "end_y": 130, "duration": 3});
        let reply = call(&handle, Mode::Primitive, "drag_and_drop", slow).await.unwrap();
        assert!(reply.success, "{reply:?}");
        let kept = sessions.keep_alive(&info.id).await.unwrap();
        assert!(kept.expires_in_s > 0.5, "{kept:?}");
        drop(handle);
        let ended = tokio::time::timeout(Duration::from_secs(10), async {
            loop {
                match sessions.inspect(&info.id).await {
                    Ok(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                    Err(error) => break error,
                }
            }
        });
        assert_eq!(ended.await.unwrap().code(), "session_expired");
        assert_eq!(sessions.get("unheard_of").await.unwrap_err().code(), "unknown_session");
        sessions.shutdown().await;
    });
}
