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

/// Two runs of one scenario under one seed.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    pub run: &'a TraceRun,
    pub golden: &'a TraceRun,
    /// Ticks of the scenario.
    pub length: u64,
}

/// Signals of runs that take two values or more in one of them. A happening is a signal by its kind and name, such as
/// `events/broadcast:game over`; clones one by one, and figures of the machine, are left out.
pub fn active<'a>(runs: impl IntoIterator<Item = &'a TraceRun>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for run in runs {
        for (signal, column) in &run.signals {
            if let Some(kind) = signal.strip_prefix(EVENTS) {
                let names =
                    column.v.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
                found.extend(names.filter(|name| !name.contains('#')).map(|name| format!("{EVENTS}{kind}:{name}")));
            } else if !signal.contains('#') && !signal.starts_with("program/") && varies(column) {
                found.insert(signal.clone());
            }
        }
    }
    found
}

fn varies(column: &Column) -> bool {
    column.v.iter().any(|value| !same(value, &column.v[0]))
}

/// The mean distance of runs from gold's over these signals, looked at every so many ticks; `None` without signals or runs.
pub fn drift(pairs: &[Pair<'_>], signals: &BTreeSet<String>, every: u64) -> Option<f64> {
    let each: Vec<f64> = pairs.iter().flat_map(|pair| signals.iter().map(|signal| pair.of(signal, every))).collect();
    mean(&each)
}

/// The same, signal by signal.
pub fn drift_by_signal(pairs: &[Pair<'_>], signals: &BTreeSet<String>, every: u64) -> BTreeMap<String, f64> {
    let of = |signal: &String| mean(&pairs.iter().map(|pair| pair.of(signal, every)).collect::<Vec<_>>());
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
mod tests {
    use serde_json::json;

    use super::*;

    /// A run that is looked at after 10, 20, 30 and 40 ticks.
    fn run(signals: &Value) -> TraceRun {
        let column = |values: &Value| {
            let values = values.as_array().unwrap();
            let t: Vec<usize> = (0..values.len()).map(|at| at * 10 + 9).collect();
            json!({"t": t, "v": values})
        };
        let columns: serde_json::Map<String, Value> = signals
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, values)| {
                let shown = if name.starts_with(EVENTS) { values.clone() } else { column(values) };
                (name.clone(), shown)
            })
            .collect();
        serde_json::from_value(json!({"ticks": 40, "signals": columns})).unwrap()
    }

    fn drifted(shown: &Value, golden: &Value, signals: &[&str]) -> f64 {
        let (shown, golden) = (run(shown), run(golden));
        let pair = Pair { run: &shown, golden: &golden, length: 40 };
        let signals = signals.iter().map(|signal| (*signal).to_owned()).collect();
        drift(&[pair], &signals, 10).unwrap()
    }

    #[track_caller]
    fn near(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-12, "{one} and {other}");
    }

    /// The worked example of section 5.5.
    #[test]
    fn the_example_of_the_specification() {
        let golden = json!({"Stage/variable/score": [0, 1, 2, 3], "Moth/x": [0, 10, 20, 30], "Moth/visible": [true, true, true, false],
            "events/broadcast": {"t": [35], "v": ["win"]}});
        let shown = json!({"Stage/variable/score": [0, 1, 1, 2], "Moth/x": [0, 10, 44, 54], "Moth/visible": [true, true, true, true]});
        let of = |signal| drifted(&shown, &golden, &[signal]);
        near(of("Stage/variable/score"), 2.0 / 3.0 / 4.0);
        near(of("Moth/x"), 0.025);
        near(of("Moth/visible"), 0.25);
        near(of("events/broadcast:win"), 0.25);
        let all = ["Stage/variable/score", "Moth/x", "Moth/visible", "events/broadcast:win"];
        near(drifted(&shown, &golden, &all), (1.0 / 6.0 + 0.025 + 0.25 + 0.25) / 4.0);
        assert_eq!(format!("{:.3}", drifted(&shown, &golden, &all)), "0.173");
        near(drifted(&golden, &golden, &all), 0.0);
    }

    #[test]
    fn each_kind_of_signal_has_its_measure() {
        let of = |signal: &str, shown: Value, golden: Value| {
            drifted(&json!({signal: [shown]}), &json!({signal: [golden]}), &[signal])
        };
        near(of("Moth/direction", json!(170), json!(-170)), 20.0 / 180.0);
        near(of("Moth/direction", json!(-90), json!(90)), 1.0);
        near(of("Moth/size", json!(150), json!(100)), 0.5);
        near(of("Moth/size", json!(150), json!(300)), 0.5);
        near(of("Moth/y", json!(5000), json!(0)), 1.0);
        near(of("Moth/costume", json!("up"), json!("down")), 1.0);
        near(of("clones/Moth", json!(3), json!(4)), 0.25);
        near(of("Stage/list/items", json!("[1,2,3]"), json!("[1,5,3,4]")), 0.5);
        near(of("Stage/list/items", json!("400 items, ab"), json!("[1]")), 1.0);
        near(of("Stage/variable/name", json!("Ann"), json!("ann")), 0.0);
        near(of("Stage/variable/name", json!("Infinity"), json!(3)), 1.0);
        near(drifted(&json!({}), &json!({"Moth/x": [1]}), &["Moth/x"]), 1.0);
        near(drifted(&json!({}), &json!({"clones/Moth": [0]}), &["clones/Moth"]), 0.0);
    }

    #[test]
    fn resting_signals_and_clones_one_by_one_are_not_active() {
        let seen = run(&json!({"Moth/x": [1, 2], "Moth/y": [3, 3.0], "Moth#1/x": [1, 2], "program/threads": [1, 2],
            "events/say": {"t": [3, 5], "v": ["Moth: hi", "Moth#1: hi"]}}));
        assert_eq!(active([&seen]), BTreeSet::from(["Moth/x".to_owned(), "events/say:Moth: hi".to_owned()]));
        assert_eq!(drift(&[], &active([&seen]), 10), None);
        assert_eq!(drift_by_signal(&[Pair { run: &seen, golden: &seen, length: 20 }], &active([&seen]), 10).len(), 2);
    }
}
