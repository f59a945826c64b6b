//! Carries out one call: run its action, settle the editor, wrap the answer.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::{ActionError, Context, Done, Entry, Kind, Resolved, find, report, unknown_action};
use crate::model::{ActionCall, ActionReply, Coded, Mode, ReplyEvent, RequestEvent, SettleReason, Timing};
use crate::page::PageError;
use crate::session::{AttemptEnd, Job, Live, Memory, SessionError, SessionHandle, Standing, Step, TurnKind, Viewer};

/// How long one action may take in all, settling included. The longest is a slow drag.
pub const ACTION_LIMIT: Duration = Duration::from_secs(60);

/// Characters of a note that are kept.
const LONGEST_NOTE: usize = 4000;

/// Carries out a call by its action's name. Failures of the action are in the reply, never in the error; a name that no
/// action has is one of them.
///
/// # Errors
/// As [`Resolved::perform`].
pub async fn perform(session: &SessionHandle, mode: Mode, call: ActionCall) -> Result<ActionReply, SessionError> {
    if let Some(entry) = find(mode, &call.api) {
        return Resolved { entry, call }.perform(session).await;
    }
    Viewer::current().check_mode(mode)?;
    // It takes no step, but is in the session's log.
    let request = request(mode, &call);
    let job: Job<_> = Box::new(move |live| Box::pin(perform_on(live, mode, call)));
    serve(session, mode, request, TurnKind::Page, job).await
}

/// The same on a page that the caller already has.
pub(crate) async fn perform_on(live: &mut Live, mode: Mode, call: ActionCall) -> ActionReply {
    if let Some(entry) = find(mode, &call.api) {
        return Resolved { entry, call }.perform_on(live).await;
    }
    let error = unknown_action(mode, &call.api);
    let reply = replied(call, Err(error), 0.0);
    live.recorder.answer(noted(&reply, false));
    reply
}

impl Resolved {
    /// Carries the call out on a session. Failures of the action are in the reply, never in the error.
    ///
    /// # Errors
    /// When the session is gone, its attempt has ended or has taken all its steps, the caller may not act in this mode, too
    /// many calls wait, or the call ran into [`ACTION_LIMIT`] after its turn came.
    pub async fn perform(self, session: &SessionHandle) -> Result<ActionReply, SessionError> {
        let request = request(self.entry.mode, &self.call);
        perform_by(session, self.entry, request, Box::new(move |live| Box::pin(self.perform_on(live)))).await
    }

    async fn perform_on(self, live: &mut Live) -> ActionReply {
        let Self { entry, call } = self;
        let started = Instant::now();
        let reports = entry.kind == Kind::Act && call.report.unwrap_or(live.extras.report);
        let outcome = async {
            if reports {
                report::begin(live).await?;
            }
            run(live, entry, &call).await
        };
        let outcome = outcome.await;
        let mut reply = replied(call, outcome, milliseconds(started));
        if reply.success && entry.kind == Kind::Act {
            settle(live, &mut reply).await;
        }
        if reports {
            report::end(live, entry, &mut reply).await;
        }
        live.recorder.answer(noted(&reply, entry.kind == Kind::Observe));
        reply
    }
}

/// Has a session do what a call of an action comes to, and charges its attempt.
pub(super) async fn perform_by(
    session: &SessionHandle,
    entry: &'static Entry,
    request: RequestEvent,
    work: Job<ActionReply>,
) -> Result<ActionReply, SessionError> {
    Viewer::current().check_mode(entry.mode)?;
    let cost = AttemptCost::of(session, entry)?;
    let job: Job<_> = Box::new(move |live| {
        Box::pin(async move {
            let reply = work(live).await;
            cost.charge(&reply);
            reply
        })
    });
    serve(session, entry.mode, request, turn_kind(entry), job).await
}

/// The call for the session's log.
pub(super) fn request(mode: Mode, call: &ActionCall) -> RequestEvent {
    RequestEvent {
        api: call.api.clone(),
        mode: Some(mode),
        args: call.args.clone(),
        observation: call.observation.clone(),
        report: call.report,
        note: call.note.as_deref().map(|note| note.chars().take(LONGEST_NOTE).collect()),
        ..RequestEvent::default()
    }
}

async fn serve(
    session: &SessionHandle,
    mode: Mode,
    request: RequestEvent,
    turn: TurnKind,
    job: Job<ActionReply>,
) -> Result<ActionReply, SessionError> {
    let served = session.serve(request, turn, ACTION_LIMIT, job).await?;
    let mut reply = served.value;
    reply.timing.wait_ms = to_milliseconds(served.wait);
    reply.steps_left = session.attempt().and_then(|attempt| attempt.steps_left).map(|left| left.of(mode));
    Ok(reply)
}

/// What a call costs the session's attempt. It travels with the call: a caller that does not wait for the answer has
/// still taken the step, and a call that is never carried out costs nothing.
enum AttemptCost {
    Nothing,
    Step(Step),
    End(SessionHandle, AttemptEnd),
}

impl AttemptCost {
    fn of(session: &SessionHandle, entry: &Entry) -> Result<Self, SessionError> {
        match entry.kind {
            Kind::Act => session.step(entry.mode).map(Self::Step),
            Kind::End => {
                session.must_go_on()?;
                let end = if entry.name == "done" { AttemptEnd::Done } else { AttemptEnd::Failed };
                Ok(Self::End(session.clone(), end))
            }
            Kind::Observe => Ok(Self::Nothing),
        }
    }

    fn charge(self, reply: &ActionReply) {
        match self {
            // An error of the testbed takes no step.
            Self::Step(step) if reply.error.as_ref().is_none_or(|error| !error.infrastructure) => step.count(),
            Self::End(session, end) if reply.success => session.end_attempt(end),
            Self::Nothing | Self::Step(_) | Self::End(..) => {}
        }
    }
}

/// Mouse and keyboard have turns of their own.
fn turn_kind(entry: &Entry) -> TurnKind {
    match (entry.mode, entry.kind) {
        (Mode::Primitive, Kind::Act) => TurnKind::Input,
        _ => TurnKind::Page,
    }
}

/// The reply to a call, before the editor has settled.
pub(super) fn replied(call: ActionCall, outcome: Result<Done<Value>, ActionError>, action_ms: f64) -> ActionReply {
    let (executed, data, error) = match outcome {
        Ok(done) => (done.executed, done.data, None),
        Err(error) => {
            tracing::debug!(code = error.code(), %error, "action failed");
            (None, Value::Object(Map::new()), Some(error.body()))
        }
    };
    let executed_action = ActionCall {
        api: call.api.clone(),
        args: executed.unwrap_or_else(|| call.args.clone()),
        observation: call.observation.clone(),
        note: call.note.clone(),
        report: call.report,
    };
    ActionReply {
        success: error.is_none(),
        requested_action: call,
        executed_action,
        data,
        error,
        timing: Timing { wait_ms: 0.0, action_ms, settle_ms: 0.0, settle: SettleReason::Skipped },
        steps_left: None,
    }
}

/// The reply for the session's log. What an observation shows is in an event of its own.
pub(super) fn noted(reply: &ActionReply, looks: bool) -> ReplyEvent {
    let error = reply.error.as_ref();
    let settled = reply.timing.settle != SettleReason::Skipped;
    let mut data = reply.data.clone();
    // A picture is in an event of its own.
    data.as_object_mut().and_then(|data| data.shift_remove("screenshot"));
    let has_data = data.as_object().is_none_or(|data| !data.is_empty());
    ReplyEvent {
        code: error.map_or_else(|| "ok".to_owned(), |error| error.code.clone()),
        message: error.map(|error| error.message.clone()),
        settle_ms: settled.then_some(reply.timing.settle_ms),
        settle: settled.then_some(reply.timing.settle),
        executed: reply.success.then(|| reply.executed_action.args.clone()),
        data: (has_data && !looks).then_some(data),
        ..ReplyEvent::default()
    }
}

async fn run(live: &mut Live, entry: &Entry, call: &ActionCall) -> Result<Done<Value>, ActionError> {
    if let Some(loss) = live.take_unreported_loss() {
        return Err(ActionError::Page(PageError::Lost(loss)));
    }
    if entry.extended && !live.extras.extended {
        return Err(not_extended(entry.name));
    }
    if let Some(named) = &call.observation {
        still_stands(&live.memory, entry, named)?;
    }
    (entry.perform)(Context { live }, &call.args).await
}

/// The refusal of what only extended sessions have.
pub(super) fn not_extended(what: &str) -> ActionError {
    ActionError::refused(
        "not_extended",
        format!("{what} is only for extended sessions"),
        "do without it; who creates a session says whether it is extended",
    )
}

/// Refuses an action that was decided on an observation which is not the newest any more: what it saw there may
/// have moved, whether it names an index or a point.
fn still_stands(memory: &Memory, entry: &Entry, named: &str) -> Result<(), ActionError> {
    match memory.standing(entry.mode, named) {
        Standing::Newest => Ok(()),
        // Looking and ending alter nothing that could have moved.
        Standing::Outdated(_) if entry.kind != Kind::Act => Ok(()),
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
    match super::settle(live.page()).await {
        Ok(reason) => reply.timing.settle = reason,
        Err(error) => {
            reply.success = false;
            reply.error = Some(error.body());
        }
    }
    reply.timing.settle_ms = milliseconds(started);
}

pub(super) fn milliseconds(since: Instant) -> f64 {
    to_milliseconds(since.elapsed())
}

/// To a thousandth: more digits are noise.
fn to_milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1_000_000.0).round() / 1000.0
}
