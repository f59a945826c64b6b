//! Folders of runs: what counts as complete, what is repeated, which process may write.

use std::process::Command;

use serde_json::{Value, json};

use super::*;
use crate::model::{Coded as _, Cost, Outcome};
use crate::store::fakes::run;

fn item() -> ItemId {
    "a".parse().unwrap()
}

fn attempt(attempt: u32, retry: u32) -> AttemptRecord<Value> {
    AttemptRecord {
        format: RUN_FORMAT,
        item: item(),
        attempt,
        retry,
        outcome: Outcome::Failed,
        error: None,
        cost: Cost::default(),
        detail: json!({"pixels": 3}),
    }
}

#[test]
fn only_complete_attempts_count_and_a_broken_one_is_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let run = RunDir::create(folder.path(), run(&["a"])).unwrap();
    run.begin(&item(), 1, 0).unwrap().keep("answer.txt", b"half").unwrap();
    assert_eq!(RunDir::open(run.path()).unwrap().attempts::<Value>().unwrap(), []);
    let again = run.begin(&item(), 1, 0).unwrap();
    assert!(!again.path().join("answer.txt").exists());
    again.complete(&attempt(1, 0)).unwrap();
    run.begin(&item(), 1, 1).unwrap().complete(&attempt(1, 1)).unwrap();
    run.begin(&item(), 2, 0).unwrap().complete(&attempt(2, 0)).unwrap();
    let reopened = RunDir::open(run.path()).unwrap();
    assert_eq!(reopened.record(), run.record());
    assert_eq!(reopened.tries::<Value>(&item(), 1).unwrap(), [attempt(1, 0), attempt(1, 1)]);
    let names = reopened.attempts::<Value>().unwrap().into_iter().map(|(name, record)| (name, RunDir::place(&record)));
    let wanted = ["a.1", "a.1.r1", "a.2"].map(|name| (name.to_owned(), format!("attempts/{name}")));
    assert_eq!(names.collect::<Vec<_>>(), wanted);
}

#[test]
fn two_runs_never_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    RunDir::create(folder.path(), run(&["a"])).unwrap();
    assert_eq!(RunDir::create(folder.path(), run(&["a"])).unwrap_err().code(), "run_unwritable");
}

#[test]
fn one_process_at_a_time_goes_on_with_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let first = RunDir::create(folder.path(), run(&["a"])).unwrap();
    let (path, copy) = (first.path().to_owned(), first.clone());
    drop(first);
    assert_eq!(RunDir::resume(&path).unwrap_err().code(), "run_in_use");
    assert!(RunDir::open(&path).is_ok(), "readers need not wait");
    drop(copy);
    let again = RunDir::resume(&path).unwrap();
    assert_eq!(RunDir::resume(&path).unwrap_err().code(), "run_in_use");
    drop(again);
    assert!(RunDir::resume(&path).is_ok());
    assert_eq!(RunDir::resume(folder.path()).unwrap_err().code(), "no_run");
}

#[test]
fn a_newer_format_is_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = RunDir::create(folder.path(), run(&["a"])).unwrap().path().to_owned();
    fs::write(path.join("run.json"), r#"{"format": 3, "surprise": 1}"#).unwrap();
    assert_eq!(RunDir::open(&path).unwrap_err().code(), "run_format_newer");
}

#[test]
fn what_attempts_share_is_on_the_disk_once_and_survives_one_that_is_begun_anew() {
    use std::os::unix::fs::MetadataExt as _;
    let folder = tempfile::tempdir().unwrap();
    let dir = RunDir::create(folder.path(), run(&["a"])).unwrap();
    let [first, second] = [1, 2].map(|attempt| dir.begin(&item(), attempt, 0).unwrap());
    first.keep_once("seen.png", b"same").unwrap();
    second.keep_once("seen.png", b"same").unwrap();
    second.keep_once("other.png", b"another").unwrap();
    let inode = |folder: &AttemptDir| fs::metadata(folder.path().join("seen.png")).unwrap().ino();
    assert_eq!(inode(&first), inode(&second));
    let again = dir.begin(&item(), 1, 0).unwrap();
    again.keep_once("seen.png", b"same").unwrap();
    assert_eq!(inode(&again), inode(&second));
    assert_eq!(fs::read(second.path().join("seen.png")).unwrap(), b"same");
    assert_eq!(fs::read_dir(dir.path().join("shared")).unwrap().count(), 2);
}

#[test]
fn a_run_with_a_link_or_a_pipe_anywhere_in_its_folder_is_refused_before_it_is_read() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("attempt.json"), "{}").unwrap();
    let file = elsewhere.join("attempt.json");
    // Without an end of a link it is a pipe.
    let cases: [(&str, Option<&Path>); 9] = [
        ("run.json", Some(&file)),
        ("run.json", None),
        (ANSWERS, Some(&file)),
        ("kept.json", Some(Path::new("/dev/zero"))),
        (ATTEMPTS, Some(&elsewhere)),
        ("attempts/a.2", Some(&elsewhere)),
        ("attempts/a.1/attempt.json", Some(&file)),
        ("attempts/a.1/grades/j.json", Some(&file)),
        ("attempts/a.1/turns.jsonl", None),
    ];
    for (id, (place, end)) in cases.into_iter().enumerate() {
        let run = RunDir::create(folder.path(), RunRecord { id: id.to_string(), ..run(&["a"]) }).unwrap();
        run.begin(&item(), 1, 0).unwrap().complete(&attempt(1, 0)).unwrap();
        let path = run.path().to_owned();
        drop(run);
        assert!(RunDir::open(&path).is_ok(), "as it was made");
        let place = path.join(place);
        if place.is_dir() {
            fs::remove_dir_all(&place).unwrap();
        } else if place.exists() {
            fs::remove_file(&place).unwrap();
        }
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        match end {
            Some(end) => symlink(end, &place).unwrap(),
            None => assert!(Command::new("mkfifo").arg(&place).status().unwrap().success()),
        }
        for opened in [RunDir::open(&path), RunDir::resume(&path)] {
            let error = opened.unwrap_err();
            assert_eq!(error.code(), "run_unreadable", "{}", place.display());
            assert!(error.to_string().contains(place.to_str().unwrap()), "{error}");
        }
    }
}
