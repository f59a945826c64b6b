//! How far a run lies from gold's (ScratchEval, section 5.5): the mean, over checkpoints and signals, of how much they differ, 0 for the
//! same and 1 for as different as can be. Which runs are compared is not known here.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::suite::{number, same};
use crate::model::{Column, EVENTS, TraceRun};

/// The stage's width and height, in steps.
const STAGE: (f64, f64) = (480.0, 360.0);
/// Directions that are as far apart as can be, in degrees.
const HALF_TURN: f64 = 180.0;
/// The size, in percent, from which on differences of size count in part.
const FULL_SIZE: f64 = 100.0;

/// Signals of targets that behaviour is in, by their last part.
const BEHAVIOUR: [&str; 7] = ["x", "y", "direction", "size", "visible", "costume", "bubble"];
/// Happenings that behaviour is in, by their kind: messages, and what is said, thought and asked.
const BEHAVIOUR_EVENTS: [&str; 4] = ["broadcast", "say", "think", "question"];

/// Two runs of one scenario under one seed.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// The scenario: each has the same weight, under however many seeds it ran.
    pub scenario: &'a str,
    pub run: &'a TraceRun,
    pub golden: &'a TraceRun,
    /// Ticks of the scenario.
    pub length: u64,
}

/// Signals of runs that take two values or more in one of them. A happening is a signal by its kind and name, such as
/// `events/broadcast:game over`; clones one by one, and figures of the machine, are left out.
fn active<'a>(runs: impl IntoIterator<Item = &'a TraceRun>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for run in runs {
        for (signal, column) in &run.signals {
            if let Some(kind) = signal.strip_prefix(EVENTS) {
                let names =
                    column.v.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
                found.extend(names.filter(|name| !name.contains('#')).map(|name| format!("{EVENTS}{kind}:{name}")));
            } else if is_constant_kind(signal) && varies(column) {
                found.insert(signal.clone());
            }
        }
    }
    found
}

/// Signals that tell of runs: the active ones, and of each pair those that are constant in both runs and not the same, as of a value that is
/// never set back, or of a sprite that never shows. One that is constant in both says nothing where they agree.
pub fn telling<'a>(
    runs: impl IntoIterator<Item = &'a TraceRun>,
    pairs: impl IntoIterator<Item = (&'a TraceRun, &'a TraceRun)>,
) -> BTreeSet<String> {
    let mut found = active(runs);
    // A column begins at the first look, not at the first tick.
    let first =
        |run: &TraceRun, signal: &str| run.signals.get(signal).and_then(|it| it.v.first().cloned()).unwrap_or_default();
    for (one, other) in pairs {
        let all: BTreeSet<&String> = one.signals.keys().chain(other.signals.keys()).collect();
        let differs = |signal: &&String| is_constant_kind(signal) && !same(&first(one, signal), &first(other, signal));
        found.extend(all.into_iter().filter(differs).cloned());
    }
    found
}

/// Whether a signal has a value at each moment, and is neither a clone's nor a figure of the machine.
fn is_constant_kind(signal: &str) -> bool {
    !signal.starts_with(EVENTS) && !signal.starts_with("program/") && !signal.contains('#')
}

/// Whether people see or hear a signal, or its messages and clones make the project go on: the pose, costume, visibility and speech of
/// sprites, the backdrop, broadcasts, questions and clones. Variables are not among them: which of those count, the project tells.
pub fn is_behaviour(signal: &str) -> bool {
    if let Some(event) = signal.strip_prefix(EVENTS) {
        let kind = event.split(':').next().unwrap_or_default();
        return BEHAVIOUR_EVENTS.contains(&kind);
    }
    let Some((target, what)) = signal.split_once('/') else { return false };
    target == "clones" || BEHAVIOUR.contains(&what)
}

fn varies(column: &Column) -> bool {
    column.v.iter().any(|value| !same(value, &column.v[0]))
}

/// The mean distance of runs from gold's over scenarios and these signals, looked at every so many ticks; `None` without signals or runs.
pub fn drift(pairs: &[Pair<'_>], signals: &BTreeSet<String>, every: u64) -> Option<f64> {
    mean(&drift_by_signal(pairs, signals, every).into_values().collect::<Vec<_>>())
}

/// The same, signal by signal.
pub fn drift_by_signal(pairs: &[Pair<'_>], signals: &BTreeSet<String>, every: u64) -> BTreeMap<String, f64> {
    let mut scenarios: BTreeMap<&str, Vec<&Pair<'_>>> = BTreeMap::new();
    for pair in pairs {
        scenarios.entry(pair.scenario).or_default().push(pair);
    }
    let of = |signal: &String| {
        let under_seeds =
            |pairs: &Vec<&Pair<'_>>| mean(&pairs.iter().map(|pair| pair.of(signal, every)).collect::<Vec<_>>());
        mean(&scenarios.values().filter_map(under_seeds).collect::<Vec<_>>())
    };
    signals.iter().filter_map(|signal| Some((signal.clone(), of(signal)?))).collect()
}

#[expect(clippy::cast_precision_loss, reason = "values are few")]
fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

impl Pair<'_> {
    /// The mean distance of one signal over the checkpoints of the scenario.
    fn of(&self, signal: &str, every: u64) -> f64 {
        let every = every.max(1);
        let checkpoints = (1..=(self.length / every).max(1)).map(|at| at * every);
        if let Some((kind, name)) = signal.strip_prefix(EVENTS).and_then(|event| event.split_once(':')) {
            let count = |run, after: u64| happened(run, kind, name, after.saturating_sub(every)..after);
            let each = checkpoints.map(|after| share(count(self.run, after), count(self.golden, after)));
            return mean(&each.collect::<Vec<_>>()).unwrap_or_default();
        }
        let measure = Measure::of(signal, self.golden);
        let shown = |run: &TraceRun, after| run.signals.get(signal).and_then(|it| it.after(after)).cloned();
        let each: Vec<f64> =
            checkpoints.map(|after| measure.distance(shown(self.run, after), shown(self.golden, after))).collect();
        mean(&each).unwrap_or_default()
    }
}

/// How often something happened in a window of ticks; messages in any case.
#[expect(clippy::cast_precision_loss, reason = "happenings are few")]
fn happened(run: &TraceRun, kind: &str, name: &str, window: std::ops::Range<u64>) -> f64 {
    let Some(column) = run.signals.get(&format!("{EVENTS}{kind}")) else { return 0.0 };
    let is = |value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text == name || kind == "broadcast" && text.to_lowercase() == name.to_lowercase()
    };
    column.t.iter().zip(&column.v).filter(|(tick, value)| window.contains(tick) && is(value)).count() as f64
}

/// |n − m| / max(n, m), 0 if both are 0.
fn share(one: f64, other: f64) -> f64 {
    let most = one.max(other);
    if most > 0.0 { (one - other).abs() / most } else { 0.0 }
}

/// How values of a signal are compared.
enum Measure {
    /// Steps that are as far apart as can be.
    Place(f64),
    Direction,
    Size,
    Clones,
    List,
    /// Gold's range in the run.
    Variable(f64),
    Same,
}

impl Measure {
    fn of(signal: &str, golden: &TraceRun) -> Self {
        if signal.starts_with("clones/") {
            return Self::Clones;
        }
        if signal.contains("/list/") {
            return Self::List;
        }
        if signal.contains("/variable/") {
            let column = golden.signals.get(signal);
            let numbers: Vec<f64> = column.iter().flat_map(|column| &column.v).filter_map(number).collect();
            let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            return Self::Variable((high - low).max(1.0));
        }
        match signal.rsplit('/').next().unwrap_or_default() {
            "x" => Self::Place(STAGE.0),
            "y" => Self::Place(STAGE.1),
            "direction" => Self::Direction,
            "size" => Self::Size,
            _ => Self::Same,
        }
    }

    fn distance(&self, shown: Option<Value>, golden: Option<Value>) -> f64 {
        if let Self::Clones = self {
            let count = |value: Option<Value>| value.as_ref().and_then(number).unwrap_or_default();
            return share(count(shown), count(golden));
        }
        match (shown, golden) {
            (None, None) => 0.0,
            (Some(shown), Some(golden)) => self.between(&shown, &golden),
            _ => 1.0,
        }
    }

    fn between(&self, shown: &Value, golden: &Value) -> f64 {
        if let Self::List = self {
            return items(shown, golden).unwrap_or_else(|| differ(shown, golden));
        }
        let (Some(one), Some(other)) = (number(shown), number(golden)) else { return differ(shown, golden) };
        let apart = (one - other).abs();
        let part = match self {
            Self::Place(most) | Self::Variable(most) => apart / most,
            Self::Direction => (apart % (2.0 * HALF_TURN)).min(2.0 * HALF_TURN - apart % (2.0 * HALF_TURN)) / HALF_TURN,
            Self::Size => apart / other.abs().max(FULL_SIZE),
            _ => return differ(shown, golden),
        };
        // Infinities have no distance.
        if part.is_finite() { part.min(1.0) } else { differ(shown, golden) }
    }
}

fn differ(one: &Value, other: &Value) -> f64 {
    if same(one, other) { 0.0 } else { 1.0 }
}

/// The share of positions at which two lists differ, of the longer one; `None` where only digests are known.
#[expect(clippy::cast_precision_loss, reason = "traces have short lists")]
fn items(one: &Value, other: &Value) -> Option<f64> {
    let list = |value: &Value| serde_json::from_str::<Vec<Value>>(value.as_str()?).ok();
    let (one, other) = (list(one)?, list(other)?);
    let longer = one.len().max(other.len());
    let equal = one.iter().zip(&other).filter(|(one, other)| same(one, other)).count();
    Some(if longer == 0 { 0.0 } else { (longer - equal) as f64 / longer as f64 })
}

#[cfg(test)]
#[path = "drift_tests.rs"]
mod tests;
