//! Attempts of agents from outside as a researcher goes through them, the file that one is handed on as, and the pictures of
//! tasks: the real server over the real editor.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use scratchbed::compile::{BuiltProjects, Stage, Stages};
use scratchbed::files::Checkout;
use scratchbed::http::editor::EditorFiles;
use scratchbed::http::{Access, Api};
use scratchbed::model::EditorGeneration;
use scratchbed::session::{SessionOptions, Sessions};
use scratchbed::taskset::TaskSet;
use serde_json::{Value, json};

use crate::api::routes::{api_with, no_browser};
use crate::server::browser_live::{Server, look_for_barriers};
use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::plain_browser::PlainBrowser;
use crate::support::program::{Scratchbed, link};
use crate::support::root;

const JUDGE: &str = "a judge's token of this test";
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs are open to all, verdicts are the judge's to ask for.
fn access() -> Access {
    Access::new("127.0.0.1:0".parse().unwrap(), None).unwrap().judging(JUDGE).unwrap().opening_runs()
}

fn all_tasks() -> TaskSet {
    TaskSet::read(root()).unwrap()
}

/// A server that keeps logs below `logs`, if at all, and pictures of stages below `cache`. Projects are built once for all
/// tests.
async fn state(logs: Option<&Path>, cache: &Path, tasks: TaskSet) -> Api {
    let fleet = fleet().await;
    let projects = BuiltProjects::over(fleet.clone(), Checkout::at(root()).projects());
    let sessions = Sessions::new(fleet.clone(), SessionOptions { limit: 4, idle: Duration::from_secs(600) });
    let sessions = match logs {
        Some(logs) => sessions.logging_below(logs),
        None => sessions,
    };
    let stages = Stages::new(fleet, Arc::clone(&projects), cache.join("stages"));
    Api::new(sessions, tasks, projects, EditorFiles::of_checkout(root(), EditorGeneration::Current), access())
        .drawing_stages(stages)
}

impl Server {
    async fn attempt(&self) -> String {
        let made = self.call(Method::POST, "/sessions", json!({"task": "kite_gusts"})).await;
        made["id"].as_str().unwrap().to_owned()
    }

    async fn attempts(&self) -> Vec<Value> {
        self.get("/runs/sessions").await["attempts"].as_array().unwrap().clone()
    }

    /// Waits until what an ended session left is on the disk.
    async fn ended(&self, id: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let details = self.get(&format!("/runs/sessions/attempts/{id}")).await;
            // The end of the log is written last.
            let is_closed = details["record"]["lives"] == false && details["record"]["ending"] != "broken_off";
            if is_closed && details["has_program"] == true {
                return details;
            }
            assert!(Instant::now() < deadline, "{details:#}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

fn record<'a>(attempts: &'a [Value], id: &str) -> &'a Value {
    &attempts.iter().find(|attempt| attempt["name"] == id).unwrap_or_else(|| panic!("{id}: {attempts:#?}"))["record"]
}

#[test]
fn attempts_of_agents_from_outside_are_gone_through_and_outlive_the_server() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let (logs, runs) = (folder.path().join("logs"), folder.path().join("runs"));
        let server = Server::start(state(Some(&logs), folder.path(), all_tasks()).await, &runs).await;
        let (solved, deleted, going_on) = (server.attempt().await, server.attempt().await, server.attempt().await);
        server.act(&solved, "composite", "observe", json!({})).await;
        let noted = json!({"api": "add_block", "args": {"blockType": "motion_movesteps"}, "note": "it must move"});
        server.call(Method::POST, &format!("/sessions/{solved}/act/composite"), noted).await;
        server.act(&solved, "primitive", "done", json!({})).await;
        server.act(&going_on, "composite", "observe", json!({})).await;
        let living = server.attempts().await;
        assert_eq!(record(&living, &going_on)["ending"], "in_progress");
        assert_eq!(
            (&record(&living, &solved)["ending"], &record(&living, &solved)["lives"]),
            (&json!("done"), &json!(true))
        );
        for id in [&solved, &deleted] {
            server.client.delete(format!("{}/sessions/{id}", server.base)).send().await.unwrap();
        }
        let details = server.ended(&solved).await;
        assert_eq!((&details["record"]["steps"], &details["record"]["outcome"]), (&json!(1), &Value::Null));
        assert!(details["instruction"].as_str().is_some_and(|text| !text.is_empty()));
        let add = details["calls"].as_array().unwrap().iter().find(|call| call["call"]["api"] == "add_block").unwrap();
        assert_eq!((&add["call"]["note"], &add["picture"]), (&json!("it must move"), &json!(true)));
        server.ended(&deleted).await;
        assert_eq!(record(&server.attempts().await, &deleted)["ending"], "deleted");

        judge(&server, &solved, &going_on).await;
        let browser = PlainBrowser::start().await;
        hand_on(&server, &browser, &solved, &logs, folder.path()).await;
        go_through(&server, &browser).await;
        browser.close().await;
        server.stop().await;

        let again = Server::start(api_with(no_browser().logging_below(&logs), access()), &runs).await;
        let kept = again.attempts().await;
        assert_eq!(record(&kept, &going_on)["ending"], "shut_down");
        assert_eq!(record(&kept, &deleted)["ending"], "deleted");
        assert!(record(&kept, &solved)["outcome"].is_string(), "the verdict is kept: {kept:#?}");
        again.stop().await;
    });
}

/// What the agent left is judged once its session has ended, and the verdict stays.
async fn judge(server: &Server, solved: &str, going_on: &str) {
    let ask = |id: &str, token: &'static str| {
        let path = format!("{}/runs/sessions/attempts/{id}/verdict", server.base);
        server.client.post(path).bearer_auth(token).timeout(PATIENCE).send()
    };
    assert_eq!(ask(solved, "nobody's token in this test").await.unwrap().status(), StatusCode::FORBIDDEN);
    assert_eq!(ask(going_on, JUDGE).await.unwrap().status(), StatusCode::CONFLICT);
    let answer = ask(solved, JUDGE).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK, "{:?}", answer.text().await);
    let verdict: Value = answer.json().await.unwrap();
    let details = server.ended(solved).await;
    assert_eq!((&details["verdict"], &details["record"]["outcome"]), (&verdict, &verdict["outcome"]));
}

/// By keyboard, from the list of runs to the steps of an attempt.
async fn go_through(server: &Server, browser: &PlainBrowser) {
    browser.open(&format!("{}/live#/runs", server.base)).await;
    let shown = |state: &Value| state["rows"].to_string().contains("agents over HTTP and MCP");
    browser.until("sessions are among the runs", shown).await;
    look_for_barriers(browser, 0, "runs with sessions").await;
    browser.tab_to("Sessions").await;
    browser.press("Enter").await;
    let rows = browser.until("the attempts are listed", |state| state["heading"] == "agents over HTTP and MCP").await;
    let rows = rows["rows"].to_string();
    assert!(rows.contains("in progress") && rows.contains("deleted") && rows.contains("done"), "{rows}");
    look_for_barriers(browser, 1, "attempts of agents from outside").await;
    // Newest first: the one that was begun first is the last.
    for _ in 0..3 {
        browser.tab_to("kite gusts").await;
    }
    browser.press("Enter").await;
    let state = browser
        .until("the attempt is shown with its picture", |state| state["picture"].as_str().unwrap().starts_with("blob:"))
        .await;
    assert!(state["current"].as_str().unwrap().contains("add block"), "{state:#}");
    browser.until("the program is shown", |state| state["program"].as_str().unwrap().contains("move (10) steps")).await;
    look_for_barriers(browser, 2, "an attempt of an agent from outside").await;
    browser.tab_to("Save as one file").await;
    browser.press("Enter").await;
    browser.until("the file's size is told", |state| state["told"].as_str().unwrap().contains("self-contained")).await;
    browser.assert_quiet(&server.base);
}

/// The file shows the same, from the disk alone.
async fn hand_on(server: &Server, browser: &PlainBrowser, id: &str, logs: &Path, folder: &Path) {
    let answer = server.client.get(format!("{}/runs/sessions/attempts/{id}/file", server.base)).send().await.unwrap();
    assert!(answer.headers()["content-disposition"].to_str().unwrap().starts_with("attachment"));
    assert!(answer.headers()["content-security-policy"].to_str().unwrap().contains("sandbox"));
    let served = answer.text().await.unwrap();
    let file = folder.join("replay.html");
    let told = Scratchbed::new().call(&["log", "page"]).arg(logs.join(id)).arg("--out").arg(&file).answer().await;
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert_eq!(told["bytes"].as_u64(), Some(std::fs::metadata(&file).unwrap().len()));
    assert!(told["pictures"].as_u64() > Some(0) && told["left_out"] == 0, "{told}");
    assert_eq!(std::fs::read_to_string(&file).unwrap().len(), served.len(), "both ways make the same file");
    browser.open(&format!("file://{}", file.display())).await;
    let first = browser
        .until("the file shows the attempt", |state| state["picture"].as_str().unwrap().starts_with("blob:"))
        .await;
    assert_eq!(first["heading"], "kite gusts, try 1");
    assert!(first["program"].as_str().unwrap().contains("move (10) steps"), "{first:#}");
    assert!(first["cases"].as_u64() > Some(0) && !first["instruction"].as_str().unwrap().is_empty());
    browser.press("ArrowRight").await;
    browser.until("it goes on by keys", |state| state["place"] == "end").await;
    browser.assert_accessible("a replay in a file").await;
    let asked = browser.requests.lock().unwrap().clone();
    let own = |url: &String| ["file:", "blob:", "data:", "about:"].iter().any(|scheme| url.starts_with(scheme));
    assert!(asked.iter().all(own), "{asked:?}");
    assert!(browser.complaints.lock().unwrap().is_empty(), "{:?}", browser.complaints.lock().unwrap());
    // What the live page asks for is looked at on its own.
    browser.requests.lock().unwrap().clear();
}

#[test]
fn where_nothing_is_kept_the_last_attempts_are_in_memory_and_the_page_says_how_to_keep_them() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(state(None, folder.path(), all_tasks()).await, folder.path()).await;
        let id = server.attempt().await;
        server.act(&id, "primitive", "observe", json!({"ocr": "off"})).await;
        server.act(&id, "primitive", "click", json!({"x": 600, "y": 500})).await;
        server.act(&id, "primitive", "failed", json!({})).await;
        server.client.delete(format!("{}/sessions/{id}", server.base)).send().await.unwrap();
        let details = server.ended(&id).await;
        assert_eq!((&details["record"]["ending"], &details["record"]["steps"]), (&json!("gave_up"), &json!(1)));
        assert_eq!(details["calls"][0]["picture"], true);
        let picture = server.client.get(format!("{}/runs/sessions/attempts/{id}/pictures/0", server.base)).send().await;
        assert!(picture.unwrap().bytes().await.unwrap().starts_with(b"\x89PNG"));
        let notes = server.get("/runs/sessions").await["run"]["notes"].to_string();
        assert!(notes.contains("--record-dir"), "{notes}");
        server.stop().await;
    });
}

#[test]
fn tasks_show_the_stage_that_they_begin_with() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        // One task: the page asks for the picture of each card that it shows, and each is drawn.
        let checkout = folder.path().join("checkout");
        link(&checkout, &["tasks/create/kite_gusts", "eval-scripts"]);
        let tasks = || TaskSet::read(&checkout).unwrap();
        let server = Server::start(state(None, folder.path(), tasks()).await, folder.path()).await;
        let path = format!("{}/tasks/kite_gusts/picture", server.base);
        let first = server.client.get(&path).send().await.unwrap();
        assert_eq!(first.status(), StatusCode::ACCEPTED, "nobody waits for the drawing");
        let deadline = Instant::now() + PATIENCE;
        let png = loop {
            let answer = server.client.get(&path).send().await.unwrap();
            if answer.status() == StatusCode::OK {
                break answer.bytes().await.unwrap();
            }
            assert!(answer.status() == StatusCode::ACCEPTED && Instant::now() < deadline, "{answer:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        let size = image::load_from_memory(&png).unwrap();
        assert_eq!((size.width(), size.height()), (480, 360));
        let kept = std::fs::read_dir(folder.path().join("stages")).unwrap().count();
        assert_eq!(kept, 1);

        let browser = PlainBrowser::start().await;
        browser.open(&format!("{}/live#/tasks", server.base)).await;
        browser.until("the tasks are shown", |state| state["heading"] == "Tasks").await;
        browser.press("Tab").await;
        browser.type_text("kite").await;
        browser.until("the card has its picture", |state| state["stages"].as_u64() > Some(0)).await;
        browser.assert_accessible("tasks with pictures").await;
        browser.assert_quiet(&server.base);
        browser.close().await;
        server.stop().await;

        // Another server takes it from the disk, without a browser.
        let fleet = no_browser().fleet().clone();
        let projects = BuiltProjects::over(fleet.clone(), Checkout::at(root()).projects());
        let stages = Stages::new(fleet, projects, folder.path().join("stages"));
        let tasks = tasks();
        let entry = tasks.find("kite_gusts").unwrap();
        let deadline = Instant::now() + PATIENCE;
        let again = loop {
            match stages.of(entry) {
                Stage::Drawn(again) => break again,
                Stage::None => panic!("it is on the disk"),
                Stage::Coming => assert!(Instant::now() < deadline),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert_eq!(again, png);
    });
}
