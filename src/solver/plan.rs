//! A list of actions, emitted one after another.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use crate::model::{ActionCall, ActionReply, Blame, Coded, Mode};
use crate::taskset::{TaskEntry, TasksetError};

/// Why there is no list to carry out.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// The task has no list for this mode.
    #[error("task `{task}` has no oracle actions for {mode} mode")]
    NoActions { task: String, mode: Mode },
    /// There is no such step to leave out.
    #[error("there is no step {step} to leave out: the list has steps 1 to {steps}")]
    NoSuchStep {
        /// The step asked for, from 1.
        step: usize,
        steps: usize,
    },
    /// The list can't be read.
    #[error(transparent)]
    Unreadable(#[from] TasksetError),
}

impl Coded for OracleError {
    fn code(&self) -> &str {
        match self {
            Self::NoActions { .. } => "no_oracle_actions",
            Self::NoSuchStep { .. } => "no_such_step",
            Self::Unreadable(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        Some("`scratchbed task list` shows which tasks have an oracle".to_owned())
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

/// Carries out a task's list of actions, then says `done`.
#[derive(Debug, Clone, PartialEq)]
pub struct Oracle {
    calls: VecDeque<ActionCall>,
    step: usize,
}

impl Oracle {
    /// The oracle of a task, for one mode.
    ///
    /// # Errors
    /// [`OracleError::NoActions`] when the task has no list for the mode.
    pub fn new(entry: &TaskEntry, mode: Mode) -> Result<Self, OracleError> {
        match entry.oracle(mode)? {
            Some(calls) => Ok(Self::of(calls)),
            None => Err(OracleError::NoActions { task: entry.task.id.to_string(), mode }),
        }
    }

    /// An oracle that carries out these calls.
    pub fn of(calls: Vec<ActionCall>) -> Self {
        Self { calls: calls.into(), step: 0 }
    }

    /// Steps left, `done` not counted.
    pub fn steps(&self) -> usize {
        self.calls.len()
    }

    /// The same oracle with one step, counted from 1, left out: it must then fail its task.
    ///
    /// # Errors
    /// [`OracleError::NoSuchStep`] outside of the list.
    pub fn without(mut self, step: usize) -> Result<Self, OracleError> {
        let steps = self.steps();
        match step.checked_sub(1).and_then(|at| self.calls.remove(at)) {
            Some(_) => Ok(self),
            None => Err(OracleError::NoSuchStep { step, steps }),
        }
    }

    /// The next action, given the reply to the last one: it gives up at the first action that fails.
    pub fn next(&mut self, last: Option<&ActionReply>) -> ActionCall {
        if let Some(error) = last.and_then(|reply| reply.error.as_ref()) {
            let reason = format!("step {} failed: {} ({})", self.step, error.message, error.code);
            return ActionCall::new("failed", Map::from_iter([("reason".to_owned(), json!(reason))]));
        }
        self.step += 1;
        self.calls.pop_front().unwrap_or_else(|| ActionCall::new("done", Map::<String, Value>::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ErrorBody, SettleReason, Timing};

    fn oracle() -> Oracle {
        let call = |api: &str| ActionCall::new(api, Map::new());
        Oracle::of(vec![call("select_stage"), call("add_block"), call("connect_blocks")])
    }

    fn names(mut oracle: Oracle) -> Vec<String> {
        (0..=oracle.steps()).map(|_| oracle.next(None).api).collect()
    }

    #[test]
    fn it_says_done_after_its_list() {
        assert_eq!(names(oracle()), ["select_stage", "add_block", "connect_blocks", "done"]);
    }

    #[test]
    fn one_step_can_be_left_out() {
        assert_eq!(names(oracle().without(2).unwrap()), ["select_stage", "connect_blocks", "done"]);
        for step in [0, 4] {
            assert!(matches!(oracle().without(step), Err(OracleError::NoSuchStep { steps: 3, .. })));
        }
    }

    #[test]
    fn it_gives_up_at_the_first_failure() {
        let mut oracle = oracle();
        let call = oracle.next(None);
        let reply = ActionReply {
            success: false,
            requested_action: call.clone(),
            executed_action: call,
            data: Value::Null,
            error: Some(ErrorBody {
                code: "x".to_owned(),
                message: "no stage".to_owned(),
                hint: None,
                infrastructure: false,
            }),
            timing: Timing { wait_ms: 0.0, action_ms: 0.0, settle_ms: 0.0, settle: SettleReason::Skipped },
            steps_left: None,
        };
        let end = oracle.next(Some(&reply));
        assert_eq!(end.api, "failed");
        assert_eq!(end.args["reason"], "step 1 failed: no stage (x)");
    }
}
