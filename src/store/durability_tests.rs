//! Runs, attempts and logs on disks that refuse any step, and after the power has failed at any moment: what is
//! marked complete is whole, what was reported as done is there, and the run can be resumed.

use std::ops::Range;
use std::path::Path;

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use serde_json::json;

use super::disk::Disk;
use super::faults::{Crash, Faults, Refusal};
use super::{LogWriter, RunDir, SESSION, StoreError, StoredLog, fakes};
use crate::model::{CallRecord, Coded as _, ItemId, RUN_FORMAT, RunRecord, TaskDetail, TaskRecord};

#[path = "../../tests/it/support/extent.rs"]
mod extent;

use extent::{day, everything};

/// Errors that a disk gives: none left, broken, read only.
const ERRORS: [i32; 3] = [nix::libc::ENOSPC, nix::libc::EIO, nix::libc::EROFS];
/// How many outcomes of a failing power can be drawn for each step.
const DRAWS: u64 = 12;
/// How many of them are on one day, which has its own.
const DRAWS_A_DAY: u64 = 2;
const CALLS: u32 = 3;
const TASKS: [&str; 3] = ["one", "two", "three"];

fn item(name: &str) -> ItemId {
    name.parse().unwrap()
}

fn run() -> RunRecord {
    RunRecord { id: "run".into(), ..fakes::run(&TASKS) }
}

fn attempt(name: &str) -> TaskRecord {
    let detail = json!({
        "category": "debug", "mode": "composite", "ending": "done", "steps": CALLS, "passed_tests": 2, "total_tests": 2,
        "judging_s": 2.0,
    });
    let cost = json!({"seconds": 1.0, "calls": 1, "input_tokens": 0, "output_tokens": 0});
    serde_json::from_value(json!({
        "format": RUN_FORMAT, "item": name, "attempt": 1, "retry": 0, "outcome": "passed", "cost": cost,
        "detail": detail,
    }))
    .unwrap()
}

fn call(step: u32) -> CallRecord {
    let action = json!({"api": "click", "args": {"x": 1, "y": 2}});
    let timing = json!({"wait_ms": 0.0, "action_ms": 1.0, "settle_ms": 1.0, "settle": "skipped"});
    let reply = json!({
        "success": true, "requested_action": action, "executed_action": action, "data": null, "error": null,
        "timing": timing,
    });
    serde_json::from_value(json!({"step": step, "at_s": 0.5, "call": action, "reply": reply})).unwrap()
}

/// A session's log of one attempt, with a picture.
fn keep_log(disk: &Disk, folder: &Path) -> Result<(), StoreError> {
    let writer = LogWriter::create_on(disk.clone(), folder, || {})?;
    for number in 0..CALLS {
        writer.line(format!("line {number}").into());
    }
    writer.image("sha", "image/png", b"picture".as_slice().into());
    writer.line("last".into());
    drop(writer);
    Ok(())
}

/// One attempt from its beginning to its record.
fn make_attempt(disk: &Disk, run: &RunDir, name: &str) -> Result<(), StoreError> {
    let dir = run.begin(&item(name), 1, 0)?;
    keep_log(disk, &dir.path().join(SESSION))?;
    let mut calls = dir.lines("calls.jsonl")?;
    for step in 1..=CALLS {
        calls.append(&call(step))?;
    }
    calls.end()?;
    dir.keep_project(name.as_bytes())?;
    // All attempts share it.
    dir.keep_once("seen.png", b"picture")?;
    dir.complete(&attempt(name))
}

/// Whether all that belongs to a complete attempt is there.
fn must_be_whole(run: &RunDir, record: &TaskRecord) {
    let name = record.item.as_str();
    assert_eq!(record, &attempt(name));
    let folder = run.path().join(RunDir::place(record));
    assert_eq!(std::fs::read(folder.join("seen.png")).unwrap(), b"picture");
    let calls = std::fs::read_to_string(folder.join("calls.jsonl")).unwrap();
    let calls: Vec<CallRecord> = calls.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(calls, (1..=CALLS).map(call).collect::<Vec<_>>());
    assert_eq!(std::fs::read(folder.join("project.sb3")).unwrap(), name.as_bytes());
    let log = std::fs::read_to_string(folder.join(SESSION).join("log.jsonl")).unwrap();
    assert_eq!(log, "line 0\nline 1\nline 2\nlast\n");
    assert_eq!(std::fs::read(folder.join(SESSION).join("images/sha.png")).unwrap(), b"picture");
}

/// Goes on with a run as `--resume` does, on a disk without faults.
fn go_on(path: &Path, completed: &[&str]) {
    let run = RunDir::resume(path).unwrap();
    assert_eq!(run.record(), &self::run());
    let there = records(&run);
    for record in &there {
        must_be_whole(&run, record);
    }
    let names: Vec<&str> = there.iter().map(|record| record.item.as_str()).collect();
    for name in completed {
        assert!(names.contains(name), "`{name}` was reported as complete and is lost: {names:?}");
    }
    for name in TASKS.iter().filter(|name| !names.contains(name)) {
        make_attempt(&Disk::default(), &run, name).unwrap();
    }
    assert_eq!(records(&run).len(), TASKS.len());
}

fn records(run: &RunDir) -> Vec<TaskRecord> {
    run.attempts::<TaskDetail>().unwrap().into_iter().map(|(_, record)| record).collect()
}

/// The seeds of the outcomes that are drawn: today's, or all with `SCRATCHBED_TESTS=all`.
fn draws() -> Range<u64> {
    if everything() {
        return 0..DRAWS;
    }
    let first = day() as u64 % (DRAWS / DRAWS_A_DAY) * DRAWS_A_DAY;
    first..first + DRAWS_A_DAY
}

/// How often the step of this number is refused, and with which error: another way each day, or all.
fn refusals(step: usize) -> Vec<(usize, i32)> {
    let all = [(1, ERRORS[0]), (1, ERRORS[1]), (usize::MAX / 2, ERRORS[2])];
    if everything() {
        return all.to_vec();
    }
    vec![all[(step + day()) % all.len()]]
}

/// A chance that always draws the same again.
fn chance(seed: u64) -> impl FnMut(usize) -> usize {
    let mut random = Pcg64::seed_from_u64(seed);
    move |below| random.random_range(0..below)
}

#[test]
fn after_a_power_failure_at_any_step_a_run_has_what_it_reported_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, faults) = Faults::disk(None);
    let run = RunDir::create_on(disk.clone(), &folder.path().join("runs"), run()).unwrap();
    let created = faults.count();
    let completed: Vec<(usize, &str)> = TASKS
        .into_iter()
        .map(|name| {
            make_attempt(&disk, &run, name).unwrap();
            (faults.count(), name)
        })
        .collect();
    let steps = faults.done();
    assert!(steps.len() > 60, "{}", steps.len());
    for count in created..=steps.len() {
        let crash = Crash::after(folder.path(), &steps[..count]);
        let reported: Vec<&str> = completed.iter().filter(|(at, _)| *at <= count).map(|(_, name)| *name).collect();
        for seed in draws() {
            let left = tempfile::tempdir().unwrap();
            crash.leave(left.path(), &mut chance(seed));
            go_on(&left.path().join("runs/run"), &reported);
        }
    }
}

#[test]
fn a_disk_that_refuses_any_step_is_told_and_costs_no_complete_attempt() {
    let steps = {
        let (disk, faults) = Faults::disk(None);
        let folder = tempfile::tempdir().unwrap();
        all_attempts(&disk, folder.path()).unwrap();
        faults.count()
    };
    for at in 0..steps {
        for (times, error) in refusals(at) {
            let folder = tempfile::tempdir().unwrap();
            let (disk, _) = Faults::disk(Some(Refusal { at, times, error }));
            let mut completed = Vec::new();
            match RunDir::create_on(disk.clone(), &folder.path().join("runs"), run()) {
                // Not a run, as the error says.
                Err(error) => assert_eq!(error.code(), "run_unwritable"),
                Ok(run) => {
                    for name in TASKS {
                        // A log tries again, so that not every refusal is an error of the attempt.
                        match make_attempt(&disk, &run, name) {
                            Ok(()) => completed.push(name),
                            Err(error) => assert_eq!(error.code(), "run_unwritable", "{error}"),
                        }
                    }
                    drop(run);
                    if times == 1 {
                        assert!(completed.len() >= TASKS.len() - 1, "step {at}: {completed:?}");
                        go_on(&folder.path().join("runs/run"), &completed);
                    }
                }
            }
        }
    }
}

fn all_attempts(disk: &Disk, folder: &Path) -> Result<(), StoreError> {
    let run = RunDir::create_on(disk.clone(), &folder.join("runs"), run())?;
    TASKS.iter().try_for_each(|name| make_attempt(disk, &run, name))
}

#[test]
fn after_a_power_failure_a_log_that_was_ended_is_whole_and_one_that_was_not_is_a_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, faults) = Faults::disk(None);
    let log = folder.path().join("log");
    keep_log(&disk, &log).unwrap();
    let steps = faults.done();
    for count in 0..=steps.len() {
        let crash = Crash::after(folder.path(), &steps[..count]);
        for seed in draws() {
            let left = tempfile::tempdir().unwrap();
            crash.leave(left.path(), &mut chance(seed));
            let text = std::fs::read_to_string(left.path().join("log/log.jsonl"));
            if count == steps.len() {
                assert_eq!(text.as_deref().ok(), Some("line 0\nline 1\nline 2\nlast\n"));
                assert!(left.path().join("log/images/sha.png").is_file());
            } else if let Ok(text) = text {
                assert!("line 0\nline 1\nline 2\nlast\n".starts_with(&text), "{text}");
                // What is there can be read.
                assert!(StoredLog::open(&left.path().join("log")).is_ok());
            }
        }
    }
}
