//! Whole runs through the command line: the oracle solves tasks in this process and over HTTP, and fails with a step
//! left out.

use std::process::Stdio;
use std::time::Duration;

use scratchbed::runner::process_tree;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::support::root;

fn scratchbed(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scratchbed"));
    // Tests may run as root, in a container.
    command.env("SCRATCHBED_ALLOW_ROOT", "1");
    command.args(args).args(["--json", "--root"]).arg(root()).kill_on_drop(true);
    command
}

/// The exit code and the object on the last line.
async fn run(args: &[&str]) -> (i32, Value) {
    let output = scratchbed(&[&["run", "--agent", "oracle"][..], args].concat()).output().await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let last = text.lines().last().unwrap_or_default();
    let answer = serde_json::from_str(last)
        .unwrap_or_else(|error| panic!("{error}: {text}\n{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().unwrap(), answer)
}

/// A serving process and its address.
async fn serve() -> (Child, String) {
    announced(&mut scratchbed(&["serve", "--port", "0", "--warm", "0"])).await
}

async fn announced(command: &mut Command) -> (Child, String) {
    let mut server = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let answer: Value = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
    (server, answer["url"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oracle_solves_a_task_in_both_modes_and_fails_with_a_step_left_out() {
    for mode in ["composite", "primitive"] {
        let (code, answer) = run(&["--task", "stuck_ferry", "--mode", mode, "--count", "reference"]).await;
        assert_eq!((code, &answer["solved"]), (0, &Value::Bool(true)), "{answer:#}");
        assert_eq!(answer["attempts"][0]["outcome"], "passed");
        for table in ["ours", "reference"] {
            let row = &answer["tables"][table][0];
            assert_eq!((row["n"].as_u64(), row["sr"].as_f64()), (Some(1), Some(100.0)), "{table}: {row}");
            assert_eq!(row["left_out"], serde_json::json!([]));
        }
        let page = std::path::Path::new(answer["run"].as_str().unwrap()).join("report.html");
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.contains("As the reference counts") && page.contains("<td>100.00</td>"), "{page}");
        assert_eq!(answer["attempts"][0]["misses"].is_u64(), mode == "primitive", "the mouse counts its misses");
        let folder =
            std::path::Path::new(answer["run"].as_str().unwrap()).join(format!("attempts/stuck_ferry.{mode}.1"));
        for file in ["calls.jsonl", "project.sb3", "verdict.json", "attempt.json"] {
            assert!(folder.join(file).is_file(), "{file}");
        }
    }
    let (code, answer) = run(&["--task", "stuck_ferry", "--mode", "composite", "--skip-step", "1"]).await;
    assert_eq!((code, &answer["attempts"][0]["outcome"]), (1, &Value::from("failed")), "{answer:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oracle_solves_a_task_over_http_and_the_server_ends_when_told() {
    let (mut server, url) = serve().await;
    let (code, answer) = run(&["--task", "stuck_ferry", "--mode", "composite", "--server", &url]).await;
    assert_eq!((code, &answer["solved"]), (0, &Value::Bool(true)), "{answer:#}");
    let client = scratchbed::agent::http_client().no_proxy().build().unwrap();
    let editor = client.get(format!("{url}/editor")).send().await.unwrap();
    assert!(editor.status().is_success() && !editor.url().as_str().starts_with(&url), "{}", editor.url());
    let id = nix::unistd::Pid::from_raw(i32::try_from(server.id().unwrap()).unwrap());
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGTERM).unwrap();
    assert!(server.wait().await.unwrap().success());
    assert!(client.get(&url).send().await.is_err(), "the port is closed");
}

/// Whether the process runs: one that ended and that nobody asked about any more has no command line.
fn is_alive(id: u32) -> bool {
    std::fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| !line.is_empty())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_leaves_nothing_behind() {
    let temporary = tempfile::tempdir().unwrap();
    let mut command = scratchbed(&["serve", "--port", "0", "--warm", "0"]);
    let (mut server, url) = announced(command.env("TMPDIR", temporary.path())).await;
    let client = scratchbed::agent::http_client().no_proxy().build().unwrap();
    client
        .post(format!("{url}/sessions"))
        .json(&serde_json::json!({}))
        .send()
        .await
        .unwrap()
        .error_for_status()
        .unwrap();
    let children = process_tree::tree(server.id().unwrap()).split_off(1);
    assert!(children.len() > 4, "the browser runs: {children:?}");
    assert!(temporary.path().read_dir().unwrap().next().is_some(), "the browser has a profile");
    server.kill().await.unwrap();
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
        let (status, answer) = run(args).await;
        (status, answer["error"]["code"].as_str().unwrap().to_owned())
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
    let open = scratchbed(&["serve", "--port", "0", "--bind", "0.0.0.0"]).output().await.unwrap();
    assert_eq!(open.status.code(), Some(2));
}
