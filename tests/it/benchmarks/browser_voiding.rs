//! No program gets out of an attempt by provoking errors; and what voids one all the same is told, and does so once.

use std::fs;

use serde_json::{Value, json};

use super::browser_outside::{open_folder, program};
use crate::support::program::{Answer, Scratchbed};

/// The codes that a program was answered with, by the door that it took.
fn answered(told: &Answer, number: u64) -> (String, Vec<String>) {
    let folder = told.run().join("attempts").join(format!("stuck_ferry.{number}"));
    let said = fs::read_to_string(folder.join("stdout.txt")).unwrap();
    let said: Value = serde_json::from_str(said.lines().next().unwrap_or_else(|| {
        panic!("{}", fs::read_to_string(folder.join("stderr.txt")).unwrap());
    }))
    .unwrap();
    let codes = said["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned());
    (said["door"].as_str().unwrap().to_owned(), codes.collect())
}

/// Two attempts in this mode, one over HTTP and one over MCP: at the same time where calls are short.
fn run(command: &str, mode: &str) -> Answer {
    let jobs = if mode == "composite" { "2" } else { "1" };
    let args = ["run", "--agent", "command", "--command", command, "--mode", mode, "--task", "stuck_ferry"];
    let call = Scratchbed::new().call(&args).args(["--via", "http", "--isolation", "none", "--max-steps", "200"]);
    call.args(["--attempts", "2", "--retries", "0", "--jobs", jobs]).blocking_answer()
}

#[test]
fn whatever_a_program_provokes_over_http_and_mcp_its_attempts_count() {
    let folder = open_folder();
    let command = &program(folder.path(), "voider.py", &folder.path().display().to_string());
    let told = std::thread::scope(|scope| {
        let both = ["composite", "primitive"].map(|mode| scope.spawn(move || (mode, run(command, mode))));
        both.map(|run| run.join().unwrap())
    });
    for (mode, told) in told {
        let mut doors = Vec::new();
        for record in told.attempts() {
            let (ending, outcome) = (&record["detail"]["ending"], &record["outcome"]);
            assert_eq!((ending, outcome), (&json!("done"), &json!("failed")), "{mode}: {record:#}");
            let (door, codes) = answered(&told, record["attempt"].as_u64().unwrap());
            let provoked: &[&str] = match mode {
                "composite" => &["invalid_arguments", "unknown_action", "unknown_block_type", "unknown_sprite"],
                _ => &["invalid_arguments", "key_not_allowed", "outside_viewport", "text_too_long"],
            };
            assert!(provoked.iter().all(|code| codes.iter().any(|met| met == code)), "{mode}, {door}: {codes:?}");
            // Of calls at the same time, some find the queue full, or their time over before their turn comes, by the machine's pace.
            let is_held_back = codes.iter().any(|met| ["busy", "session_busy"].contains(&met.as_str()));
            assert!(mode == "composite" || is_held_back, "{mode}, {door}: {codes:?}");
            doors.push(door);
        }
        doors.sort();
        assert_eq!(doors, ["http", "mcp"], "{mode}");
        assert_eq!(told["voided"], json!([]), "{told:#}");
        assert!(told.stderr.contains("voided    0 attempts"), "{}", told.stderr);
    }
}

/// Nothing keeps a program of the testbed's own user from its processes. The browser is gone, which voids an attempt; but not one
/// that its agent has ended itself, and no second one at the same task.
#[test]
fn an_attempt_whose_browser_is_gone_is_void_once_and_never_if_its_agent_ended_it() {
    let folder = open_folder();
    let command = program(folder.path(), "browser_ender.py", "");
    let scratchbed = Scratchbed::new();
    let tasks = ["--task", "stuck_ferry", "--task", "kite_gusts"];
    let args = ["run", "--agent", "command", "--command", &command, "--mode", "composite", "--via", "http"];
    let call = scratchbed.call(&args).args(tasks).args(["--isolation", "none", "--retries", "1", "--jobs", "1"]);
    let told = call.blocking_answer();
    let of = |item: &str| {
        let record = told.attempt(item);
        [&record["outcome"], &record["detail"]["ending"], &record["retry"]].map(Value::clone)
    };
    assert_eq!(of("kite_gusts"), [json!("failed"), json!("gave_up"), json!(0)], "{told:#}\n{}", told.stderr);
    assert_eq!(of("stuck_ferry"), [json!("failed"), json!("crashed"), json!(1)], "{told:#}\n{}", told.stderr);
    assert_eq!(told["voided"], json!([{"code": "browser_lost", "count": 1}]), "{told:#}");
    assert!(told.stderr.contains("voided    1 attempt (1 browser_lost)"), "{}", told.stderr);
    let page = fs::read_to_string(told.run().join("report.html")).unwrap();
    assert!(page.contains("The testbed voided 1 attempt (1 browser_lost).") && page.contains("void its attempts"));
    let report = scratchbed.call(&["report"]).arg(told.run()).plain().blocking_answer().stdout;
    assert!(report.contains("the testbed voided 1 attempt (1 browser_lost)"), "{report}");
    assert!(report.contains("isolation of the program: none") && report.contains("void its attempts"), "{report}");
}
