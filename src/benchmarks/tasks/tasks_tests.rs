//! Runs of tasks over a testbed and a judge made for the purpose.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio_util::sync::CancellationToken;

use super::fakes::{FakeSession, ListAgent, entry, judged, run_dir};
use super::*;
use crate::agent::llm::{LlmAgent, Model, Prompts, Protocol, Style};
use crate::agent::model::{Answer, ModelError, Request};
use crate::agent::{Agent, Observing};
use crate::experiment::engine::{Arm as _, CellRef, Noted};
use crate::experiment::fakes::{arm, ledger, played};
use crate::experiment::{RunOptions, run};
use crate::judge::JudgeError;
use crate::model::{Outcome, Verdict};
use crate::perceive::Convention;
use crate::taskset::TaskEntry;

/// Refuses to open the first `bad` sessions.
#[derive(Debug, Default)]
struct FlakyTestbed {
    bad: u32,
    opened: AtomicU32,
    closed: Arc<AtomicU32>,
}

#[async_trait]
impl Testbed for FlakyTestbed {
    async fn open(&self, _: &TaskEntry, _: Observing, _: &Path) -> Result<Box<dyn TaskSession>, TestbedError> {
        if self.opened.fetch_add(1, Ordering::SeqCst) < self.bad {
            return Err(TestbedError::Refused { status: 503, code: "page_lost".into(), detail: "d".into() });
        }
        Ok(Box::new(FakeSession { closed: Arc::clone(&self.closed), export: None }))
    }
}

#[derive(Debug)]
struct Kind;

#[async_trait]
impl Judging for Kind {
    async fn judge(&self, _: &TaskEntry, _: &[u8]) -> Result<Verdict, JudgeError> {
        Ok(judged(Outcome::Passed, 3))
    }
}

fn job(id: &str) -> Job {
    Job::new(entry(id), Box::new(|_| Box::new(ListAgent::default())))
}

fn tasks(testbed: Arc<dyn Testbed>, jobs: &[&str]) -> Tasks {
    let jobs = jobs.iter().map(|id| job(id)).collect();
    let (mode, limits, pictures) = (Mode::Composite, LimitOverrides::default(), KeptPictures::Agent);
    Tasks { testbed, judge: Arc::new(Kind), mode, limits, pictures, jobs, memory: None }
}

const MANNER: RunOptions = RunOptions { jobs: 2, retries: 1, retry_failed_calls: false };

#[tokio::test]
async fn spoiled_attempts_are_made_again_and_sessions_closed() {
    let folder = tempfile::tempdir().unwrap();
    let dir = run_dir(folder.path(), &["a"]);
    let testbed = Arc::new(FlakyTestbed { bad: 1, ..FlakyTestbed::default() });
    let events = Mutex::new(0);
    let count = |noted: Noted<'_>| *events.lock().unwrap() += usize::from(matches!(noted, Noted::Ended { .. }));
    let (arm, never) = (arm(tasks(testbed.clone(), &["a"]), &dir), CancellationToken::new());
    let records = run(&ledger(&dir).await, &arm, MANNER, &never, &count).await.unwrap();
    assert_eq!((records[0].outcome, records[0].attempt, records[0].retry), (Outcome::Passed, 1, 1));
    assert_eq!(dir.attempts::<TaskDetail>().unwrap().len(), 2, "the spoiled one is shown too");
    assert_eq!(events.into_inner().unwrap(), 2);
    assert_eq!(testbed.closed.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn trouble_that_lasts_is_reported_and_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let testbed = Arc::new(FlakyTestbed { bad: 9, ..FlakyTestbed::default() });
    let arm = arm(tasks(testbed, &["a"]), &run_dir(folder.path(), &["a"]));
    let records = played(&arm, MANNER).await.unwrap();
    assert_eq!((records[0].outcome, records[0].retry), (Outcome::InfraError, 1));
    let summary = summary(&records);
    assert_eq!((summary.overall.n, summary.overall.not_counted), (0, 1));
    assert!(!succeeded(&records[0]));
    let all = &arm.benchmark.figures(&records, Count::Ours)[0];
    assert_eq!((all.n, all.missing), (0, 1));
}

#[tokio::test]
async fn a_run_that_goes_on_does_not_repeat_what_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let dir = run_dir(folder.path(), &["b", "a"]);
    let testbed = Arc::new(FlakyTestbed { bad: 2, ..FlakyTestbed::default() });
    let arm = arm(tasks(testbed.clone(), &["b", "a"]), &dir);
    let once = RunOptions { jobs: 1, retries: 0, ..MANNER };
    let records = played(&arm, once).await.unwrap();
    assert!(records.iter().all(|record| record.outcome == Outcome::InfraError));
    played(&arm, once).await.unwrap();
    let records = played(&arm, once).await.unwrap();
    assert_eq!(records.iter().map(|record| record.item.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    assert!(records.iter().all(|record| (record.outcome, record.retry) == (Outcome::Passed, 1)));
    assert_eq!(testbed.opened.load(Ordering::SeqCst), 4);
}

/// Has nothing left to spend.
struct Broke;

#[async_trait]
impl Model for Broke {
    async fn send(&self, _: &Request) -> Result<Answer, ModelError> {
        Err(ModelError::BudgetExhausted("spent".to_owned()))
    }
}

#[tokio::test]
async fn an_attempt_that_the_budget_cuts_off_is_owed() {
    let folder = tempfile::tempdir().unwrap();
    let dir = run_dir(folder.path(), &["a"]);
    let testbed = Arc::new(FlakyTestbed::default());
    let style = Style::of(Protocol::Scratchbed1, Convention::Pixels);
    let broke = move |_| -> Box<dyn Agent> {
        Box::new(LlmAgent::new(Arc::new(Broke), Prompts::bundled(), Mode::Composite, style, "a.1".to_owned()))
    };
    let jobs = vec![Job::new(entry("a"), Box::new(broke))];
    let poor = Tasks { jobs, ..tasks(testbed.clone(), &[]) };
    let error = played(&arm(poor, &dir), MANNER).await.unwrap_err();
    assert_eq!(error.to_string(), "spent; 0 of 1 attempt is complete");
    assert_eq!((testbed.opened.load(Ordering::SeqCst), testbed.closed.load(Ordering::SeqCst)), (1, 1));
    assert!(dir.attempts::<TaskDetail>().unwrap().is_empty(), "it is in no denominator");
    let records = played(&arm(tasks(testbed, &["a"]), &dir), MANNER).await.unwrap();
    assert_eq!(records[0].outcome, Outcome::Passed);
}

/// As workers of a fleet, each with a folder of its own: of what one made, the other knows by the ledger alone.
#[tokio::test]
async fn the_second_try_that_breaks_is_the_agents_on_another_worker_too() {
    let breaking = || {
        let jobs = vec![Job::new(entry("a"), Box::new(|_| Box::new(ListAgent::new(&["break"]))))];
        Tasks { jobs, ..tasks(Arc::new(FlakyTestbed::default()), &[]) }
    };
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let try_of = |number| CellRef { item: "a".parse().unwrap(), epoch: 1, number };
    let first = arm(breaking(), &run_dir(one.path(), &["a"])).attempt(&try_of(1), &[]).await.unwrap();
    assert_eq!(first.outcome, Outcome::InfraError);
    let second = arm(breaking(), &run_dir(other.path(), &["a"]));
    let again = second.attempt(&try_of(2), &[first.finish.record]).await.unwrap();
    assert_eq!(again.outcome, Outcome::Failed);
}
