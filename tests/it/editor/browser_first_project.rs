//! The project that a page begins with, in place of the editor's default one.

use std::time::Duration;

use scratchbed::action::settle;
use scratchbed::page::{PageFn, scripts};
use scratchbed::session::{SessionError, SessionHandle, SessionOptions, Sessions, Start};
use serde_json::{Value, json};

use crate::support::browsers::{fleet_of, in_shared_browsers, sessions};
use crate::support::composite_editor::todays_editors;

const LIMIT: Duration = Duration::from_secs(20);

const EDITOR_STATE: PageFn<(), Value> =
    PageFn::new("editor-state", include_str!("../support/js/editor-state.js")).in_every_editor();

/// The editor's own project under another name and elsewhere on the stage, with a script and a monitor.
async fn otter(sessions: &Sessions) -> Vec<u8> {
    let id = sessions.create(Start::default()).await.unwrap().id;
    let handle = sessions.get(&id).await.unwrap();
    let mut project = handle.run(LIMIT, |live| Box::pin(live.export())).await.unwrap().unwrap();
    project.json["targets"][0]["variables"] = json!({"v": ["fish", 3]});
    project.json["targets"][1]["name"] = "Otter".into();
    project.json["targets"][1]["x"] = 90.into();
    project.json["targets"][1]["blocks"] = json!({"a": {
        "opcode": "event_whenflagclicked", "next": null, "parent": null, "inputs": {}, "fields": {},
        "shadow": false, "topLevel": true, "x": 40, "y": 60
    }});
    project.json["monitors"] = json!([{
        "id": "v", "mode": "default", "opcode": "data_variable", "params": {"VARIABLE": "fish"}, "spriteName": null,
        "value": 3, "width": 0, "height": 0, "x": 5, "y": 5, "visible": true, "sliderMin": 0, "sliderMax": 100,
        "isDiscrete": true
    }]);
    sessions.delete(&id).await.unwrap();
    project.write().unwrap()
}

/// The state of a session's editor, everything in it that can be operated or read, and a picture of its page.
async fn shown(handle: &SessionHandle) -> (Value, Value, Vec<u8>) {
    let seen = handle.run(LIMIT, |live| {
        Box::pin(async move {
            let page = live.page();
            settle(page).await.unwrap();
            let elements = page.call(&scripts::LIST_ELEMENTS, &()).await?.elements;
            Ok::<_, SessionError>((page.call(&EDITOR_STATE, &()).await?, json!(elements), page.screenshot().await?))
        })
    });
    seen.await.unwrap().unwrap()
}

#[test]
fn a_page_that_begins_with_a_project_shows_what_one_shows_that_loads_it_later() {
    in_shared_browsers(async {
        for editor in todays_editors() {
            let options = SessionOptions { limit: 2, idle: Duration::from_secs(600) };
            let sessions = Sessions::new(fleet_of(editor).await, options);
            let project = otter(&sessions).await;
            let first = sessions.create(Start { project: Some(project.clone()), ..Start::default() }).await.unwrap();
            let later = sessions.create(Start::default()).await.unwrap();
            let report = sessions.load(&later.id, project).await.unwrap();
            assert_eq!(first.load, report);
            let first = shown(&sessions.get(&first.id).await.unwrap()).await;
            let later = shown(&sessions.get(&later.id).await.unwrap()).await;
            assert_eq!(first.0["editing"], "Otter", "{editor:?}");
            assert_eq!(first.0, later.0, "{editor:?}");
            assert_eq!(first.1, later.1, "{editor:?}");
            assert!(first.2 == later.2, "the pictures of the pages differ in {editor:?}");
            sessions.shutdown().await;
        }
    });
}

#[test]
fn a_project_that_the_editor_can_not_begin_with_is_refused_and_takes_no_place() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let sound = otter(&sessions).await;
        let mut broken = scratchbed::project::Project::read(&sound).unwrap();
        // The editor's machine wants a number, and refuses after we have let the file pass.
        broken.json["targets"][1]["volume"] = "loud".into();
        let broken = Start { project: Some(broken.write().unwrap()), ..Start::default() };
        let error = sessions.create(broken).await.unwrap_err();
        assert!(matches!(&error, SessionError::LoadFailed { message } if message.contains("volume")), "{error}");
        let info = sessions.create(Start { project: Some(sound), ..Start::default() }).await.unwrap();
        assert_eq!(info.load.targets, ["Stage", "Otter"]);
        sessions.shutdown().await;
    });
}
