//! Programs that attempt tasks by themselves inside `run`, over HTTP and over MCP: they solve, they are kept to their
//! attempt, and nothing is left of them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::program::{Answer, Scratchbed, json_at, lines_at, link, until};
use crate::support::root;

/// The command line of a program of these tests; the folder is where it can be read by everyone.
pub fn program(folder: &Path, name: &str, arguments: &str) -> String {
    for file in ["testbed.py", name] {
        fs::copy(root().join("tests/it/support/programs").join(file), folder.join(file)).unwrap();
    }
    format!("exec python3 -B {} {arguments}", folder.join(name).display())
}

/// A folder that every user can enter.
pub fn open_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn run(scratchbed: &Scratchbed, command: &str, more: &[&str]) -> Answer {
    let args = ["run", "--agent", "command", "--command", command, "--mode", "composite", "--task", "stuck_ferry"];
    scratchbed.call(&args).args(["--retries", "0"]).args(more).blocking_answer()
}

/// The folder of the only attempt.
fn attempt(answer: &Answer) -> PathBuf {
    answer.folder("stuck_ferry")
}

/// How often a command line runs on this machine.
fn running(line: &[&str]) -> usize {
    let wanted = line.join("\0") + "\0";
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.filter(|one| fs::read(one.path().join("cmdline")).is_ok_and(|line| line == wanted.as_bytes())).count()
}

#[test]
fn a_program_solves_a_task_over_http_and_its_record_is_that_of_any_attempt() {
    let folder = open_folder();
    let command = program(folder.path(), "over_http.py", "");
    let scratchbed = Scratchbed::new();
    let told = run(&scratchbed, &command, &["--via", "http", "--isolation", "none"]);
    let record = &told["attempts"][0];
    assert_eq!((&told["solved"], &record["outcome"]), (&json!(true), &json!("passed")), "{told:#}");
    assert_eq!((&record["detail"]["steps"], &record["detail"]["refusals"]), (&json!(2), &json!(0)), "{record}");
    assert_eq!((&record["cost"]["calls"], &record["cost"]["input_tokens"]), (&json!(2), &json!(2000)), "{record}");
    let attempt = attempt(&told);
    let calls = lines_at(&attempt.join("calls.jsonl"));
    let made: Vec<_> =
        calls.iter().map(|call| (call["step"].as_u64().unwrap(), call["call"]["api"].as_str().unwrap())).collect();
    assert_eq!(made, [(1, "observe"), (1, "select_sprite"), (2, "connect_blocks"), (3, "done")]);
    assert_eq!(fs::read_to_string(attempt.join("stdout.txt")).unwrap(), "it is done\n");
    assert_eq!(fs::read_to_string(attempt.join("out/thoughts.txt")).unwrap(), "the loop was empty");
    assert!(!attempt.join("refusals.jsonl").exists());
    let run = told.run();
    let recorded = json_at(&run.join("run.json"));
    assert_eq!(
        (&recorded["options"]["agent"]["isolation"], &recorded["options"]["agent"]["via"]),
        (&json!("none"), &json!("http"))
    );
    assert!(fs::read_to_string(run.join("report.html")).unwrap().contains("isolation of the program: none"));
    // What is made of logs and calls works as for any attempt.
    // Composite calls are no real input, so the check as a whole says no; the log itself must be whole.
    let said = scratchbed.call(&["log", "check"]).arg(&attempt).plain().blocking_answer().stdout;
    assert!(said.contains("the log is as the session left it") && said.contains("connect_blocks"), "{said}");
    let report = scratchbed.call(&["report"]).arg(&run).plain().blocking_answer().stdout;
    assert!(report.contains("isolation of the program: none"), "{report}");
}

#[test]
fn a_program_solves_a_task_over_mcp() {
    let folder = open_folder();
    let command = program(folder.path(), "over_mcp.py", "");
    let told = run(&Scratchbed::new(), &command, &["--via", "mcp", "--isolation", "none"]);
    let record = &told["attempts"][0];
    assert_eq!((&record["outcome"], &record["detail"]["ending"]), (&json!("passed"), &json!("done")), "{told:#}");
    assert_eq!((&record["cost"]["calls"], &record["cost"]["input_tokens"]), (&json!(4), &json!(500)), "{record}");
    assert_eq!(lines_at(&attempt(&told).join("calls.jsonl")).len(), 4);
}

/// Refusals of a program that tries all that it must not.
fn refusals(attempt: &Path) -> (Value, Vec<(String, String)>) {
    let said = fs::read_to_string(attempt.join("stdout.txt")).unwrap();
    let said = serde_json::from_str(said.lines().next().unwrap_or_else(|| {
        panic!("{}", fs::read_to_string(attempt.join("stderr.txt")).unwrap());
    }));
    let text = |one: &Value, field: &str| one[field].as_str().unwrap().to_owned();
    let refusals = lines_at(&attempt.join("refusals.jsonl"));
    (said.unwrap(), refusals.iter().map(|one| (text(one, "call"), text(one, "code"))).collect())
}

#[test]
fn what_is_no_part_of_an_attempt_is_refused_and_recorded_and_nothing_is_left_running() {
    let folder = open_folder();
    // Other tests have the program leave processes behind at the same time.
    let left = [1, 2].map(|group| (group * 1_000_000_000 + u64::from(std::process::id())).to_string());
    let command = program(folder.path(), "trespasser.py", &format!("-- done {}", left.join(" ")));
    let told = run(&Scratchbed::new(), &command, &["--via", "http", "--isolation", "none"]);
    let record = &told["attempts"][0];
    assert_eq!((&record["outcome"], &record["detail"]["ending"]), (&json!("failed"), &json!("done")), "{told:#}");
    let (said, refused) = refusals(&attempt(&told));
    let expected = json!({
        "other mode": [403, "mode_not_allowed"], "other mode by name": [403, "mode_not_allowed"],
        "other mode's picture": [403, "mode_not_allowed"], "screenshot": [403, "not_in_attempt"],
        "second session": [403, "one_session_only"], "other session": [404, "unknown_session"],
        "tasks": [403, "not_in_attempt"], "task": [403, "not_in_attempt"], "verdict": [403, "not_in_attempt"],
        "runs": [403, "not_in_attempt"], "metrics": [403, "not_in_attempt"], "log": [403, "not_in_attempt"],
        "project": [403, "not_in_attempt"], "reset": [403, "not_in_attempt"],
        "end of the session": [403, "not_in_attempt"], "mcp click": [true, "mode_not_allowed"],
        "mcp start_task": [true, "one_session_only"], "mcp list_tasks": [true, "not_in_attempt"],
        "mcp end_session": [true, "not_in_attempt"], "mcp observe": [true, "unknown_session"],
        "mcp resource": "resources are no part of this attempt",
    });
    assert_eq!(said, expected);
    // Those, the resource, and two calls after the end.
    assert_eq!(refused.len(), 23, "{refused:#?}");
    assert_eq!(record["detail"]["refusals"], 23);
    let ended = fs::read_to_string(attempt(&told).join("stderr.txt")).unwrap();
    assert_eq!(ended, "", "the hints of calls after the end are for a program that can't reset");
    for kind in ["mode_not_allowed", "one_session_only", "unknown_session", "not_in_attempt", "attempt_ended"] {
        assert!(refused.iter().any(|(_, code)| code == kind), "{kind}: {refused:#?}");
    }
    assert!(refused.contains(&("mcp start_task".to_owned(), "one_session_only".to_owned())), "{refused:#?}");
    assert_eq!(left.each_ref().map(|seconds| running(&["sleep", seconds])), [0, 0]);
}

#[test]
fn limits_and_errors_end_an_attempt_whatever_the_program_does() {
    let folder = open_folder();
    let scratchbed = Scratchbed::new();
    let free = ["--via", "http", "--isolation", "none"];
    // Two attempts of one run: the program does something else in each. That one which just ends is done is for `browser_voiding` to show.
    let (limit, ran) = (program(folder.path(), "trespasser.py", "-- limit"), folder.path().join("ran"));
    let command = format!(
        "echo >>{0}; case $(wc -l <{0}) in 1) {limit};; *) echo no module named x >&2; exit 3;; esac",
        ran.display()
    );
    let told = run(&scratchbed, &command, &[&free[..], &["--max-steps", "3", "--attempts", "2"]].concat());
    let record = |number: u32| told.attempts().iter().find(|attempt| attempt["attempt"] == number).unwrap();
    let detail = &record(1)["detail"];
    assert_eq!((&detail["ending"], &detail["steps"]), (&json!("step_limit"), &json!(3)), "{told:#}");
    assert_eq!(refusals(&attempt(&told)).1.last().unwrap().1, "limit_reached");
    let failed = record(2);
    assert_eq!(failed["outcome"], "agent_error", "{failed}");
    assert!(failed["detail"]["total_tests"].as_u64() > Some(0), "it is judged all the same: {failed}");
    assert_eq!(failed["error"], "the agent failed: the program ended (exit status: 3): no module named x");

    let command = program(folder.path(), "trespasser.py", "-- hang");
    let began = Instant::now();
    let told = run(&scratchbed, &command, &[&free[..], &["--wall", "4"]].concat());
    assert_eq!(told["attempts"][0]["detail"]["ending"], "wall_limit", "{told:#}");
    assert!(began.elapsed() < Duration::from_secs(120), "it sleeps for ten minutes");
}

/// A checkout that only its owner can enter. What was compiled and built before is there, so that it need not be again.
fn closed_checkout(at: &Path) {
    fs::create_dir(at).unwrap();
    fs::set_permissions(at, fs::Permissions::from_mode(0o700)).unwrap();
    let caches = [".cache/ocr", ".cache/compiled-editors", ".cache/projects"];
    // A link to a folder that is missing yet could not be written through.
    let caches = caches.into_iter().filter(|cache| root().join(cache).is_dir()).collect::<Vec<_>>();
    link(at, &["tasks", "eval-scripts", "scratch-gui", "assets"]);
    link(at, &caches);
}

#[test]
fn a_program_of_another_user_can_not_read_solutions() {
    let folder = open_folder();
    let checkout = folder.path().join("checkout");
    closed_checkout(&checkout);
    let golden = checkout.join("tasks/debug/stuck_ferry/golden.txt");
    let command = program(folder.path(), "trespasser.py", &format!("{} -- done", golden.display()));
    let as_nobody = ["--via", "http", "--agent-user", "nobody"];
    let code = |answer: &Answer| answer["error"]["code"].clone();
    let unsaid = run(&Scratchbed::new(), &command, &["--via", "http"]);
    assert_eq!(code(&unsaid), "agent_not_isolated", "one of both is to be said");
    let closed = Scratchbed::at(&checkout);
    if !nix::unistd::geteuid().is_root() {
        assert_eq!(code(&run(&closed, &command, &as_nobody)), "not_root");
        return;
    }
    let open = folder.path().join("open");
    fs::create_dir(&open).unwrap();
    link(&open, &["tasks", "eval-scripts", "scratch-gui", "assets"]);
    let refused = run(&Scratchbed::at(&open), &command, &as_nobody);
    assert_eq!(refused["error"]["code"], "agent_not_isolated", "{refused}");
    assert!(refused["error"]["hint"].as_str().unwrap().contains("--isolation none"), "{refused}");
    let told = run(&closed, &command, &as_nobody);
    assert_eq!(told["attempts"][0]["detail"]["ending"], "done", "{told:#}");
    let (said, _) = refusals(&attempt(&told));
    assert_eq!(said[golden.to_str().unwrap()], "PermissionError", "{said}");
    assert_eq!(json_at(&told.run().join("run.json"))["options"]["agent"]["isolation"], "user nobody");
}

/// The state of a process that was killed is gone, or that of one that no one has waited for yet.
pub fn is_alive(pid: &str) -> bool {
    let status = fs::read_to_string(Path::new("/proc").join(pid).join("stat"));
    status.is_ok_and(|line| line.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z')))
}

#[tokio::test]
async fn a_program_ends_with_a_run_that_is_killed_and_so_does_what_has_cleared_its_environment() {
    let folder = open_folder();
    let pids = folder.path().join("pids");
    let command =
        format!("setsid env -i sleep 600 & echo $$ $! >{0}.new; mv {0}.new {0}; sleep 600; :", pids.display());
    let args = ["run", "--agent", "command", "--command", &command, "--mode", "composite", "--task", "stuck_ferry"];
    let call = Scratchbed::new().call(&args).args(["--via", "http", "--isolation", "none"]);
    call.killed_when(async {
        until("the program starts", || pids.exists()).await;
        let pids = fs::read_to_string(&pids).unwrap();
        assert!(pids.split_whitespace().count() == 2 && pids.split_whitespace().all(is_alive), "{pids}");
    })
    .await;
    let pids = fs::read_to_string(&pids).unwrap();
    until("the program ends with its run", || !pids.split_whitespace().any(is_alive)).await;
}
