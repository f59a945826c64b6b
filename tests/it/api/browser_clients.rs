//! What clients meet at a task pack in the published layout: projects by their files' names, drag scenes, text
//! recognition on a port of its own; and the small stage however a session is made, with the page function `stage-size`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::{Client, Method};
use scratchbed::agent::Observing;
use scratchbed::benchmarks::drag::ScenePack;
use scratchbed::benchmarks::tasks::import::import;
use scratchbed::benchmarks::tasks::{LocalTestbed, Testbed as _};
use scratchbed::compile::BuiltProjects;
use scratchbed::model::{ActionCall, KeptPictures, Mode};
use scratchbed::scratchworld::ScratchWorldOptions;
use scratchbed::session::{SessionHandle, SessionOptions, Sessions, Start};
use scratchbed::taskset::TaskSet;
use serde_json::{Value, json};

use crate::support::browsers::{fleet, in_shared_browsers, sessions};
use crate::support::mcp_client::{McpClient, McpServer};
use crate::support::reference_client::{Reference, Server};
use crate::support::root;

const TASK: &str = "three_times";
/// The initial project of that task, which has another name.
const INITIAL: &str = "night_school.sb3";
const LIMIT: Duration = Duration::from_secs(30);

fn checkout() -> PathBuf {
    root().join("tests/fixtures/scratchworld/checkout")
}

/// A pack of the committed checkout, whose tasks have the small stage.
fn tasks(folder: &Path) -> TaskSet {
    let pack = folder.join("pack");
    import(&checkout()).unwrap().write(&pack, false).unwrap();
    TaskSet::read_pack(&pack).unwrap()
}

/// A drag scene in the published layout, imported.
fn drags(folder: &Path) -> ScenePack {
    let from = folder.join("published");
    let (tasks, projects) = (from.join("single_step_drag_benchmark/tasks"), from.join("scratch-gui/static"));
    fs::create_dir_all(&tasks).unwrap();
    fs::create_dir_all(&projects).unwrap();
    let task = json!({
        "id": "T1_001", "category": "T1", "instruction": "Drag it.", "init_project": "T1_001.sb3",
        "evaluation_config": {
            "connection_type": "next", "target_block_opcode": "looks_say", "target_block_id": "a",
            "reference_block_id": "b", "target_input_name": null, "variable_name": null,
            "workspace_state": {"tx": 300, "ty": 20, "scale": 0.675},
            "drag_start_point": [90, 300], "first_valid_point": [500, 250],
            "feasible_start_points": [[90, 300]], "feasible_points": [[500, 250]],
        },
    });
    fs::write(tasks.join("T1_001.json"), task.to_string()).unwrap();
    fs::copy(checkout().join("scratch-gui/static").join(INITIAL), projects.join("T1_001.sb3")).unwrap();
    let (pack, gaps) = scratchbed::benchmarks::drag::import(&from, &folder.join("drags")).unwrap();
    assert_eq!(gaps, Vec::<String>::new());
    pack
}

/// The width of the stage in an observation in primitive mode.
fn stage_width(data: &Value) -> i64 {
    let stage = data["elements"].as_array().unwrap().iter().find(|element| element["type"] == "stage");
    stage.unwrap_or_else(|| panic!("{data:#}"))["position"]["width"].as_i64().unwrap()
}

fn is_small(data: &Value) -> bool {
    let width = stage_width(data);
    assert!((236..=244).contains(&width) || (476..=484).contains(&width), "{width}");
    width < 300
}

fn look() -> ActionCall {
    let args = json!({"picture": "off", "ocr": "off"});
    ActionCall::new("observe", args.as_object().cloned().unwrap_or_default())
}

async fn seen(handle: &SessionHandle) -> Value {
    let reply = scratchbed::action::perform(handle, Mode::Primitive, look()).await.unwrap();
    assert!(reply.success, "{reply:?}");
    reply.data
}

#[test]
fn projects_are_loaded_by_their_files_names_and_text_is_read_on_a_port_of_its_own() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let server =
            Server::over(tasks(folder.path()), Some(drags(folder.path())), ScratchWorldOptions::default()).await;
        let mut client = server.client();
        client.open(INITIAL).await;
        text_is_read(&server, &client).await;
        for project in [INITIAL, "snail_garden_backwards.sb3", "T1_001.sb3"] {
            let loaded = client.json(Method::POST, "load_project", &[("project_name", project)], None).await;
            assert_eq!((&loaded["status"], &loaded["details"]["ok"]), (&json!("success"), &json!(true)), "{loaded}");
            // The scene has a copy of the initial project, and the task between them asks for nothing.
            let asks = client.pseudocode().await.contains("sensing_askandwait");
            assert_eq!(asks, project == INITIAL || project == "T1_001.sb3", "{project}");
        }
        let static_path = format!("scratch-gui/static/{INITIAL}");
        for other in ["party.sb3", &static_path, "../T1_001.sb3", "T1_002.sb3", "three_times_golden.sb3", "T1_001"] {
            let (status, text) = client.send(Method::POST, "load_project", &[("project_name", other)], None).await;
            assert_eq!(status, 404, "{other}: {text}");
        }
        client.close().await;
        server.stop().await;
    });
}

/// As the reference's client asks: a picture as a form, to a port that has nothing else.
async fn text_is_read(server: &Server, client: &Reference) {
    let shot = client.json(Method::GET, "screenshot", &[("format", "base64")], None).await;
    let png = base64::Engine::decode(
        &base64::engine::general_purpose::STANDARD,
        shot["screenshot"].as_str().unwrap().as_bytes(),
    );
    let file = reqwest::multipart::Part::bytes(png.unwrap()).file_name("a.png").mime_str("image/png").unwrap();
    let form = reqwest::multipart::Form::new().part("file", file).text("confidence", "0.5");
    let reply = client.http.post(format!("{}/ocr/detect", server.ocr)).multipart(form).send().await.unwrap();
    let read: Value = reply.json().await.unwrap();
    assert!(read["elements"].as_array().unwrap().iter().any(|word| word["text"] == "Motion"), "{read}");
    let health: Value = client.http.get(format!("{}/health", server.ocr)).send().await.unwrap().json().await.unwrap();
    assert_eq!(health["status"], "healthy");
    let sessions = client.http.get(format!("{}/sessions", server.ocr)).send().await.unwrap();
    assert_eq!(sessions.status(), 404, "nothing else is there");
}

#[test]
fn a_task_that_says_small_has_the_small_stage_over_http_and_mcp_and_the_references_client_changes_nothing() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::over(tasks(folder.path()), None, ScratchWorldOptions::default()).await;
        let http = scratchbed::agent::http_client().no_proxy().build().unwrap();
        let post = async |path: &str, body: Value| -> Value {
            let reply = http.post(format!("{}{path}", server.main)).json(&body).send().await.unwrap();
            let text = reply.text().await.unwrap();
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}: {text}"))
        };
        for (body, small) in [(json!({"task": TASK}), true), (json!({}), false)] {
            let session = post("/sessions", body).await["id"].as_str().unwrap().to_owned();
            let reply = post(&format!("/sessions/{session}/act/primitive"), json!(look())).await;
            assert_eq!(is_small(&reply["data"]), small);
            if small {
                // A fresh page is as the first one was.
                post(&format!("/sessions/{session}/reset"), json!({})).await;
                let handle = server.state.sessions.get(&session).await.unwrap();
                assert!(is_small(&seen(&handle).await));
                drop(handle);
                // The reference's client makes it small itself, whatever it was.
                let mut client = server.client();
                client.session = Some(session.clone());
                let toggled = client.json(Method::POST, "toggle_stage", &[], None).await;
                assert_eq!(toggled["success"], true);
                let handle = server.state.sessions.get(&session).await.unwrap();
                assert!(is_small(&seen(&handle).await));
            }
            server.state.sessions.delete(&session).await.unwrap();
        }
        over_mcp(&server, &http).await;
        server.stop().await;
    });
}

/// One attempt over MCP.
async fn over_mcp(server: &Server, http: &Client) {
    let mut client = McpClient::connect(McpServer::At(http.clone(), server.main.clone()), Mode::Primitive).await;
    let started = client.tool("start_task", json!({"task": TASK})).await;
    assert!(started["structuredContent"].is_null(), "nobody asked for it: {started}");
    let told: Value = serde_json::from_str(started["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(told["task"]["stage"], "small", "{started}");
    let session = told["session"].as_str().unwrap().to_owned();
    let handle = server.state.sessions.get(&session).await.unwrap();
    assert!(is_small(&seen(&handle).await));
}

#[test]
fn runs_have_the_small_stage_too_and_a_new_page_keeps_what_a_session_has() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let tasks = tasks(folder.path());
        let fleet = fleet().await;
        let sessions_of_runs =
            Sessions::new(fleet.clone(), SessionOptions { limit: 1, idle: Duration::from_secs(600) });
        let projects = BuiltProjects::over(fleet.clone(), folder.path().join("cache"));
        let testbed = LocalTestbed::new(sessions_of_runs.clone(), projects, KeptPictures::Agent);
        let mut attempt =
            testbed.open(tasks.find(TASK).unwrap(), Observing::Native, &folder.path().join("log")).await.unwrap();
        let reply = attempt.call(Mode::Primitive, &look()).await.unwrap();
        assert!(is_small(&reply.data));
        attempt.close().await;
        let log = fs::read_to_string(folder.path().join("log/log.jsonl")).unwrap();
        assert!(log.lines().next().unwrap().contains("\"stage\":\"small\""), "{log}");
        fleet.shutdown().await;

        let sessions = sessions(1).await;
        let info = sessions.create(Start::default()).await.unwrap();
        let handle = sessions.get(&info.id).await.unwrap();
        assert!(!is_small(&seen(&handle).await));
        let made_small = handle.run(LIMIT, |live| Box::pin(scratchbed::action::scratchworld::small_stage(live))).await;
        assert!(made_small.unwrap().unwrap().is_some());
        handle.run(LIMIT, |live| Box::pin(async move { live.page().give_up().await })).await.unwrap();
        // The call in progress may be told of the loss; the next one works on the new page.
        let first = scratchbed::action::perform(&handle, Mode::Primitive, look()).await.unwrap();
        let data = if first.success { first.data } else { seen(&handle).await };
        assert!(is_small(&data));
        sessions.reset(&info.id).await.unwrap();
        assert!(!is_small(&seen(&handle).await), "a reset page is as the session began");
        sessions.shutdown().await;
    });
}
