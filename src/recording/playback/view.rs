//! Attempts as they are shown: those of runs and those of outside agents in one form.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::summary::Summary;
use crate::model::{AttemptState, Category, CloseReason, Ending, Mode, Outcome, TaskRecord, Verdict};

/// Why an agent stopped acting, or why nobody could go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShownEnding {
    /// It goes on.
    InProgress,
    /// The agent said that it is done.
    Done,
    /// The agent said that it can't do it.
    GaveUp,
    /// The agent handed the project in.
    Submitted,
    /// All steps were taken.
    StepLimit,
    /// The time was up.
    WallLimit,
    /// It used as many tokens, or as much money, as one attempt may.
    CostLimit,
    /// The session was deleted before the agent ended its attempt.
    Deleted,
    /// Nobody called the session for as long as its lease.
    Expired,
    /// The server ended first.
    ShutDown,
    /// The log breaks off: the server was killed, or the machine went down.
    BrokenOff,
    /// The agent could not go on.
    AgentError,
    /// The provider of its model gave no answer.
    ProviderError,
    /// The testbed broke.
    InfraError,
    /// The program that it built broke the editor.
    Crashed,
}

impl From<Ending> for ShownEnding {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Done => Self::Done,
            Ending::GaveUp => Self::GaveUp,
            Ending::StepLimit => Self::StepLimit,
            Ending::WallLimit => Self::WallLimit,
            Ending::CostLimit => Self::CostLimit,
            Ending::AgentError => Self::AgentError,
            Ending::ProviderError => Self::ProviderError,
            Ending::InfraError => Self::InfraError,
            Ending::Crashed => Self::Crashed,
        }
    }
}

impl ShownEnding {
    /// What the agent itself did comes first, then what became of the session.
    pub(super) const fn of(
        state: Option<AttemptState>,
        lives: bool,
        is_closed: bool,
        reason: Option<CloseReason>,
    ) -> Self {
        match (state, reason) {
            (Some(AttemptState::Done), _) => Self::Done,
            (Some(AttemptState::GaveUp), _) => Self::GaveUp,
            (Some(AttemptState::Submitted), _) => Self::Submitted,
            (Some(AttemptState::StepLimit), _) => Self::StepLimit,
            (Some(AttemptState::WallLimit), _) => Self::WallLimit,
            (_, Some(CloseReason::Deleted)) => Self::Deleted,
            (_, Some(CloseReason::Expired)) => Self::Expired,
            (_, Some(CloseReason::ShutDown)) => Self::ShutDown,
            // Logs of older versions do not say why.
            (_, None) if is_closed => Self::Deleted,
            (_, None) if lives => Self::InProgress,
            (_, None) => Self::BrokenOff,
        }
    }
}

/// What became of an attempt.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AttemptView {
    /// The task.
    pub task: String,
    /// Its category, where it is known.
    pub category: Option<Category>,
    /// How the agent acted, or acted last; absent before its first action.
    pub mode: Option<Mode>,
    /// Which try this is, from 1: later ones follow trouble of the testbed, or a reset.
    pub attempt: u32,
    /// What counts; absent while nothing was judged.
    pub outcome: Option<Outcome>,
    /// Why the agent stopped.
    pub ending: ShownEnding,
    /// Whether the session still lives, so that more may come.
    pub lives: bool,
    /// Actions taken, the closing one not counted.
    pub steps: u32,
    /// Unit tests that held.
    pub passed_tests: u32,
    /// Unit tests in all; 0 when nothing was judged.
    pub total_tests: u32,
    /// Seconds from the beginning to the last action.
    pub acting_s: f64,
    /// When it began, in seconds since 1970, where that is known.
    pub began_at: Option<f64>,
    /// Which way an agent from outside called: `http`, `mcp`, `compat`; absent for attempts of runs.
    pub caller: Option<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl From<TaskRecord> for AttemptView {
    fn from(record: TaskRecord) -> Self {
        let detail = record.detail;
        Self {
            task: record.item.to_string(),
            category: Some(detail.category),
            mode: Some(detail.mode),
            attempt: record.attempt + record.retry,
            outcome: Some(record.outcome),
            ending: detail.ending.into(),
            lives: false,
            steps: detail.steps,
            passed_tests: detail.passed_tests,
            total_tests: detail.total_tests,
            acting_s: record.cost.seconds,
            began_at: None,
            caller: None,
            error: record.error,
        }
    }
}

impl AttemptView {
    /// An attempt of a run that goes on, by the name of its folder and its calls so far.
    pub(super) fn in_progress(name: &str, mode: Option<Mode>, calls: &[Value]) -> Self {
        let mut parts = name.split('.');
        let task = parts.next().unwrap_or_default().to_owned();
        let attempt = parts.next().and_then(|number| number.parse().ok()).unwrap_or(1);
        let retry: u32 = parts.next().and_then(|retry| retry.strip_prefix('r')?.parse().ok()).unwrap_or_default();
        let last = calls.last();
        let acts = calls.iter().filter(|call| call["call"]["api"] != "observe");
        let steps = u32::try_from(acts.count()).unwrap_or(u32::MAX);
        Self {
            task,
            category: None,
            mode,
            attempt: attempt + retry,
            outcome: None,
            ending: ShownEnding::InProgress,
            lives: true,
            steps,
            passed_tests: 0,
            total_tests: 0,
            acting_s: last.and_then(|call| call["at_s"].as_f64()).unwrap_or_default(),
            began_at: None,
            caller: None,
            error: None,
        }
    }

    /// The same by its name alone.
    pub fn begun(name: &str, mode: Option<Mode>) -> Self {
        Self::in_progress(name, mode, &[])
    }

    /// A session that an agent from outside had, with the verdict on what it left.
    pub(super) fn of_session(session: Summary, lives: bool, verdict: Option<&Verdict>) -> Self {
        let ending = ShownEnding::of(session.state, lives, session.is_closed, session.reason);
        let limited = matches!(ending, ShownEnding::StepLimit | ShownEnding::WallLimit | ShownEnding::CostLimit);
        let outcome = verdict.map(|verdict| match verdict.outcome {
            Outcome::Passed | Outcome::Failed if limited => Outcome::Limit,
            outcome => outcome,
        });
        Self {
            task: session.task.unwrap_or_default(),
            category: None,
            mode: session.mode,
            attempt: session.resets + 1,
            outcome,
            ending,
            lives: lives && !session.is_closed,
            steps: session.steps,
            passed_tests: verdict.map_or(0, |verdict| verdict.passed_tests),
            total_tests: verdict.map_or(0, |verdict| verdict.total_tests),
            acting_s: session.acted_s,
            began_at: session.began_at,
            caller: session.caller,
            error: verdict.and_then(|verdict| verdict.error.clone()),
        }
    }
}

/// An attempt with the name that addresses have for it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct NamedAttempt {
    /// That of its folder in a run, such as `stuck_ferry.1`; the session's name for an agent from outside.
    pub name: String,
    /// What became of it.
    pub record: AttemptView,
}

/// An attempt call by call.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AttemptDetails {
    /// What became of it.
    pub record: AttemptView,
    /// What the task asks for, where the task is known.
    pub instruction: Option<String>,
    /// What the judge said, if anything was judged.
    pub verdict: Option<Verdict>,
    /// The calls as recorded, in order; where one has a picture, in its reply or taken after it, `picture` is true and
    /// `/runs/{id}/attempts/{attempt}/pictures/{call}` has it.
    pub calls: Vec<Value>,
    /// Whether the project was kept, whose text `/runs/{id}/attempts/{attempt}/program` has.
    pub has_program: bool,
    /// Whether a verdict on that project can be asked for.
    pub may_judge: bool,
}

impl AttemptDetails {
    pub(super) const fn new(
        record: AttemptView,
        verdict: Option<Verdict>,
        calls: Vec<Value>,
        has_program: bool,
    ) -> Self {
        Self { record, instruction: None, verdict, calls, has_program, may_judge: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_depends_on_who_ended_the_attempt() {
        let of = |state, lives, is_closed, reason| ShownEnding::of(state, lives, is_closed, reason);
        let open = Some(AttemptState::Open);
        assert_eq!(of(open, true, false, None), ShownEnding::InProgress);
        assert_eq!(of(None, false, false, None), ShownEnding::BrokenOff);
        assert_eq!(of(open, false, true, Some(CloseReason::Deleted)), ShownEnding::Deleted);
        assert_eq!(of(open, false, true, Some(CloseReason::Expired)), ShownEnding::Expired);
        assert_eq!(of(open, false, true, Some(CloseReason::ShutDown)), ShownEnding::ShutDown);
        let by = |state| of(Some(state), false, true, Some(CloseReason::Deleted));
        assert_eq!(by(AttemptState::Done), ShownEnding::Done);
        assert_eq!(by(AttemptState::GaveUp), ShownEnding::GaveUp);
        assert_eq!(by(AttemptState::Submitted), ShownEnding::Submitted);
        assert_eq!(by(AttemptState::StepLimit), ShownEnding::StepLimit);
        assert_eq!(by(AttemptState::WallLimit), ShownEnding::WallLimit);
    }
}
