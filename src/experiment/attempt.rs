//! One attempt from start to end: open a session, let the agent play, export, judge, record.

use std::fmt::Debug;
use std::time::Instant;

use async_trait::async_trait;

use super::blame::{exported, is_the_programs, program_digest};
use super::play::{Played, play};
use super::testbed::{Testbed, TestbedError};
use crate::agent::{Agent, Tally};
use crate::judge::JudgeError;
use crate::model::{
    AttemptRecord, CallRecord, Ending, LimitOverrides, Mode, Outcome, RUN_FORMAT, Verdict, with_causes,
};
use crate::store::{AttemptDir, SESSION, StoreError};
use crate::taskset::TaskEntry;

/// Judges a project for a task. Always in this process: agents reach servers, and must not reach judges.
#[async_trait]
pub trait Judging: Debug + Send + Sync {
    /// The verdict on an .sb3 file. A project that can't be judged because of what is in it has failed.
    ///
    /// # Errors
    /// When there is no verdict at all: the file is no project, or the evaluation script can't be read.
    async fn judge(&self, task: &TaskEntry, sb3: &[u8]) -> Result<Verdict, JudgeError>;
}

/// What an attempt is made of.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    /// Where the session lives.
    pub testbed: &'a dyn Testbed,
    /// Who judges.
    pub judge: &'a dyn Judging,
    /// The task.
    pub task: &'a TaskEntry,
    /// How the agent acts.
    pub mode: Mode,
    /// Limits other than the task's.
    pub limits: LimitOverrides,
    /// Which try this is, from 1.
    pub attempt: u32,
    /// Digests of the programs with which the sessions of earlier attempts at the task broke.
    pub broken_before: &'a [String],
}

/// The acting half: how it went, and what was made.
struct Acted {
    played: Played,
    /// None when there is nothing to judge.
    project: Option<Vec<u8>>,
    /// Whether the project itself is why it can't be had.
    is_refused: bool,
}

/// What is known at the end, before it becomes a record.
struct End {
    played: Played,
    tally: Option<Tally>,
    judged: Option<Outcome>,
    verdict: Option<Verdict>,
    lost_program: Option<String>,
    acting_s: f64,
    judging_s: f64,
}

/// Carries out one attempt and writes its folder.
///
/// # Errors
/// Only when the folder can't be written. All other trouble is an outcome.
pub async fn attempt(
    parts: Parts<'_>,
    agent: &mut dyn Agent,
    mut dir: AttemptDir,
) -> Result<AttemptRecord, StoreError> {
    let started = Instant::now();
    let Acted { played, project, is_refused } = act(parts, agent, &mut dir).await?;
    let acting_s = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let judged = is_refused.then_some(Outcome::Failed);
    let tally = agent.tally();
    let mut end = End { played, tally, judged, verdict: None, lost_program: None, acting_s, judging_s: 0.0 };
    if let Some(sb3) = project {
        dir.keep_project(&sb3)?;
        judge(parts, &mut end, &sb3).await;
        if end.played.ending == Ending::InfraError {
            blame(parts, &mut end, &sb3, &dir).await;
        }
        if let Some(verdict) = &end.verdict {
            dir.keep_verdict(verdict)?;
        }
    }
    end.judging_s = started.elapsed().as_secs_f64();
    let record = record(parts, end);
    dir.complete(&record)?;
    Ok(record)
}

async fn judge(parts: Parts<'_>, end: &mut End, sb3: &[u8]) {
    match parts.judge.judge(parts.task, sb3).await {
        Ok(verdict) => {
            end.judged = Some(verdict.outcome);
            end.verdict = Some(verdict);
        }
        Err(error) => {
            end.judged = Some(unjudged(&error));
            end.played.error.get_or_insert_with(|| with_causes(&error));
        }
    }
}

/// What an attempt is without a verdict. Sessions export projects: a file that is none is the testbed's fault.
const fn unjudged(error: &JudgeError) -> Outcome {
    match error {
        JudgeError::Script(_) => Outcome::JudgeError,
        JudgeError::Project(_) | JudgeError::Unloadable { .. } => Outcome::InfraError,
    }
}

/// Finds out whether the agent's program broke the session; if not, the project that was saved is no result.
async fn blame(parts: Parts<'_>, end: &mut End, sb3: &[u8], dir: &AttemptDir) {
    end.lost_program = program_digest(sb3);
    let program = end.lost_program.as_deref().unwrap_or_default();
    if is_the_programs(parts, end.verdict.as_ref(), program, dir.path()).await {
        end.played.ending = Ending::Crashed;
    } else {
        end.verdict = None;
    }
}

async fn act(parts: Parts<'_>, agent: &mut dyn Agent, dir: &mut AttemptDir) -> Result<Acted, StoreError> {
    let mut session = match parts.testbed.open(parts.task, &dir.path().join(SESSION)).await {
        Ok(session) => session,
        Err(error) => {
            let played = Played { ending: Ending::InfraError, steps: 0, error: Some(with_causes(&error)) };
            return Ok(Acted { played, project: None, is_refused: false });
        }
    };
    let mut logged = Ok(());
    let mut on_call = |call: CallRecord| {
        if logged.is_ok() {
            logged = dir.log(&call);
        }
    };
    let played = play(session.as_mut(), agent, &parts.task.task, parts.mode, parts.limits, &mut on_call).await;
    let result = exported(session.as_mut()).await;
    session.close().await;
    logged.map(|()| acted(played, result))
}

/// How the acting went, with what came of the export.
fn acted(mut played: Played, exported: Result<Vec<u8>, TestbedError>) -> Acted {
    match exported {
        Ok(sb3) => Acted { played, project: Some(sb3), is_refused: false },
        Err(error) => {
            let is_refused = error.is_the_projects();
            if !is_refused {
                played.ending = Ending::InfraError;
            } else if played.ending == Ending::InfraError {
                played.ending = Ending::Crashed;
            }
            played.error.get_or_insert_with(|| with_causes(&error));
            Acted { played, project: None, is_refused }
        }
    }
}

fn record(parts: Parts<'_>, end: End) -> AttemptRecord {
    let verdict = end.verdict.as_ref();
    AttemptRecord {
        format: RUN_FORMAT,
        task: parts.task.task.id.clone(),
        category: parts.task.task.category,
        mode: parts.mode,
        attempt: parts.attempt,
        outcome: outcome(end.played.ending, end.judged),
        ending: end.played.ending,
        steps: end.played.steps,
        misses: end.tally.map(|tally| tally.misses),
        replans: end.tally.map(|tally| tally.replans),
        passed_tests: verdict.map_or(0, |verdict| verdict.passed_tests),
        total_tests: verdict.map_or(0, |verdict| verdict.total_tests),
        acting_s: end.acting_s,
        judging_s: end.judging_s,
        lost_program: end.lost_program,
        error: end.played.error.or_else(|| verdict.and_then(|verdict| verdict.error.clone())),
    }
}

/// The one outcome of an attempt. Trouble of the testbed or the judge comes first: such an
/// attempt says nothing about the agent.
fn outcome(ending: Ending, judged: Option<Outcome>) -> Outcome {
    match (ending, judged) {
        (Ending::Crashed, _) => Outcome::Failed,
        (Ending::InfraError, _) | (_, Some(Outcome::InfraError)) => Outcome::InfraError,
        (_, None | Some(Outcome::JudgeError)) => Outcome::JudgeError,
        (Ending::AgentError, _) => Outcome::AgentError,
        (Ending::StepLimit | Ending::WallLimit, _) => Outcome::Limit,
        (Ending::Done | Ending::GaveUp, Some(judged)) => judged,
    }
}

#[cfg(test)]
#[path = "attempt_tests.rs"]
mod tests;
