//! A session's events as calls, in the form in which runs record them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::model::codes::CODES;
use crate::model::{Blame, CallRecord, Event, EventKind, ReplyEvent, RequestEvent, SettleReason};

/// The part of an observation's reply that holds the picture.
const PICTURE: &str = "screenshot";
/// What comes before the program in the text of a composite observation.
const PROGRAM: &str = "## Blocks Pseudocode\n";

/// What stands there when there are no blocks.
const NO_PROGRAM: &str = "None";

/// A picture that an event names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub image: String,
    pub media_type: String,
}

/// A call that is put together from its events.
struct Open<'a> {
    seq: u64,
    at_s: f64,
    request: &'a RequestEvent,
    reply: Option<&'a ReplyEvent>,
    seen: Option<Seen>,
    data: Map<String, Value>,
}

/// The calls of an agent in the order in which they were made, each with its picture.
pub(super) fn calls_of(events: &[Event]) -> Vec<(Value, Option<Seen>)> {
    let mut calls: Vec<Open<'_>> = Vec::new();
    for event in events {
        if let EventKind::Request(request) = &event.what {
            if is_shown(request) {
                let at_s = event.at_ms / 1000.0;
                calls.push(Open { seq: event.seq, at_s, request, reply: None, seen: None, data: Map::new() });
            }
            continue;
        }
        // A frame may be noted when the next call has begun.
        let Some(open) = calls.iter_mut().rev().take(2).find(|open| event.request == Some(open.seq)) else { continue };
        note(open, &event.what);
    }
    let mut steps = 0;
    calls.into_iter().map(|open| finished(open, &mut steps)).collect()
}

/// The calls of a session's log as a run records them.
pub fn call_records(events: &[Event]) -> Vec<CallRecord> {
    let record = |(mut call, _): (Value, Option<Seen>)| {
        if let Some(error) = call.pointer_mut("/reply/error").filter(|error| error.is_object()) {
            error["infrastructure"] = error["code"].as_str().is_some_and(is_ours).into();
        }
        let record = serde_json::from_value(call);
        record.inspect_err(|error| tracing::error!(%error, "a call of the log is no call of a run")).ok()
    };
    calls_of(events).into_iter().filter_map(record).collect()
}

/// Actions, observations, and resets of the attempt. Other requests on a session are not the agent's doing.
fn is_shown(request: &RequestEvent) -> bool {
    request.mode.is_some() || matches!(request.api.as_str(), "reset" | "load_project")
}

fn note<'a>(open: &mut Open<'a>, what: &'a EventKind) {
    match what {
        EventKind::Reply(reply) => {
            open.reply = Some(reply);
            if let Some(Value::Object(data)) = &reply.data {
                open.data.extend(data.clone());
            }
        }
        EventKind::Frame(frame) => {
            open.seen = Some(Seen { image: frame.image.clone(), media_type: frame.media_type.clone() });
        }
        EventKind::Observation(seen) => {
            if let (Some(image), Some(media_type), None) = (&seen.image, &seen.media_type, &seen.place) {
                open.seen = Some(Seen { image: image.clone(), media_type: media_type.clone() });
            }
            if let Some(elements) = &seen.elements {
                open.data.insert("elements".to_owned(), json!(elements));
            }
            if let Some((_, program)) = seen.text.as_deref().and_then(|text| text.split_once(PROGRAM)) {
                let program = if program == NO_PROGRAM { "" } else { program };
                open.data.insert("pseudocode".to_owned(), program.into());
            }
        }
        _ => {}
    }
}

fn finished(open: Open<'_>, steps: &mut u32) -> (Value, Option<Seen>) {
    let Open { at_s, request, reply, seen, data, .. } = open;
    if request.mode.is_none() {
        *steps = 0;
    }
    // A look belongs to the action that it precedes.
    let step = if counts(request, reply) { *steps + 1 } else { (*steps + u32::from(request.mode.is_some())).max(1) };
    *steps += u32::from(counts(request, reply));
    let mut call = json!({"api": request.api, "args": request.args});
    if let Some(note) = &request.note {
        call["note"] = note.as_str().into();
    }
    let code = reply.map_or("no_reply", |reply| reply.code.as_str());
    let error = (code != "ok").then(|| {
        let message = reply.map_or("there is no reply yet", |reply| reply.message.as_deref().unwrap_or(code));
        json!({"code": code, "message": message})
    });
    let executed = reply.and_then(|reply| reply.executed.as_ref()).unwrap_or(&request.args);
    let settle_ms = reply.and_then(|reply| reply.settle_ms).unwrap_or_default();
    let action_ms = reply.map_or(0.0, |reply| (reply.duration_ms - settle_ms).max(0.0));
    let settle = reply.and_then(|reply| reply.settle).unwrap_or(SettleReason::Skipped);
    let reply = json!({
        "success": error.is_none(), "executed_action": {"api": request.api, "args": executed}, "data": data,
        "error": error, "timing": {"action_ms": action_ms, "settle_ms": settle_ms, "settle": settle},
    });
    (json!({"step": step, "at_s": at_s, "call": call, "reply": reply}), seen)
}

/// Whether a call was one of the attempt's steps.
pub(super) fn counts(request: &RequestEvent, reply: Option<&ReplyEvent>) -> bool {
    let acts = request.mode.is_some() && !is_look(&request.api) && !matches!(request.api.as_str(), "done" | "failed");
    acts && !reply.is_some_and(|reply| is_ours(&reply.code))
}

fn is_look(api: &str) -> bool {
    matches!(api, "observe" | "block_catalogue" | "screenshot")
}

/// Whether a code is an infrastructure error.
fn is_ours(code: &str) -> bool {
    CODES.iter().flat_map(|(_, codes)| *codes).any(|known| known.code == code && known.blame == Blame::Testbed)
}

/// Takes the picture out of a recorded call's reply.
pub(super) fn take_picture(call: &mut Value) -> Option<Value> {
    call.pointer_mut("/reply/data")?.as_object_mut()?.shift_remove(PICTURE)
}

/// The picture in a recorded call's reply.
pub(super) fn picture_within(call: &Value) -> Option<Vec<u8>> {
    STANDARD.decode(call.pointer("/reply/data")?.get(PICTURE)?.as_str()?).ok()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A look, an action with a picture after it, a failed one, trouble of ours, and a reset.
    pub fn events() -> Vec<Event> {
        let of = |seq: u64, api: &str, args: Value| {
            json!({"seq": seq, "at_ms": f64::from(u32::try_from(seq).unwrap()) * 100.0, "kind": "request", "api": api, "mode": "composite",
                   "args": args, "note": "because", "caller": "http", "waited_ms": 0.0})
        };
        let reply = |seq: u64, request: u64, code: &str| {
            json!({"seq": seq, "at_ms": 0.0, "request": request, "kind": "reply", "code": code, "message": "so it is",
                   "duration_ms": 12.0, "settle_ms": 2.0, "settle": "quiet", "data": {"pseudocode": "#1 a"}})
        };
        let text = format!("## Sounds\nNone\n\n{PROGRAM}#1 [top] a\n#2 b");
        let log = json!([
            {"seq": 1, "at_ms": 0.0, "kind": "opened", "format": 1, "session": "s", "task": "kite_gusts", "stage": "large",
             "started_at": 5.5, "version": "0", "browser": "b", "program": "p"},
            of(2, "observe", json!({})),
            {"seq": 3, "at_ms": 0.0, "request": 2, "kind": "observation", "number": 1, "text": text},
            {"seq": 4, "at_ms": 0.0, "request": 2, "kind": "reply", "code": "ok", "duration_ms": 5.0},
            of(5, "add_block", json!({"blockType": "a"})),
            reply(6, 5, "ok"),
            {"seq": 7, "at_ms": 0.0, "request": 5, "kind": "frame", "image": "f", "media_type": "image/png"},
            of(8, "add_block", json!({"blockType": "b"})),
            reply(9, 8, "unknown_block_type"),
            of(10, "add_block", json!({"blockType": "c"})),
            reply(11, 10, "page_lost"),
            {"seq": 12, "at_ms": 0.0, "kind": "request", "api": "job", "caller": "http", "waited_ms": 0.0},
        ]);
        serde_json::from_value(log).unwrap()
    }

    #[test]
    fn calls_come_out_as_runs_record_them() {
        let calls = calls_of(&events());
        assert_eq!(calls.len(), 4, "jobs are not calls of an agent");
        let (look, picture) = &calls[0];
        assert_eq!((look["step"].as_u64(), picture), (Some(1), &None));
        assert_eq!(look["reply"]["data"]["pseudocode"], "#1 [top] a\n#2 b");
        let (act, picture) = &calls[1];
        let expected = Seen { image: "f".into(), media_type: "image/png".into() };
        assert_eq!((act["step"].as_u64(), picture.as_ref()), (Some(1), Some(&expected)));
        assert_eq!((&act["call"]["note"], &act["reply"]["success"]), (&json!("because"), &json!(true)));
        assert_eq!(act["reply"]["timing"], json!({"action_ms": 10.0, "settle_ms": 2.0, "settle": "quiet"}));
        assert_eq!(act["reply"]["data"]["pseudocode"], "#1 a");
        let (failed, _) = &calls[2];
        assert_eq!(failed["reply"]["error"], json!({"code": "unknown_block_type", "message": "so it is"}));
        assert_eq!(failed["step"], 2, "a refused action is a step");
        assert_eq!(calls[3].0["step"], 3);
        let records = call_records(&events());
        let told: Vec<_> = records.iter().map(|record| (record.step, record.call.api.as_str())).collect();
        assert_eq!(told, [(1, "observe"), (1, "add_block"), (2, "add_block"), (3, "add_block")]);
        let errors = records.iter().filter_map(|record| record.reply.error.as_ref());
        assert_eq!(errors.map(|error| error.infrastructure).collect::<Vec<_>>(), [false, true]);
        let steps = [5, 8, 10].map(|seq| {
            let of = |event: &&Event| event.seq == seq;
            let all = events();
            let EventKind::Request(request) = all.iter().find(of).unwrap().what.clone() else { panic!() };
            let EventKind::Reply(reply) = all.iter().find(|event| event.seq == seq + 1).unwrap().what.clone() else {
                panic!()
            };
            counts(&request, Some(&reply))
        });
        assert_eq!(steps, [true, true, false], "an infrastructure error is not a step");
    }
}
