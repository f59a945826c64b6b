//! Whole runs through the command line: the oracle solves tasks in this process and over HTTP, and fails with a step
//! left out.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use scratchbed::meter::process_tree;
use serde_json::{Value, json};

use crate::support::program::{Answer, Begun, Scratchbed, json_at};
use crate::support::root;

const SERVE: [&str; 5] = ["serve", "--port", "0", "--warm", "0"];

/// Makes a run of the oracle.
async fn run(args: &[&str]) -> Answer {
    Scratchbed::new().call(&["run", "--agent", "oracle"]).args(args).answer().await
}

/// A serving process and its address.
async fn serve() -> (Begun, String) {
    let (process, answer) = Scratchbed::new().call(&SERVE).announced().await;
    (process, answer["url"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oracle_solves_a_task_with_the_mouse_and_fails_with_a_step_left_out() {
    // Block calls solve the task over HTTP below, and bundled tasks in `browser_oracle`.
    for (mode, more, share, cell) in [
        ("primitive", &[][..], 100.0, "<td>100.00 <small>[20.65, 100.00]</small></td>"),
        ("composite", &["--skip-step", "1"], 0.0, "<td>0.00 <small>["),
    ] {
        let common = ["--task", "stuck_ferry", "--mode", mode, "--count", "reference"];
        let answer = run(&[&common[..], more].concat()).await;
        let is_solved = share > 0.0;
        assert_eq!((answer.code, &answer["solved"]), (i32::from(!is_solved), &Value::Bool(is_solved)), "{answer:#}");
        assert_eq!(answer["attempts"][0]["outcome"], if is_solved { "passed" } else { "failed" });
        for table in ["ours", "reference"] {
            let row = &answer["tables"][table][0];
            assert_eq!((row["n"].as_u64(), row["sr"].as_f64()), (Some(1), Some(share)), "{table}: {row}");
            assert_eq!(row["left_out"], serde_json::json!([]));
        }
        let page = std::fs::read_to_string(answer.run().join("report.html")).unwrap();
        assert!(page.contains("As the reference counts") && page.contains(cell), "{page}");
        assert_eq!(
            answer["attempts"][0]["detail"]["misses"].is_u64(),
            mode == "primitive",
            "the mouse counts its misses"
        );
        let folder = answer.folder("stuck_ferry");
        for file in ["calls.jsonl", "project.sb3", "verdict.json", "attempt.json"] {
            assert!(folder.join(file).is_file(), "{file}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oracle_solves_a_task_over_http_and_the_server_ends_when_told() {
    let (server, url) = serve().await;
    let answer = run(&["--task", "stuck_ferry", "--mode", "composite", "--server", &url]).await;
    assert_eq!((answer.code, &answer["solved"]), (0, &Value::Bool(true)), "{answer:#}");
    let client = scratchbed::agent::http_client().no_proxy().build().unwrap();
    let editor = client.get(format!("{url}/editor")).send().await.unwrap();
    assert!(editor.status().is_success() && !editor.url().as_str().starts_with(&url), "{}", editor.url());
    server.stop().await;
    assert!(client.get(&url).send().await.is_err(), "the port is closed");
}

/// A server that is called as anybody calls it.
struct Caller {
    url: String,
    client: reqwest::Client,
}

impl Caller {
    async fn json(&self, method: Method, path: &str, body: &Value, status: StatusCode) -> Value {
        let request = self.client.request(method, format!("{}{path}", self.url));
        let request = if body.is_null() { request } else { request.json(body) };
        let response = request.send().await.unwrap();
        let (given, text) = (response.status(), response.text().await.unwrap());
        assert_eq!(given, status, "{path}: {text}");
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// The attempt of a session as it is told.
    async fn attempt(&self, id: &str) -> Value {
        self.json(Method::GET, &format!("/sessions/{id}"), &Value::Null, StatusCode::OK).await["attempt"].clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_with_a_task_is_an_attempt_that_is_bounded_and_ends() {
    let (_process, url) = serve().await;
    let server = Caller { url, client: scratchbed::agent::http_client().no_proxy().build().unwrap() };
    let free = server.json(Method::POST, "/sessions", &Value::Null, StatusCode::CREATED).await;
    let free = free["id"].as_str().unwrap().to_owned();
    let started = server.json(Method::POST, "/sessions", &json!({"task": "stuck_ferry"}), StatusCode::CREATED).await;
    assert!(started["instruction"].as_str().unwrap().contains("ferry"), "{started}");
    let limit = started["attempt"]["steps_left"]["composite"].as_u64().unwrap();
    let id = started["id"].as_str().unwrap();
    let act = format!("/sessions/{id}/act/composite");
    let call = json!({"api": "add_block", "args": {"blockType": "no_such_block"}, "note": "to see what happens"});
    for step in 1..=limit {
        let reply = server.json(Method::POST, &act, &call, StatusCode::OK).await;
        assert_eq!(
            (&reply["error"]["code"], &reply["steps_left"]),
            (&json!("unknown_block_type"), &json!(limit - step))
        );
    }
    let over = server.json(Method::POST, &act, &call, StatusCode::CONFLICT).await;
    assert_eq!(over["code"], "limit_reached", "{over}");
    let events =
        server.json(Method::GET, &format!("/sessions/{id}/events?limit=50"), &Value::Null, StatusCode::OK).await;
    assert!(events.to_string().contains("to see what happens"), "the note is in the record");
    // Looking goes on, and so does saying that it is done; nothing is done afterwards.
    server.json(Method::GET, &format!("/sessions/{id}/observation/composite"), &Value::Null, StatusCode::OK).await;
    server.json(Method::POST, &act, &json!({"api": "done"}), StatusCode::OK).await;
    assert_eq!(server.attempt(id).await["ended"], "done");
    for path in ["primitive/click", "composite/add_block", "composite/failed"] {
        let refused =
            server.json(Method::POST, &format!("/sessions/{id}/{path}"), &json!({}), StatusCode::CONFLICT).await;
        assert_eq!(refused["code"], "attempt_ended", "{path}: {refused}");
    }
    server.json(Method::POST, &format!("/sessions/{id}/reset"), &Value::Null, StatusCode::OK).await;
    let anew = server.attempt(id).await;
    assert_eq!((&anew["steps"], &anew["ended"]), (&json!(0), &Value::Null), "{anew}");
    // A session without a task is nobody's attempt.
    assert_eq!(server.attempt(&free).await, Value::Null);
    let done = format!("/sessions/{free}/composite/done");
    let more = format!("/sessions/{free}/composite/add_block");
    server.json(Method::POST, &done, &json!({}), StatusCode::OK).await;
    server.json(Method::POST, &more, &json!({"blockType": "motion_movesteps"}), StatusCode::OK).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_attempts_a_task_by_the_line_and_its_faults_are_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let calls = std::fs::read_to_string(root().join("tasks/debug/stuck_ferry/oracle.composite.json")).unwrap();
    let calls: Vec<Value> = serde_json::from_str(&calls).unwrap();
    let lines: Vec<String> = calls.iter().map(Value::to_string).collect();
    let file = folder.path().join("calls");
    std::fs::write(&file, format!("{}\n{{\"api\": \"done\", \"args\": {{}}}}\n", lines.join("\n"))).unwrap();
    // Says what is in the file, a line for each that it is told, and writes down what that was. The second time it fails.
    let (said, told, made) = (file.display(), folder.path().join("told"), folder.path().join("made"));
    let command = format!(
        "mkdir {} || {{ echo out of tokens >&2; exit 4; }}; \
         exec 3<{said}; while read -r seen; do printf '%s\\n' \"$seen\" >>{}; read -r call <&3; printf '%s\\n' \"$call\"; done",
        made.display(),
        told.display()
    );
    let call = Scratchbed::new().call(&["run", "--agent", "command", "--command", &command, "--mode", "composite"]);
    let call = call.args(["--task", "stuck_ferry", "--attempts", "2", "--retries", "0", "--name", "my agent"]);
    let answer = call.answer().await;
    assert_eq!((answer.code, &answer["solved"]), (1, &Value::Bool(false)), "{answer:#}");
    let [passed, failed] = &answer.attempts()[..] else { panic!("{answer:#}") };
    assert_eq!(passed["outcome"], "passed", "{answer:#}");
    let told = std::fs::read_to_string(told).unwrap();
    let first: Value = serde_json::from_str(told.lines().next().unwrap()).unwrap();
    assert!(
        first["instruction"].as_str().unwrap().contains("ferry") && first["observation"]["pseudocode"].is_string(),
        "{first}"
    );
    assert_eq!(json_at(&answer.run().join("run.json"))["agent"], "my agent");
    assert_eq!(failed["outcome"], "agent_error", "{answer:#}");
    assert!(failed["error"].as_str().unwrap().contains("out of tokens"), "{failed}");
}

/// Whether the process runs: one that ended and that nobody asked about any more has no command line.
fn is_alive(id: u32) -> bool {
    std::fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| !line.is_empty())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_leaves_nothing_behind() {
    let temporary = tempfile::tempdir().unwrap();
    let (server, answer) = Scratchbed::new().call(&SERVE).env("TMPDIR", temporary.path()).announced().await;
    let url = answer["url"].as_str().unwrap();
    let client = scratchbed::agent::http_client().no_proxy().build().unwrap();
    client
        .post(format!("{url}/sessions"))
        .json(&serde_json::json!({}))
        .send()
        .await
        .unwrap()
        .error_for_status()
        .unwrap();
    let children = process_tree::tree(server.id()).split_off(1);
    assert!(children.len() > 4, "the browser runs: {children:?}");
    assert!(temporary.path().read_dir().unwrap().next().is_some(), "the browser has a profile");
    server.kill().await;
    let gone = async {
        while children.iter().any(|process| is_alive(process.id))
            || temporary.path().read_dir().unwrap().next().is_some()
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), gone).await.expect("something of the browser is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_makes_no_sense_is_said_before_anything_starts() {
    let code = |args: &'static [&'static str]| async move {
        let answer = run(args).await;
        (answer.code, answer["error"]["code"].as_str().unwrap().to_owned())
    };
    assert_eq!(code(&["--task", "unheard_of", "--mode", "composite"]).await, (3, "unknown_task".to_owned()));
    assert_eq!(
        code(&["--task", "kite_gusts", "--mode", "primitive", "--skip-step", "1"]).await,
        (3, "no_oracle_actions".to_owned())
    );
    let far = &["--task", "stuck_ferry", "--mode", "composite", "--skip-step", "99"];
    assert_eq!(code(far).await, (3, "no_such_step".to_owned()));
    let closed = &["--task", "stuck_ferry", "--mode", "composite", "--server", "http://127.0.0.1:1"];
    assert_eq!(code(closed).await, (5, "server_unreachable".to_owned()));
    let open = Scratchbed::new().answer(&["serve", "--port", "0", "--bind", "0.0.0.0"]).await;
    assert_eq!((open.code, &open["error"]["code"]), (2, &json!("token_required")), "{open}");
}
