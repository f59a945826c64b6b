//! Runs without a browser: what is tried again, what is kept, what ends a run.

use std::sync::Mutex;

use super::items::Coins;
use crate::experiment::{Benchmark as _, Event, Plan, RunOptions, run};
use crate::grade::Count;
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
    let silent = Coins::new(&ends);
    let error = run(&silent, &dir, jobs(1), &|_| ()).await.unwrap_err();
    assert_eq!((error.code(), silent.tries()), ("calls_fail", 13));
    let here = Coins::new(&[]);
    let records = run(&here, &dir, jobs(1), &|_| ()).await.unwrap();
    let failed = records.iter().filter(|record| record.outcome == Outcome::CallFailed).count();
    assert_eq!((failed, here.tries()), (12, 3), "what is recorded stays");
    assert_eq!((here.figures(&records, Count::Ours), here.figures(&records, Count::Reference)), (4, 4));
    let again = Coins::new(&[]);
    let records = run(&again, &dir, RunOptions { retry_failed_calls: true, ..jobs(1) }, &|_| ()).await.unwrap();
    assert!(records.iter().all(|record| record.outcome == Outcome::Passed) && again.tries() == 12);
    assert_eq!(dir.tries::<u32>(&records[0].item, 1).unwrap().len(), 2, "the failed call is kept too");
}

#[tokio::test]
async fn what_the_testbed_spoiled_is_tried_again_and_in_the_end_is_no_ones_fault() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 2);
    let benchmark = Coins::new(&[("b", 1, &["broken", "failed"]), ("a", 2, &["broken"; 3])]);
    let ended = Mutex::new(Vec::new());
    let note = |event: Event<'_, u32>| {
        if let Event::Ended { record, again, before: false, .. } = event {
            ended.lock().unwrap().push((record.item.to_string(), record.attempt, again));
        }
    };
    let records = run(&benchmark, &dir, jobs(2), &note).await.unwrap();
    let outcomes: Vec<_> = records.iter().map(|one| (one.item.as_str(), one.attempt, one.outcome.name())).collect();
    assert_eq!(outcomes, [("b", 1, "failed"), ("b", 2, "passed"), ("a", 1, "passed"), ("a", 2, "infra_error")]);
    assert_eq!((records[0].retry, records[0].detail, records[3].retry), (1, 1, 2), "a try sees those before it");
    let ended = ended.into_inner().unwrap();
    assert_eq!((ended.len(), ended.iter().filter(|(_, _, again)| *again).count(), benchmark.tries()), (7, 3, 7));
    assert_eq!(dir.attempts::<u32>().unwrap().len(), 7, "each try has a folder");
}

#[tokio::test]
async fn a_run_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 2);
    let stopped = Coins::new(&[("b", 1, &["failed"]), ("b", 2, &["stop"])]);
    let error = run(&stopped, &dir, jobs(1), &|_| ()).await.unwrap_err();
    assert_eq!((error.code(), stopped.tries()), ("invalid_item", 3));
    let resumed = Coins::new(&[]);
    let records = run(&resumed, &RunDir::open(dir.path()).unwrap(), jobs(1), &|_| ()).await.unwrap();
    assert_eq!((records.len(), resumed.tries()), (4, 2));
    assert_eq!(records[0].outcome, Outcome::Failed, "what was recorded stays");
    let again = Coins::new(&[]);
    run(&again, &dir, jobs(1), &|_| ()).await.unwrap();
    assert_eq!(again.tries(), 0);
}

#[tokio::test]
async fn nothing_is_begun_once_the_budget_is_spent_and_more_of_it_continues_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 3);
    let poor = Coins::new(&[("b", 1, &["failed"]), ("b", 2, &["spent"])]);
    let error = run(&poor, &dir, jobs(1), &|_| ()).await.unwrap_err();
    assert_eq!((error.code(), poor.tries()), ("budget_exhausted", 3));
    assert_eq!(error.to_string(), "the budget is spent; 2 of 6 attempts are complete");
    assert!(error.hint().unwrap().contains("--resume"));
    let richer = Coins::new(&[]);
    let records = run(&richer, &dir, jobs(2), &|_| ()).await.unwrap();
    assert_eq!((records.len(), richer.tries(), records[0].outcome), (6, 4, Outcome::Failed));
}
