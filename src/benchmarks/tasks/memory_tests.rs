//! Runs whose agents learn: who begins with what, when attempts are spoiled, and when runs go on.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::*;
use crate::agent::{Agent, AgentError, Decision, Note, Observing, View};
use crate::benchmarks::tasks::Attempter;
use crate::benchmarks::tasks::fakes::{FakeSession, entry, judged};
use crate::benchmarks::tasks::{Job, Judging, TaskSession, Tasks, Testbed, TestbedError, seeded_order};
use crate::experiment::RunOptions;
use crate::experiment::fakes::{arm, played};
use crate::judge::JudgeError;
use crate::model::{ActionCall, KeptPictures, LimitOverrides, Mode, Outcome, Verdict};
use crate::store::fakes;
use crate::taskset::TaskEntry;

/// Opens sessions.
#[derive(Debug)]
struct Open;

#[async_trait]
impl Testbed for Open {
    async fn open(&self, _: &TaskEntry, _: Observing, _: &Path) -> Result<Box<dyn TaskSession>, TestbedError> {
        Ok(Box::new(FakeSession::default()))
    }
}

/// Breaks at the first `bad` judgements, which is no one's verdict.
#[derive(Debug, Default)]
struct Flaky {
    bad: u32,
    asked: AtomicU32,
}

#[async_trait]
impl Judging for Flaky {
    async fn judge(&self, _: &TaskEntry, _: &[u8]) -> Result<Verdict, JudgeError> {
        let is_bad = self.asked.fetch_add(1, Ordering::SeqCst) < self.bad;
        Ok(judged(if is_bad { Outcome::JudgeError } else { Outcome::Failed }, 1))
    }
}

/// Plays its list, and writes down which attempt it was.
struct Diary {
    name: String,
    plays: Vec<&'static str>,
    memory: MemoryState,
    learned: Option<MemoryState>,
    is_broken: bool,
}

#[async_trait]
impl Agent for Diary {
    fn look(&self) -> Option<Map<String, Value>> {
        Some(Map::new())
    }

    async fn decide(&mut self, _: View<'_>) -> Result<Decision, AgentError> {
        Ok(ActionCall::new(self.plays.pop().unwrap_or("done"), Map::new()).into())
    }

    fn recall(&mut self, memory: MemoryState) {
        self.memory = memory;
    }

    fn learns(&self) -> bool {
        true
    }

    async fn learn(&mut self, view: View<'_>) -> Result<(), AgentError> {
        assert!(view.observation.is_some(), "the last look is there");
        if self.is_broken {
            return Err(AgentError::Provider("busy".to_owned()));
        }
        let mut memory = self.memory.clone();
        memory.put("diary", format!("{}{} ", memory.get("diary"), self.name));
        self.learned = Some(memory);
        Ok(())
    }

    fn take_memory(&mut self) -> Option<MemoryState> {
        self.learned.take()
    }

    fn take_notes(&mut self) -> Vec<Note> {
        vec![Note { name: "found.json", value: json!({"by": self.name}) }]
    }
}

fn job(id: &str, plays: &[&'static str], is_broken: bool) -> Job {
    let (name, plays) = (id.to_owned(), plays.to_vec());
    let agent = move |attempt| -> Box<dyn Agent> {
        let name = format!("{name}{attempt}");
        Box::new(Diary { name, plays: plays.clone(), memory: MemoryState::default(), learned: None, is_broken })
    };
    Job { task: entry(id), attempter: Attempter::Agent(Box::new(agent)) }
}

fn dir(folder: &Path, attempts: u32) -> RunDir {
    RunDir::create(folder, crate::model::RunRecord { attempts, ..fakes::run(&["a", "b", "c"]) }).unwrap()
}

async fn play(dir: &RunDir, jobs: Vec<Job>, bad: u32, plan: &MemoryUse) {
    let (mode, limits) = (Mode::Composite, LimitOverrides { max_steps: Some(2), wall_s: None });
    let judge = Arc::new(Flaky { bad, ..Flaky::default() });
    let memory = Memory::of(dir, plan).unwrap();
    let tasks = Tasks { testbed: Arc::new(Open), judge, mode, limits, pictures: KeptPictures::Agent, jobs, memory };
    let options = RunOptions { jobs: 1, retries: 1, retry_failed_calls: false };
    played(&arm(tasks, dir), options).await.unwrap();
}

/// The agent of these tests learns whatever its memory is, as one with a fault in it might.
#[tokio::test]
async fn a_frozen_memory_is_never_written() {
    let folder = tempfile::tempdir().unwrap();
    let known: MemoryState = [("diary".to_owned(), "x ".to_owned())].into_iter().collect();
    let dir = dir(folder.path(), 2);
    play(&dir, jobs(), 0, &MemoryUse::Frozen(known.clone())).await;
    let states: Vec<_> = std::fs::read_dir(dir.path().join(STATES)).unwrap().flatten().collect();
    assert_eq!(states.len(), 1, "{states:?}");
    for (_, attempt) in dir.attempts::<TaskDetail>().unwrap() {
        let record: Record = dir.kept(&format!("{}/{RECORD}", RunDir::place(&attempt))).unwrap().unwrap();
        assert_eq!((record.before, record.after), (known.digest(), known.digest()));
    }
    assert_eq!(recorded_memory(dir.path()).unwrap(), known);
}

fn jobs() -> Vec<Job> {
    ["a", "b", "c"].map(|id| job(id, &[], false)).into()
}

/// What an attempt began with and left, in the words of the diary.
fn entries(dir: &RunDir, attempt: &str) -> (String, String) {
    let record: Record = dir.kept(&format!("attempts/{attempt}/memory.json")).unwrap().unwrap();
    let diary =
        |digest: &str| MemoryState::read(&dir.path().join("memory").join(digest)).unwrap().get("diary").to_owned();
    (diary(&record.before), diary(&record.after))
}

fn pair(before: &str, after: &str) -> (String, String) {
    (before.to_owned(), after.to_owned())
}

#[tokio::test]
async fn each_attempt_begins_with_what_those_before_it_learned_and_repetitions_are_streams_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 2);
    play(&dir, jobs(), 0, &MemoryUse::default()).await;
    assert_eq!(entries(&dir, "a.1"), pair("", "a1 "));
    assert_eq!(entries(&dir, "c.1"), pair("a1 b1 ", "a1 b1 c1 "));
    assert_eq!(entries(&dir, "a.2"), pair("", "a2 "));
    assert_eq!(entries(&dir, "b.2"), pair("a2 ", "a2 b2 "));
    assert_eq!(recorded_memory(dir.path()).unwrap().get("diary"), "a1 b1 c1 ");
    let found: Value = dir.kept("attempts/b.1/found.json").unwrap().unwrap();
    assert_eq!(found["by"], "b1");
}

#[tokio::test]
async fn a_spoiled_try_leaves_nothing_and_a_run_that_goes_on_takes_what_counts() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 1);
    // Both tries at the first task are spoiled: it is owed.
    play(&dir, jobs(), 2, &MemoryUse::default()).await;
    assert_eq!(entries(&dir, "a.1.r1"), pair("", "a1 "));
    assert_eq!(entries(&dir, "b.1"), pair("", "b1 "));
    assert_eq!(entries(&dir, "c.1"), pair("b1 ", "b1 c1 "));
    play(&dir, jobs(), 0, &MemoryUse::default()).await;
    assert_eq!(entries(&dir, "a.1.r2"), pair("b1 c1 ", "b1 c1 a1 "));
    assert_eq!(recorded_memory(dir.path()).unwrap().get("diary"), "b1 c1 a1 ");
}

#[tokio::test]
async fn only_attempts_that_came_to_an_end_teach_something() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 1);
    let limited = job("a", &["x", "x", "x"], false);
    let jobs = vec![limited, job("b", &["break"], false), job("c", &["refuse"], true)];
    play(&dir, jobs, 0, &MemoryUse::default()).await;
    assert_eq!(entries(&dir, "a.1"), pair("", "a1 "), "the step limit is an end");
    assert_eq!(entries(&dir, "b.1"), pair("a1 ", "a1 "), "the page was lost");
    assert_eq!(entries(&dir, "c.1"), pair("a1 ", "a1 "), "the provider was busy");
    let record: Record = dir.kept("attempts/c.1/memory.json").unwrap().unwrap();
    assert_eq!(record.not_learned.as_deref(), Some("busy"));
    let tried = dir.tries::<TaskDetail>(&"c".parse().unwrap(), 1).unwrap();
    assert_eq!(tried[0].outcome, Outcome::Failed, "the attempt is judged all the same");
    let calls = std::fs::read_to_string(dir.path().join("attempts/a.1/calls.jsonl")).unwrap();
    let looks = calls.lines().filter(|line| line.contains("\"api\":\"observe\"") && line.contains("\"step\":3"));
    assert_eq!(looks.count(), 1, "after the last action there is one more look");
    let calls = std::fs::read_to_string(dir.path().join("attempts/c.1/calls.jsonl")).unwrap();
    assert_eq!(calls.lines().count(), 4, "what was seen before `done` is seen once");
}

#[tokio::test]
async fn a_frozen_memory_is_known_to_all_and_none_is_written_without() {
    let folder = tempfile::tempdir().unwrap();
    let state: MemoryState = [("diary".to_owned(), "x ".to_owned())].into_iter().collect();
    let frozen = dir(folder.path(), 1);
    let memory = Memory::of(&frozen, &MemoryUse::Frozen(state.clone())).unwrap().unwrap();
    assert_eq!((memory.before(1), memory.before(2)), (state.clone(), state));
    assert!(Memory::of(&frozen, &MemoryUse::Off).unwrap().is_none());
    assert_eq!(recorded_memory(frozen.path()).unwrap_err().code(), "no_memory");
}

#[tokio::test]
async fn a_memory_that_was_changed_or_lost_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let dir = dir(folder.path(), 1);
    play(&dir, jobs(), 0, &MemoryUse::default()).await;
    let digest = recorded_memory(dir.path()).unwrap().digest();
    let of = || Memory::of(&dir, &MemoryUse::default()).unwrap_err().code().to_owned();
    std::fs::write(dir.path().join("memory").join(digest).join("diary"), "other").unwrap();
    assert_eq!(of(), "memory_changed");
    std::fs::remove_file(dir.path().join("attempts/b.1/memory.json")).unwrap();
    assert_eq!(of(), "memory_not_recorded");
}

#[test]
fn the_order_is_the_seeds() {
    let order = |ids: &[&str], seed| {
        let tasks = seeded_order(ids.iter().map(|id| entry(id)).collect(), seed);
        tasks.iter().map(|entry| entry.task.id.to_string()).collect::<Vec<_>>()
    };
    let ids = ["a", "b", "c", "d", "e"];
    assert_eq!(order(&ids, 1), order(&["e", "d", "c", "b", "a"], 1));
    assert!((2..9).any(|seed| order(&ids, seed) != order(&ids, 1)));
    let fewer = order(&ids[..4], 1);
    assert_eq!(order(&ids, 1).into_iter().filter(|id| id != "e").collect::<Vec<_>>(), fewer);
}
