//! Batches over a testbed and a judge made for the purpose.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;

use super::*;
use crate::experiment::fakes::{FakeSession, ListAgent, judged, run_dir, task};
use crate::experiment::testbed::{TaskSession, TestbedError};
use crate::judge::JudgeError;
use crate::model::Verdict;

/// Refuses to open the first `bad` sessions.
#[derive(Debug, Default)]
struct Shaky {
    bad: u32,
    opened: AtomicU32,
    closed: Arc<AtomicU32>,
}

#[async_trait]
impl Testbed for Shaky {
    async fn open(&self, _: &TaskEntry, _: &Path) -> Result<Box<dyn TaskSession>, TestbedError> {
        if self.opened.fetch_add(1, Ordering::SeqCst) < self.bad {
            return Err(TestbedError::Refused { status: 503, code: "page_lost".into(), detail: "d".into() });
        }
        Ok(Box::new(FakeSession { closed: Arc::clone(&self.closed), export: None }))
    }
}

/// Passes everything.
#[derive(Debug)]
struct Kind;

#[async_trait]
impl Judging for Kind {
    async fn judge(&self, _: &TaskEntry, _: &[u8]) -> Result<Verdict, JudgeError> {
        Ok(judged(Outcome::Passed, 3))
    }
}

fn job(id: &str) -> Job {
    let task = TaskEntry { task: task(id, 9, 9), folder: "/".into(), scripts: "/".into(), pack: None };
    Job { task, agent: Box::new(|| Box::new(ListAgent::default())) }
}

fn batch(testbed: Arc<dyn Testbed>) -> Batch {
    Batch {
        testbed,
        judge: Arc::new(Kind),
        mode: Mode::Composite,
        limits: LimitOverrides::default(),
        jobs: 2,
        retries: 1,
    }
}

#[tokio::test]
async fn spoiled_attempts_are_made_again_and_sessions_closed() {
    let folder = tempfile::tempdir().unwrap();
    let dir = run_dir(folder.path());
    let testbed = Arc::new(Shaky { bad: 1, ..Shaky::default() });
    let events = Mutex::new(Vec::new());
    let records =
        batch(testbed.clone()).run(&[job("a")], &dir, &|event| events.lock().unwrap().push(event)).await.unwrap();
    assert_eq!((records[0].outcome, records[0].attempt), (Outcome::Passed, 2));
    assert_eq!(dir.attempts().unwrap().len(), 2, "the spoiled one is shown too");
    assert_eq!(events.into_inner().unwrap().len(), 3);
    assert_eq!(testbed.closed.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn trouble_that_lasts_is_reported_and_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let testbed = Arc::new(Shaky { bad: 9, ..Shaky::default() });
    let records = batch(testbed).run(&[job("a")], &run_dir(folder.path()), &|_| {}).await.unwrap();
    assert_eq!((records[0].outcome, records[0].attempt), (Outcome::InfraError, 2));
    let summary = summary(&records);
    assert_eq!((summary.overall.n, summary.overall.not_counted), (0, 1));
    assert!(!succeeded(&records[0]));
}

#[tokio::test]
async fn a_run_that_goes_on_does_not_repeat_what_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let dir = run_dir(folder.path());
    let testbed = Arc::new(Shaky::default());
    let batch = batch(testbed.clone());
    batch.run(&[job("a")], &dir, &|_| {}).await.unwrap();
    let records = batch.run(&[job("b"), job("a")], &dir, &|_| {}).await.unwrap();
    assert_eq!(records.iter().map(|record| record.task.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(testbed.opened.load(Ordering::SeqCst), 2);
}
