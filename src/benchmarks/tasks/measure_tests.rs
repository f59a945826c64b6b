//! Attempts whose session, export or judge is made to break.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::*;
use crate::agent::Observing;
use crate::benchmarks::tasks::blame::{OF_THE_MACHINE, OF_THE_SESSION, is_ours};
use crate::benchmarks::tasks::fakes::{Export, FakeSession, ListAgent, entry, exported_by, judged, run_dir};
use crate::benchmarks::tasks::{Judging, TaskSession, Testbed, TestbedError};
use crate::model::codes::{CODES, Code, voids};
use crate::model::{KeptPictures, LimitOverrides, RUN_FORMAT};
use crate::project::ProjectError;
use crate::session::SessionError;
use crate::taskset::{TaskEntry, TasksetError};

type Verdicts = fn() -> Result<Verdict, JudgeError>;

/// Opens sessions that export so; none if there is no export.
#[derive(Debug)]
struct FakeTestbed(Option<Export>);

#[async_trait]
impl Testbed for FakeTestbed {
    async fn open(&self, _: &TaskEntry, _: Observing, _: &Path) -> Result<Box<dyn TaskSession>, TestbedError> {
        let Some(export) = self.0 else {
            return Err(TestbedError::Session(SessionError::NotInTime { limit: Duration::from_secs(90) }));
        };
        Ok(Box::new(FakeSession { export: Some(export), ..FakeSession::default() }))
    }
}

/// FixedJudge this of every project.
#[derive(Debug)]
struct FixedJudge(Verdicts);

#[async_trait]
impl Judging for FixedJudge {
    async fn judge(&self, _: &TaskEntry, _: &[u8]) -> Result<Verdict, JudgeError> {
        (self.0)()
    }
}

const INITIAL: Export = || Ok(exported_by("event_whenflagclicked"));

const BUILT: Export = || Ok(exported_by("motion_ifonedgebounce"));

const TOO_LARGE: Export = || Err(SessionError::Project(ProjectError::TooLarge("much".into())).into());

const GONE: Export = || Err(TestbedError::Refused { status: 410, code: "session_ended".into(), detail: "gone".into() });

const UNOPENED: Option<Export> = None;

const PASSED: Verdicts = || Ok(judged(Outcome::Passed, 3));

const UNTESTABLE: Verdicts = || Ok(judged(Outcome::Failed, 0));

async fn attempted(
    names: &'static [&'static str],
    export: impl Into<Option<Export>>,
    judge: Verdicts,
    earlier: &[TaskRecord],
) -> Ended<TaskDetail> {
    let folder = tempfile::tempdir().unwrap();
    let job = Job::new(entry("t"), Box::new(|_| Box::new(ListAgent::new(names))));
    let (testbed, judge) = (Arc::new(FakeTestbed(export.into())), Arc::new(FixedJudge(judge)));
    let mode = Mode::Composite;
    let tasks = Tasks {
        testbed,
        judge,
        mode,
        limits: LimitOverrides::default(),
        pictures: KeptPictures::Agent,
        jobs: Vec::new(),
        memory: None,
    };
    let dir = run_dir(folder.path(), &["t"]).begin(&job.item(), 1, 0).unwrap();
    let acted = tasks.act(&job, 1, &dir).await.unwrap();
    tasks.measure(&job, acted, earlier, &dir).await.unwrap()
}

#[test]
fn every_attempt_has_one_outcome() {
    use Ending::{AgentError, Crashed, Done, GaveUp, InfraError, StepLimit};
    assert_eq!(outcome(Done, Some(Outcome::Passed)), Outcome::Passed);
    assert_eq!(outcome(GaveUp, Some(Outcome::Failed)), Outcome::Failed);
    assert_eq!(outcome(StepLimit, Some(Outcome::Passed)), Outcome::Limit);
    assert_eq!(outcome(AgentError, Some(Outcome::Passed)), Outcome::AgentError);
    assert_eq!(outcome(InfraError, None), Outcome::InfraError);
    assert_eq!(outcome(InfraError, Some(Outcome::Passed)), Outcome::InfraError);
    assert_eq!(outcome(StepLimit, Some(Outcome::InfraError)), Outcome::InfraError);
    assert_eq!(outcome(AgentError, Some(Outcome::JudgeError)), Outcome::JudgeError);
    assert_eq!(outcome(Done, None), Outcome::JudgeError);
    assert_eq!(outcome(Crashed, Some(Outcome::Passed)), Outcome::Failed);
}

#[tokio::test]
async fn a_project_that_is_too_large_has_failed_and_a_lost_session_has_not() {
    let record = attempted(&["a"], TOO_LARGE, PASSED, &[]).await;
    assert_eq!((record.outcome, record.detail.ending), (Outcome::Failed, Ending::Done));
    assert!(record.error.unwrap().contains("unpacks to too much"));
    let record = attempted(&["a"], GONE, PASSED, &[]).await;
    assert_eq!((record.outcome, record.detail.ending), (Outcome::InfraError, Ending::InfraError));
    assert_eq!(record.detail.voided, Some(Voiding { code: "session_ended".to_owned(), acting: true }));
}

#[tokio::test]
async fn without_a_verdict_the_error_says_whose_trouble_it_is() {
    let unreadable = || {
        let source = std::io::ErrorKind::NotFound.into();
        Err(JudgeError::Script(TasksetError::Unreadable { file: "x.js".into(), source }))
    };
    assert_eq!(attempted(&["a"], BUILT, unreadable, &[]).await.outcome, Outcome::JudgeError);
    let no_project = || Err(JudgeError::Project(ProjectError::NoProjectJson));
    let record = attempted(&["a"], BUILT, no_project, &[]).await;
    assert_eq!(record.outcome, Outcome::InfraError);
    assert_eq!(record.detail.voided, Some(Voiding { code: "not_judged".to_owned(), acting: false }));
}

#[tokio::test]
async fn a_session_that_broke_with_a_sound_program_is_no_result() {
    let record = attempted(&["a", "break"], BUILT, PASSED, &[]).await;
    assert_eq!((record.outcome, record.detail.total_tests), (Outcome::InfraError, 0));
    assert!(record.detail.lost_program.is_some() && record.error.unwrap().contains("browser_lost"));
    assert_eq!(record.detail.voided, Some(Voiding { code: "browser_lost".to_owned(), acting: true }));
}

#[tokio::test]
async fn a_program_that_breaks_session_and_judge_has_failed() {
    let record = attempted(&["a", "break"], BUILT, UNTESTABLE, &[]).await;
    assert_eq!((record.outcome, record.detail.ending), (Outcome::Failed, Ending::Crashed));
    assert_eq!(record.detail.voided, None);
}

/// The record of a try that came to this.
fn recorded(ended: Ended<TaskDetail>) -> TaskRecord {
    let Ended { outcome, error, cost, detail } = ended;
    TaskRecord { format: RUN_FORMAT, item: "t".parse().unwrap(), attempt: 1, retry: 0, outcome, error, cost, detail }
}

/// Whatever is in the editor: the initial program, another one each time, one that can't be had any more.
#[tokio::test]
async fn the_second_session_that_breaks_at_a_task_is_the_agents_whatever_the_program_is() {
    for (first, second) in [(BUILT, BUILT), (INITIAL, INITIAL), (INITIAL, BUILT), (GONE, GONE)] {
        let broken = attempted(&["break"], first, PASSED, &[]).await;
        assert_eq!(broken.outcome, Outcome::InfraError);
        let again = attempted(&["break"], second, PASSED, &[recorded(broken)]).await;
        assert_eq!((again.outcome, again.detail.ending), (Outcome::Failed, Ending::Crashed));
        assert_eq!(again.detail.voided, None);
    }
}

/// A code that is renamed must not turn trouble of one side into the other's.
#[test]
fn codes_whose_trouble_is_known_are_those_that_are_told() {
    // What a client says itself, in place of a server that is gone.
    let is_told = |code: &&str| code_table().any(|known| known.code == *code) || *code == "server_unreachable";
    assert_eq!(OF_THE_MACHINE.iter().chain(&OF_THE_SESSION).find(|code| !is_told(code)), None);
    let voiding = |codes: &[&str]| codes.iter().filter(|code| voids(code)).count();
    assert_eq!((voiding(&OF_THE_MACHINE), voiding(&OF_THE_SESSION)), (OF_THE_MACHINE.len() - 1, 0));
    let of_the_session = |code: &str| OF_THE_SESSION.contains(&code);
    assert!(code_table().all(|known| is_ours(known.code) == (known.voids || of_the_session(known.code))));
}

/// A project that brings down its page, however often it is asked for, is no way out of an attempt.
#[tokio::test]
async fn a_project_that_can_not_be_had_by_an_agents_own_doing_has_failed() {
    const LOST: Export = || Err(TestbedError::Refused { status: 503, code: "page_lost".into(), detail: "d".into() });
    const BROWSER: Export =
        || Err(TestbedError::Refused { status: 503, code: "browser_lost".into(), detail: "d".into() });
    let record = attempted(&["a"], LOST, PASSED, &[]).await;
    assert_eq!((record.outcome, record.detail.ending, record.detail.voided), (Outcome::Failed, Ending::Crashed, None));
    assert_eq!(attempted(&["a"], BROWSER, PASSED, &[]).await.outcome, Outcome::InfraError);
}

fn code_table() -> impl Iterator<Item = &'static Code> {
    CODES.iter().flat_map(|(_, codes)| *codes)
}

#[tokio::test]
async fn an_older_record_has_its_lost_program_to_say_that_the_agent_was_acting() {
    let mut broken = recorded(attempted(&["break"], INITIAL, PASSED, &[]).await);
    broken.detail.voided = None;
    assert_eq!(attempted(&["break"], BUILT, PASSED, &[broken]).await.outcome, Outcome::Failed);
}

/// What broke before it could act is no doing of an agent's, however often.
#[tokio::test]
async fn a_session_that_can_not_be_opened_is_never_the_agents() {
    let unopened = recorded(attempted(&["a"], UNOPENED, PASSED, &[]).await);
    assert_eq!(unopened.detail.voided, Some(Voiding { code: "not_in_time".to_owned(), acting: false }));
    let again = recorded(attempted(&["a"], UNOPENED, PASSED, &[unopened]).await);
    assert_eq!(again.outcome, Outcome::InfraError);
    let broken = attempted(&["break"], BUILT, PASSED, &[again]).await;
    assert_eq!(broken.outcome, Outcome::InfraError, "the first of its own");
}
