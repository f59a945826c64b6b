//! Drags that a program made over HTTP, as the session's log records them, and the token by which it may.

use std::time::Duration;

use serde_json::Value;

use crate::model::{ActionCall, ActionReply, SettleReason, Timing, sha256_hex};
use crate::session::{OutsideAct, OutsideActs, SessionError, SessionHandle};

/// What acts on the editor and is a drag.
const DRAG: &str = "drag_and_drop";
/// How long the job may take that only shows that those before it are done.
const LAST_CALL: Duration = Duration::from_secs(5);

/// An address under which the sessions of trials are served, each only to the holder of its trial's token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outside {
    pub url: String,
    /// What the tokens are made of; known to this process alone.
    pub secret: String,
}

impl Outside {
    /// The token of a trial.
    pub fn token(&self, item: &str, attempt: u32) -> String {
        sha256_hex(format!("{}\n{item}\n{attempt}", self.secret).as_bytes())
    }

    /// What sessions of that trial are marked with: the token's digest.
    pub fn owner(&self, item: &str, attempt: u32) -> String {
        sha256_hex(self.token(item, attempt).as_bytes())
    }
}

/// Refuses what a program that has ended left waiting, which is no part of its answer, and returns when the call that was begun is done.
///
/// # Errors
/// When the session has ended, or does not come to it.
pub(super) async fn left_behind(handle: &SessionHandle) -> Result<(), SessionError> {
    handle.refuse_waiting().await;
    // However long it takes, it is waited for: a clock would let the program void its trial by a slow call.
    let _ = handle.activity().wait_for(|activity| !activity.busy).await;
    handle.run_unlogged(LAST_CALL, |_| Box::pin(async {})).await
}

/// The one drag that was made, or none; an error in words if something else was done, or more than one drag.
pub(super) fn drag_in(acts: &OutsideActs) -> Result<Option<ActionReply>, String> {
    match (acts.count, &acts.first) {
        (0, _) => Ok(None),
        (1, Some(act)) if acts.calls == [DRAG] && act.code.is_some() => Ok(Some(as_reply(act))),
        (count, _) => {
            let more = if count > acts.calls.len() as u64 { format!(" … ({count} in all)") } else { String::new() };
            Err(format!("one drag was asked for, and these calls were made: {}{more}", acts.calls.join(", ")))
        }
    }
}

fn as_reply(act: &OutsideAct) -> ActionReply {
    ActionReply {
        success: act.code.as_deref() == Some("ok"),
        requested_action: ActionCall::new(DRAG, act.args.clone()),
        executed_action: ActionCall::new(DRAG, act.executed.clone().unwrap_or_default()),
        data: Value::Null,
        error: None,
        timing: Timing { wait_ms: 0.0, action_ms: 0.0, settle_ms: 0.0, settle: SettleReason::Skipped },
        steps_left: None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn made(calls: &[&str]) -> OutsideActs {
        let executed = json!({"start_x": 1.0}).as_object().cloned();
        let first = OutsideAct { code: Some("ok".to_owned()), executed, ..OutsideAct::default() };
        let calls: Vec<String> = calls.iter().map(|call| (*call).to_owned()).collect();
        OutsideActs { count: calls.len() as u64, first: (!calls.is_empty()).then_some(first), calls }
    }

    #[test]
    fn one_drag_is_taken_and_anything_more_is_named() {
        assert_eq!(drag_in(&made(&[])), Ok(None));
        let one = drag_in(&made(&["drag_and_drop"])).unwrap().unwrap();
        assert!(one.success && one.executed_action.args["start_x"] == 1.0);
        let error = drag_in(&made(&["click", "drag_and_drop"])).unwrap_err();
        assert!(error.ends_with("click, drag_and_drop"), "{error}");
        let flood = OutsideActs { count: 500, ..made(&["drag_and_drop", "drag_and_drop"]) };
        assert!(drag_in(&flood).unwrap_err().ends_with("(500 in all)"));
    }

    #[test]
    fn every_trial_has_a_token_of_its_own() {
        let outside = Outside { url: String::new(), secret: "s".to_owned() };
        assert_ne!(outside.token("a", 1), outside.token("a", 2));
        assert_ne!(outside.token("a", 1), outside.token("b", 1));
        assert_eq!(outside.owner("a", 1), sha256_hex(outside.token("a", 1).as_bytes()));
    }
}
