//! Reports of what actions met and changed, over HTTP and the real editor, in both of its
//! generations: the page functions `begin-report` and `end-report`.

use std::time::Duration;

use axum::body::Body;
use reqwest::StatusCode;
use scratchbed::http::AppState;
use scratchbed::model::EditorGeneration;
use scratchbed::session::{SessionOptions, Sessions};
use serde_json::{Value, json};

use crate::api::routes::{api_over, bytes, call, post_json, request};
use crate::support::browsers::{fleet_of, in_shared_browsers};
use crate::support::composite_editor::todays_editors;

/// The API over the real editor, without a port, and a session in it.
pub struct Desk {
    pub state: AppState,
    pub id: String,
}

impl Desk {
    /// With a session that is created as this body says.
    pub async fn open(body: Value) -> Self {
        Self::open_in(EditorGeneration::Current, body).await
    }

    /// The same in an editor of that generation.
    pub async fn open_in(editor: EditorGeneration, body: Value) -> Self {
        let options = SessionOptions { limit: 3, idle: Duration::from_secs(600) };
        let sessions = Sessions::new(fleet_of(editor).await, options);
        let mut desk = Self { state: api_over(sessions).into(), id: String::new() };
        let created = desk.post("/sessions", body, StatusCode::CREATED).await;
        created["id"].as_str().unwrap().clone_into(&mut desk.id);
        desk
    }

    pub async fn post(&self, path: &str, body: Value, status: StatusCode) -> Value {
        let response = call(self.state.clone(), post_json(path, body.to_string())).await;
        let given = response.status();
        let text = String::from_utf8(bytes(response).await).unwrap();
        assert_eq!(given.as_u16(), status.as_u16(), "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    pub async fn get(&self, path: &str) -> Value {
        let request = request("GET", &format!("/sessions/{}{path}", self.id)).body(Body::empty()).unwrap();
        let text = bytes(call(self.state.clone(), request).await).await;
        serde_json::from_slice(&text).unwrap()
    }

    pub async fn act(&self, mode: &str, body: Value) -> Value {
        self.post(&format!("/sessions/{}/act/{mode}", self.id), body, StatusCode::OK).await
    }

    /// The data of an action that must succeed.
    pub async fn ok(&self, mode: &str, api: &str, args: Value) -> Value {
        let reply = self.act(mode, json!({"api": api, "args": args})).await;
        assert_eq!(reply["success"], true, "{api}: {reply:#}");
        reply["data"].clone()
    }

    /// The report on a primitive action.
    async fn met(&self, api: &str, args: Value) -> Value {
        let reply = self.act("primitive", json!({"api": api, "args": args, "report": true})).await;
        assert_eq!(reply["success"], true, "{api}: {reply:#}");
        reply["data"]["report"].clone()
    }

    /// Where the element whose text begins so is.
    async fn middle(&self, kind: &str, text: &str) -> (f64, f64) {
        let seen = self.get("/observation/primitive?picture=off&ocr=off").await;
        let elements = seen["data"]["elements"].as_array().unwrap();
        let is_it = |one: &&Value| one["type"] == kind && one["text"].as_str().unwrap().starts_with(text);
        let at = &elements.iter().find(is_it).unwrap_or_else(|| panic!("no {kind} {text}: {seen:#}"))["position"];
        let number = |name: &str| at[name].as_f64().unwrap();
        (number("x") + number("width") / 2.0, number("y") + number("height") / 2.0)
    }

    pub async fn close(self) {
        self.state.sessions.shutdown().await;
    }
}

#[test]
fn whoever_does_not_ask_gets_the_reply_as_ever_and_a_session_can_ask_for_all() {
    in_shared_browsers(async {
        let desk = Desk::open(json!({})).await;
        let info = desk.get("").await;
        assert!(info.get("report").is_none() && info.get("extended").is_none(), "{info}");
        let click = json!({"api": "click", "args": {"x": 640, "y": 600}});
        let reply = desk.act("primitive", click.clone()).await;
        assert_eq!(reply["data"], json!({}));
        assert_eq!(
            reply["executed_action"],
            json!({"api": "click", "args": {"x": 640.0, "y": 600.0, "button": "left"}})
        );
        let data = desk.ok("composite", "add_block", json!({"blockType": "looks_show"})).await;
        assert!(data["pseudocode"].is_string() && data.get("report").is_none(), "{data}");

        let body = json!({"report": true});
        let created = desk.post("/sessions", body, StatusCode::CREATED).await;
        assert_eq!(created["report"], true);
        let at = format!("/sessions/{}", created["id"].as_str().unwrap());
        let reply = desk.post(&format!("{at}/act/primitive"), click.clone(), StatusCode::OK).await;
        assert_eq!(reply["data"]["report"]["hit"], json!({"type": "canvas", "text": "canvas"}), "{reply:#}");
        let mut without = click;
        without["report"] = false.into();
        let reply = desk.post(&format!("{at}/act/primitive"), without, StatusCode::OK).await;
        assert_eq!(reply["data"], json!({}));
        // The other form has it in the query.
        let path = format!("/sessions/{}/primitive/key?report=true", desk.id);
        let reply = desk.post(&path, json!({"key": "Escape"}), StatusCode::OK).await;
        assert!(reply["data"]["report"]["focus"].is_object(), "{reply:#}");
        let failed = desk.act("primitive", json!({"api": "key", "args": {"key": "F5"}, "report": true})).await;
        assert_eq!((&failed["success"], &failed["data"]), (&json!(false), &json!({})));
        desk.close().await;
    });
}

#[test]
fn mouse_and_keyboard_are_told_what_they_met() {
    in_shared_browsers(async {
        for editor in todays_editors() {
            let desk = Desk::open_in(editor, json!({})).await;
            let report = desk.met("type", json!({"text": "lost"})).await;
            assert_eq!(report["typed_into"]["type"], "none", "{report:#}");
            assert_eq!(report["program_changed"], Value::Null);

            let (x, y) = desk.middle("blocks", "motion_movesteps").await;
            let drag = json!({"start_x": x - 35.0, "start_y": y, "end_x": 450, "end_y": 200});
            let report = desk.met("drag_and_drop", drag).await;
            assert_eq!(report["drag"]["grabbed"], "motion_movesteps (STEPS: 10)", "{report:#}");
            assert_eq!(
                (&report["drag"]["now"], &report["drag"]["dropped_on"]["type"]),
                (&json!("loose"), &json!("canvas"))
            );
            assert_eq!(report["program_changed"], json!({"added": ["motion_movesteps (STEPS: 10) loose"]}));

            let (x, y) = desk.middle("blocks", "motion_turnright: turn").await;
            let (_, above) = desk.middle("blocks", "motion_movesteps on canvas").await;
            let drag = json!({"start_x": x - 55.0, "start_y": y, "end_x": 450, "end_y": above + 33.0});
            let report = desk.met("drag_and_drop", drag).await;
            let wanted = json!({
                "hit": {"type": "blocks", "text": "motion_turnright: turn 15 degrees"},
                "grabbed": "motion_turnright (DEGREES: 15)", "dropped_on": report["drag"]["dropped_on"],
                "now": "connected", "parent": "motion_movesteps (STEPS: 10)", "slot": "next",
            });
            assert_eq!(report["drag"], wanted, "{report:#}");

            let (x, y) = desk.middle("inputs", "value: 10 field: STEPS of motion_movesteps on canvas").await;
            let report = desk.met("click", json!({"x": x, "y": y})).await;
            assert_eq!(report["hit"]["text"], "value: 10 field: STEPS of motion_movesteps on canvas", "{report:#}");
            assert_eq!(report["focus"]["contains"], "10");
            let report = desk.met("type", json!({"text": "42\n"})).await;
            assert_eq!(report["typed_into"]["contains"], "42", "{report:#}");
            assert_eq!(report["program_changed"], json!({"changed": ["motion_movesteps STEPS: 42, was 10"]}));

            let (x, y) = desk.middle("blocks", "motion_turnright on canvas").await;
            let drag = json!({"start_x": x - 55.0, "start_y": y, "end_x": 200, "end_y": 600});
            let report = desk.met("drag_and_drop", drag).await;
            assert_eq!((&report["drag"]["now"], report["drag"].get("parent")), (&json!("deleted"), None), "{report:#}");
            assert_eq!(report["program_changed"], json!({"removed": ["motion_turnright (DEGREES: 15)"]}));

            let report = desk.met("scroll", json!({"direction": "down", "amount": 200, "x": 200, "y": 400})).await;
            assert_eq!(report["scrolled"], json!({"what": "palette", "right": 0.0, "down": 200.0}));
            let report = desk.met("scroll", json!({"direction": "down", "x": 1000, "y": 20})).await;
            assert_eq!(report["scrolled"]["what"], "none");
            let (x, y) = desk.middle("sprites", "Stage").await;
            let report = desk.met("click", json!({"x": x, "y": y})).await;
            assert_eq!((&report["opened"], &report["program_changed"]), (&json!("Stage"), &Value::Null), "{report:#}");
            desk.close().await;
        }
    });
}

#[test]
fn block_operations_are_told_what_changed_and_no_look_is_needed() {
    in_shared_browsers(async {
        for editor in todays_editors() {
            let desk = Desk::open_in(editor, json!({"report": true})).await;
            let edit = async |api: &str, args: Value| desk.ok("composite", api, args).await;
            edit("add_block", json!({"blockType": "event_whenflagclicked"})).await;
            edit("add_block", json!({"blockType": "looks_show"})).await;
            let data = edit("add_block", json!({"blockType": "control_repeat"})).await;
            assert!(data.get("pseudocode").is_none(), "{data:#}");
            assert_eq!(
                data["report"],
                json!({"program_changed": {"added": ["#3 control_repeat (TIMES: 10, SUBSTACK) loose"]}})
            );
            let under = |source: u32, target: u32| json!({"sourceBlockIndex": source, "targetBlockIndex": target, "placement": {"kind": "stack_after"}});
            edit("connect_blocks", under(2, 1)).await;
            // In between: the block that is pushed down has not moved, only its index is another one.
            let data = edit("connect_blocks", under(3, 1)).await;
            let told = &data["report"]["program_changed"];
            assert_eq!(told["moved"], json!(["#2 control_repeat below #1 event_whenflagclicked"]), "{told:#}");
            assert_eq!(told["renumbered"], json!(["#2 -> #3", "#3 -> #2"]));
            let data = edit("set_block_field", json!({"blockIndex": 2, "fieldName": "TIMES", "value": 4})).await;
            assert_eq!(data["report"]["program_changed"], json!({"changed": ["#2 control_repeat TIMES: 4, was 10"]}));
            let data = edit("add_variable", json!({"name": "score", "scope": "all"})).await;
            assert_eq!(data["report"]["program_changed"], json!({"elsewhere": ["Stage: variables"]}));
            let data = edit("select_stage", json!({})).await;
            assert_eq!((&data["report"]["opened"], &data["pseudocode"]), (&json!("Stage"), &json!("")), "{data:#}");
            desk.close().await;
        }
    });
}
