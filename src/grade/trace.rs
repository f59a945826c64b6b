//! Where two traces of judged runs first differ. What a trace is, `model` says.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::{Column, EVENTS, Trace, TraceRun};

/// Where two traces first differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceDifference {
    /// Number of the run, from 0.
    pub run: usize,
    pub tick: u64,
    /// The signal; `ticks` if one run is longer, `runs` if one trace has more of them.
    pub signal: String,
    /// The value in the first trace; for an event, all that happened at this tick.
    pub left: Value,
    /// The same in the second trace.
    pub right: Value,
}

/// What changed when. A value that is written again without a change counts once, unless it is an event.
fn changes(column: &Column, event: bool) -> Vec<(u64, &Value)> {
    let mut changes: Vec<(u64, &Value)> = column.t.iter().copied().zip(&column.v).collect();
    if !event {
        changes.dedup_by(|(_, later), (_, earlier)| same(later, earlier));
    }
    changes
}

/// The value at a tick, or all that happened at it.
fn at(column: &Column, tick: u64, event: bool) -> Value {
    if event {
        let all = column.t.iter().zip(&column.v);
        return all.filter(|(t, _)| **t == tick).map(|(_, value)| value.clone()).collect();
    }
    column.after(tick + 1).cloned().unwrap_or_default()
}

/// 1 and 1.0 are the same number to Scratch.
fn same(a: &Value, b: &Value) -> bool {
    a == b || a.as_f64().is_some_and(|a| b.as_f64().is_some_and(|b| a.to_bits() == b.to_bits()))
}

/// Whether two runs show the same at the same ticks, as Scratch's `=` takes it: a number and its text are one value, also in lists.
pub fn alike(one: &TraceRun, other: &TraceRun) -> bool {
    let column = |name: &String, column: &Column| {
        let is_event = name.starts_with(EVENTS);
        let mut shown: Vec<(u64, Value)> = column.t.iter().copied().zip(column.v.iter().cloned()).collect();
        if !is_event {
            shown.dedup_by(|(_, later), (_, earlier)| means_the_same(later, earlier));
        }
        shown
    };
    let is_alike = |name: &String| match (one.signals.get(name), other.signals.get(name)) {
        (Some(left), Some(right)) => {
            let (left, right) = (column(name, left), column(name, right));
            let pairs = left.iter().zip(&right);
            left.len() == right.len() && pairs.into_iter().all(|(a, b)| a.0 == b.0 && means_the_same(&a.1, &b.1))
        }
        _ => false,
    };
    one.ticks == other.ticks && one.signals.len() == other.signals.len() && one.signals.keys().all(is_alike)
}

fn means_the_same(one: &Value, other: &Value) -> bool {
    let list =
        |value: &Value| serde_json::from_str::<Vec<Value>>(value.as_str().filter(|text| text.starts_with('['))?).ok();
    match (list(one), list(other)) {
        (Some(one), Some(other)) => {
            one.len() == other.len() && one.iter().zip(&other).all(|(one, other)| super::suite::same(one, other))
        }
        _ => super::suite::same(one, other),
    }
}

/// The first run, tick and signal, in this order, in which two traces differ; `None` if they are equal. Seeds and
/// clocks are not compared.
pub fn first_difference(left: &Trace, right: &Trace) -> Option<TraceDifference> {
    let mut pairs = left.runs.iter().zip(&right.runs).enumerate();
    let within = pairs.find_map(|(run, (left, right))| run_difference(run, left, right));
    let (more, less) = (left.runs.len(), right.runs.len());
    let lengths = || TraceDifference {
        run: more.min(less),
        tick: 0,
        signal: "runs".to_owned(),
        left: more.into(),
        right: less.into(),
    };
    within.or_else(|| (more != less).then(lengths))
}

fn run_difference(run: usize, left: &TraceRun, right: &TraceRun) -> Option<TraceDifference> {
    let names: BTreeSet<&String> = left.signals.keys().chain(right.signals.keys()).collect();
    let empty = Column { t: Vec::new(), v: Vec::new() };
    let differing = names.into_iter().filter_map(|name| {
        let event = name.starts_with(EVENTS);
        let left = left.signals.get(name).unwrap_or(&empty);
        let right = right.signals.get(name).unwrap_or(&empty);
        let tick = column_difference(&changes(left, event), &changes(right, event))?;
        let (left, right) = (at(left, tick, event), at(right, tick, event));
        Some(TraceDifference { run, tick, signal: name.clone(), left, right })
    });
    let longer = (left.ticks != right.ticks).then(|| TraceDifference {
        run,
        tick: left.ticks.min(right.ticks),
        signal: "ticks".to_owned(),
        left: left.ticks.into(),
        right: right.ticks.into(),
    });
    // Of equal ticks the first one is kept, and so the first name.
    differing.chain(longer).min_by_key(|difference| difference.tick)
}

/// The tick of the first change that the two do not share.
fn column_difference(left: &[(u64, &Value)], right: &[(u64, &Value)]) -> Option<u64> {
    let shared = left.iter().zip(right).take_while(|(a, b)| a.0 == b.0 && same(a.1, b.1)).count();
    [left.get(shared), right.get(shared)].into_iter().flatten().map(|(tick, _)| *tick).min()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn trace(signals: &Value, ticks: u64) -> Trace {
        let run = json!({"ticks": ticks, "signals": signals});
        Trace::parse(&json!({"format": 1, "clock": {"kind": "virtual"}, "seed": 1, "runs": [run]}).to_string()).unwrap()
    }

    fn difference(left: &Value, right: &Value) -> Option<(u64, String, Value, Value)> {
        let found = first_difference(&trace(left, 100), &trace(right, 100))?;
        Some((found.tick, found.signal, found.left, found.right))
    }

    #[test]
    fn equal_traces_do_not_differ() {
        let signals = json!({"Cat/x": {"t": [0, 5], "v": [0, 10]}, "events/say": {"t": [7, 7], "v": ["a", "a"]}});
        assert_eq!(difference(&signals, &signals), None);
        assert_eq!(difference(&json!({"x": {"t": [0, 3], "v": [1, 1.0]}}), &json!({"x": {"t": [0], "v": [1]}})), None);
    }

    #[test]
    fn the_first_tick_is_named_with_both_values() {
        let left = json!({"Cat/x": {"t": [0, 5, 9], "v": [0, 10, 20]}, "Cat/y": {"t": [0, 7], "v": [0, 1]}});
        let right = json!({"Cat/x": {"t": [0, 5, 8], "v": [0, 10, 20]}, "Cat/y": {"t": [0, 7], "v": [0, 2]}});
        assert_eq!(difference(&left, &right), Some((7, "Cat/y".to_owned(), json!(1), json!(2))));
        let later = json!({"Cat/x": {"t": [0, 5, 8], "v": [0, 10, 20]}, "Cat/y": {"t": [0, 7], "v": [0, 1]}});
        assert_eq!(difference(&left, &later), Some((8, "Cat/x".to_owned(), json!(10), json!(20))));
    }

    #[test]
    fn events_are_compared_by_all_that_happens_at_a_tick() {
        let left = json!({"events/say": {"t": [3, 3], "v": ["a", "b"]}});
        let right = json!({"events/say": {"t": [3], "v": ["a"]}});
        assert_eq!(difference(&left, &right), Some((3, "events/say".to_owned(), json!(["a", "b"]), json!(["a"]))));
        let twice = json!({"events/say": {"t": [3, 3], "v": ["a", "a"]}});
        assert_eq!(difference(&twice, &right).unwrap().2, json!(["a", "a"]));
        assert_eq!(difference(&left, &json!({})).unwrap().3, json!([]));
    }

    #[test]
    fn lengths_differ_too() {
        let found = first_difference(&trace(&json!({}), 10), &trace(&json!({}), 12)).unwrap();
        assert_eq!((found.tick, found.signal.as_str(), found.left, found.right), (10, "ticks", json!(10), json!(12)));
        let mut longer = trace(&json!({}), 10);
        longer.runs.push(longer.runs[0].clone());
        let found = first_difference(&longer, &trace(&json!({}), 10)).unwrap();
        assert_eq!((found.run, found.signal.as_str()), (1, "runs"));
    }

    #[test]
    fn a_number_and_its_text_are_alike_and_times_are_not() {
        let run = |signals: Value| trace(&signals, 100).runs.remove(0);
        let numbers =
            run(json!({"Stage/variable/n": {"t": [0, 5], "v": [398, 1.5]}, "Stage/list/l": {"t": [0], "v": ["[1,2]"]},
            "events/say": {"t": [3, 3], "v": ["a", "a"]}}));
        let texts = run(
            json!({"Stage/variable/n": {"t": [0, 3, 5], "v": ["398", 398, "1.5"]}, "Stage/list/l": {"t": [0], "v": ["[\"1\",2]"]},
            "events/say": {"t": [3, 3], "v": ["a", "a"]}}),
        );
        assert!(alike(&numbers, &texts) && alike(&texts, &numbers));
        let late =
            run(json!({"Stage/variable/n": {"t": [0, 6], "v": [398, 1.5]}, "Stage/list/l": {"t": [0], "v": ["[1,2]"]},
            "events/say": {"t": [3, 3], "v": ["a", "a"]}}));
        let once =
            run(json!({"Stage/variable/n": {"t": [0, 5], "v": [398, 1.5]}, "Stage/list/l": {"t": [0], "v": ["[1,2]"]},
            "events/say": {"t": [3], "v": ["a"]}}));
        assert!(!alike(&numbers, &late) && !alike(&numbers, &once) && !alike(&numbers, &run(json!({}))));
    }

    proptest! {
        #[test]
        fn the_difference_is_where_a_value_was_changed(values in prop::collection::vec(0..1000_u32, 1..30), at in 0..30_usize) {
            let at = at % values.len();
            let column = |values: &[u32]| {
                let distinct: Vec<u32> = values.iter().enumerate().map(|(i, v)| v * 100 + u32::try_from(i).unwrap()).collect();
                json!({"x": {"t": (0..values.len()).collect::<Vec<_>>(), "v": distinct}})
            };
            let mut other = values.clone();
            other[at] += 1;
            let found = difference(&column(&values), &column(&other)).unwrap();
            prop_assert_eq!(found.0, at as u64);
        }
    }
}
