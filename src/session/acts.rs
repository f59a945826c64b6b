//! Acts of outside callers on a session, counted separately from the log's events in memory, so that the count
//! outlives them.

use serde_json::{Map, Value};

use crate::model::{Mode, ReplyEvent, RequestEvent};

/// Names of calls that are kept; more are only counted.
const KEPT: usize = 16;

/// The acts of callers from outside.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OutsideActs {
    /// How many there were.
    pub count: u64,
    /// The names of the first ones.
    pub calls: Vec<String>,
    /// The first one, with its answer.
    pub first: Option<OutsideAct>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct OutsideAct {
    /// Number of the request in the log.
    pub seq: u64,
    /// The requested arguments.
    pub args: Map<String, Value>,
    /// How it was answered; `None` until then.
    pub code: Option<String>,
    /// Arguments as they were carried out.
    pub executed: Option<Map<String, Value>>,
}

impl OutsideActs {
    pub(super) fn requested(&mut self, seq: u64, request: &RequestEvent) {
        // Projects are loaded on behalf of callers under no name of theirs.
        if request.caller == "in_process" && request.mode.is_some() || !acts(request) {
            return;
        }
        self.count += 1;
        if self.calls.len() < KEPT {
            self.calls.push(request.api.clone());
        }
        if self.first.is_none() {
            self.first = Some(OutsideAct { seq, args: request.args.clone(), ..OutsideAct::default() });
        }
    }

    pub(super) fn answered(&mut self, request: Option<u64>, reply: &ReplyEvent) {
        if let Some(first) = self.first.as_mut().filter(|first| Some(first.seq) == request) {
            first.code = Some(reply.code.clone());
            first.executed.clone_from(&reply.executed);
        }
    }
}

/// Whether a call can change anything. Looking is free.
fn acts(request: &RequestEvent) -> bool {
    request.mode.is_some_and(|mode| mode == Mode::Primitive || mode == Mode::Composite) && request.api != "observe"
        || matches!(request.api.as_str(), "load_project" | "reset" | "page_script")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(api: &str, caller: &str) -> RequestEvent {
        RequestEvent {
            api: api.to_owned(),
            mode: Some(Mode::Primitive),
            caller: caller.to_owned(),
            ..RequestEvent::default()
        }
    }

    #[test]
    fn acts_from_outside_are_counted_and_looks_and_our_own_are_not() {
        let mut seen = OutsideActs::default();
        seen.requested(1, &request("observe", "http"));
        seen.requested(2, &request("drag_and_drop", "in_process"));
        assert_eq!(seen, OutsideActs::default());
        seen.requested(3, &request("drag_and_drop", "http"));
        seen.answered(Some(2), &ReplyEvent { code: "refused".into(), ..ReplyEvent::default() });
        seen.answered(Some(3), &ReplyEvent { code: "ok".into(), ..ReplyEvent::default() });
        for seq in 4..100 {
            seen.requested(seq, &request("click", "mcp"));
        }
        assert_eq!((seen.count, seen.calls.len(), seen.calls[1].as_str()), (97, KEPT, "click"));
        assert_eq!(seen.first.unwrap().code.as_deref(), Some("ok"));
    }
}
