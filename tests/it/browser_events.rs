//! The event log of a session on the real editor: what the page received, what changed, and that one follows
//! from the other.

use std::time::Duration;

use scratchbed::action::perform;
use scratchbed::model::{ActionCall, ActionReply, Event, EventKind, Mode};
use scratchbed::session::{SessionHandle, SessionLog, Sessions, Start};
use serde_json::{Value, json};

use crate::support::sessions;

/// Long enough for what is on its way, on a machine that has much to do.
const WAIT: Duration = Duration::from_secs(30);

struct Recorded {
    sessions: Sessions,
    handle: SessionHandle,
    log: SessionLog,
}

impl Recorded {
    async fn start() -> Self {
        let sessions = sessions(1).await;
        let info = sessions.create(Start::default()).await.unwrap();
        let (handle, log) = (sessions.get(&info.id).await.unwrap(), sessions.log(&info.id).await.unwrap());
        Self { sessions, handle, log }
    }

    async fn act(&self, mode: Mode, api: &str, args: Value) -> ActionReply {
        let Value::Object(args) = args else { panic!("arguments are an object") };
        let reply = perform(&self.handle, mode, ActionCall::new(api, args)).await.unwrap();
        assert!(reply.success, "{api}: {:?}", reply.error);
        reply
    }

    /// The events from the `count`th reply's request on, once that reply is noted.
    async fn window(&self, count: usize) -> Vec<Event> {
        let mut after = 0;
        let mut events: Vec<Event> = Vec::new();
        loop {
            let lines = self.log.after(after, 1000, WAIT).await.lines;
            assert!(!lines.is_empty(), "the log stops at {after}");
            after = lines.last().unwrap().seq;
            events.extend(lines.iter().map(|line| serde_json::from_str::<Event>(&line.json).unwrap()));
            let replies: Vec<u64> = events
                .iter()
                .filter(|event| matches!(event.what, EventKind::Reply(_)))
                .filter_map(|event| event.request)
                .collect();
            if let Some(request) = replies.get(count - 1) {
                return events.into_iter().filter(|event| event.request == Some(*request)).collect();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drag_is_trusted_input_and_a_change_that_follows_from_it() {
    let session = Recorded::start().await;
    let drag = json!({"start_x": 88, "start_y": 137, "end_x": 500, "end_y": 300});
    session.act(Mode::Primitive, "drag_and_drop", drag).await;
    let events = session.window(1).await;
    let inputs: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.what {
            EventKind::Input(input) => Some((event.at_ms, input)),
            _ => None,
        })
        .collect();
    assert!(inputs.iter().all(|(_, input)| input.trusted), "{inputs:?}");
    let names: Vec<&str> = inputs.iter().map(|(_, input)| input.name.as_str()).collect();
    assert!(names.starts_with(&["pointermove", "pointerdown"]) && names.contains(&"pointerup"), "{names:?}");
    assert!(inputs.is_sorted_by(|a, b| a.0 <= b.0), "{inputs:?}");
    let down = inputs.iter().find(|(_, input)| input.name == "pointerdown").unwrap();
    assert_eq!((down.1.x, down.1.y, down.1.buttons), (Some(88.0), Some(137.0), Some(1)));
    let (made_at, made) = events
        .iter()
        .find_map(|event| match &event.what {
            EventKind::Workspace(change) if change.change == "create" => Some((event.at_ms, change)),
            _ => None,
        })
        .unwrap_or_else(|| panic!("{events:#?}"));
    assert_eq!((made.sprite.as_str(), made.blocks[0].opcode.as_str()), ("Sprite1", "motion_movesteps"));
    assert!(down.0 < made_at, "the change comes after the press");
    let program = events.iter().find_map(|event| match &event.what {
        EventKind::Program(program) => Some(program.sprites.clone()),
        _ => None,
    });
    assert_eq!(program, Some(vec!["Sprite1".to_owned()]));
    session.sessions.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_observation_is_noted_with_its_picture() {
    let session = Recorded::start().await;
    session.act(Mode::Primitive, "observe", json!({"ocr": "off"})).await;
    let events = session.window(1).await;
    let seen = events.iter().find_map(|event| match &event.what {
        EventKind::Observation(seen) => Some(seen),
        _ => None,
    });
    let seen = seen.unwrap();
    let image = session.log.image(seen.image.as_deref().unwrap()).unwrap();
    assert_eq!((&image.bytes[1..4], &*image.media_type), (&b"PNG"[..], "image/png"));
    assert!(seen.elements.as_ref().is_some_and(|elements| elements.len() > 10));
    session.sessions.shutdown().await;
}
