//! Runs, attempts, trials and logs on disks that refuse any step, and after the power has failed at any moment: what is
//! said to be complete is whole, what was reported as done is there, and the run can be gone on with.

use std::path::Path;

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use super::disk::Disk;
use super::faults::{Crash, Faults, Refusal};
use super::{LogWriter, RunDir, SESSION, StoreError, StoredLog, TrialDir};
use crate::model::{
    AttemptRecord, CallRecord, Coded, Mode, RUN_FORMAT, RunRecord, TaskId, TrialCost, TrialRecord, TrialRun,
};

/// Errors that a disk gives: none left, broken, read only.
const ERRORS: [i32; 3] = [nix::libc::ENOSPC, nix::libc::EIO, nix::libc::EROFS];
/// How many outcomes of a failing power are drawn for each step.
const DRAWS: u64 = 12;
const CALLS: u32 = 3;
const TASKS: [&str; 3] = ["one", "two", "three"];

fn task(name: &str) -> TaskId {
    name.parse().unwrap()
}

fn run() -> RunRecord {
    serde_json::from_value(json!({
        "format": RUN_FORMAT, "id": "run", "started_at": 1.5, "version": "0", "agent": "oracle", "mode": "composite",
        "tasks": TASKS,
    }))
    .unwrap()
}

fn attempt(name: &str) -> AttemptRecord {
    serde_json::from_value(json!({
        "format": RUN_FORMAT, "task": name, "category": "debug", "mode": "composite", "attempt": 1, "outcome": "passed",
        "ending": "done", "steps": CALLS, "passed_tests": 2, "total_tests": 2, "acting_s": 1.0, "judging_s": 2.0,
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
    let mut dir = run.begin(&task(name), Mode::Composite, 1)?;
    keep_log(disk, &dir.path().join(SESSION))?;
    for step in 1..=CALLS {
        dir.log(&call(step))?;
    }
    dir.keep_project(name.as_bytes())?;
    dir.complete(&attempt(name))
}

/// Whether all that belongs to a complete attempt is there.
fn must_be_whole(run: &RunDir, record: &AttemptRecord) {
    let name = record.task.as_str();
    assert_eq!(record, &attempt(name));
    let folder = run.path().join(format!("attempts/{name}.composite.1"));
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
    let there = run.attempts().unwrap();
    for record in &there {
        must_be_whole(&run, record);
    }
    let names: Vec<&str> = there.iter().map(|record| record.task.as_str()).collect();
    for name in completed {
        assert!(names.contains(name), "`{name}` was reported as complete and is lost: {names:?}");
    }
    for name in TASKS.iter().filter(|name| !names.contains(name)) {
        make_attempt(&Disk::default(), &run, name).unwrap();
    }
    assert_eq!(run.attempts().unwrap().len(), TASKS.len());
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
        for seed in 0..DRAWS {
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
        for (times, error) in [(1, ERRORS[0]), (1, ERRORS[1]), (usize::MAX / 2, ERRORS[2])] {
            let folder = tempfile::tempdir().unwrap();
            let (disk, _) = Faults::disk(Some(Refusal { at, times, error }));
            let mut completed = Vec::new();
            match RunDir::create_on(disk.clone(), &folder.path().join("runs"), run()) {
                // No run, and it says so.
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

fn trial_run() -> TrialRun {
    serde_json::from_value(json!({
        "format": RUN_FORMAT, "id": "run", "started_at": 1.5, "version": "0", "benchmark": "drag", "agent": "oracle",
        "setting": "baseline", "options": null, "set": "abc", "attempts": 1, "items": TASKS,
    }))
    .unwrap()
}

fn trial(item: &str) -> TrialRecord<Value> {
    serde_json::from_value(json!({
        "format": RUN_FORMAT, "item": item, "attempt": 1, "outcome": "failed", "detail": {"pixels": 3},
        "cost": TrialCost { calls: 1, ..TrialCost::default() },
    }))
    .unwrap()
}

fn make_trial(run: &TrialDir, item: &str) -> Result<(), StoreError> {
    let folder = run.begin(item, 1)?;
    folder.keep("answer.txt", item.as_bytes())?;
    folder.complete(&trial(item))
}

#[test]
fn after_a_power_failure_at_any_step_trials_are_whole_or_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, faults) = Faults::disk(None);
    let run = TrialDir::create_on(disk, folder.path(), trial_run()).unwrap();
    let created = faults.count();
    let completed = TASKS.map(|item| {
        make_trial(&run, item).unwrap();
        faults.count()
    });
    let steps = faults.done();
    for count in created..=steps.len() {
        let crash = Crash::after(folder.path(), &steps[..count]);
        for seed in 0..DRAWS {
            let left = tempfile::tempdir().unwrap();
            crash.leave(left.path(), &mut chance(seed));
            let run = TrialDir::resume(&left.path().join("run")).unwrap();
            for (item, at) in TASKS.into_iter().zip(completed) {
                match run.record::<Value>(item, 1).unwrap() {
                    Some(record) => {
                        assert_eq!(record, trial(item));
                        let answer = run.path().join(TrialDir::place(item, 1)).join("answer.txt");
                        assert_eq!(std::fs::read(answer).unwrap(), item.as_bytes());
                    }
                    None => assert!(at > count, "`{item}` was reported as complete and is lost"),
                }
                make_trial(&run, item).unwrap();
            }
        }
    }
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
        for seed in 0..DRAWS {
            let left = tempfile::tempdir().unwrap();
            crash.leave(left.path(), &mut chance(seed));
            let text = std::fs::read_to_string(left.path().join("log/log.jsonl"));
            if count == steps.len() {
                assert_eq!(text.as_deref().ok(), Some("line 0\nline 1\nline 2\nlast\n"));
                assert!(left.path().join("log/images/sha.png").is_file());
            } else if let Ok(text) = text {
                assert!("line 0\nline 1\nline 2\nlast\n".starts_with(&text), "{text}");
                // Whatever is there can be looked at.
                assert!(StoredLog::open(&left.path().join("log")).is_ok());
            }
        }
    }
}
