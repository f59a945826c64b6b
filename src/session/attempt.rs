//! The limits of an attempt, steps and time used, and how it ended. Counted here, because one session can be called
//! over several transports.
//!
//! What was done is in the session's log; judging it is not the business of sessions.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::model::{AttemptState, Limits, Mode, ReportedUsage, StepLimits};

/// How an agent ended its attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum AttemptEnd {
    /// It declared the task done.
    Done,
    /// It gave up.
    Failed,
    /// It handed the project in.
    Submitted,
}

/// What an attempt may take; absent limits do not apply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AttemptLimits {
    /// Actions, by how the agent acts.
    pub steps: Option<StepLimits>,
    /// From its beginning to its last action.
    pub wall: Option<Duration>,
}

impl From<Limits> for AttemptLimits {
    fn from(limits: Limits) -> Self {
        Self { steps: Some(limits.steps), wall: Some(Duration::from_secs(limits.wall_s.into())) }
    }
}

/// Why no more actions are carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// The agent ended its attempt.
    Ended(AttemptEnd),
    /// It took all its steps.
    Steps(u32),
    Time(Duration),
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended(end) => write!(f, "has ended ({end})"),
            Self::Steps(limit) => write!(f, "has taken all of its {limit} steps"),
            Self::Time(limit) => write!(f, "has taken all of its {} seconds", limit.as_secs()),
        }
    }
}

/// How far an attempt is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptInfo {
    /// Actions taken so far, refused ones among them. Observations do not count.
    pub steps: u32,
    /// How many actions are left, by how the agent acts; absent when they are not bounded.
    pub steps_left: Option<StepLimits>,
    /// Seconds that are left for acting; absent when they are not bounded.
    pub seconds_left: Option<f64>,
    /// How it ended; absent while it goes on. `done` and `failed` remain when the project is handed in afterwards.
    pub ended: Option<AttemptEnd>,
    /// Whether the project was handed in.
    #[serde(default)]
    pub submitted: bool,
}

#[derive(Debug)]
struct State {
    began: Instant,
    steps: u32,
    ended: Option<AttemptEnd>,
    /// Whether the project was handed in.
    submitted: bool,
    /// The mode of the last action.
    mode: Option<Mode>,
    /// Whether an action came after the time was up.
    is_late: bool,
}

impl State {
    fn new() -> Self {
        Self { began: Instant::now(), steps: 0, ended: None, submitted: false, mode: None, is_late: false }
    }
}

/// The attempt of one session; its handles and the list of sessions share it.
#[derive(Debug)]
pub(super) struct Attempt {
    /// `None` for sessions that are not attempts: nothing is limited, and `done` ends nothing.
    limits: Option<AttemptLimits>,
    state: Mutex<State>,
    /// What the agent says that its models needed.
    usage: Mutex<Option<ReportedUsage>>,
}

/// A step that was begun; dropping it before it counts takes it back.
#[derive(Debug)]
pub struct Step {
    attempt: Arc<Attempt>,
    counts: bool,
}

impl Step {
    /// The step counts: it is not taken back.
    pub fn count(mut self) {
        self.counts = true;
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        if !self.counts {
            let mut state = self.attempt.state();
            state.steps = state.steps.saturating_sub(1);
        }
    }
}

impl Attempt {
    pub(super) fn new(limits: Option<AttemptLimits>) -> Arc<Self> {
        Arc::new(Self { limits, state: Mutex::new(State::new()), usage: Mutex::default() })
    }

    /// Begins a step, unless the attempt is over.
    pub(super) fn step(self: &Arc<Self>, mode: Mode) -> Result<Step, Over> {
        let mut state = self.state();
        self.goes_on(&state)?;
        state.mode = Some(mode);
        let limits = self.limits.unwrap_or_default();
        if let Some(limit) = limits.steps.map(|steps| steps.of(mode)).filter(|limit| state.steps >= *limit) {
            return Err(Over::Steps(limit));
        }
        if let Some(limit) = limits.wall.filter(|limit| state.began.elapsed() >= *limit) {
            state.is_late = true;
            return Err(Over::Time(limit));
        }
        state.steps += 1;
        Ok(Step { attempt: Arc::clone(self), counts: false })
    }

    /// Whether the agent has not ended it.
    pub(super) fn must_go_on(&self) -> Result<(), Over> {
        self.goes_on(&self.state())
    }

    fn goes_on(&self, state: &State) -> Result<(), Over> {
        // Where nothing is attempted, nothing but handing in ends it.
        if state.submitted {
            return Err(Over::Ended(AttemptEnd::Submitted));
        }
        let ended = state.ended.filter(|_| self.limits.is_some());
        ended.map_or(Ok(()), |end| Err(Over::Ended(end)))
    }

    /// The agent ends it. What was handed in stays handed in.
    pub(super) fn end(&self, end: AttemptEnd) {
        let mut state = self.state();
        if end == AttemptEnd::Submitted {
            state.submitted = true;
            state.ended.get_or_insert(end);
        } else if !state.submitted {
            state.ended = Some(end);
        }
    }

    /// Restarts it with its initial project. A submission stays submitted.
    pub(super) fn restart(&self) {
        let mut state = self.state();
        if !state.submitted {
            *state = State::new();
        }
    }

    /// Whether the project was handed in: it is not altered any more.
    pub(super) fn is_submitted(&self) -> bool {
        self.state().submitted
    }

    /// How it stands; absent for a session that is not an attempt. Its time counts as up once an action came too late.
    pub(super) fn standing(&self) -> Option<AttemptState> {
        let limits = self.limits?;
        let state = self.state();
        let limit = limits.steps.zip(state.mode).map(|(steps, mode)| steps.of(mode));
        Some(match state.ended {
            Some(AttemptEnd::Done) => AttemptState::Done,
            Some(AttemptEnd::Failed) => AttemptState::GaveUp,
            Some(AttemptEnd::Submitted) => AttemptState::Submitted,
            None if state.is_late => AttemptState::WallLimit,
            None if limit.is_some_and(|limit| state.steps >= limit) => AttemptState::StepLimit,
            None => AttemptState::Open,
        })
    }

    /// How far it is; absent for a session that is not an attempt.
    pub(super) fn info(&self) -> Option<AttemptInfo> {
        let limits = self.limits?;
        let state = self.state();
        let left = |limit: u32| limit.saturating_sub(state.steps);
        Some(AttemptInfo {
            steps: state.steps,
            steps_left: limits
                .steps
                .map(|steps| StepLimits { composite: left(steps.composite), primitive: left(steps.primitive) }),
            seconds_left: limits.wall.map(|wall| wall.saturating_sub(state.began.elapsed()).as_secs_f64()),
            ended: state.ended,
            submitted: state.submitted,
        })
    }

    /// Adds what the agent reports; the sum of all reports.
    pub(super) fn report_usage(&self, more: ReportedUsage) -> ReportedUsage {
        let mut usage = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        let sum = usage.map_or(more, |before| before.plus(more));
        *usage.insert(sum)
    }

    pub(super) fn usage(&self) -> Option<ReportedUsage> {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_two_steps() -> Arc<Attempt> {
        let steps = Some(StepLimits { composite: 1, primitive: 2 });
        Attempt::new(Some(AttemptLimits { steps, wall: Some(Duration::from_secs(60)) }))
    }

    #[tokio::test(start_paused = true)]
    async fn steps_that_count_are_bounded_and_others_are_taken_back() {
        let attempt = of_two_steps();
        attempt.step(Mode::Primitive).unwrap().count();
        drop(attempt.step(Mode::Primitive).unwrap());
        assert_eq!(attempt.step(Mode::Composite).unwrap_err(), Over::Steps(1), "a step in one mode counts in both");
        let begun = attempt.step(Mode::Primitive).unwrap();
        assert_eq!(attempt.step(Mode::Primitive).unwrap_err(), Over::Steps(2), "one that is being carried out counts");
        begun.count();
        let info = attempt.info().unwrap();
        assert_eq!((info.steps, info.steps_left.map(|left| left.primitive), info.ended), (2, Some(0), None));
        assert_eq!(attempt.standing(), Some(AttemptState::StepLimit));
        attempt.restart();
        assert_eq!(attempt.standing(), Some(AttemptState::Open));
        attempt.step(Mode::Composite).unwrap().count();
    }

    #[tokio::test(start_paused = true)]
    async fn time_is_bounded_too() {
        let attempt = of_two_steps();
        tokio::time::advance(Duration::from_secs(59)).await;
        drop(attempt.step(Mode::Primitive).unwrap());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(attempt.step(Mode::Primitive).unwrap_err(), Over::Time(Duration::from_secs(60)));
        assert_eq!(attempt.info().unwrap().seconds_left, Some(0.0));
        assert_eq!(attempt.standing(), Some(AttemptState::WallLimit));
        assert_eq!(attempt.must_go_on(), Ok(()), "an agent whose time is up can still say that it is done");
    }

    #[tokio::test(start_paused = true)]
    async fn an_ended_attempt_is_over_and_what_was_handed_in_stays_so() {
        let attempt = of_two_steps();
        attempt.end(AttemptEnd::Failed);
        assert_eq!(attempt.step(Mode::Primitive).unwrap_err(), Over::Ended(AttemptEnd::Failed));
        attempt.restart();
        assert_eq!(attempt.must_go_on(), Ok(()));
        attempt.end(AttemptEnd::Submitted);
        attempt.restart();
        attempt.end(AttemptEnd::Done);
        assert!(attempt.is_submitted());
        assert_eq!(attempt.standing(), Some(AttemptState::Submitted));
    }

    #[tokio::test(start_paused = true)]
    async fn what_an_agent_says_of_itself_stays_when_it_hands_the_project_in() {
        let attempt = of_two_steps();
        attempt.end(AttemptEnd::Done);
        attempt.end(AttemptEnd::Submitted);
        let info = attempt.info().unwrap();
        assert_eq!((info.ended, info.submitted), (Some(AttemptEnd::Done), true));
        assert_eq!(attempt.must_go_on().unwrap_err(), Over::Ended(AttemptEnd::Submitted));
    }

    #[tokio::test(start_paused = true)]
    async fn where_nothing_is_attempted_only_handing_in_ends_anything() {
        let free = Attempt::new(None);
        free.end(AttemptEnd::Done);
        (0..1000).for_each(|_| free.step(Mode::Primitive).unwrap().count());
        assert_eq!((free.info(), free.standing()), (None, None));
        free.end(AttemptEnd::Submitted);
        assert_eq!(free.step(Mode::Composite).unwrap_err(), Over::Ended(AttemptEnd::Submitted));
    }
}
