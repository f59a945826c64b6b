//! The event log of a session on the real editor: what the page received, what changed, and that one follows
//! from the other.

use std::path::Path;
use std::time::Duration;

use scratchbed::action::perform;
use scratchbed::model::{ActionCall, ActionReply, Event, EventKind, KeptPictures, Mode};
use scratchbed::page::PageFn;
use scratchbed::recording::{Provenance, Why, provenance};
use scratchbed::recording::{compare, replay, video};
use scratchbed::session::{SessionHandle, SessionLog, Sessions, Start};
use scratchbed::store::{Fault, StoredLog};
use serde_json::{Value, json};

use crate::support::browsers::{in_shared_browsers, sessions};

/// Long enough for what is on its way, on a machine that has much to do.
const WAIT: Duration = Duration::from_secs(30);

/// Adds a block as a script in the page could.
const PLANT: PageFn<Value, ()> = PageFn::new("plant-block", include_str!("../support/js/plant-block.js"));

/// A block from the palette dropped on the canvas, as the default page shows it.
fn palette_drag() -> Value {
    json!({"start_x": 88, "start_y": 137, "end_x": 500, "end_y": 300})
}

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

    /// Adds a block behind the back of the interface.
    async fn plant(&self, through: &str) {
        let args = json!({"through": through});
        let planted = self.handle.run(WAIT, move |live| Box::pin(async move { live.page().call(&PLANT, &args).await }));
        planted.await.unwrap().unwrap();
    }

    /// What the log says of how the program was made, once `count` calls are answered.
    async fn provenance(&self, count: usize) -> Provenance {
        self.window(count).await;
        let lines = self.log.after(0, 1000, Duration::ZERO).await.lines;
        provenance(&lines.iter().map(|line| serde_json::from_str(&line.json).unwrap()).collect::<Vec<Event>>())
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

#[test]
fn a_drag_is_trusted_input_and_a_change_that_follows_from_it() {
    in_shared_browsers(async {
        let session = Recorded::start().await;
        session.act(Mode::Primitive, "drag_and_drop", palette_drag()).await;
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
    });
}

#[test]
fn an_observation_is_noted_with_its_picture() {
    in_shared_browsers(async {
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
    });
}

#[test]
fn what_is_not_made_by_hand_is_found_out() {
    in_shared_browsers(async {
        let session = Recorded::start().await;
        session.act(Mode::Primitive, "drag_and_drop", palette_drag()).await;
        session.act(Mode::Primitive, "observe", json!({"ocr": "off"})).await;
        let by_hand = session.provenance(2).await;
        assert!(by_hand.through_the_gui && by_hand.changes == 1, "{by_hand:#?}");

        session.act(Mode::Composite, "add_block", json!({"blockType": "looks_show"})).await;
        let composite = session.provenance(3).await;
        assert!(!composite.through_the_gui);
        assert!(composite.breaches.iter().all(|breach| breach.why == Why::OtherCall), "{composite:#?}");

        let before = composite.breaches.len();
        session.plant("workspace").await;
        // The workspace tells of its changes a moment later, by then in the window of a call that only looks.
        session.act(Mode::Primitive, "observe", json!({"ocr": "off"})).await;
        let through_workspace = session.provenance(5).await.breaches;
        assert!(through_workspace.len() > before, "{through_workspace:#?}");
        let before = through_workspace.len();
        session.plant("vm").await;
        // Nothing told of it, but the project that is taken out has it.
        session.handle.run(WAIT, |live| Box::pin(live.export())).await.unwrap().unwrap();
        let behind = session.provenance(7).await.breaches;
        assert!(behind.len() > before, "{behind:#?}");
        session.sessions.shutdown().await;
    });
}

/// The archive has its frames in order, the way of the drag among them, and draws the pointer.
fn shows_the_drag(film: &Path, frames: usize) {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(film).unwrap()).unwrap();
    assert_eq!(archive.len(), frames + 1, "each frame and the index");
    let index: Vec<Value> = serde_json::from_reader(archive.by_name("index.json").unwrap()).unwrap();
    let times: Vec<f64> = index.iter().map(|frame| frame["at_ms"].as_f64().unwrap()).collect();
    let drags = index.iter().filter_map(|frame| frame["drag"].as_array());
    assert!(times.is_sorted() && drags.map(Vec::len).max() > Some(2), "{index:#?}");
    let name = index.last().unwrap()["file"].as_str().unwrap();
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut archive.by_name(name).unwrap(), &mut bytes).unwrap();
    let picture = image::load_from_memory(&bytes).unwrap();
    assert_eq!((picture.width(), picture.height()), (1280, 720));
}

#[test]
fn a_kept_session_can_be_replayed_and_an_altered_log_is_found() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (folder.path().join("first"), folder.path().join("second"));
        let sessions = sessions(1).await;
        let filmed = Start { pictures: KeptPictures::All, ..Start::default() };
        let info = sessions.create_logged(filmed, Some(first.clone())).await.unwrap();
        let (handle, log) = (sessions.get(&info.id).await.unwrap(), sessions.log(&info.id).await.unwrap());
        let session = Recorded { sessions, handle, log };
        session.act(Mode::Primitive, "drag_and_drop", palette_drag()).await;
        session.act(Mode::Primitive, "observe", json!({"ocr": "off"})).await;
        session.act(Mode::Composite, "observe", json!({})).await;
        session.act(Mode::Composite, "add_block", json!({"blockType": "looks_show"})).await;
        let Recorded { sessions, handle, log } = session;
        sessions.delete(&info.id).await.unwrap();
        drop(handle);
        log.ended().await;

        let stored = StoredLog::open(&first).unwrap();
        assert_eq!(stored.faults, []);
        let done = replay(&stored, &sessions, &second).await.unwrap();
        assert_eq!((done.calls, done.left_out), (4, vec![]));
        let again = StoredLog::open(&second).unwrap();
        let comparison = compare(&stored, &again).unwrap();
        assert!(comparison.equal && comparison.calls == 4, "{comparison:#?}");

        let film = folder.path().join("film.zip");
        let frames = video::write_archive(&stored, &film).unwrap();
        shows_the_drag(&film, frames);
        let replayed = video::write_archive(&again, &folder.path().join("none.zip"));
        assert!(replayed.is_ok(), "the replayed session was looked at: {replayed:?}");

        let file = second.join("log.jsonl");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replacen("\"trusted\":true", "\"trusted\":false", 1)).unwrap();
        assert!(matches!(StoredLog::open(&second).unwrap().faults[..], [Fault::BrokenChain { .. }]));
        std::fs::write(&file, text.replace("looks_show", "looks_hide")).unwrap();
        let altered = compare(&stored, &StoredLog::open(&second).unwrap()).unwrap();
        assert_eq!(altered.first.map(|found| (found.call, found.api)), Some((4, "add_block".to_owned())));
        sessions.shutdown().await;
    });
}
