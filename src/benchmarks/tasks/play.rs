//! The loop of one attempt: observe, decide, act, until the agent stops or a limit is reached. No files, no
//! retries, no judging.

use std::time::{Duration, Instant};

use serde_json::json;

use super::blame::{ending_of, is_ours};
use super::testbed::{TaskSession, TestbedError};
use crate::agent::model::held;
use crate::agent::{Agent, Decision, Turn, View};
use crate::model::{
    ActionCall, ActionReply, CallRecord, Ending, LimitOverrides, Mode, SettleReason, Task, Timing, with_causes,
};

/// How the acting went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    pub ending: Ending,
    /// Actions taken, the closing one not counted.
    pub steps: u32,
    /// What went wrong, for an error.
    pub error: Option<String>,
    /// Stable code of the testbed's error, for the ending `infra_error`.
    pub code: Option<String>,
}

impl Played {
    /// Nothing could be begun, for a reason of the testbed's with this code.
    pub(super) fn unopened(code: &str, error: &dyn std::error::Error) -> Self {
        let (error, code) = (Some(with_causes(error)), Some(code.to_owned()));
        Self { ending: Ending::InfraError, steps: 0, error, code }
    }
}

/// What happens in an attempt, for its record.
#[derive(Debug)]
pub enum Noted {
    Call(Box<CallRecord>),
    /// The agent's model was asked.
    Turn(Box<Turn>),
    /// Why the agent could not learn from the attempt.
    NotLearned(String),
}

/// Receives everything as it happens.
pub type OnNote<'a> = &'a mut (dyn FnMut(Noted) + Send);

/// An attempt ends when this many times its limit has passed, however much of it the agent's provider kept it waiting. Time in which
/// its requests may not be sent, since somebody holds them or the provider is known to be gone, is no part of that.
const HARD_LIMIT: u32 = 3;
/// How long the last look may take, which an agent learns from; a look takes about a second.
const LAST_LOOK: Duration = Duration::from_secs(60);

/// Lets an agent act until it stops, breaks, or reaches a limit: the task's, or the one that takes its place. Time that the
/// agent waits for its model's provider does not count. One that learns does so at the end.
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
    let (step, seen, last, code) = (0, None, None, None);
    let mut state = Loop { session, agent, task, mode, allowed, wall, on_note, started, step, seen, last, code };
    let ended = unheld(wall * HARD_LIMIT, state.run()).await;
    let (ending, error) = ended.unwrap_or((Ending::WallLimit, None));
    if state.agent.learns() && is_over(ending) {
        let learned = unheld(wall * HARD_LIMIT, state.learn()).await;
        if let Err(reason) = learned.unwrap_or_else(|| Err("it took too long".to_owned())) {
            (state.on_note)(Noted::NotLearned(reason));
        }
        state.note_turns();
    }
    Played { ending, steps: state.step, error, code: state.code.filter(|_| ending == Ending::InfraError) }
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
    /// What the last look showed, while nothing has been done since.
    seen: Option<ActionReply>,
    last: Option<ActionReply>,
    /// Code of the last error of the testbed.
    code: Option<String>,
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
        if let Err(end) = self.observe(self.left()).await {
            return Some(end);
        }
        let limit = if self.agent.waits_for_provider() { self.wall * HARD_LIMIT } else { self.left() };
        let view = view(self.task, (self.step, self.allowed), self.seen.as_ref(), self.last.as_ref());
        let decided = unheld(limit, self.agent.decide(view)).await;
        self.note_turns();
        let Some(decided) = decided else { return Some((Ending::WallLimit, None)) };
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
        if closing.is_none() {
            self.seen = None;
        }
        match self.call(call, self.left()).await {
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

    /// Looks, if the agent wants to. A page that was lost is there again for the second look. What breaks both, and is not shown to
    /// be the testbed's doing, is the agent's: nobody can act on what can't be seen.
    async fn observe(&mut self, limit: Duration) -> Result<(), End> {
        self.seen = None;
        let Some(args) = self.agent.look() else { return Ok(()) };
        let until = Instant::now() + limit;
        let mut reply = self.call(ActionCall::new("observe", args.clone()), limit).await?;
        if reply.error.is_some() {
            let left = until.saturating_duration_since(Instant::now());
            reply = self.call(ActionCall::new("observe", args), left).await?;
        }
        if let Some(error) = &reply.error {
            return Err((Ending::Crashed, Some(format!("{}: {}", error.code, error.message))));
        }
        self.seen = Some(reply);
        Ok(())
    }

    /// Has the agent learn from the attempt, from what its end looks like.
    async fn learn(&mut self) -> Result<(), String> {
        if self.seen.is_none() {
            self.observe(LAST_LOOK).await.map_err(|(_, error)| {
                format!("the last look failed: {}", error.unwrap_or_else(|| "it took too long".to_owned()))
            })?;
        }
        let view = view(self.task, (self.step, self.allowed), self.seen.as_ref(), self.last.as_ref());
        self.agent.learn(view).await.map_err(|error| error.to_string())
    }

    fn note_turns(&mut self) {
        for turn in self.agent.take_turns() {
            (self.on_note)(Noted::Turn(Box::new(turn)));
        }
    }

    async fn call(&mut self, call: ActionCall, limit: Duration) -> Result<ActionReply, End> {
        let answered = tokio::time::timeout(limit, self.session.call(self.mode, &call)).await;
        let answered = answered.map_err(|_| (Ending::WallLimit, None))?;
        let reply = match answered {
            Ok(reply) => reply,
            Err(error) if is_ours(error.code()) => return Err(self.broken(error.code(), with_causes(&error))),
            // As a program is told over HTTP, which may go on.
            Err(error) => failed(&call, &error),
        };
        let at_s = self.started.elapsed().as_secs_f64();
        let record = CallRecord { step: self.step + 1, at_s, call, reply: reply.clone() };
        (self.on_note)(Noted::Call(Box::new(record)));
        match &reply.error {
            Some(error) if is_ours(&error.code) => {
                Err(self.broken(&error.code, format!("{}: {}", error.code, error.message)))
            }
            _ => Ok(reply),
        }
    }

    /// The testbed has broken.
    fn broken(&mut self, code: &str, message: String) -> End {
        self.code = Some(code.to_owned());
        (Ending::InfraError, Some(message))
    }
}

/// Waits so long, without the time that requests within may not be sent; `None` when it takes longer.
async fn unheld<T>(limit: Duration, work: impl Future<Output = T>) -> Option<T> {
    let (end, before) = (tokio::time::Instant::now() + limit, held());
    let mut work = std::pin::pin!(work);
    let mut until = end;
    loop {
        if let Ok(done) = tokio::time::timeout_at(until, &mut work).await {
            return Some(done);
        }
        until = end + held().saturating_sub(before);
        if until <= tokio::time::Instant::now() {
            return None;
        }
    }
}

/// What an agent knows after so many steps of those that are allowed.
fn view<'a>(
    task: &'a Task,
    (step, steps): (u32, u32),
    seen: Option<&'a ActionReply>,
    last: Option<&'a ActionReply>,
) -> View<'a> {
    View { instruction: &task.instruction, step: step + 1, steps, observation: seen.map(|reply| &reply.data), last }
}

/// Whether an attempt came to an end that an agent may learn from: nothing broke, and the agent could go on until then.
const fn is_over(ending: Ending) -> bool {
    matches!(ending, Ending::Done | Ending::GaveUp | Ending::StepLimit | Ending::WallLimit)
}

/// The reply to a call that was not carried out.
fn failed(call: &ActionCall, error: &TestbedError) -> ActionReply {
    ActionReply {
        success: false,
        requested_action: call.clone(),
        executed_action: call.clone(),
        data: json!({}),
        error: Some(error.body()),
        timing: Timing { wait_ms: 0.0, action_ms: 0.0, settle_ms: 0.0, settle: SettleReason::Skipped },
        steps_left: None,
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
