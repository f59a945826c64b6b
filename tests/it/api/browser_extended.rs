//! Extended sessions over HTTP and MCP: add_script, green_flag, stop, and the stage's picture. The page functions, called
//! in both editors, are `add-script`, `play-project`, `stop-project` and `stage-place`.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use scratchbed::agent::Observing;
use scratchbed::benchmarks::tasks::{LocalTestbed, Testbed as _};
use scratchbed::compile::BuiltProjects;
use scratchbed::files::Checkout;
use scratchbed::model::{ActionCall, Extras, KeptPictures, Mode};
use scratchbed::taskset::TaskSet;
use serde_json::{Value, json};

use crate::api::browser_report::Desk;
use crate::api::routes::{api_over, with_mcp};
use crate::support::browsers::{in_shared_browsers, sessions};
use crate::support::composite_editor::todays_editors;
use crate::support::mcp_client::{McpClient, McpServer};
use crate::support::root;

const SCRIPT: &str = "when green flag clicked\nset [my variable v] to (0)\nrepeat (3)\n  change [my variable v] by (1)\nend\n\
    show variable [my variable v]\nsay [done]\nhop (30) if <>\nbroadcast (over v)\n\n\
    define hop (far) if <ready>\nchange x by (far)";

fn size(data: &Value) -> (u32, u32) {
    let file = STANDARD.decode(data["screenshot"].as_str().unwrap()).unwrap();
    let picture = image::ImageReader::new(Cursor::new(file)).with_guessed_format().unwrap();
    picture.into_dimensions().unwrap()
}

#[test]
fn a_script_is_added_in_one_step_tried_out_and_taken_back_in_one() {
    in_shared_browsers(async {
        for editor in todays_editors() {
            let desk = Desk::open_in(editor, json!({"extended": true})).await;
            assert_eq!(desk.get("").await["extended"], true);
            let data = desk.ok("composite", "add_script", json!({"script": SCRIPT})).await;
            assert_eq!(
                (&data["indexes"], &data["blocks"], &data["messages"]),
                (&json!([1, 9]), &json!(11), &json!(["over"]))
            );
            let text = data["pseudocode"].as_str().unwrap();
            for line in [
                "#2 data_setvariableto",
                "  #4 data_changevariableby",
                "#7 procedures_call",
                "- input far: \"30\" (text)",
                "  #11 argument_reporter_string_number",
            ] {
                assert!(text.lines().any(|each| each == line), "no {line:?} in\n{text}");
            }

            let data = desk.ok("composite", "green_flag", json!({"seconds": 5})).await;
            assert_eq!(data["running"], false, "{}", data["said"]);
            assert!(data["seconds"].as_f64().unwrap() < 5.0, "all scripts have ended before");
            assert_eq!(data["said"][0]["text"], "done");
            assert_eq!(data["monitors"], json!([{"label": "my variable", "value": "3"}]));
            assert_eq!((size(&data), &data["picture"]["width"]), ((480, 360), &json!(480)));

            let below = json!({"script": "forever\n  wait (0.1) seconds\nend", "targetBlockIndex": 8});
            let data = desk.ok("composite", "add_script", below).await;
            assert_eq!((&data["indexes"], &data["connected"]), (&json!([9]), &json!(true)), "{data:#}");
            let data = desk.ok("composite", "green_flag", json!({"seconds": 0.2})).await;
            assert_eq!(data["running"], true);
            assert_eq!(desk.ok("composite", "stop", json!({})).await, json!({"stopped": 1}));
            let seen = desk.get("/observation/composite?stage=true").await;
            assert_eq!(size(&seen["data"]), (480, 360));
            assert!(desk.get("/observation/composite").await["data"].get("screenshot").is_none());

            for blocks in [11, 0] {
                desk.ok("primitive", "click", json!({"x": 640, "y": 680})).await;
                desk.ok("primitive", "hotkey", json!({"keys": ["ctrl", "z"]})).await;
                let seen = desk.get("/observation/composite").await;
                assert_eq!(seen["data"]["sizes"]["blocks"], blocks, "{}", seen["data"]["pseudocode"]);
            }
            desk.close().await;
        }
    });
}

#[test]
fn a_script_that_is_wrong_changes_nothing_and_says_in_which_line() {
    in_shared_browsers(async {
        for editor in todays_editors() {
            let desk = Desk::open_in(editor, json!({"extended": true})).await;
            let add = async |args: Value| desk.act("composite", json!({"api": "add_script", "args": args})).await;
            add(json!({"script": "define hop (far)\nhide"})).await;
            let before = desk.get("/observation/composite").await["data"]["pseudocode"].clone();
            for (code, line, args) in [
                ("unknown_block", "line 1", json!({"script": "mvoe (10) steps"})),
                ("unknown_block", "line 3", json!({"script": "show\n\nwait (1) secnds"})),
                ("unknown_variable", "line 1", json!({"script": "set [nope v] to (1)"})),
                ("invalid_choice", "line 1", json!({"script": "switch costume to (costum2 v)"})),
                ("duplicate_definition", "line 1", json!({"script": "define hop (a)\nshow"})),
                ("bad_script", "line 3", json!({"script": "hide\n\nshow", "targetBlockIndex": 1})),
                ("bad_script", "", json!({"script": " \n"})),
                ("unknown_index", "", json!({"script": "hide", "targetBlockIndex": 9})),
                ("connection_mismatch", "", json!({"script": "when green flag clicked\nhide", "targetBlockIndex": 1})),
                ("invalid_arguments", "", json!({"script": "hide", "placement": {"kind": "stack_after"}})),
                (
                    "missing_argument",
                    "",
                    json!({"script": "hide", "targetBlockIndex": 1, "placement": {"kind": "value_into"}}),
                ),
            ] {
                let reply = add(args.clone()).await;
                assert_eq!(reply["error"]["code"], code, "{args}: {reply:#}");
                assert!(reply["error"]["message"].as_str().unwrap().starts_with(line), "{args}: {reply:#}");
                assert_eq!(desk.get("/observation/composite").await["data"]["pseudocode"], before, "{args}");
            }
            let call = desk.ok("composite", "add_script", json!({"script": "hop (5) // far"})).await;
            let text = call["pseudocode"].as_str().unwrap();
            assert!(text.contains("- comment: \"far\"") && text.contains("- input far: \"5\" (text)"), "{text}");
            let late = desk.act("composite", json!({"api": "green_flag", "args": {"seconds": 11}})).await;
            assert_eq!(late["error"]["code"], "invalid_arguments");
            desk.close().await;
        }
    });
}

#[test]
fn other_sessions_refuse_what_extended_ones_have() {
    in_shared_browsers(async {
        let desk = Desk::open(json!({})).await;
        for (api, args) in [
            ("add_script", json!({"script": "hide"})),
            ("green_flag", json!({})),
            ("stop", json!({})),
            ("observe", json!({"stage": true})),
        ] {
            let reply = desk.act("composite", json!({"api": api, "args": args})).await;
            assert_eq!(reply["error"]["code"], "not_extended", "{api}: {reply:#}");
            assert_eq!(reply["error"]["infrastructure"], false);
        }
        let path = format!("/sessions/{}/act/composite", desk.id);
        let unknown = desk.post(&path, json!({"api": "add_scirpt"}), reqwest::StatusCode::NOT_FOUND).await;
        assert!(!unknown["hint"].as_str().unwrap().contains("add_script"));
        desk.close().await;
    });
}

#[test]
fn attempts_of_a_run_have_what_the_run_asks_for() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let sessions = sessions(1).await;
        let projects = BuiltProjects::over(sessions.fleet().clone(), Checkout::at(root()).projects());
        let extras = Extras { extended: true, report: true };
        let testbed = LocalTestbed::with(sessions.clone(), projects, KeptPictures::Agent, extras);
        let tasks = TaskSet::read(root()).unwrap();
        let task = tasks.find("stuck_ferry").unwrap();
        let mut attempt = testbed.open(task, Observing::Native, &folder.path().join("log")).await.unwrap();
        let mut call = ActionCall::new("add_script", serde_json::Map::new());
        call.args.insert("script".into(), "hide".into());
        let reply = attempt.call(Mode::Composite, &call).await.unwrap();
        assert!(reply.success && reply.data["report"]["program_changed"]["added"].is_array(), "{reply:?}");
        attempt.close().await;
        let log = std::fs::read_to_string(folder.path().join("log/log.jsonl")).unwrap();
        assert!(log.lines().next().unwrap().contains(r#""extras":{"extended":true,"report":true}"#));
        sessions.shutdown().await;
    });
}

#[test]
fn over_mcp_a_host_adds_a_script_sees_the_stage_and_gets_reports() {
    in_shared_browsers(async {
        let mut desk = Desk::open(json!({})).await;
        desk.state = with_mcp(api_over(desk.state.sessions.clone()), true).into();
        let mut host = McpClient::connect(McpServer::App(desk.state.clone()), Mode::Composite).await;
        let listed = host.ask("tools/list", json!({})).await;
        let names: Vec<&str> =
            listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert!(names.contains(&"add_script") && names.contains(&"green_flag") && names.contains(&"stop"), "{names:?}");
        host.tool("start_task", json!({"report": true})).await;
        let added = host.tool("add_script", json!({"script": "when green flag clicked\nsay [hi]"})).await;
        let told: Value = serde_json::from_str(added["content"][0]["text"].as_str().unwrap()).unwrap();
        let lines = &told["data"]["report"]["program_changed"]["added"];
        assert_eq!(
            lines,
            &json!(["#1 event_whenflagclicked loose", "#2 looks_say (MESSAGE: hi) below #1 event_whenflagclicked"])
        );
        assert!(told["data"].get("pseudocode").is_none(), "{told:#}");
        let played = host.tool("green_flag", json!({"report": false})).await;
        let kinds: Vec<&str> =
            played["content"].as_array().unwrap().iter().map(|one| one["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["text", "image"]);
        let text = played["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("\"text\":\"hi\"") && !text.contains("report"), "{text}");
        let seen = host.tool("observe", json!({"stage": true})).await;
        assert_eq!(seen["content"][1]["mimeType"], "image/png");
        desk.close().await;
    });
}
