//! The scheduling signals of a probe (EcoScratch, section 2 of our specification): how much a buggy project's runs differ from gold's on
//! one schedule, when first, and whether it can be seen. Triage, not diagnosis. Which runs are compared is not known here.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::drift;
use super::suite::{count, holds, same};
use crate::model::{Assertion, EVENTS, Signals, TraceRun};

/// Version of these formulas: signals of another version are other signals.
pub const VERSION: u32 = 4;
/// A gap below this says that the schedule missed the fault.
pub const MISSED: f64 = 0.05;
/// Signals that the stage shows, by their last part; effects and bubbles too.
const SEEN: [&str; 8] = ["x", "y", "direction", "size", "visible", "costume", "bubble", "layer"];

/// Cutoffs of the flags; `assets/repair/plans.toml` has those that hold.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cutoffs {
    /// `early`: the first difference is at this tick at the latest.
    pub early: u64,
    /// `broad`: at least this share of cells differs.
    pub broad: f64,
    /// `unstable`: at least this share of assertions comes out otherwise under another seed.
    pub unstable: f64,
}

/// A scenario as both projects ran it, one run a seed; the same seeds in both.
#[derive(Debug, Clone)]
pub struct Probed<'a> {
    pub scenario: &'a str,
    /// Ticks that were played.
    pub length: u64,
    pub buggy: Vec<&'a TraceRun>,
    pub golden: Vec<&'a TraceRun>,
}

/// The signals of a probe that was looked at every so many ticks. Pictures are counted elsewhere.
pub fn signals(probes: &[Probed<'_>], assertions: &[Assertion], every: u64, cutoffs: Cutoffs) -> Signals {
    let cells = Cells::of(probes, every.max(1));
    let decided = decided(probes, assertions);
    let (p_b, p_g) = (rate(&decided, |probe| &probe.buggy, every), rate(&decided, |probe| &probe.golden, every));
    let inst = instability(&decided, every);
    let mut found = Signals {
        p_b,
        p_g,
        gap: p_g - p_b,
        mis: cells.mismatch(),
        breadth: share(cells.differing.len(), cells.active.len()),
        div_tick: cells.differing.values().min().copied(),
        inst,
        visible_share: share(cells.differing.keys().filter(|signal| is_seen(signal)).count(), cells.differing.len()),
        differing: cells.in_order(),
        ..Signals::default()
    };
    flag(&mut found, cutoffs);
    found
}

/// The signals of a project that can't be run.
pub fn of_hung(p_g: f64) -> Signals {
    let flags = vec!["early".to_owned(), "broad".to_owned()];
    Signals {
        p_g,
        gap: p_g,
        mis: 1.0,
        breadth: 1.0,
        div_tick: Some(0),
        flags,
        level: 2,
        hung: true,
        ..Signals::default()
    }
}

/// Raises the flags that the figures ask for.
pub fn flag(signals: &mut Signals, cutoffs: Cutoffs) {
    let flags = [
        ("early", signals.hung || signals.div_tick.is_some_and(|tick| tick <= cutoffs.early)),
        ("broad", signals.hung || signals.mis >= cutoffs.broad),
        ("unstable", signals.inst >= cutoffs.unstable),
    ];
    signals.flags = flags.into_iter().filter(|(_, is_up)| *is_up).map(|(name, _)| name.to_owned()).collect();
    signals.level = u8::try_from(signals.flags.len()).unwrap_or(u8::MAX);
}

/// Whether a difference of this signal shows on the stage.
pub fn is_seen(signal: &str) -> bool {
    if let Some(event) = signal.strip_prefix(EVENTS) {
        return event.starts_with("say:") || event.starts_with("think:");
    }
    let Some((_, what)) = signal.split_once('/') else { return false };
    what.starts_with("effect/") || SEEN.contains(&what)
}

/// Assertions that the schedule decides, each with its scenario's runs.
fn decided<'a>(probes: &'a [Probed<'a>], assertions: &'a [Assertion]) -> Vec<(&'a Assertion, &'a Probed<'a>)> {
    let of = |one: &'a Assertion| {
        let probe = probes.iter().find(|probe| probe.scenario == one.scenario)?;
        // One that the whole run decides is decided by a run that was not cut short.
        let whole = probe.golden.first().map_or(probe.length, |run| run.ticks.max(probe.length));
        (one.feature.decided_after().unwrap_or(whole) <= probe.length).then_some((one, probe))
    };
    assertions.iter().filter_map(of).collect()
}

fn rate<'a>(
    decided: &[(&Assertion, &'a Probed<'a>)],
    runs: impl Fn(&'a Probed<'a>) -> &'a Vec<&'a TraceRun>,
    every: u64,
) -> f64 {
    let each = decided.iter().flat_map(|(one, probe)| runs(probe).iter().map(|run| holds(&one.feature, run, every)));
    let each: Vec<bool> = each.collect();
    share(each.iter().filter(|held| **held).count(), each.len())
}

fn instability(decided: &[(&Assertion, &Probed<'_>)], every: u64) -> f64 {
    let differs = |(one, probe): &&(&Assertion, &Probed<'_>)| {
        let mut held = probe.buggy.iter().map(|run| holds(&one.feature, run, every));
        let first = held.next();
        held.any(|other| Some(other) != first)
    };
    share(decided.iter().filter(differs).count(), decided.len())
}

#[expect(clippy::cast_precision_loss, reason = "signals and cells are few")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Stable cells of active signals: where gold has one value under all seeds.
struct Cells {
    /// Active signals, with their scenario.
    active: BTreeSet<(String, String)>,
    /// Signals that differ somewhere, with the first tick at which one does.
    differing: BTreeMap<String, u64>,
    /// Cells, and those that differ, over all seeds.
    all: usize,
    different: usize,
}

impl Cells {
    fn of(probes: &[Probed<'_>], every: u64) -> Self {
        let mut cells = Self { active: BTreeSet::new(), differing: BTreeMap::new(), all: 0, different: 0 };
        for probe in probes {
            for signal in telling(probe) {
                cells.add(probe, &signal, every);
                cells.active.insert((probe.scenario.to_owned(), signal));
            }
        }
        cells.active = cells.active.into_iter().map(|(_, signal)| (String::new(), signal)).collect();
        cells
    }

    fn add(&mut self, probe: &Probed<'_>, signal: &str, every: u64) {
        let golden = |after: u64| agreed(&probe.golden, signal, after);
        let mut is_different = false;
        for after in checkpoints(probe.length, every) {
            let Some(wanted) = golden(after) else { continue };
            for run in &probe.buggy {
                let differs = !same(&shown(run, signal, after), &wanted);
                is_different |= differs;
                self.all += 1;
                self.different += usize::from(differs);
            }
        }
        if !is_different {
            return;
        }
        if let Some(tick) = parting(probe, signal, golden) {
            let first = self.differing.entry(signal.to_owned()).or_insert(tick);
            *first = tick.min(*first);
        }
    }

    fn mismatch(&self) -> f64 {
        share(self.different, self.all)
    }

    /// The differing signals, the first to differ first.
    fn in_order(&self) -> Vec<String> {
        let mut all: Vec<(&u64, &String)> = self.differing.iter().map(|(signal, tick)| (tick, signal)).collect();
        all.sort();
        all.into_iter().map(|(_, signal)| signal.clone()).collect()
    }
}

/// Active signals: those that change in a run of either project, and those that are constant in both and differ under the first seed.
fn telling(probe: &Probed<'_>) -> BTreeSet<String> {
    let first = probe.golden.first().copied().zip(probe.buggy.first().copied());
    drift::telling(probe.golden.iter().chain(&probe.buggy).copied(), first)
}

/// Every so many ticks, and the last.
fn checkpoints(length: u64, every: u64) -> impl Iterator<Item = u64> {
    let last = (!length.is_multiple_of(every)).then_some(length);
    (1..=length / every).map(move |at| at * every).chain(last)
}

/// The exact tick at which a signal first leaves gold's, where gold is the same under all seeds.
fn parting(probe: &Probed<'_>, signal: &str, golden: impl Fn(u64) -> Option<Value>) -> Option<u64> {
    let changes: BTreeSet<u64> = probe
        .golden
        .iter()
        .chain(&probe.buggy)
        .flat_map(|run| ticks(run, signal))
        .filter(|tick| *tick < probe.length)
        .collect();
    changes.into_iter().find(|tick| {
        let after = tick + 1;
        golden(after).is_some_and(|wanted| probe.buggy.iter().any(|run| !same(&shown(run, signal, after), &wanted)))
    })
}

/// The ticks at which a signal changes or happens.
fn ticks(run: &TraceRun, signal: &str) -> Vec<u64> {
    let column = event_of(signal).map_or_else(|| signal.to_owned(), |(kind, _)| format!("{EVENTS}{kind}"));
    run.signals.get(&column).map(|column| column.t.clone()).unwrap_or_default()
}

/// A signal after so many ticks: its value, or how often an event (`events/broadcast:name`) has happened. Nothing before it began.
pub fn value(run: &TraceRun, signal: &str, after: u64) -> Option<Value> {
    match event_of(signal) {
        Some((kind, name)) => Some(count(run, kind, &Value::String(name.to_owned()), after).into()),
        None => run.signals.get(signal)?.after(after).cloned(),
    }
}

/// The kind and name of an event's signal.
pub fn event_of(signal: &str) -> Option<(&str, &str)> {
    signal.strip_prefix(EVENTS)?.split_once(':')
}

/// The same, and null where it is not there.
fn shown(run: &TraceRun, signal: &str, after: u64) -> Value {
    value(run, signal, after).unwrap_or_default()
}

/// The value that all runs agree on; `None` where they don't.
fn agreed(runs: &[&TraceRun], signal: &str, after: u64) -> Option<Value> {
    let mut shown = runs.iter().map(|run| shown(run, signal, after));
    let first = shown.next()?;
    shown.all(|other| same(&other, &first)).then_some(first)
}

#[cfg(test)]
#[path = "signals_tests.rs"]
mod tests;
