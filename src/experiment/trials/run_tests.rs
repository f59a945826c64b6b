//! Runs of a benchmark without a browser: what is tried again, what is kept, what ends a run.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use serde_json::Value;

use super::super::{Benchmark, Ended, Manner, Progress, Spoiled, TrialsError, run};
use crate::model::{Coded, RUN_FORMAT, TrialCost, TrialOutcome, TrialRun};
use crate::store::{TrialDir, TrialFolder};

/// Ends each trial as its script says, one entry a try.
struct Scripted {
    script: Mutex<BTreeMap<(String, u32), Vec<&'static str>>>,
    tries: Mutex<Vec<(String, u32)>>,
}

impl Scripted {
    fn new(script: &[(&str, u32, &[&'static str])]) -> Self {
        let script =
            script.iter().map(|(item, attempt, ends)| (((*item).to_owned(), *attempt), ends.to_vec())).collect();
        Self { script: Mutex::new(script), tries: Mutex::default() }
    }

    fn tries(&self) -> usize {
        self.tries.lock().unwrap().len()
    }
}

#[async_trait]
impl Benchmark for Scripted {
    type Detail = u32;

    async fn attempt(&self, item: &str, attempt: u32, _: &TrialFolder) -> Result<Ended<u32>, Spoiled> {
        self.tries.lock().unwrap().push((item.to_owned(), attempt));
        let end = self
            .script
            .lock()
            .unwrap()
            .get_mut(&(item.to_owned(), attempt))
            .and_then(|ends| if ends.is_empty() { None } else { Some(ends.remove(0)) });
        let outcome = match end.unwrap_or("passed") {
            "broken" => return Err(Spoiled::Testbed("the page is gone".to_owned())),
            "stop" => {
                return Err(TrialsError::Item { item: item.to_owned(), reason: "no picture".to_owned() }.into());
            }
            "failed" => TrialOutcome::Failed,
            "silent" => TrialOutcome::CallFailed,
            _ => TrialOutcome::Passed,
        };
        Ok(Ended { outcome, error: None, cost: TrialCost::default(), detail: Some(attempt) })
    }
}

fn dir(folder: &std::path::Path) -> TrialDir {
    let run = TrialRun {
        format: RUN_FORMAT,
        id: "r".to_owned(),
        started_at: 0.0,
        version: "0".to_owned(),
        benchmark: "drag".to_owned(),
        agent: "scripted".to_owned(),
        setting: "baseline".to_owned(),
        options: Value::Null,
        set: "0".to_owned(),
        attempts: 2,
        items: ["b", "a"].map(str::to_owned).to_vec(),
    };
    TrialDir::create(folder, run).unwrap()
}

const fn jobs(jobs: usize) -> Manner {
    Manner { jobs, retry_failed_calls: false }
}

#[tokio::test]
async fn a_run_ends_when_nobody_answers_any_more_and_what_failed_is_asked_again_if_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let run_of = TrialRun { attempts: 8, ..dir(folder.path()).run().clone() };
    let dir = TrialDir::create(&folder.path().join("other"), run_of).unwrap();
    // The third answers, and from then on nobody does.
    let ends: Vec<(&str, u32, &[&str])> = (1..=8)
        .flat_map(|attempt| ["b", "a"].map(|item| (item, attempt)))
        .enumerate()
        .map(|(at, (item, attempt))| (item, attempt, if at == 2 { &["passed"][..] } else { &["silent"][..] }))
        .collect();
    let silent = Scripted::new(&ends);
    let error = run(&silent, &dir, jobs(1), &|_| ()).await.unwrap_err();
    assert_eq!((error.code(), silent.tries()), ("calls_fail", 13));
    let here = Scripted::new(&[]);
    let records = run(&here, &dir, jobs(1), &|_| ()).await.unwrap();
    let failed = records.iter().filter(|record| record.outcome == TrialOutcome::CallFailed).count();
    assert_eq!((failed, here.tries()), (12, 3), "what is recorded stays");
    let again = Scripted::new(&[]);
    let records = run(&again, &dir, Manner { jobs: 1, retry_failed_calls: true }, &|_| ()).await.unwrap();
    assert!(records.iter().all(|record| record.outcome == TrialOutcome::Passed) && again.tries() == 12);
}

#[tokio::test]
async fn what_the_testbed_spoiled_is_tried_again_and_in_the_end_is_nobodys_fault() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path());
    let benchmark = Scripted::new(&[("b", 1, &["broken", "failed"]), ("a", 2, &["broken"; 3])]);
    let ended = Mutex::new(Vec::new());
    let note = |progress: Progress<'_>| ended.lock().unwrap().push((progress.item.to_owned(), progress.attempt));
    let records = run(&benchmark, &dir, jobs(2), &note).await.unwrap();
    let outcomes: Vec<_> = records.iter().map(|one| (one.item.as_str(), one.attempt, one.outcome.name())).collect();
    assert_eq!(outcomes, [("b", 1, "failed"), ("b", 2, "passed"), ("a", 1, "passed"), ("a", 2, "infra_error")]);
    assert_eq!((ended.lock().unwrap().len(), benchmark.tries()), (4, 7));
}

#[tokio::test]
async fn a_run_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path());
    let stopped = Scripted::new(&[("b", 1, &["failed"]), ("b", 2, &["stop"])]);
    let error = run(&stopped, &dir, jobs(1), &|_| ()).await.unwrap_err();
    assert_eq!((error.code(), stopped.tries()), ("invalid_item", 3));
    let resumed = Scripted::new(&[]);
    let records = run(&resumed, &TrialDir::open(dir.path()).unwrap(), jobs(1), &|_| ()).await.unwrap();
    assert_eq!((records.len(), resumed.tries()), (4, 2));
    assert_eq!(records[0].outcome, TrialOutcome::Failed, "what was recorded stays");
    let again = Scripted::new(&[]);
    run(&again, &dir, jobs(1), &|_| ()).await.unwrap();
    assert_eq!(again.tries(), 0);
}
