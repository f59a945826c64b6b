//! The command line as a program sees it: one object on the last line, everything else on standard error, and
//! exit codes that mean something. What needs Chromium is in `browser_cli.rs`.

use std::process::{Command, Output};

use serde_json::Value;

use crate::support::root;

/// Runs the tested binary in this checkout.
pub fn scratchbed(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scratchbed"));
    command.args(arguments).current_dir(root()).env_remove("SCRATCHBED_ROOT").env_remove("SCRATCHBED_CONFIG");
    command.env_remove("SCRATCHBED_ALLOW_ROOT");
    command.output().unwrap()
}

/// The object on the last line of standard output.
pub fn answer(output: &Output) -> Value {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    serde_json::from_str(text.lines().last().unwrap_or_default()).unwrap()
}

#[test]
fn tasks_are_listed_one_of_each_category_at_least() {
    let output = scratchbed(&["task", "list", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1, "only the answer is on standard output");
    let tasks = answer(&output)["tasks"].as_array().unwrap().clone();
    for category in ["create", "debug", "extend", "compute"] {
        assert!(tasks.iter().any(|task| task["category"] == category && task["id"].is_string()), "{category}");
    }
}

#[test]
fn an_unknown_task_is_named_with_a_hint_and_its_own_exit_code() {
    let output = scratchbed(&["task", "show", "stuck_fery", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let error = &answer(&output)["error"];
    assert_eq!(error["code"], "unknown_task");
    let hint = error["hint"].as_str().unwrap();
    assert!(hint.contains("names are stuck_ferry, ") && hint.contains("`scratchbed task list`"), "{error}");
    assert!(hint.len() < 160, "the nearest names, not all: {hint}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("error[unknown_task]"));
}

#[test]
fn a_folder_without_a_run_and_a_scene_that_is_none_are_mistakes_of_the_caller() {
    let resumed = ["run", "--agent", "oracle", "--mode", "composite", "--task", "stuck_ferry", "--resume", "/nowhere"];
    let scene = ["drag", "run", "D_999", "--agent", "oracle"];
    for (arguments, code, way_out) in [(&resumed[..], "no_run", "below runs/"), (&scene[..], "unknown_scene", "D_0")] {
        let output = scratchbed(&[arguments, &["--json"]].concat());
        let error = &answer(&output)["error"];
        assert_eq!((output.status.code(), error["code"].as_str()), (Some(3), Some(code)));
        assert!(error["hint"].as_str().unwrap().contains(way_out), "{error}");
    }
}

#[test]
fn arguments_that_make_no_sense_end_with_2() {
    assert_eq!(scratchbed(&["judge", "--task", "stuck_ferry"]).status.code(), Some(2));
    assert_eq!(scratchbed(&["nonsense"]).status.code(), Some(2));
}

#[test]
fn serve_does_not_run_as_root_unless_told() {
    let code = |arguments: &[&str]| {
        let output = scratchbed(&[&["serve", "--port", "0", "--json", "--runs", "."], arguments].concat());
        assert_eq!(output.status.code(), Some(2));
        answer(&output)["error"]["code"].as_str().unwrap().to_owned()
    };
    let allowed = "runs_for_nobody";
    assert_eq!(code(&["--allow-root"]), allowed);
    let told = if nix::unistd::geteuid().is_root() { "runs_as_root" } else { allowed };
    assert_eq!(code(&[]), told);
}

#[test]
fn a_missing_chromium_is_said_and_nothing_is_skipped() {
    let output =
        scratchbed(&["judge", "--task", "stuck_ferry", "--golden", "--chromium", "/no/such/chromium", "--json"]);
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(answer(&output)["error"]["code"], "chromium_missing");
}

#[test]
fn the_help_names_exit_codes_and_variables() {
    let output = scratchbed(&["--help"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["Exit codes:", "the machine is not set up", "SCRATCHBED_CHROMIUM"] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn two_traces_are_compared_up_to_the_first_tick_and_signal() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, x: u32| {
        let signals = serde_json::json!({"Cat/x": {"t": [0, 7], "v": [0, x]}});
        let trace =
            serde_json::json!({"format": 1, "clock": {}, "seed": 1, "runs": [{"ticks": 9, "signals": signals}]});
        let path = folder.path().join(name);
        std::fs::write(&path, trace.to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (left, right) = (write("left.json", 5), write("right.json", 6));
    let output = scratchbed(&["trace", "diff", &left, &right, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let difference = serde_json::json!({"run": 0, "tick": 7, "signal": "Cat/x", "left": 5, "right": 6});
    assert_eq!(answer(&output), serde_json::json!({"equal": false, "difference": difference}));
    assert_eq!(scratchbed(&["trace", "diff", &left, &left]).status.code(), Some(0));
    assert_eq!(scratchbed(&["trace", "diff", &left, "no-such-file"]).status.code(), Some(3));
}

#[test]
fn a_check_wants_to_know_which_tasks_and_scores_between_0_and_1() {
    assert_eq!(scratchbed(&["check"]).status.code(), Some(2));
    assert_eq!(scratchbed(&["check", "--all", "--task", "stuck_ferry"]).status.code(), Some(2));
    assert_eq!(scratchbed(&["check", "--all", "--min-mutation", "1.5"]).status.code(), Some(2));
    assert_eq!(scratchbed(&["check", "--all", "--no-mutants", "--mean-mutation", "0.7"]).status.code(), Some(2));
    assert_eq!(scratchbed(&["check", "--task", "no_such_task"]).status.code(), Some(3));
}
