//! Whether what a suite asserts holds in the trace of a run (ScratchEval, section 4.4), and how often it does. How assertions are found
//! is not known here.

use std::collections::BTreeMap;

use serde_json::Value;

use super::course::Course;
use crate::model::{Assertion, Column, EVENTS, Feature, TraceRun};

/// How far numbers may be apart that count as equal: this, or a millionth of the value.
const NEAR: f64 = 0.01;
/// The part of a value by which numbers may be apart.
const NEAR_PART: f64 = 1e-6;
/// The signal of a run that has changes for which its trace had no room: such a run proves nothing.
const BEYOND: &str = "program#/beyond";

/// Whether two values are equal as Scratch's `=` takes it: `"0"` is 0, case does not count; numbers may be a little apart.
pub fn same(one: &Value, other: &Value) -> bool {
    match (number(one), number(other)) {
        // Infinities are as far from themselves as from all else.
        (Some(one), Some(other)) => {
            one.to_bits() == other.to_bits() || (one - other).abs() <= NEAR.max(NEAR_PART * other.abs())
        }
        _ if one.is_null() || other.is_null() => one == other,
        _ => text(one).to_lowercase() == text(other).to_lowercase(),
    }
}

/// The number that a value is to Scratch's `=`; white space is none.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Value::String(text) => number_of_text(text),
        _ => None,
    }
}

/// The number that JavaScript takes a text for: other bases and `Infinity` are numbers to it, `inf` is none.
fn number_of_text(text: &str) -> Option<f64> {
    let text = text.trim_matches(|character: char| {
        (character.is_whitespace() && character != '\u{85}') || character == '\u{feff}'
    });
    let of_base = |prefix: [&str; 2], base: u32| {
        let digits = prefix.into_iter().find_map(|prefix| text.strip_prefix(prefix))?;
        let number = |sum: f64, digit: char| Some(sum * f64::from(base) + f64::from(digit.to_digit(base)?));
        if digits.is_empty() { None } else { digits.chars().try_fold(0.0, number) }
    };
    match text.strip_prefix(['+', '-']).unwrap_or(text) {
        "Infinity" => text.parse().ok(),
        plain if plain.starts_with(|first: char| first.is_ascii_digit() || first == '.') => {
            let bases = [(["0x", "0X"], 16), (["0b", "0B"], 2), (["0o", "0O"], 8)];
            text.parse().ok().or_else(|| bases.into_iter().find_map(|(prefix, base)| of_base(prefix, base)))
        }
        _ => None,
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Whether a feature holds in a run that was looked at every so many ticks.
pub fn holds(feature: &Feature, run: &TraceRun, every: u64) -> bool {
    // What came after the trace was full is not known.
    if run.signals.contains_key(BEYOND) {
        return false;
    }
    let seen = Seen { run, every };
    match feature {
        Feature::Equals { signal, after, value } => seen.after(signal, *after).is_some_and(|shown| same(shown, value)),
        Feature::EventCount { event, name, after, n } => seen.count(event, name, *after) == *n,
        Feature::Event { event, name, by, n } => seen.count(event, name, *by) >= *n,
        Feature::Reached { signal, value, by } => seen.shows(signal, value, *by),
        Feature::Never { signal, value, until } => !seen.shows(signal, value, *until),
        Feature::NeverEvent { event, name, until } => seen.count(event, name, *until) == 0,
        Feature::Changed { signal, from, to, same: is_same } => {
            match (seen.after(signal, *from), seen.after(signal, *to)) {
                (Some(before), Some(later)) => same(before, later) == *is_same,
                _ => false,
            }
        }
        Feature::AtMost { signal, after, bound } => seen.number(signal, *after).is_some_and(|shown| shown <= *bound),
        Feature::AtLeast { signal, after, bound } => seen.number(signal, *after).is_some_and(|shown| shown >= *bound),
        Feature::Before { event, first, second } => match (seen.first(event, first), seen.first(event, second)) {
            (Some(first), Some(second)) => first < second,
            _ => false,
        },
        Feature::Only { signal, values, until } => {
            let strange = |shown: &Value| !values.iter().any(|known| same(shown, known));
            let shown = shown_until(run, signal, *until, every);
            !shown.is_empty() && !shown.windows(2).any(|pair| strange(pair[0]) && strange(pair[1]))
        }
        Feature::Spans { signal, low, high, margin, until } => {
            numbers_until(run, signal, *until, every).is_some_and(|shown| {
                let (least, greatest) = extremes(&shown);
                (least - low).abs() <= *margin && (greatest - high).abs() <= *margin
            })
        }
        Feature::Travels { signal, way, margin, until } => {
            let shown = numbers_until(run, signal, *until, every);
            shown.is_some_and(|shown| (travelled(&shown) - way).abs() <= *margin)
        }
        Feature::Follows { signal, gold, margin, shift, until } => {
            let gold = Course::of_column(Some(gold), *until, every);
            gold.is_followed(&Course::of(run, signal, *until, every), *margin, *shift / every.max(1))
        }
    }
}

/// What a signal shows at the checkpoints up to so many ticks, in turn; a run that ended before keeps its last.
pub fn shown_until<'a>(run: &'a TraceRun, signal: &str, until: u64, every: u64) -> Vec<&'a Value> {
    let Some(column) = run.signals.get(signal) else { return Vec::new() };
    checkpoints(until, every).filter_map(|after| column.after(after)).collect()
}

/// The checkpoints up to so many ticks, every so many of them.
pub fn checkpoints(until: u64, every: u64) -> impl Iterator<Item = u64> {
    let every = every.max(1);
    (1..=until / every).map(move |number| number * every)
}

/// The same of a number; `None` where there is none, or something else as well.
pub fn numbers_until(run: &TraceRun, signal: &str, until: u64, every: u64) -> Option<Vec<f64>> {
    let numbers: Option<Vec<f64>> = shown_until(run, signal, until, every).into_iter().map(number).collect();
    numbers.filter(|numbers| !numbers.is_empty())
}

/// The least and the greatest number.
pub fn extremes(numbers: &[f64]) -> (f64, f64) {
    numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(*number), high.max(*number)))
}

/// How far a number goes, up and down, through these.
pub fn travelled(numbers: &[f64]) -> f64 {
    numbers.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum()
}

/// The share of runs in which a feature holds, 0 to 1; 0 of none.
pub fn share(feature: &Feature, runs: &[&TraceRun], every: u64) -> f64 {
    let holding = runs.iter().filter(|run| holds(feature, run, every)).count();
    ratio(holding, runs.len())
}

/// The share of reruns in which all assertions hold (ScratchEval, section 3.5: pass rate). Each rerun has a run of every scenario that
/// something is asserted of; without one, nothing of it holds.
pub fn pass_rate(assertions: &[Assertion], reruns: &[BTreeMap<String, &TraceRun>], every: u64) -> f64 {
    let passes = |runs: &&BTreeMap<String, &TraceRun>| {
        assertions.iter().all(|one| runs.get(&one.scenario).is_some_and(|run| holds(&one.feature, run, every)))
    };
    ratio(reruns.iter().filter(passes).count(), reruns.len())
}

#[expect(clippy::cast_precision_loss, reason = "reruns are few")]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A run as features ask for it.
struct Seen<'a> {
    run: &'a TraceRun,
    every: u64,
}

impl Seen<'_> {
    fn column(&self, signal: &str) -> Option<&Column> {
        self.run.signals.get(signal)
    }

    /// The value after so many ticks; a run that ended before keeps its last.
    fn after(&self, signal: &str, ticks: u64) -> Option<&Value> {
        self.column(signal)?.after(ticks)
    }

    fn number(&self, signal: &str, ticks: u64) -> Option<f64> {
        number(self.after(signal, ticks)?)
    }

    /// Whether a checkpoint up to then has the value.
    fn shows(&self, signal: &str, value: &Value, by: u64) -> bool {
        let Some(column) = self.column(signal) else { return false };
        let every = self.every.max(1);
        let last = self.run.ticks.min(by);
        let checkpoints = (1..=last / every).map(|number| number * every).chain(std::iter::once(last));
        checkpoints.into_iter().any(|ticks| column.after(ticks).is_some_and(|shown| same(shown, value)))
    }

    /// How often something has happened after so many ticks.
    fn count(&self, event: &str, name: &Value, ticks: u64) -> u64 {
        count(self.run, event, name, ticks)
    }

    /// The tick at which something happened first.
    fn first(&self, event: &str, name: &Value) -> Option<u64> {
        ticks_of(self.run, event, name).next()
    }
}

/// The ticks at which something, such as a message, happened, in their order.
pub fn ticks_of(run: &TraceRun, event: &str, name: &Value) -> impl Iterator<Item = u64> {
    let column = run.signals.get(&format!("{EVENTS}{event}"));
    let all = column.into_iter().flat_map(|column| column.t.iter().zip(&column.v));
    all.filter(move |(_, what)| same(what, name)).map(|(tick, _)| *tick)
}

/// How often something has happened after so many ticks.
pub fn count(run: &TraceRun, event: &str, name: &Value, ticks: u64) -> u64 {
    ticks_of(run, event, name).filter(|tick| *tick < ticks).count() as u64
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    /// A case of the fixture that packs' judges share.
    #[derive(Deserialize)]
    struct Case {
        feature: Value,
        holds: bool,
    }

    #[derive(Deserialize)]
    struct Fixture {
        run: TraceRun,
        every: u64,
        cases: Vec<Case>,
    }

    #[test]
    fn the_shared_cases_hold_or_do_not() {
        let fixture: Fixture = serde_json::from_str(include_str!("../../eval-scripts/test/assertions.json")).unwrap();
        assert!(fixture.cases.len() > 30);
        for case in &fixture.cases {
            let feature: Feature = serde_json::from_value(case.feature.clone()).unwrap();
            assert_eq!(holds(&feature, &fixture.run, fixture.every), case.holds, "{}", case.feature);
        }
    }

    #[test]
    fn values_are_equal_as_in_scratch() {
        for (one, other) in
            [(json!("0"), json!(0)), (json!("A b"), json!("a B")), (json!(1), json!(1.009)), (json!(true), json!(1))]
        {
            assert!(same(&one, &other), "{one} {other}");
        }
        for (one, other) in
            [(json!(""), json!(0)), (json!(1), json!(1.02)), (json!("a"), json!("b")), (json!(null), json!("null"))]
        {
            assert!(!same(&one, &other), "{one} {other}");
        }
        assert!(same(&json!(1e9), &json!(1e9 + 500.0)) && !same(&json!(1e9), &json!(1e9 + 1500.0)));
    }

    #[test]
    fn nothing_holds_in_a_run_whose_trace_was_full_before_its_end() {
        let never = Feature::Never { signal: "x".to_owned(), value: json!(9), until: 20 };
        let column = |value: Value| Column { t: vec![9], v: vec![value] };
        let mut run = TraceRun { ticks: 20, signals: BTreeMap::from([("x".to_owned(), column(json!(1)))]) };
        assert!(holds(&never, &run, 10));
        run.signals.insert(BEYOND.to_owned(), column(json!("1 changes, 0badcafe")));
        assert!(!holds(&never, &run, 10));
    }

    #[test]
    fn the_papers_example_is_reckoned() {
        let run = |score: u64| TraceRun {
            ticks: 2000,
            signals: BTreeMap::from([(
                "Stage/variable/score".to_owned(),
                Column { t: vec![9], v: vec![json!(score)] },
            )]),
        };
        let shares = |scores: [u64; 5]| {
            let runs: Vec<TraceRun> = scores.into_iter().map(run).collect();
            let feature = Feature::Equals { signal: "Stage/variable/score".to_owned(), after: 700, value: json!(0) };
            share(&feature, &runs.iter().collect::<Vec<_>>(), 10)
        };
        assert!((shares([0, 0, 0, 0, 0]) - 1.0).abs() < 1e-9);
        assert!((shares([3, 5, 3, 4, 0]) - 0.2).abs() < 1e-9);
        assert!(shares([3, 5, 3, 4, 2]).abs() < 1e-9);
    }

    #[test]
    fn a_rerun_passes_if_all_holds_in_its_runs() {
        let run = TraceRun {
            ticks: 20,
            signals: BTreeMap::from([("x".to_owned(), Column { t: vec![9], v: vec![json!(1)] })]),
        };
        let asserted = |scenario: &str, value: u64| Assertion {
            id: "a1".to_owned(),
            scenario: scenario.to_owned(),
            feature: Feature::Equals { signal: "x".to_owned(), after: 20, value: json!(value) },
            p_golden: 1.0,
            p_buggy: 0.0,
            says: String::new(),
        };
        let reruns = [BTreeMap::from([("s1".to_owned(), &run)]), BTreeMap::new()];
        assert!((pass_rate(&[asserted("s1", 1)], &reruns, 10) - 0.5).abs() < 1e-9, "the second rerun has no such run");
        assert!(pass_rate(&[asserted("s1", 1), asserted("s1", 2)], &reruns, 10).abs() < 1e-9);
    }
}
