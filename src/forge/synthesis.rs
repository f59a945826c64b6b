//! Assertions by comparing runs (ScratchEval, section 4.4 and Algorithm 3): features of gold's runs that the buggy project's runs do not
//! share. Constants come from gold's runs alone. Which of them make a suite, `choosing` says.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::rules::Rules;
use crate::grade::suite::{extremes, number, same, share, ticks_of};
use crate::model::{EVENTS, Feature, TraceRun};

/// Signals that say nothing about what a person sees or a program keeps.
const NEVER_ASSERTED: [&str; 4] = ["layer", "draggable", "volume", "rotation_style"];
/// Ticks that something may come later than in gold's latest run.
const LATENESS: u64 = 60;
/// The part of gold's range that a bound lies beyond its extreme, and the least distance.
const MARGIN: (f64, f64) = (0.1, 1.0);

/// A feature that tells gold from the buggy project.
#[derive(Debug, Clone, PartialEq)]
pub struct Telling {
    pub feature: Feature,
    pub p_golden: f64,
    pub p_buggy: f64,
    /// Checkpoints around its own at which gold shows the same; 0 for features without one.
    pub plateau: u64,
}

/// The runs of one scenario.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    pub golden: &'a [&'a TraceRun],
    pub buggy: &'a [&'a TraceRun],
    /// Ticks of the scenario.
    pub length: u64,
    /// Messages that must not be asserted.
    pub silent: &'a BTreeSet<String>,
    /// Values that signals take in any of gold's runs, in other scenarios too.
    pub values: &'a BTreeMap<String, Vec<Value>>,
}

/// All features that tell them apart; at most the best few of a kind and signal.
pub fn synthesise(compared: &Compared<'_>, rules: &Rules) -> Vec<Telling> {
    let maker = Maker { compared, rules };
    let mut found = Vec::new();
    for signal in compared.signals() {
        maker.values(&signal, &mut found);
    }
    for (event, name) in compared.events() {
        maker.happenings(&event, &name, &mut found);
    }
    maker.order(&mut found);
    found
}

impl Compared<'_> {
    /// Signals that may be asserted, of gold's runs.
    fn signals(&self) -> BTreeSet<String> {
        let all = self.golden.iter().flat_map(|run| run.signals.keys());
        let may = |signal: &&String| {
            let last = signal.rsplit('/').next().unwrap_or_default();
            let is_own = signal.starts_with(EVENTS) || signal.contains('#') || signal.as_str() == "program/threads";
            let is_variable = signal.contains("/variable/") || signal.contains("/list/");
            !is_own && (is_variable || !NEVER_ASSERTED.contains(&last))
        };
        all.filter(may).cloned().collect()
    }

    /// Events of gold's runs and the messages that the buggy project's runs send: kind and what happened.
    fn events(&self) -> BTreeSet<(String, String)> {
        let mut found = BTreeSet::new();
        for run in self.golden {
            for (signal, column) in &run.signals {
                let Some(event) = signal.strip_prefix(EVENTS) else { continue };
                for name in column.v.iter().filter_map(Value::as_str) {
                    let is_silent = event == "broadcast" && self.silent.contains(&name.to_lowercase());
                    if event != "clone" && !name.contains('#') && !is_silent {
                        found.insert((event.to_owned(), name.to_owned()));
                    }
                }
            }
        }
        found
    }
}

struct Maker<'a> {
    compared: &'a Compared<'a>,
    rules: &'a Rules,
}

impl Maker<'_> {
    /// Notes a feature if it tells the projects apart.
    fn offer(&self, feature: Feature, plateau: u64, found: &mut Vec<Telling>) -> bool {
        let (every, (pass, fail)) = (self.rules.every, self.rules.theta);
        let p_golden = share(&feature, self.compared.golden, every);
        if p_golden < pass {
            return false;
        }
        let p_buggy = share(&feature, self.compared.buggy, every);
        if p_buggy > fail {
            return false;
        }
        found.push(Telling { feature, p_golden, p_buggy, plateau });
        true
    }

    /// Ended ticks of the checkpoints of the scenario.
    fn checkpoints(&self) -> impl DoubleEndedIterator<Item = u64> + use<> {
        let every = self.rules.every;
        (1..=self.compared.length / every).map(move |number| number * every)
    }

    /// Ended ticks of the last checkpoint.
    fn last(&self) -> u64 {
        self.compared.length / self.rules.every * self.rules.every
    }

    fn values(&self, signal: &str, found: &mut Vec<Telling>) {
        self.equals(signal, found);
        self.reached(signal, found);
        self.never(signal, found);
        self.changed(signal, found);
        self.bounds(signal, found);
    }

    /// What most seeds show after so many ticks.
    fn common(&self, signal: &str, after: u64) -> Option<Value> {
        let mut counts: Vec<(Value, usize)> = Vec::new();
        for run in self.compared.golden {
            let value = run.signals.get(signal)?.after(after)?;
            match counts.iter_mut().find(|(known, _)| same(known, value)) {
                Some((_, count)) => *count += 1,
                None => counts.push((value.clone(), 1)),
            }
        }
        let mut best: Option<(Value, usize)> = None;
        for (value, count) in counts {
            if best.as_ref().is_none_or(|(_, most)| count > *most) {
                best = Some((value, count));
            }
        }
        best.map(|(value, _)| value)
    }

    /// The value in the middle of each plateau that tells, the longest one first.
    fn equals(&self, signal: &str, found: &mut Vec<Telling>) {
        let shown: Vec<(u64, Option<Value>)> =
            self.checkpoints().map(|after| (after, self.common(signal, after))).collect();
        let mut plateaus: Vec<(u64, usize, Value)> = Vec::new();
        let mut begin = 0;
        for at in 1..=shown.len() {
            let goes_on = shown.get(at).is_some_and(|(_, value)| match (value, &shown[begin].1) {
                (Some(one), Some(other)) => same(one, other),
                _ => false,
            });
            if goes_on {
                continue;
            }
            if let Some(value) = &shown[begin].1
                && at - begin >= 3
            {
                plateaus.push(((at - begin) as u64, begin, value.clone()));
            }
            begin = at;
        }
        plateaus.sort_by_key(|(length, begin, _)| (std::cmp::Reverse(*length), *begin));
        let mut kept = 0;
        for (length, begin, value) in plateaus {
            // The first checkpoint within the plateau at which they differ for all seeds: the symptom is there from then on.
            for inner in 1..length - 1 {
                let after = shown[begin + usize::try_from(inner).unwrap_or_default()].0;
                let feature = Feature::Equals { signal: signal.to_owned(), after, value: value.clone() };
                if self.offer(feature, length, found) {
                    kept += 1;
                    break;
                }
            }
            if kept == 2 {
                break;
            }
        }
    }

    fn reached(&self, signal: &str, found: &mut Vec<Telling>) {
        let mut seen: Vec<Value> = Vec::new();
        let Some(first) = self.compared.golden.first().and_then(|run| run.signals.get(signal)) else { return };
        // The value at the beginning is no achievement.
        for value in first.v.iter().skip(1) {
            if seen.iter().any(|known| same(known, value)) {
                continue;
            }
            seen.push(value.clone());
            let Some(latest) = self.latest(signal, value) else { continue };
            let by = self.rounded(latest + LATENESS);
            let feature = Feature::Reached { signal: signal.to_owned(), value: value.clone(), by };
            if self.offer(feature, 0, found) {
                return;
            }
        }
    }

    /// The latest over all runs in which a value shows for the first time, in ended ticks; `None` if one never shows it.
    fn latest(&self, signal: &str, value: &Value) -> Option<u64> {
        let first = |run: &&TraceRun| {
            let column = run.signals.get(signal)?;
            let at = column.v.iter().position(|shown| same(shown, value))?;
            Some(column.t[at] + 1)
        };
        let each: Option<Vec<u64>> = self.compared.golden.iter().map(first).collect();
        each?.into_iter().max()
    }

    /// Rounded up to a checkpoint, within the scenario.
    fn rounded(&self, ticks: u64) -> u64 {
        let every = self.rules.every;
        (ticks.div_ceil(every) * every).min(self.last())
    }

    fn never(&self, signal: &str, found: &mut Vec<Telling>) {
        let until = self.last();
        for value in self.compared.values.get(signal).into_iter().flatten() {
            let feature = Feature::Never { signal: signal.to_owned(), value: value.clone(), until };
            if self.offer(feature, 0, found) {
                return;
            }
        }
    }

    fn changed(&self, signal: &str, found: &mut Vec<Telling>) {
        let to = self.last();
        for is_same in [false, true] {
            let feature = Feature::Changed { signal: signal.to_owned(), from: self.rules.every, to, same: is_same };
            self.offer(feature, 0, found);
        }
    }

    /// Bounds beyond what gold shows, at the first checkpoint that tells.
    fn bounds(&self, signal: &str, found: &mut Vec<Telling>) {
        let numbers = self.compared.golden.iter().filter_map(|run| run.signals.get(signal));
        let all: Vec<f64> = numbers.flat_map(|column| &column.v).filter_map(number).collect();
        let (low, high) = extremes(&all);
        if all.is_empty() {
            return;
        }
        let margin = MARGIN.1.max(MARGIN.0 * (high - low));
        for is_upper in [true, false] {
            for after in self.checkpoints() {
                if self.bound(signal, after, (is_upper, margin), found) {
                    break;
                }
            }
        }
    }

    /// A bound beyond what all of gold's runs show at a checkpoint; whether it tells.
    fn bound(&self, signal: &str, after: u64, (is_upper, margin): (bool, f64), found: &mut Vec<Telling>) -> bool {
        let runs = self.compared.golden;
        let shown: Vec<f64> = runs.iter().filter_map(|run| number(run.signals.get(signal)?.after(after)?)).collect();
        if shown.len() < runs.len() {
            return false;
        }
        let ((low, high), signal) = (extremes(&shown), signal.to_owned());
        let feature = if is_upper {
            Feature::AtMost { signal, after, bound: high + margin }
        } else {
            Feature::AtLeast { signal, after, bound: low - margin }
        };
        self.offer(feature, 0, found)
    }

    fn happenings(&self, event: &str, name: &str, found: &mut Vec<Telling>) {
        let value = Value::String(name.to_owned());
        let golden: Vec<Vec<u64>> =
            self.compared.golden.iter().map(|run| ticks_of(run, event, &value).collect()).collect();
        self.counts(event, &value, &golden, found);
        let least = golden.iter().map(Vec::len).min().unwrap_or_default();
        for n in [1, least].into_iter().filter(|n| *n >= 1 && *n <= least) {
            let latest = golden.iter().filter_map(|ticks| ticks.get(n - 1)).max().copied().unwrap_or_default() + 1;
            let by = self.rounded(latest + LATENESS);
            let feature = Feature::Event { event: event.to_owned(), name: value.clone(), by, n: n as u64 };
            if self.offer(feature, 0, found) {
                break;
            }
        }
        if golden.iter().all(Vec::is_empty) {
            let until = self.last();
            self.offer(Feature::NeverEvent { event: event.to_owned(), name: value, until }, 0, found);
        }
    }

    /// Exact counts in the middle of the longest plateau that tells.
    fn counts(&self, event: &str, value: &Value, golden: &[Vec<u64>], found: &mut Vec<Telling>) {
        let Some(first) = golden.first() else { return };
        let count = |after: u64| first.partition_point(|tick| *tick < after) as u64;
        let checkpoints: Vec<u64> = self.checkpoints().collect();
        let mut plateaus: Vec<(u64, u64)> = Vec::new();
        let mut begin = 0;
        for at in 1..=checkpoints.len() {
            if checkpoints.get(at).is_some_and(|after| count(*after) == count(checkpoints[begin])) {
                continue;
            }
            if at - begin >= 3 {
                plateaus.push(((at - begin) as u64, checkpoints[begin + 1]));
            }
            begin = at;
        }
        plateaus.sort_by_key(|(length, after)| (std::cmp::Reverse(*length), *after));
        for (length, begin) in plateaus {
            let inner = (0..length - 2).map(|number| begin + number * self.rules.every);
            let told = inner.into_iter().any(|after| {
                let (event, name) = (event.to_owned(), value.clone());
                self.offer(Feature::EventCount { event, name, after, n: count(after) }, length, found)
            });
            if told {
                break;
            }
        }
    }

    /// Which of two messages comes first.
    fn order(&self, found: &mut Vec<Telling>) {
        let events = self.compared.events();
        let messages: Vec<&String> =
            events.iter().filter(|(event, _)| event == "broadcast").map(|(_, name)| name).collect();
        for first in &messages {
            for second in messages.iter().filter(|second| *second != first) {
                let feature = Feature::Before {
                    event: "broadcast".to_owned(),
                    first: Value::String((*first).clone()),
                    second: Value::String((*second).clone()),
                };
                self.offer(feature, 0, found);
            }
        }
    }
}
