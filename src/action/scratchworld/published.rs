//! Calls of an agent that is shown what the published system shows: looks are the reference's, numbers of blocks and of
//! elements are those of the last look, and the registry carries the actions out.

use std::time::Instant;

use super::block_args::{OPERATIONS, known};
use super::look::look;
use super::operation::{OperationFault, operate};
use super::table::resolved;
use crate::action::perform::{milliseconds, noted, perform_by, replied, request};
use crate::action::{ActionError, Kind, find, perform, perform_on};
use crate::model::{ActionCall, ActionReply, Mode};
use crate::session::{Live, SessionError, SessionHandle};

/// Carries out a call in the published system's terms. Failures of the action are in the reply, never in the error.
///
/// # Errors
/// As [`perform()`].
pub async fn perform_as_published(
    session: &SessionHandle,
    mode: Mode,
    call: ActionCall,
) -> Result<ActionReply, SessionError> {
    let Some(entry) = find(mode, &call.api) else { return perform(session, mode, call).await };
    let request = request(mode, &call);
    let looks = entry.kind == Kind::Observe;
    let work: crate::session::Job<_> = Box::new(move |live| {
        Box::pin(async move { if looks { seen(live, mode, call).await } else { acted(live, mode, call).await } })
    });
    perform_by(session, entry, request, work).await
}

async fn seen(live: &mut Live, mode: Mode, call: ActionCall) -> ActionReply {
    let started = Instant::now();
    let outcome = look(live, mode, &call.args).await;
    let reply = replied(call, outcome, milliseconds(started));
    live.recorder.answer(noted(&reply, true));
    reply
}

async fn acted(live: &mut Live, mode: Mode, call: ActionCall) -> ActionReply {
    let done = match mode {
        Mode::Composite if OPERATIONS.contains(&call.api.as_str()) => {
            operate(live, &call.api, &known(&call.api, &call.args)).await.map_err(|fault| match fault {
                OperationFault::Args(fault) => refused(fault.code, fault.message),
                OperationFault::Action(error) => error,
            })
        }
        Mode::Composite => Ok(perform_on(live, mode, call.clone()).await),
        Mode::Primitive => pointed(live, &call).await,
    };
    match done {
        Ok(reply) => ActionReply { requested_action: call, ..reply },
        Err(error) => {
            let reply = replied(call, Err(error), 0.0);
            live.recorder.answer(noted(&reply, false));
            reply
        }
    }
}

/// An action with mouse or keyboard, whose indexes are those of the last table.
async fn pointed(live: &mut Live, call: &ActionCall) -> Result<ActionReply, ActionError> {
    let boxes = live.memory.reference_boxes.as_deref().unwrap_or_default();
    let args = resolved(&call.args, boxes).map_err(|fault| refused("INDEX_RESOLUTION_ERROR", fault.to_string()))?;
    Ok(perform_on(live, Mode::Primitive, ActionCall { args, ..call.clone() }).await)
}

fn refused(code: &str, message: String) -> ActionError {
    ActionError::Refused { code: code.to_owned(), message, hint: None }
}
