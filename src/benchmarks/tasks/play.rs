//! The loop of one attempt: observe, decide, act, until the agent stops or a limit is reached. No files, no
//! retries, no judging.

use std::time::{Duration, Instant};

use super::testbed::{TaskSession, TestbedError};
use crate::agent::{Agent, AgentError, Decision, Turn, View};
use crate::model::{ActionCall, ActionReply, CallRecord, Ending, LimitOverrides, Mode, Task, with_causes};

/// How the acting went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    pub ending: Ending,
    /// Actions taken, the closing one not counted.
    pub steps: u32,
    /// What went wrong, for an error.
    pub error: Option<String>,
}

/// What happens in an attempt, for its record.
#[derive(Debug)]
pub enum Noted {
    Call(Box<CallRecord>),
    /// The agent's model was asked.
    Turn(Box<Turn>),
}

/// Receives everything as it happens.
pub type OnNote<'a> = &'a mut (dyn FnMut(Noted) + Send);

/// An attempt ends when this many times its limit has passed, however much of it the agent's provider kept it waiting.
const HARD_LIMIT: u32 = 3;

/// Lets an agent act until it stops, breaks, or reaches a limit: the task's, or the one that takes its place. Time that the
/// agent waits for its model's provider does not count.
pub async fn play(
    session: &mut dyn TaskSession,
    agent: &mut dyn Agent,
    task: &Task,
    mode: Mode,
    limits: LimitOverrides,
    on_note: OnNote<'_>,
) -> Played {
    let wall = Duration::from_secs(limits.wall_s.unwrap_or(task.limits.wall_s).into());
    let own = || agent.allowance().unwrap_or_else(|| task.limits.steps.of(mode));
    let allowed = limits.max_steps.unwrap_or_else(own);
    let started = Instant::now();
    let mut state = Loop { session, agent, task, mode, allowed, wall, on_note, started, step: 0, last: None };
    let ended = tokio::time::timeout(wall * HARD_LIMIT, state.run()).await;
    let (ending, error) = ended.unwrap_or((Ending::WallLimit, None));
    Played { ending, steps: state.step, error }
}

/// The state of an attempt.
struct Loop<'a, 'b> {
    session: &'a mut dyn TaskSession,
    agent: &'a mut dyn Agent,
    task: &'a Task,
    mode: Mode,
    /// How often the agent may decide.
    allowed: u32,
    /// How long it may take.
    wall: Duration,
    on_note: OnNote<'b>,
    started: Instant,
    step: u32,
    last: Option<ActionReply>,
}

type End = (Ending, Option<String>);

impl Loop<'_, '_> {
    async fn run(&mut self) -> End {
        loop {
            if let Some(end) = self.turn().await {
                return end;
            }
        }
    }

    /// One turn; `Some` when it was the last. The agent is not asked for a decision that could not count.
    async fn turn(&mut self) -> Option<End> {
        if self.step >= self.allowed {
            return Some((Ending::StepLimit, None));
        }
        let observation = match self.observe().await {
            Ok(observation) => observation,
            Err(end) => return Some(end),
        };
        let view = View {
            instruction: &self.task.instruction,
            step: self.step + 1,
            steps: self.allowed,
            observation: observation.as_ref().map(|reply| &reply.data),
            last: self.last.as_ref(),
        };
        let limit = if self.agent.waits_for_provider() { self.wall * HARD_LIMIT } else { self.left() };
        let decided = tokio::time::timeout(limit, self.agent.decide(view)).await;
        for turn in self.agent.take_turns() {
            (self.on_note)(Noted::Turn(Box::new(turn)));
        }
        let Ok(decided) = decided else { return Some((Ending::WallLimit, None)) };
        match decided {
            Err(error) => Some((ending_of(&error), Some(error.to_string()))),
            Ok(_) if self.left().is_zero() => Some((Ending::WallLimit, None)),
            Ok(Decision::Wasted) => {
                self.step += 1;
                None
            }
            Ok(Decision::Act(call)) => self.act(call).await,
        }
    }

    async fn act(&mut self, call: ActionCall) -> Option<End> {
        let closing = closing(&call);
        match self.call(call).await {
            Err(end) => return Some(end),
            Ok(reply) if closing.is_some() && reply.success => return closing.map(|ending| (ending, None)),
            Ok(reply) => self.last = Some(reply),
        }
        self.step += 1;
        None
    }

    /// How long the attempt may go on.
    fn left(&self) -> Duration {
        (self.wall + self.agent.spent().waited).saturating_sub(self.started.elapsed())
    }

    async fn observe(&mut self) -> Result<Option<ActionReply>, End> {
        let Some(args) = self.agent.look() else { return Ok(None) };
        let reply = self.call(ActionCall::new("observe", args)).await?;
        match &reply.error {
            // No agent can act on what it can't see.
            Some(error) => Err((Ending::InfraError, Some(format!("{}: {}", error.code, error.message)))),
            None => Ok(Some(reply)),
        }
    }

    async fn call(&mut self, call: ActionCall) -> Result<ActionReply, End> {
        let broken = |error: TestbedError| (Ending::InfraError, Some(with_causes(&error)));
        let answered = tokio::time::timeout(self.left(), self.session.call(self.mode, &call)).await;
        let reply = answered.map_err(|_| (Ending::WallLimit, None))?.map_err(broken)?;
        let at_s = self.started.elapsed().as_secs_f64();
        let record = CallRecord { step: self.step + 1, at_s, call, reply: reply.clone() };
        (self.on_note)(Noted::Call(Box::new(record)));
        match &reply.error {
            Some(error) if error.infrastructure => {
                Err((Ending::InfraError, Some(format!("{}: {}", error.code, error.message))))
            }
            _ => Ok(reply),
        }
    }
}

/// How an agent that can't go on ends an attempt.
const fn ending_of(error: &AgentError) -> Ending {
    match error {
        AgentError::Provider(_) => Ending::ProviderError,
        AgentError::CapReached(_) => Ending::CostLimit,
        _ => Ending::AgentError,
    }
}

/// How a call ends an attempt, if it does.
fn closing(call: &ActionCall) -> Option<Ending> {
    match call.api.as_str() {
        "done" => Some(Ending::Done),
        "failed" => Some(Ending::GaveUp),
        _ => None,
    }
}

#[cfg(test)]
#[path = "play_tests.rs"]
mod tests;
