//! Drags that a program made over HTTP, as the session's log tells of them.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::model::{ActionCall, ActionReply, Event, EventKind, Mode, RequestEvent, SettleReason, Timing};
use crate::session::SessionLog;

/// What acts on the editor and is no drag. Looking is free.
const DRAG: &str = "drag_and_drop";

/// The one drag that was made, or none; an error in words if something else was done, or more than one drag.
pub(super) async fn drags_of_others(log: &SessionLog) -> Result<Option<ActionReply>, String> {
    let lines = log.after(0, usize::MAX, Duration::ZERO).await.lines;
    let events = lines.iter().filter_map(|line| serde_json::from_str::<Event>(&line.json).ok());
    drag_in(events)
}

fn drag_in(events: impl Iterator<Item = Event>) -> Result<Option<ActionReply>, String> {
    let mut asked: Vec<(u64, RequestEvent)> = Vec::new();
    let mut made = None;
    for event in events {
        match event.what {
            EventKind::Request(request) if request.caller != "in_process" && acts(&request) => {
                asked.push((event.seq, request));
            }
            EventKind::Reply(reply) if asked.last().map(|(seq, _)| *seq) == event.request => made = Some(reply),
            _ => {}
        }
    }
    match (asked.as_slice(), made) {
        ([], _) => Ok(None),
        ([(_, request)], Some(reply)) if request.api == DRAG => {
            Ok(Some(as_reply(request, &reply.code, reply.executed)))
        }
        (all, _) => {
            let calls: Vec<&str> = all.iter().map(|(_, request)| request.api.as_str()).collect();
            Err(format!("one drag was asked for, and these calls were made: {}", calls.join(", ")))
        }
    }
}

/// Whether a call can change anything.
fn acts(request: &RequestEvent) -> bool {
    request.mode.is_some_and(|mode| mode == Mode::Primitive || mode == Mode::Composite) && request.api != "observe"
        || matches!(request.api.as_str(), "load_project" | "reset" | "page_script")
}

fn as_reply(request: &RequestEvent, code: &str, executed: Option<Map<String, Value>>) -> ActionReply {
    ActionReply {
        success: code == "ok",
        requested_action: ActionCall::new(DRAG, request.args.clone()),
        executed_action: ActionCall::new(DRAG, executed.unwrap_or_default()),
        data: Value::Null,
        error: None,
        timing: Timing { wait_ms: 0.0, action_ms: 0.0, settle_ms: 0.0, settle: SettleReason::Skipped },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::ReplyEvent;

    fn call(seq: u64, api: &str, caller: &str) -> [Event; 2] {
        let request = RequestEvent {
            api: api.to_owned(),
            mode: Some(Mode::Primitive),
            caller: caller.to_owned(),
            ..RequestEvent::default()
        };
        let executed = json!({"start_x": 1.0}).as_object().cloned();
        let reply = ReplyEvent { code: "ok".to_owned(), executed, ..ReplyEvent::default() };
        [
            Event { seq, at_ms: 0.0, request: None, what: EventKind::Request(request) },
            Event { seq: seq + 1, at_ms: 0.0, request: Some(seq), what: EventKind::Reply(reply) },
        ]
    }

    #[test]
    fn one_drag_is_taken_and_anything_more_is_named() {
        let calls = |all: &[(&str, &str)]| {
            drag_in(all.iter().zip((1..).step_by(2)).flat_map(|((api, caller), seq)| call(seq, api, caller)))
        };
        assert_eq!(calls(&[("observe", "http"), ("drag_and_drop", "in_process")]), Ok(None));
        let one = calls(&[("observe", "http"), ("drag_and_drop", "http"), ("observe", "http")]).unwrap().unwrap();
        assert!(one.success && one.executed_action.args["start_x"] == 1.0);
        let error = calls(&[("click", "http"), ("drag_and_drop", "http")]).unwrap_err();
        assert!(error.ends_with("click, drag_and_drop"), "{error}");
    }
}
