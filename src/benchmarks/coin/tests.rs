//! Runs without a browser: what is tried again, what is kept, what ends a run.

use std::sync::Mutex;

use tokio_util::sync::CancellationToken;

use super::items::Coins;
use crate::experiment::engine::Noted;
use crate::experiment::fakes::{arm, ledger, played};
use crate::experiment::{Benchmark as _, Plan, RunOptions, run};
use crate::grade::Count;
use crate::ledger::{CellState, Ended, Gate, Ledger};
use crate::model::{Coded as _, Outcome};
use crate::store::RunDir;

fn dir(folder: &std::path::Path, attempts: u32) -> RunDir {
    let items = Coins::new(&[]).items();
    Plan { benchmark: Coins::NAME, attempts, items, ..Plan::default() }.open(folder, None).unwrap()
}

const fn jobs(jobs: usize) -> RunOptions {
    RunOptions { jobs, retries: 2, retry_failed_calls: false }
}

#[tokio::test]
async fn a_run_ends_when_no_one_answers_any_more_and_what_failed_is_asked_again_if_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 8);
    // The third answers, and from then on no one does.
    let ends: Vec<(&str, u32, &[&str])> = (1..=8)
        .flat_map(|attempt| ["b", "a"].map(|item| (item, attempt)))
        .enumerate()
        .map(|(at, (item, attempt))| (item, attempt, if at == 2 { &["passed"][..] } else { &["silent"][..] }))
        .collect();
    let silent = arm(Coins::new(&ends), &dir);
    let error = played(&silent, jobs(1)).await.unwrap_err();
    assert_eq!((error.code(), silent.benchmark.tries()), ("calls_fail", 13));
    let here = arm(Coins::new(&[]), &dir);
    let records = played(&here, jobs(1)).await.unwrap();
    let failed = records.iter().filter(|record| record.outcome == Outcome::CallFailed).count();
    assert_eq!((failed, here.benchmark.tries()), (12, 3), "what is recorded stays");
    let figures = |count| here.benchmark.figures(&records, count);
    assert_eq!((figures(Count::Ours), figures(Count::Reference)), (4, 4));
    let again = arm(Coins::new(&[]), &dir);
    let records = played(&again, RunOptions { retry_failed_calls: true, ..jobs(1) }).await.unwrap();
    assert!(records.iter().all(|record| record.outcome == Outcome::Passed) && again.benchmark.tries() == 12);
    assert_eq!(dir.tries::<u32>(&records[0].item, 1).unwrap().len(), 2, "the failed call is kept too");
}

#[tokio::test]
async fn what_the_testbed_spoiled_is_tried_again_and_in_the_end_is_no_ones_fault() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 2);
    let coins = arm(Coins::new(&[("b", 1, &["broken", "failed"]), ("a", 2, &["broken"; 3])]), &dir);
    let endings = Mutex::new(Vec::new());
    let note = |noted: Noted<'_>| {
        if let Noted::Ended { ended, .. } = noted {
            endings.lock().unwrap().push(ended);
        }
    };
    let ledger = ledger(&dir).await;
    let records = run(&ledger, &coins, jobs(2), &CancellationToken::new(), &note).await.unwrap();
    let outcomes: Vec<_> = records.iter().map(|one| (one.item.as_str(), one.attempt, one.outcome.name())).collect();
    assert_eq!(outcomes, [("b", 1, "failed"), ("b", 2, "passed"), ("a", 1, "passed"), ("a", 2, "infra_error")]);
    assert_eq!((records[0].retry, records[0].detail, records[3].retry), (1, 1, 2), "a try sees those before it");
    let count = |wanted: Ended| endings.lock().unwrap().iter().filter(|ended| **ended == wanted).count();
    assert_eq!([Ended::Counted, Ended::Owed, Ended::Dead].map(count), [3, 3, 1]);
    assert_eq!((coins.benchmark.tries(), dir.attempts::<u32>().unwrap().len()), (7, 7), "each try has a folder");
    // It is an experiment, with the name of its folder.
    let status = ledger.status(&dir.record().id).await.unwrap();
    assert_eq!((status.cells.decided, status.cells.dead, status.state), (3, 1, Gate::Closed));
    let path = dir.path().canonicalize().unwrap();
    assert_eq!(status.run.as_deref(), path.to_str());
    let cells = ledger.changed(&dir.record().id, 0).await.unwrap();
    assert!(cells.iter().all(|cell| cell.run.is_some() == cell.made.is_some()), "{cells:?}");
}

#[tokio::test]
async fn a_run_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 2);
    let stopped = arm(Coins::new(&[("b", 1, &["failed"]), ("b", 2, &["stop"])]), &dir);
    let error = played(&stopped, jobs(1)).await.unwrap_err();
    assert_eq!((error.code(), stopped.benchmark.tries()), ("invalid_item", 3));
    let resumed = arm(Coins::new(&[]), &RunDir::open(dir.path()).unwrap());
    let records = played(&resumed, jobs(1)).await.unwrap();
    assert_eq!((records.len(), resumed.benchmark.tries()), (4, 2));
    assert_eq!(records[0].outcome, Outcome::Failed, "what was recorded stays");
    let again = arm(Coins::new(&[]), &dir);
    played(&again, jobs(1)).await.unwrap();
    assert_eq!(again.benchmark.tries(), 0);
}

#[tokio::test]
async fn nothing_is_begun_once_the_budget_is_spent_and_more_of_it_continues_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 3);
    let poor = arm(Coins::new(&[("b", 1, &["failed"]), ("b", 2, &["spent"])]), &dir);
    let error = played(&poor, jobs(1)).await.unwrap_err();
    assert_eq!((error.code(), poor.benchmark.tries()), ("budget_exhausted", 3));
    assert_eq!(error.to_string(), "the budget is spent; 2 of 6 attempts are complete");
    assert!(error.hint().unwrap().contains("--resume"));
    let richer = arm(Coins::new(&[]), &dir);
    let records = played(&richer, jobs(2)).await.unwrap();
    assert_eq!((records.len(), richer.benchmark.tries(), records[0].outcome), (6, 4, Outcome::Failed));
}

#[tokio::test]
async fn a_run_is_stopped_between_attempts() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 2);
    let (coins, stop) = (arm(Coins::new(&[]), &dir), CancellationToken::new());
    let note = |noted: Noted<'_>| {
        if let Noted::Ended { .. } = noted {
            stop.cancel();
        }
    };
    let error = run(&ledger(&dir).await, &coins, jobs(1), &stop, &note).await.unwrap_err();
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        ("run_stopped", "the run was stopped; 1 of 4 attempts are complete")
    );
    assert_eq!((played(&coins, jobs(1)).await.unwrap().len(), coins.benchmark.tries()), (4, 4));
}

/// The folder is what a person has: with another ledger, as a copy, or with attempts taken out of it, the run goes on.
#[tokio::test]
async fn the_folder_of_a_run_tells_what_is_left_where_the_ledger_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 2);
    let script: &[(&str, u32, &[&'static str])] = &[("b", 1, &["broken"; 3]), ("a", 2, &["stop"])];
    let part = arm(Coins::new(script), &dir);
    assert_eq!(played(&part, jobs(1)).await.unwrap_err().code(), "invalid_item");
    let same = ledger(&dir).await;
    let id = dir.record().id.clone();

    // Without the ledger: what the testbed spoiled and what was broken off are owed.
    let other = Ledger::open(&folder.path().join("other.sqlite")).await.unwrap();
    let copy = folder.path().join("copies").join(&id);
    copied(dir.path(), &copy);
    let copied = RunDir::resume(&copy).unwrap();
    let resumed = arm(Coins::new(&[]), &copied);
    let never = CancellationToken::new();
    let records = run(&other, &resumed, jobs(1), &never, &|_| ()).await.unwrap();
    assert_eq!((records.len(), resumed.benchmark.tries()), (4, 2));

    // The copy takes the name over in the first ledger, and the original takes it back.
    for (dir, tries) in [(&copied, 0), (&dir, 2)] {
        let resumed = arm(Coins::new(&[]), dir);
        run(&same, &resumed, jobs(1), &never, &|_| ()).await.unwrap();
        assert_eq!(resumed.benchmark.tries(), tries);
    }

    // An attempt that somebody removed is made again.
    std::fs::remove_dir_all(dir.path().join("attempts/a.1")).unwrap();
    let again = arm(Coins::new(&[("a", 1, &["failed"])]), &dir);
    let records = run(&same, &again, jobs(1), &never, &|_| ()).await.unwrap();
    assert_eq!((again.benchmark.tries(), records.len()), (1, 4));
    assert!(same.cells(&id).await.unwrap().iter().all(|cell| cell.state == CellState::Decided));
}

fn copied(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copied(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
