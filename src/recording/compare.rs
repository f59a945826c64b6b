//! Compares two logs: the same calls with the same answers, the same observations, the same final program. Times, ids
//! and pixels are ignored.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::replay::ReplayError;
use crate::model::{Element, Event, EventKind, ObservationEvent, ReplyEvent, RequestEvent, pluralise, pluralise_as};
use crate::notation::diff::{TargetDiff, diff};
use crate::project::Project;
use crate::session::SessionError;
use crate::store::StoredLog;

/// Length of the ids that Blockly gives.
const ID_LENGTH: usize = 20;

/// How two logs compare.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    pub equal: bool,
    pub calls: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<CallDifference>,
    /// Names of the sprites whose programs differ in the end, in words.
    pub program: Vec<String>,
}

/// Where two logs part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallDifference {
    /// Number of the call, from 1.
    pub call: usize,
    pub api: String,
    /// What differs: `call`, `code`, `executed`, `data`, `elements` or `text`.
    pub what: &'static str,
    /// In the first log.
    pub left: Value,
    /// In the second log.
    pub right: Value,
}

/// Compares two logs with the projects that their sessions ended with.
///
/// # Errors
/// When one of the last projects is missing or broken.
pub fn compare(left: &StoredLog, right: &StoredLog) -> Result<Comparison, ReplayError> {
    let (a, b) = (calls(&left.events), calls(&right.events));
    let first = first_difference(&a, &b);
    let project = |log: &StoredLog| -> Result<Project, ReplayError> {
        Project::read(&log.last()?).map_err(|error| SessionError::from(error).into())
    };
    let program: Vec<String> = diff(&project(left)?, &project(right)?).iter().map(words).collect();
    Ok(Comparison { equal: first.is_none() && program.is_empty(), calls: a.len().min(b.len()), first, program })
}

fn words(found: &TargetDiff) -> String {
    let blocks: usize = found.scripts.iter().map(crate::notation::diff::ScriptDiff::changed_blocks).sum();
    let names = found.added_names.len() + found.removed_names.len();
    let (blocks, names) = (pluralise(blocks, "block"), pluralise_as(names, "variable or list", "variables or lists"));
    format!("{}: {blocks} and {names} differ", found.target)
}

/// A call with its result.
#[derive(Debug, Clone, Default)]
struct Call<'a> {
    request: Option<&'a RequestEvent>,
    reply: Option<&'a ReplyEvent>,
    seen: Option<&'a ObservationEvent>,
}

/// The calls that a replay makes again, in order.
fn calls(events: &[Event]) -> Vec<Call<'_>> {
    let mut calls: BTreeMap<u64, Call<'_>> = BTreeMap::new();
    for event in events {
        match (&event.what, event.request) {
            (EventKind::Request(request), _) if request.mode.is_some() => {
                calls.insert(event.seq, Call { request: Some(request), ..Call::default() });
            }
            (EventKind::Reply(reply), Some(number)) => {
                calls.entry(number).and_modify(|call| call.reply = Some(reply));
            }
            (EventKind::Observation(seen), Some(number)) => {
                calls.entry(number).and_modify(|call| call.seen = Some(seen));
            }
            _ => {}
        }
    }
    calls.into_values().collect()
}

fn first_difference(left: &[Call<'_>], right: &[Call<'_>]) -> Option<CallDifference> {
    let pairs = left.iter().zip(right).enumerate();
    let mut found = pairs.filter_map(|(index, (a, b))| difference(index + 1, a, b));
    if let Some(found) = found.next() {
        return Some(found);
    }
    let shorter = left.len().min(right.len());
    let extra = left.get(shorter).or_else(|| right.get(shorter))?;
    Some(CallDifference {
        call: shorter + 1,
        api: extra.request.map(|request| request.api.clone()).unwrap_or_default(),
        what: "call",
        left: left.len().into(),
        right: right.len().into(),
    })
}

fn difference(call: usize, a: &Call<'_>, b: &Call<'_>) -> Option<CallDifference> {
    let name = |call: &Call<'_>| call.request.map(|request| request.api.clone()).unwrap_or_default();
    let parts = |call: &Call<'_>| {
        let reply = call.reply;
        [
            ("call", Value::from(name(call))),
            ("code", reply.map(|reply| reply.code.clone()).into()),
            ("executed", reply.and_then(|reply| reply.executed.clone()).map_or(Value::Null, Value::Object)),
            ("data", reply.and_then(|reply| reply.data.clone()).map_or(Value::Null, |data| without_ids(&data))),
            ("elements", call.seen.and_then(|seen| seen.elements.as_ref()).map_or(Value::Null, |list| elements(list))),
            ("text", call.seen.and_then(|seen| seen.text.clone()).into()),
        ]
    };
    let mut both = parts(a).into_iter().zip(parts(b));
    both.find(|(left, right)| left.1 != right.1).map(|((what, left), (_, right))| CallDifference {
        call,
        api: name(a),
        what,
        left,
        right,
    })
}

fn elements(list: &[Element]) -> Value {
    serde_json::to_value(list).unwrap_or_default()
}

/// The same without ids, which differ between sessions.
fn without_ids(value: &Value) -> Value {
    let is_id = |text: &str| text.chars().count() == ID_LENGTH && !text.contains(' ');
    match value {
        Value::String(text) if is_id(text) => Value::from("(id)"),
        Value::Array(items) => items.iter().map(without_ids).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), without_ids(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Mode;
    use serde_json::json;

    fn event(seq: u64, request: Option<u64>, what: EventKind) -> Event {
        Event { seq, at_ms: 0.0, request, what }
    }

    fn log(data: &Value) -> Vec<Event> {
        let request = RequestEvent { api: "add_block".into(), mode: Some(Mode::Composite), ..RequestEvent::default() };
        let reply = ReplyEvent { code: "ok".into(), data: Some(data.clone()), ..ReplyEvent::default() };
        vec![event(2, None, EventKind::Request(request)), event(3, Some(2), EventKind::Reply(reply))]
    }

    #[test]
    fn ids_are_of_no_account_and_the_first_difference_is_named() {
        let (a, b) = (
            json!({"block": "R+U98fOb.A+;w$G.wmF:", "index": 1}),
            json!({"block": "ixLOhm7+h]#ey$]jJ?R6", "index": 1}),
        );
        let (a, b, c) = (log(&a), log(&b), log(&json!({"block": "ixLOhm7+h]#ey$]jJ?R6", "index": 2})));
        assert_eq!(first_difference(&calls(&a), &calls(&b)), None);
        let found = first_difference(&calls(&a), &calls(&c)).unwrap();
        assert_eq!((found.call, found.api.as_str(), found.what), (1, "add_block", "data"));
    }

    #[test]
    fn a_call_more_is_a_difference() {
        let (one, none) = (log(&json!({})), Vec::new());
        assert_eq!(first_difference(&calls(&one), &calls(&none)).unwrap().what, "call");
    }
}
