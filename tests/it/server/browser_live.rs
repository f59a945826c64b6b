//! The live view as a person meets it: a plain browser on the real server, over the real editor.

use std::path::Path;
use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use scratchbed::http::{Access, Api, serve};
use scratchbed::model::{
    ActionCall, ActionReply, CallRecord, CaseResult, Category, Clock, Cost, Ending, Hashes, Mode, Outcome, RUN_FORMAT,
    RunRecord, TaskDetail, TaskRecord, Verdict,
};
use scratchbed::session::Sessions;
use scratchbed::store::{RunDir, Runs};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::api::routes::{api_with, no_browser};
use crate::support::browsers::{in_shared_browsers, sessions};
use crate::support::plain_browser::PlainBrowser;
use crate::support::{day, everything};

const TOKEN: &str = "an agents' token of this test";
const JUDGE: &str = "a judge's token of this test";

/// An API for everybody on this machine, without tokens, that shows its runs.
pub fn open_to_all(sessions: Sessions) -> Api {
    api_with(sessions, Access::new("127.0.0.1:0".parse().unwrap(), None).unwrap().opening_runs())
}

/// A running server with a client.
pub struct Server {
    pub base: String,
    pub client: Client,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<std::io::Result<()>>,
}

impl Server {
    pub async fn start(api: Api, runs: &Path) -> Self {
        Self::start_at(api, runs, "127.0.0.1:0").await
    }

    /// The same at an address, for a server that comes back.
    pub async fn start_at(api: Api, runs: &Path, address: &str) -> Self {
        let listener = tokio::net::TcpListener::bind(address).await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(serve(listener, api.showing_runs(Runs::new(runs)).into(), async move {
            let _ = stopped.await;
        }));
        Self { base, client: scratchbed::agent::http_client().no_proxy().build().unwrap(), stop, ended }
    }

    pub async fn call(&self, method: Method, path: &str, body: Value) -> Value {
        let request = self.client.request(method, format!("{}{path}", self.base)).timeout(Duration::from_secs(60));
        let request = if body.is_null() { request } else { request.json(&body) };
        let response = request.send().await.unwrap();
        assert!(response.status().is_success(), "{path}: {}", response.text().await.unwrap());
        response.json().await.unwrap()
    }

    pub async fn get(&self, path: &str) -> Value {
        self.call(Method::GET, path, Value::Null).await
    }

    pub async fn act(&self, id: &str, mode: &str, api: &str, args: Value) -> Value {
        let reply = self.call(Method::POST, &format!("/sessions/{id}/{mode}/{api}"), args).await;
        assert_eq!(reply["success"], true, "{reply}");
        reply
    }

    /// Number of the newest event once the last call's reply is among them.
    async fn settled_log(&self, id: &str) -> u64 {
        let mut after = 0;
        loop {
            let page = self.get(&format!("/sessions/{id}/events?after={after}&wait_ms=10000")).await;
            after = page["last_seq"].as_u64().unwrap();
            let newest = page["events"].as_array().unwrap().last().expect("the reply is noted");
            if newest["kind"] == "reply" {
                return after;
            }
        }
    }

    pub async fn stop(self) {
        self.stop.send(()).unwrap();
        self.ended.await.unwrap().unwrap();
    }
}

/// Has axe look at a page of a test if it is its turn: at every second one, and at the others the next day. Its looks
/// are slow, and long tests go through many pages.
pub async fn look_for_barriers(browser: &PlainBrowser, number: usize, what: &str) {
    if everything() || number % 2 == day() % 2 {
        browser.assert_accessible(what).await;
    }
}

pub fn text<'a>(state: &'a Value, field: &str) -> &'a str {
    state[field].as_str().unwrap()
}

pub fn rows(state: &Value, field: &str) -> String {
    state[field].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_session_is_watched_and_a_run_gone_through_by_keyboard_alone() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(open_to_all(sessions(2).await), folder.path()).await;
        let created = server.call(Method::POST, "/sessions", json!({})).await;
        let id = created["id"].as_str().unwrap();
        let browser = PlainBrowser::start().await;
        watch(&server, &browser, id).await;
        write_run(&server, id, folder.path()).await;
        replay(&browser).await;
        browser.assert_quiet(&server.base);
        browser.close().await;
        server.stop().await;
    });
}

/// From the list of sessions to one of them, which acts meanwhile.
async fn watch(server: &Server, browser: &PlainBrowser, id: &str) {
    browser.open(&server.base).await;
    let front =
        browser.until("the front page tells what runs", |state| text(state, "told").contains("1 of at most")).await;
    assert!(rows(&front, "cards").contains("no task"), "{front:#}");
    look_for_barriers(browser, 0, "the front page").await;
    browser.tab_to("Live").await;
    browser.press("Enter").await;
    let list = browser.until("the session is listed", |state| rows(state, "cards").contains(id)).await;
    assert_eq!(list["heading"], "Sessions");
    look_for_barriers(browser, 1, "the list of sessions").await;
    browser.tab_to("no task").await;
    browser.press("Enter").await;

    let shown = browser.until("the picture is shown", |state| text(state, "picture").starts_with("blob:")).await;
    assert_eq!((&shown["boxes"], text(&shown, "pointer")), (&json!(0), ""));
    browser.until("the log is shown", |state| rows(state, "log").contains("session began")).await;
    server.act(id, "primitive", "click", json!({"x": 600, "y": 500})).await;
    server.act(id, "composite", "add_block", json!({"blockType": "motion_movesteps"})).await;
    let later = browser
        .until("the picture, the program and the log follow the action", |state| {
            state["picture"] != shown["picture"]
                && rows(state, "fresh").contains("move (10) steps")
                && rows(state, "log").contains("add block motion_movesteps")
                && rows(state, "actions").contains("done in")
        })
        .await;
    assert_eq!(text(&later, "pointer"), "translate(600 500)");

    browser.tab_to("Element boxes").await;
    browser.press("Space").await;
    browser.until("boxes are drawn", |state| state["boxes"].as_u64() > Some(30)).await;
    look_for_barriers(browser, 2, "a session").await;
    browser.press("Enter").await;
    browser.until("boxes are gone", |state| state["boxes"] == 0).await;
}

/// Two looks and two actions as a run's record has them, from the real editor.
async fn write_run(server: &Server, id: &str, folder: &Path) {
    let record = RunRecord {
        format: RUN_FORMAT,
        id: "a-run".into(),
        started_at: 1_700_000_000.0,
        version: "0".into(),
        agent: "tester".into(),
        benchmark: "tasks".into(),
        mode: Some(Mode::Primitive),
        setting: "plain".into(),
        options: Value::Null,
        set: String::new(),
        attempts: 1,
        items: vec!["kite_gusts".parse().unwrap()],
        split: None,
        server: None,
        notes: Vec::new(),
        judge_seed: None,
    };
    let item = record.items[0].clone();
    let run = RunDir::create(folder, record).unwrap();
    let attempt = run.begin(&item, 1, 0).unwrap();
    let mut calls = attempt.lines("calls.jsonl").unwrap();
    let steps = [
        (1, "observe", json!({"ocr": "off"})),
        (1, "drag_and_drop", json!({"start_x": 88, "start_y": 137, "end_x": 500, "end_y": 300})),
        (2, "observe", json!({"ocr": "off"})),
        (2, "key", json!({"key": "Escape"})),
        (3, "done", json!({"reason": "it flies"})),
    ];
    for (step, api, args) in steps {
        let call = ActionCall::new(api, args.as_object().unwrap().clone());
        let reply = server.act(id, "primitive", api, args).await;
        let reply: ActionReply = serde_json::from_value(reply).unwrap();
        calls.append(&CallRecord { step, at_s: f64::from(step), call, reply }).unwrap();
    }
    calls.end().unwrap();
    let project = server.client.get(format!("{}/sessions/{id}/project", server.base)).send().await.unwrap();
    attempt.keep_project(&project.bytes().await.unwrap()).unwrap();
    let case = |name: &str, passed| CaseResult {
        name: name.into(),
        passed,
        timeout: None,
        duration_ms: None,
        error: None,
        meta: None,
    };
    let details = vec![case("the kite rises", true), case("the kite falls", false)];
    let verdict = json!({
        "task": item, "outcome": Outcome::Failed, "passed_tests": 1, "total_tests": 2, "details": details,
        "seed": 1, "clock": Clock::Virtual, "hashes": Hashes::default(),
    });
    attempt.keep_verdict(&serde_json::from_value::<Verdict>(verdict).unwrap()).unwrap();
    let detail = TaskDetail {
        category: Category::Debug,
        mode: Mode::Primitive,
        ending: Ending::Done,
        steps: 2,
        misses: None,
        replans: None,
        passed_tests: 1,
        total_tests: 2,
        judging_s: 1.0,
        lost_program: None,
        roles: std::collections::BTreeMap::new(),
        refusals: None,
        voided: None,
    };
    let cost = Cost { seconds: 3.0, ..Cost::default() };
    let (format, outcome) = (RUN_FORMAT, Outcome::Failed);
    let record = TaskRecord { format, item, attempt: 1, retry: 0, outcome, error: None, cost, detail };
    attempt.complete(&record).unwrap();
}

/// From the list of runs to the steps of an attempt, and back and forth through them.
async fn replay(browser: &PlainBrowser) {
    browser.tab_to("Runs").await;
    browser.press("Enter").await;
    browser.until("runs are listed", |state| state["heading"] == "Runs").await;
    look_for_barriers(browser, 3, "the list of runs").await;
    browser.tab_to("20").await;
    browser.press("Enter").await;
    browser.until("the run is shown", |state| state["heading"] == "tester, primitive").await;
    look_for_barriers(browser, 4, "a run").await;
    browser.tab_to("kite gusts").await;
    browser.press("Enter").await;
    let at = |place: &'static str| move |state: &Value| state["place"] == place;
    let first = browser
        .until("the first step is shown", |state| {
            state["place"] == "1 / 2" && text(state, "picture").starts_with("blob:")
        })
        .await;
    assert!(text(&first, "current").contains("drag and drop (88, 137) → (500, 300)"), "{first:#}");
    assert_eq!((text(&first, "badge"), &first["cases"]), ("failed", &json!(2)));
    assert_eq!(text(&first, "pointer"), "translate(500 300)");
    assert_eq!(first["stills"], 3, "each step has its place in the strip");
    browser.until("the task is told", |state| !text(state, "instruction").is_empty()).await;
    browser.until("the program is shown", |state| text(state, "program").contains("move (10) steps")).await;
    look_for_barriers(browser, 5, "an attempt").await;

    browser.press("ArrowRight").await;
    let second = browser
        .until("the second picture is shown", |state| state["place"] == "2 / 2" && state["picture"] != first["picture"])
        .await;
    assert!(text(&second, "current").contains("key Escape"));
    browser.press("ArrowRight").await;
    browser.press("ArrowRight").await;
    browser.until("the last step stays", at("end")).await;
    browser.press("ArrowLeft").await;
    browser.until("it goes back", at("2 / 2")).await;
    browser.press("Home").await;
    browser.until("it goes to the first", at("1 / 2")).await;
    browser.press("Space").await;
    browser.until("it plays to the end", at("end")).await;
    browser.press("Home").await;
    browser.press("End").await;
    browser.until("it goes to the last", at("end")).await;
    browser.press("Home").await;
    browser.tab_to("Enlarge").await;
    browser.press("Enter").await;
    browser.until("the picture is enlarged", |state| state["enlarged"] == true).await;
    look_for_barriers(browser, 6, "an enlarged picture").await;
    browser.press("Escape").await;
    browser.until("it is at its place again", |state| state["enlarged"] == false).await;
}

#[test]
fn tasks_are_looked_through_and_an_unknown_session_is_no_ended_one() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(open_to_all(no_browser()), folder.path()).await;
        let browser = PlainBrowser::start().await;
        browser.open(&server.base).await;
        browser.until("nothing runs", |state| text(state, "told").contains("No sessions")).await;
        browser.tab_to("Tasks").await;
        browser.press("Enter").await;
        let all = browser.until("the tasks are shown", |state| state["heading"] == "Tasks").await;
        browser.assert_accessible("the tasks").await;
        browser.press("Tab").await;
        browser.type_text("ferry").await;
        let found = browser.until("the words are looked for", |state| text(state, "told").contains(" of ")).await;
        assert!(rows(&found, "cards").contains("stuck_ferry"), "{found:#}");
        assert!(found["cards"].as_array().unwrap().len() < all["cards"].as_array().unwrap().len() / 4);
        browser.assert_quiet(&server.base);
        // From another page: an address that differs in its end alone loads nothing.
        browser.open(&server.base).await;
        browser.open(&format!("{}/live#/sessions/none", server.base)).await;
        browser.until("it says that there is none", |state| state["heading"] == "No such session").await;
        browser.assert_accessible("no such session").await;
        browser.close().await;
        server.stop().await;
    });
}

#[test]
fn looking_disturbs_nothing() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(open_to_all(sessions(1).await), folder.path()).await;
        let created = server.call(Method::POST, "/sessions", json!({})).await;
        let id = created["id"].as_str().unwrap();
        let seen = server.act(id, "primitive", "observe", json!({"ocr": "off"})).await;
        let events = server.settled_log(id).await;
        let live = format!("/sessions/{id}/live");
        let first = server.get(&format!("{live}?elements=true")).await;
        assert_eq!(first["elements"], seen["data"]["elements"], "the boxes are those that the agent was shown");
        let idle = first["session"]["idle_s"].as_f64().unwrap();
        // Nothing changes, so the answer waits, and is the same as before.
        let again = server.get(&format!("{live}?after={}&wait_ms=1500", first["version"])).await;
        assert_eq!((&again["version"], &again["picture"]), (&first["version"], &first["picture"]));
        assert!(again["session"]["idle_s"].as_f64().unwrap() >= idle + 1.5, "{again:#}");
        assert_eq!(server.settled_log(id).await, events, "looks are in the log");
        let listed = server.get("/live/sessions").await;
        assert_eq!(listed["sessions"][0]["last"]["api"], "observe", "{listed:#}");
        // Indexes of the last observation still stand.
        let clicked = server.act(id, "primitive", "click", json!({"index": 0})).await;
        assert!(clicked["executed_action"]["args"]["x"].is_number());

        // An action ends the wait of a watcher.
        let version = server.get(&live).await["version"].as_u64().unwrap();
        let path = format!("{live}?after={version}&wait_ms=20000");
        let waiting = server.get(&path);
        let acting = server.act(id, "composite", "add_block", json!({"blockType": "event_whenflagclicked"}));
        let (changed, _) = tokio::join!(waiting, acting);
        assert!(changed["version"].as_u64().unwrap() > version);
        let gone = server.client.get(format!("{}/sessions/none/live", server.base)).send().await.unwrap();
        assert_eq!(gone.status(), StatusCode::NOT_FOUND);
        server.stop().await;
    });
}

#[test]
fn a_server_with_tokens_asks_for_them_and_runs_need_the_judges() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let access = Access::new("127.0.0.1:0".parse().unwrap(), Some(TOKEN)).unwrap().judging(JUDGE).unwrap();
        let server = Server::start(api_with(no_browser(), access), folder.path()).await;
        let browser = PlainBrowser::start().await;
        browser.open(&format!("{}/live", server.base)).await;
        let asked = |state: &Value| state["heading"] == "Token required";
        browser.until("the token is asked for", asked).await;
        browser.assert_accessible("asking for the token").await;
        browser.press("Tab").await;
        browser.type_text(TOKEN).await;
        browser.press("Enter").await;
        browser.until("the sessions are shown", |state| state["heading"] == "Sessions").await;
        browser.tab_to("Runs").await;
        browser.press("Enter").await;
        browser.until("the judge's token is asked for", asked).await;
        browser.press("Tab").await;
        browser.type_text(JUDGE).await;
        browser.press("Enter").await;
        browser.until("the runs are shown", |state| state["heading"] == "Runs").await;
        browser.close().await;
        server.stop().await;
    });
}
