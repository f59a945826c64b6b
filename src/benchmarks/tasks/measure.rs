//! The judging half of an attempt: the project is judged, and the attempt gets one outcome.

use std::collections::BTreeMap;
use std::time::Instant;

use super::Tasks;
use super::ask::Acted;
use super::blame::{is_the_agents, program_digest};
use super::items::Job;
use super::play::Played;
use crate::experiment::Ended;
use crate::judge::JudgeError;
use crate::model::{Category, Ending, Mode, Outcome, TaskDetail, TaskRecord, Verdict, Voiding, with_causes};
use crate::store::{AttemptDir, StoreError};

#[derive(Default)]
pub(super) struct Judged {
    /// `None` while nothing was judged.
    pub(super) outcome: Option<Outcome>,
    pub(super) verdict: Option<Verdict>,
    pub(super) error: Option<String>,
}

impl Tasks {
    /// Judges what an agent made, and keeps project and verdict. `earlier` are the tries before.
    ///
    /// # Errors
    /// Only when the folder can't be written. Any other failure is an outcome.
    pub(super) async fn measure(
        &self,
        job: &Job,
        acted: Acted,
        earlier: &[TaskRecord],
        dir: &AttemptDir,
    ) -> Result<Ended<TaskDetail>, StoreError> {
        let started = Instant::now();
        let Acted { mut played, project, is_refused, tally, cost, roles, refusals, had_session, .. } = acted;
        let mut judged = Judged { outcome: is_refused.then_some(Outcome::Failed), ..Judged::default() };
        let mut lost_program = None;
        if let Some(sb3) = project {
            dir.keep_project(&sb3)?;
            judged = Judged::of(self.judge.judge(&job.task, &sb3).await, unjudged);
            if matches!(played.ending, Ending::InfraError | Ending::Crashed) {
                lost_program = program_digest(&sb3);
            }
        }
        blame(&mut played, &mut judged, had_session, earlier);
        if let Some(verdict) = &judged.verdict {
            dir.keep_verdict(verdict)?;
        }
        let outcome = outcome(played.ending, judged.outcome);
        let detail = TaskDetail {
            steps: played.steps,
            misses: tally.map(|tally| tally.misses),
            replans: tally.map(|tally| tally.replans),
            judging_s: started.elapsed().as_secs_f64(),
            lost_program,
            roles,
            refusals,
            voided: voiding(outcome, &played, had_session),
            ..judged.detail(job.task.task.category, self.mode, played.ending)
        };
        Ok(Ended { outcome, error: played.error.or(judged.error), cost, detail })
    }
}

impl Judged {
    /// The result of judging; `unjudged` gives the outcome of a project without a verdict.
    pub(super) fn of(result: Result<Verdict, JudgeError>, unjudged: fn(&JudgeError) -> Outcome) -> Self {
        match result {
            Ok(verdict) => {
                let error = verdict.error.clone();
                Self { outcome: Some(verdict.outcome), verdict: Some(verdict), error }
            }
            Err(error) => Self { outcome: Some(unjudged(&error)), verdict: None, error: Some(with_causes(&error)) },
        }
    }

    /// What the verdict says of an attempt.
    pub(super) fn detail(&self, category: Category, mode: Mode, ending: Ending) -> TaskDetail {
        let verdict = self.verdict.as_ref();
        TaskDetail {
            category,
            mode,
            ending,
            steps: 0,
            misses: None,
            replans: None,
            passed_tests: verdict.map_or(0, |verdict| verdict.passed_tests),
            total_tests: verdict.map_or(0, |verdict| verdict.total_tests),
            judging_s: 0.0,
            lost_program: None,
            roles: BTreeMap::new(),
            refusals: None,
            voided: None,
        }
    }
}

/// Finds out who answers for a session that broke while an agent acted. If it is the testbed, the project that was saved is
/// no result.
fn blame(played: &mut Played, judged: &mut Judged, had_session: bool, earlier: &[TaskRecord]) {
    if played.ending != Ending::InfraError {
        return;
    }
    if had_session && is_the_agents(judged.verdict.as_ref(), earlier) {
        played.ending = Ending::Crashed;
    } else {
        judged.verdict = None;
    }
}

/// What voids an attempt that came to this. A judge that broke has no code of its own.
fn voiding(outcome: Outcome, played: &Played, had_session: bool) -> Option<Voiding> {
    let broke = played.ending == Ending::InfraError;
    let code = played.code.as_deref().filter(|_| broke).unwrap_or("not_judged");
    (outcome == Outcome::InfraError).then(|| Voiding { code: code.to_owned(), acting: broke && had_session })
}

/// The outcome of an attempt without a verdict. Sessions export projects: a file that is not one is the testbed's fault.
const fn unjudged(error: &JudgeError) -> Outcome {
    match error {
        JudgeError::Script(_) => Outcome::JudgeError,
        JudgeError::Project(_) | JudgeError::Unloadable { .. } => Outcome::InfraError,
    }
}

/// The one outcome of an attempt. Trouble of the testbed or the judge comes first: such an
/// attempt says nothing about the agent.
pub(super) fn outcome(ending: Ending, judged: Option<Outcome>) -> Outcome {
    match (ending, judged) {
        (Ending::Crashed, _) => Outcome::Failed,
        (Ending::ProviderError, _) => Outcome::ProviderError,
        (Ending::InfraError, _) | (_, Some(Outcome::InfraError)) => Outcome::InfraError,
        (_, None | Some(Outcome::JudgeError)) => Outcome::JudgeError,
        (Ending::AgentError, _) => Outcome::AgentError,
        (Ending::StepLimit | Ending::WallLimit | Ending::CostLimit, _) => Outcome::Limit,
        (Ending::Done | Ending::GaveUp, Some(judged)) => judged,
    }
}

#[cfg(test)]
#[path = "measure_tests.rs"]
mod tests;
