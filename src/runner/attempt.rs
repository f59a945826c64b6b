//! One attempt from start to end: open a session, let the agent play, export, judge, record.

use std::fmt::Debug;
use std::time::Instant;

use async_trait::async_trait;

use super::play::{Played, play};
use super::testbed::Testbed;
use crate::agent::{Agent, Tally};
use crate::model::{AttemptRecord, CallRecord, Ending, Mode, Outcome, RUN_FORMAT, Verdict, with_causes};
use crate::store::{AttemptDir, SESSION, StoreError};
use crate::taskset::TaskEntry;

/// Judges a project for a task. Always in this process: agents reach servers, and must not reach judges.
#[async_trait]
pub trait Judging: Debug + Send + Sync {
    /// The verdict on an .sb3 file.
    ///
    /// # Errors
    /// In words, when there is no verdict at all.
    async fn judge(&self, task: &TaskEntry, sb3: &[u8]) -> Result<Verdict, String>;
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
    /// Which try this is, from 1.
    pub attempt: u32,
}

/// What is known at the end, before it becomes a record.
struct End {
    played: Played,
    tally: Option<Tally>,
    verdict: Option<Verdict>,
    error: Option<String>,
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
    let (played, sb3) = act(parts, agent, &mut dir).await?;
    let acting_s = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let tally = agent.tally();
    let mut end = End { error: played.error.clone(), played, tally, verdict: None, acting_s, judging_s: 0.0 };
    if let Some(sb3) = sb3 {
        dir.keep_project(&sb3)?;
        match parts.judge.judge(parts.task, &sb3).await {
            Ok(verdict) => {
                dir.keep_verdict(&verdict)?;
                end.error = end.error.or_else(|| verdict.error.clone());
                end.verdict = Some(verdict);
            }
            Err(reason) => end.error = end.error.or(Some(reason)),
        }
    }
    end.judging_s = started.elapsed().as_secs_f64();
    let record = record(parts, end);
    dir.complete(&record)?;
    Ok(record)
}

/// The acting half: everything between opening and closing the session. No project when there is none to judge.
async fn act(
    parts: Parts<'_>,
    agent: &mut dyn Agent,
    dir: &mut AttemptDir,
) -> Result<(Played, Option<Vec<u8>>), StoreError> {
    let infra = |error: &dyn std::error::Error, steps| Played {
        ending: Ending::InfraError,
        steps,
        error: Some(with_causes(error)),
    };
    let mut session = match parts.testbed.open(parts.task, &dir.path().join(SESSION)).await {
        Ok(session) => session,
        Err(error) => return Ok((infra(&error, 0), None)),
    };
    let mut logged = Ok(());
    let mut on_call = |call: CallRecord| {
        if logged.is_ok() {
            logged = dir.log(&call);
        }
    };
    let mut played = play(session.as_mut(), agent, &parts.task.task, parts.mode, &mut on_call).await;
    let sb3 = match played.ending {
        Ending::InfraError => None,
        _ => match session.export().await {
            Ok(sb3) => Some(sb3),
            Err(error) => {
                played = infra(&error, played.steps);
                None
            }
        },
    };
    session.close().await;
    logged.map(|()| (played, sb3))
}

fn record(parts: Parts<'_>, end: End) -> AttemptRecord {
    let verdict = end.verdict.as_ref();
    AttemptRecord {
        format: RUN_FORMAT,
        task: parts.task.task.id.clone(),
        category: parts.task.task.category,
        mode: parts.mode,
        attempt: parts.attempt,
        outcome: outcome(end.played.ending, verdict.map(|verdict| verdict.outcome)),
        ending: end.played.ending,
        steps: end.played.steps,
        misses: end.tally.map(|tally| tally.misses),
        replans: end.tally.map(|tally| tally.replans),
        passed_tests: verdict.map_or(0, |verdict| verdict.passed_tests),
        total_tests: verdict.map_or(0, |verdict| verdict.total_tests),
        acting_s: end.acting_s,
        judging_s: end.judging_s,
        error: end.error,
    }
}

/// The one outcome of an attempt (design decision 2.9). Trouble of the testbed or the judge comes first: such an
/// attempt says nothing about the agent.
fn outcome(ending: Ending, judged: Option<Outcome>) -> Outcome {
    match (ending, judged) {
        (Ending::InfraError, _) | (_, Some(Outcome::InfraError)) => Outcome::InfraError,
        (_, None | Some(Outcome::JudgeError)) => Outcome::JudgeError,
        (Ending::AgentError, _) => Outcome::AgentError,
        (Ending::StepLimit | Ending::WallLimit, _) => Outcome::Limit,
        (Ending::Done | Ending::GaveUp, Some(judged)) => judged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attempt_has_one_outcome() {
        use Ending::{AgentError, Done, GaveUp, InfraError, StepLimit};
        assert_eq!(outcome(Done, Some(Outcome::Passed)), Outcome::Passed);
        assert_eq!(outcome(GaveUp, Some(Outcome::Failed)), Outcome::Failed);
        assert_eq!(outcome(StepLimit, Some(Outcome::Passed)), Outcome::Limit);
        assert_eq!(outcome(AgentError, Some(Outcome::Passed)), Outcome::AgentError);
        assert_eq!(outcome(InfraError, None), Outcome::InfraError);
        assert_eq!(outcome(StepLimit, Some(Outcome::InfraError)), Outcome::InfraError);
        assert_eq!(outcome(AgentError, Some(Outcome::JudgeError)), Outcome::JudgeError);
        assert_eq!(outcome(Done, None), Outcome::JudgeError);
    }
}
