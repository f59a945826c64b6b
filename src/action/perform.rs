//! Carries out one call: find the action, run it, settle the editor, wrap the answer.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::registry::{Context, Done, Kind, find};
use super::{ActionError, primitive, report};
use crate::model::{ActionCall, ActionReply, Coded, Mode, ReplyEvent, RequestEvent, SettleReason, Timing};
use crate::page::PageError;
use crate::session::{AttemptEnd, Live, Memory, SessionError, SessionHandle, Share, Standing, Step};

/// How long one action may take in all, settling included. The longest is a slow drag.
pub const ACTION_LIMIT: Duration = Duration::from_secs(60);

/// Characters of a note that are kept.
const LONGEST_NOTE: usize = 4000;

/// Carries out a call on a session. Failures of the action are in the reply, never in the error.
///
/// # Errors
/// When the session is gone, its attempt has ended or has taken all its steps, too many calls wait, or the call ran into [`ACTION_LIMIT`] after its turn came.
pub async fn perform(session: &SessionHandle, mode: Mode, call: ActionCall) -> Result<ActionReply, SessionError> {
    let request = RequestEvent {
        api: call.api.clone(),
        mode: Some(mode),
        args: call.args.clone(),
        observation: call.observation.clone(),
        report: call.report,
        note: call.note.as_deref().map(|note| note.chars().take(LONGEST_NOTE).collect()),
        ..RequestEvent::default()
    };
    let toll = Toll::of(session, mode, &call.api)?;
    let share = share(mode, &call.api);
    let served = session
        .serve(request, share, ACTION_LIMIT, move |live| {
            Box::pin(async move {
                let reply = perform_on(live, mode, call).await;
                toll.pay(&reply);
                reply
            })
        })
        .await?;
    let mut reply = served.value;
    reply.timing.wait_ms = to_milliseconds(served.wait);
    reply.steps_left = session.attempt().and_then(|attempt| attempt.steps_left).map(|left| left.of(mode));
    Ok(reply)
}

/// What a call costs the session's attempt. It goes along with the call: who does not wait for the answer has taken the
/// step all the same, and what is never carried out costs nothing.
enum Toll {
    Nothing,
    Step(Step),
    End(SessionHandle, AttemptEnd),
}

impl Toll {
    fn of(session: &SessionHandle, mode: Mode, api: &str) -> Result<Self, SessionError> {
        match find(mode, api).map(|entry| entry.kind) {
            Some(Kind::Act) => session.step(mode).map(Self::Step),
            Some(Kind::End) => {
                session.must_go_on()?;
                let end = if api == "done" { AttemptEnd::Done } else { AttemptEnd::Failed };
                Ok(Self::End(session.clone(), end))
            }
            Some(Kind::Observe) | None => Ok(Self::Nothing),
        }
    }

    fn pay(self, reply: &ActionReply) {
        match self {
            // The testbed's trouble is nobody's step.
            Self::Step(step) if reply.error.as_ref().is_none_or(|error| !error.infrastructure) => step.count(),
            Self::End(session, end) if reply.success => session.end_attempt(end),
            Self::Nothing | Self::Step(_) | Self::End(..) => {}
        }
    }
}

/// Mouse and keyboard have turns of their own.
fn share(mode: Mode, name: &str) -> Share {
    match find(mode, name) {
        Some(entry) if mode == Mode::Primitive && entry.kind == Kind::Act => Share::Input,
        _ => Share::Page,
    }
}

/// The same on a page that the caller already has.
pub(crate) async fn perform_on(live: &mut Live, mode: Mode, call: ActionCall) -> ActionReply {
    let started = Instant::now();
    let reports = report::is_wanted(live, mode, &call);
    let outcome = match if reports { report::begin(live).await } else { Ok(()) } {
        Ok(()) => run(live, mode, &call).await,
        Err(error) => Err(error),
    };
    let action_ms = milliseconds(started);
    let mut executed = call.clone();
    let mut reply = ActionReply {
        success: false,
        requested_action: call,
        executed_action: executed.clone(),
        data: Value::Object(Map::new()),
        error: None,
        timing: Timing { wait_ms: 0.0, action_ms, settle_ms: 0.0, settle: SettleReason::Skipped },
        steps_left: None,
    };
    match outcome {
        Ok((kind, done)) => {
            if let Some(args) = done.executed {
                executed.args = args;
            }
            reply.success = true;
            reply.executed_action = executed;
            reply.data = done.data;
            if kind == Kind::Act {
                settle(live, &mut reply).await;
            }
        }
        Err(error) => {
            tracing::debug!(code = error.code(), %error, "action failed");
            reply.error = Some(error.body());
        }
    }
    if reports {
        report::end(live, mode, &mut reply).await;
    }
    let looks = find(mode, &reply.requested_action.api).is_some_and(|entry| entry.kind == Kind::Observe);
    live.recorder.answer(noted(&reply, looks));
    reply
}

/// The reply for the session's log. What an observation shows is in an event of its own.
fn noted(reply: &ActionReply, looks: bool) -> ReplyEvent {
    let error = reply.error.as_ref();
    let settled = reply.timing.settle != SettleReason::Skipped;
    let mut data = reply.data.clone();
    // A picture is in an event of its own.
    data.as_object_mut().and_then(|data| data.shift_remove("screenshot"));
    let told = data.as_object().is_none_or(|data| !data.is_empty());
    ReplyEvent {
        code: error.map_or_else(|| "ok".to_owned(), |error| error.code.clone()),
        message: error.map(|error| error.message.clone()),
        settle_ms: settled.then_some(reply.timing.settle_ms),
        settle: settled.then_some(reply.timing.settle),
        executed: reply.success.then(|| reply.executed_action.args.clone()),
        data: (told && !looks).then_some(data),
        ..ReplyEvent::default()
    }
}

async fn run(live: &mut Live, mode: Mode, call: &ActionCall) -> Result<(Kind, Done<Value>), ActionError> {
    let entry = find(mode, &call.api).ok_or_else(|| ActionError::UnknownAction { mode, name: call.api.clone() })?;
    if let Some(loss) = live.take_untold_loss() {
        return Err(ActionError::Page(PageError::Lost(loss)));
    }
    if entry.extended && !live.extras.extended {
        return Err(not_extended(entry.name));
    }
    if let Some(named) = &call.observation {
        still_stands(&live.memory, mode, entry.kind, named)?;
    }
    let done = (entry.perform)(Context { live }, Value::Object(call.args.clone())).await?;
    Ok((entry.kind, done))
}

/// The refusal of what only extended sessions have.
pub(super) fn not_extended(what: &str) -> ActionError {
    ActionError::refused(
        "not_extended",
        format!("{what} is for extended sessions, and this one is none"),
        "do without it; who creates a session says whether it is extended",
    )
}

/// Refuses an action that was decided on an observation which is not the newest any more: what it saw there may
/// have moved, whether it names an index or a point.
fn still_stands(memory: &Memory, mode: Mode, kind: Kind, named: &str) -> Result<(), ActionError> {
    match memory.standing(mode, named) {
        Standing::Newest => Ok(()),
        // Looking and ending alter nothing that could have moved.
        Standing::Outdated(_) if kind != Kind::Act => Ok(()),
        Standing::Outdated(newest) => {
            let newest = newest.map_or_else(String::new, |newest| format!("; the newest is {newest}"));
            Err(ActionError::refused(
                "observation_outdated",
                format!("observation {named} is not the newest any more{newest}"),
                "decide on the newest observation or on the last reply's numbering, or observe again",
            ))
        }
        Standing::Unknown => Err(ActionError::refused(
            "unknown_observation",
            format!("this session has made no observation {named}"),
            "name the `id` of an observation, or leave `observation` out",
        )),
    }
}

/// Waits until the editor has come to rest; a page lost meanwhile makes the action a failure.
async fn settle(live: &mut Live, reply: &mut ActionReply) {
    let started = Instant::now();
    match primitive::settle(live.page()).await {
        Ok(reason) => reply.timing.settle = reason,
        Err(error) => {
            reply.success = false;
            reply.error = Some(error.body());
        }
    }
    reply.timing.settle_ms = milliseconds(started);
}

fn milliseconds(since: Instant) -> f64 {
    to_milliseconds(since.elapsed())
}

/// To a thousandth: more digits are noise.
fn to_milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1_000_000.0).round() / 1000.0
}
