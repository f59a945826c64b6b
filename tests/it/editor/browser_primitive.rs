//! Primitive mode against the real Chromium and editor: real events, seen as trusted by the page.

use std::time::Duration;

use scratchbed::action::perform;
use scratchbed::action::primitive::drag_path;
use scratchbed::model::{ActionCall, ActionReply, Mode, Point};
use scratchbed::page::PageFn;
use scratchbed::session::{SessionHandle, Sessions, Start};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::browsers::{in_shared_browsers, own_sessions_that_tell, sessions};
use crate::support::everything;

const LIMIT: Duration = Duration::from_secs(30);

/// Starts to record the pointer events that the page sees.
const WATCH_POINTER: PageFn<(), ()> = PageFn::new("watch-pointer", include_str!("../support/js/watch-pointer.js"));
/// What was seen since the last call.
const SEEN_POINTER: PageFn<(), Vec<Seen>> = PageFn::new("seen-pointer", include_str!("../support/js/seen-pointer.js"));
/// Has the page tell its server when the pointer next moves with a button down.
const TELL_WHEN_DRAGGING: PageFn<(), ()> =
    PageFn::new("tell-when-dragging", include_str!("../support/js/tell-when-dragging.js"));
/// Evaluates one of a few fixed questions about the page.
const ASK: PageFn<Question, Value> = PageFn::new("ask", include_str!("../support/js/ask.js"));

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Seen {
    kind: String,
    x: f64,
    y: f64,
    buttons: u32,
    trusted: bool,
}

#[derive(Debug, Serialize)]
struct Question {
    about: &'static str,
}

async fn session(sessions: &Sessions) -> SessionHandle {
    let info = sessions.create(Start::default()).await.unwrap();
    sessions.get(&info.id).await.unwrap()
}

async fn act(session: &SessionHandle, api: &str, args: Value) -> ActionReply {
    let Value::Object(args) = args else { panic!("arguments are an object") };
    perform(session, Mode::Primitive, ActionCall::new(api, args)).await.unwrap()
}

async fn done(session: &SessionHandle, api: &str, args: Value) -> ActionReply {
    let reply = act(session, api, args).await;
    assert!(reply.success, "{api}: {:?}", reply.error);
    reply
}

async fn ask(session: &SessionHandle, about: &'static str) -> Value {
    session
        .run(LIMIT, move |live| Box::pin(async move { live.page().call(&ASK, &Question { about }).await }))
        .await
        .unwrap()
        .unwrap()
}

async fn watch_pointer(session: &SessionHandle) {
    session
        .run(LIMIT, |live| Box::pin(async move { live.page().call(&WATCH_POINTER, &()).await }))
        .await
        .unwrap()
        .unwrap();
}

async fn seen_pointer(session: &SessionHandle) -> Vec<Seen> {
    session
        .run(LIMIT, |live| Box::pin(async move { live.page().call(&SEEN_POINTER, &()).await }))
        .await
        .unwrap()
        .unwrap()
}

/// A block from the palette dropped on the canvas, as the default page shows it.
fn palette_drag() -> Value {
    json!({"start_x": 88, "start_y": 137, "end_x": 500, "end_y": 300})
}

#[test]
fn a_drag_makes_the_same_trusted_events_in_each_run_and_under_load() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let session = session(&sessions).await;
        watch_pointer(&session).await;
        let expected = drag_path(Point::new(88.0, 137.0), Point::new(500.0, 300.0)).len();
        let mut first: Option<Vec<Seen>> = None;
        let runs = if everything() { 20 } else { 4 };
        for run in 0..runs {
            // Half of the runs share the machine with a busy thread per core.
            let load = (run >= runs / 2).then(Load::start);
            done(&session, "drag_and_drop", palette_drag()).await;
            drop(load);
            let seen = seen_pointer(&session).await;
            assert!(seen.iter().all(|event| event.trusted), "{seen:?}");
            let place = |kind| seen.iter().find(|event| event.kind == kind).map(|event| (event.x, event.y));
            assert_eq!([place("pointerdown"), place("pointerup")], [Some((88.0, 137.0)), Some((500.0, 300.0))]);
            let moves = seen.iter().filter(|event| event.kind == "pointermove" && event.buttons == 1).count();
            assert_eq!(moves, expected, "run {run}: {seen:?}");
            // The move to the start is part of the drag; back to a fixed place, so that it is one in each run.
            done(&session, "click", json!({"x": 1000, "y": 620})).await;
            let _ = seen_pointer(&session).await;
            match &first {
                Some(first) => assert_eq!(first, &seen, "run {run}"),
                None => first = Some(seen),
            }
        }
        assert_eq!(ask(&session, "blocks").await, json!(runs));
        sessions.shutdown().await;
    });
}

/// Keeps all cores busy until dropped.
struct Load(std::sync::Arc<std::sync::atomic::AtomicBool>);

impl Load {
    fn start() -> Self {
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            let stop = std::sync::Arc::clone(&stop);
            std::thread::spawn(move || while !stop.load(std::sync::atomic::Ordering::Relaxed) {});
        }
        Self(stop)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

#[test]
fn pacing_does_not_change_the_path() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let session = session(&sessions).await;
        watch_pointer(&session).await;
        done(&session, "drag_and_drop", palette_drag()).await;
        let at_once = seen_pointer(&session).await;
        done(&session, "click", json!({"x": 1000, "y": 620})).await;
        let _ = seen_pointer(&session).await;
        let mut slow = palette_drag();
        slow["duration"] = json!(0.8);
        let started = std::time::Instant::now();
        done(&session, "drag_and_drop", slow).await;
        assert!(started.elapsed() >= Duration::from_millis(800));
        let paced = seen_pointer(&session).await;
        let without_hover =
            |events: &[Seen]| events.iter().skip_while(|e| e.kind != "pointerdown").cloned().collect::<Vec<_>>();
        assert_eq!(without_hover(&at_once), without_hover(&paced));
        sessions.shutdown().await;
    });
}

#[test]
fn keys_type_into_fields_and_hotkeys_edit() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let session = session(&sessions).await;
        done(&session, "click", json!({"x": 900, "y": 492})).await;
        done(&session, "hotkey", json!({"keys": ["ctrl", "a"]})).await;
        done(&session, "type", json!({"text": "Ünique Näme 7"})).await;
        done(&session, "key", json!({"key": "enter"})).await;
        assert_eq!(ask(&session, "sprite_name").await, json!("Ünique Näme 7"));
        // Undo of a block drag goes through the editor's own shortcut, once.
        done(&session, "drag_and_drop", palette_drag()).await;
        assert_eq!(ask(&session, "blocks").await, json!(1));
        done(&session, "hotkey", json!({"keys": ["ctrl", "z"]})).await;
        assert_eq!(ask(&session, "blocks").await, json!(0));
        sessions.shutdown().await;
    });
}

#[test]
fn text_copied_in_one_session_cannot_be_pasted_in_another() {
    in_shared_browsers(async {
        let sessions = sessions(2).await;
        let (one, other) = (session(&sessions).await, session(&sessions).await);
        for session in [&one, &other] {
            done(session, "click", json!({"x": 900, "y": 492})).await;
            done(session, "hotkey", json!({"keys": ["ctrl", "a"]})).await;
        }
        done(&one, "type", json!({"text": "secret"})).await;
        done(&one, "hotkey", json!({"keys": ["ctrl", "a"]})).await;
        done(&one, "hotkey", json!({"keys": ["ctrl", "c"]})).await;
        done(&other, "hotkey", json!({"keys": ["ctrl", "v"]})).await;
        done(&other, "key", json!({"key": "enter"})).await;
        assert_eq!(ask(&other, "sprite_name").await, json!("Sprite1"));
        // Within one session copy and paste work, and paste once.
        done(&one, "key", json!({"key": "End"})).await;
        done(&one, "hotkey", json!({"keys": ["ctrl", "v"]})).await;
        done(&one, "key", json!({"key": "enter"})).await;
        assert_eq!(ask(&one, "sprite_name").await, json!("secretsecret"));
        sessions.shutdown().await;
    });
}

#[test]
fn dialogs_choosers_and_popups_do_not_freeze_a_session() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let session = session(&sessions).await;
        for trouble in ["alert", "confirm", "popup", "file_chooser", "leave"] {
            ask(&session, trouble).await;
            assert_eq!(ask(&session, "sprite_name").await, json!("Sprite1"), "after {trouble}");
            done(&session, "click", json!({"x": 31, "y": 165})).await;
        }
        let dialogs = session.run(LIMIT, |live| Box::pin(async move { live.page().take_dialogs() })).await.unwrap();
        assert_eq!(dialogs.iter().map(|dialog| dialog.kind.as_str()).collect::<Vec<_>>(), ["alert", "confirm"]);
        sessions.shutdown().await;
    });
}

#[test]
fn bad_arguments_are_named_and_change_nothing() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let session = session(&sessions).await;
        for (api, args, code) in [
            ("click", json!({"x": 5000, "y": 10}), "outside_viewport"),
            ("click", json!({"x": -1, "y": 10}), "outside_viewport"),
            ("click", json!({"x": 1}), "invalid_arguments"),
            ("click", json!({"x": 1, "y": 1, "colour": "red"}), "invalid_arguments"),
            ("click", json!({"index": 3}), "no_observation"),
            ("drag_and_drop", json!({"start_x": 1, "start_y": 1}), "invalid_arguments"),
            (
                "drag_and_drop",
                json!({"start_x": 1, "start_y": 1, "end_x": 9, "end_y": 9, "duration": -1}),
                "invalid_arguments",
            ),
            ("scroll", json!({"direction": "sideways"}), "invalid_arguments"),
            ("scroll", json!({"direction": "up", "amount": 0}), "invalid_arguments"),
            ("type", json!({"text": "x".repeat(1 << 20)}), "text_too_long"),
            ("key", json!({"key": "hyperspace"}), "unknown_key"),
            ("hotkey", json!({"keys": ["ctrl"]}), "invalid_arguments"),
            ("hotkey", json!({"keys": ["ctrl", "nokey"]}), "unknown_key"),
            ("fly", json!({}), "unknown_action"),
        ] {
            let reply = act(&session, api, args).await;
            assert!(!reply.success);
            let error = reply.error.unwrap();
            assert_eq!(error.code, code, "{api}: {}", error.message);
            assert!(error.hint.is_some(), "{api} {code} has no hint");
        }
        assert_eq!(ask(&session, "sprite_name").await, json!("Sprite1"));
        sessions.shutdown().await;
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_killed_in_mid_drag_costs_the_call_and_nothing_else() {
    let (sessions, is_dragging) = own_sessions_that_tell(1).await;
    let session = session(&sessions).await;
    done(&session, "drag_and_drop", palette_drag()).await;
    let id = session.run(LIMIT, |live| Box::pin(async move { live.browser_process_id() })).await.unwrap();
    session
        .run(LIMIT, |live| Box::pin(async move { live.page().call(&TELL_WHEN_DRAGGING, &()).await }))
        .await
        .unwrap()
        .unwrap();
    let mut slow = palette_drag();
    slow["duration"] = json!(10);
    let dragging = tokio::spawn({
        let session = session.clone();
        async move { act(&session, "drag_and_drop", slow).await }
    });
    tokio::time::timeout(LIMIT, is_dragging.notified()).await.expect("the drag does not begin");
    let browser = nix::unistd::Pid::from_raw(i32::try_from(id).unwrap());
    nix::sys::signal::kill(browser, nix::sys::signal::Signal::SIGKILL).unwrap();
    let reply = tokio::time::timeout(Duration::from_secs(4), dragging).await.expect("noticed late").unwrap();
    assert!(!reply.success);
    assert_eq!(reply.error.unwrap().code, "browser_lost");
    assert_eq!(ask(&session, "blocks").await, json!(1));
    done(&session, "drag_and_drop", palette_drag()).await;
    assert_eq!(ask(&session, "blocks").await, json!(2));
    sessions.shutdown().await;
}
