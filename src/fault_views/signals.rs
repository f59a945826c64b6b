//! What runs showed at a checkpoint, and where two of them differ.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::forge::says;
use crate::grade::signals::value;
use crate::grade::suite::same;
use crate::model::{EVENTS, TraceRun};

/// Signals that nobody sees.
const UNSEEN: [&str; 5] = ["program/threads", "/layer", "/draggable", "/rotation_style", "/volume"];

/// A signal in words.
pub(super) fn named(signal: &str) -> String {
    match signal.strip_prefix(EVENTS).and_then(|event| event.split_once(':')) {
        Some((kind, name)) => says::happening(kind, &Value::String(name.to_owned())),
        None => says::thing(signal),
    }
}

/// What a signal was after so many ticks, in words.
pub(super) fn told(run: &TraceRun, signal: &str, after: u64) -> String {
    match value(run, signal, after) {
        None => "not there".to_owned(),
        Some(count) if signal.starts_with(EVENTS) => says::times(count.as_u64().unwrap_or_default()),
        Some(value) => shown(&value),
    }
}

/// A value for people: numbers with two digits behind the point at most, and no quotes around those that the project has as text, nor
/// around lists.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_f64() => {
            number.as_f64().map_or_else(|| number.to_string(), |number| ((number * 100.0).round() / 100.0).to_string())
        }
        Value::String(text) if text.starts_with('[') => text.clone(),
        _ => says::shown(value),
    }
}

/// Whether two runs show the same of a signal.
pub(super) fn agree(gold: &TraceRun, buggy: &TraceRun, signal: &str, after: u64) -> bool {
    match (value(gold, signal, after), value(buggy, signal, after)) {
        (Some(one), Some(other)) => same(&one, &other),
        (one, other) => one == other,
    }
}

/// All signals of two runs that people can see, each event by its name.
pub(super) fn seen_in(gold: &TraceRun, buggy: &TraceRun) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (signal, column) in gold.signals.iter().chain(&buggy.signals) {
        if UNSEEN.iter().any(|hidden| signal.ends_with(hidden)) {
            continue;
        }
        if signal.starts_with(EVENTS) {
            let names = column.v.iter().map(|name| name.as_str().map_or_else(|| name.to_string(), str::to_owned));
            found.extend(names.map(|name| format!("{signal}:{name}")));
        } else {
            found.insert(signal.clone());
        }
    }
    found
}

/// Checkpoints of two runs up to a tick.
pub(super) fn checkpoints(every: u64, until: u64) -> impl Iterator<Item = u64> {
    let every = every.max(1);
    (1..=until / every).map(move |number| number * every)
}
