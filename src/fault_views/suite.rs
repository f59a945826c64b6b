//! The suite as a table over time: when each assertion is decided, where what it watches differs, and what both projects show.

use serde::Serialize;
use serde_json::Value;

use super::seconds;
use super::signals::{agree, checkpoints, named, shown, told};
use crate::forge::says;
use crate::grade::signals::value;
use crate::grade::suite::{extremes, holds, numbers_until, same, travelled};
use crate::judge::Played;
use crate::model::{Assertion, EVENTS, Feature, Scenario, Suite, TraceRun};

/// Units of the longest scenario in drawings.
const WIDTH: u64 = 320;
/// Seconds between two times along the axis, and how many there are at most.
const STEPS: [u64; 6] = [1, 2, 5, 10, 20, 30];
const LONGEST_STEP: u64 = 60;
const MOST_TIMES: u64 = 6;

/// The table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct SuiteView {
    /// Under which seed the runs were made that are shown, and how many there are.
    seed: u64,
    seeds: usize,
    width: u64,
    /// Times along the axis: where, and in words.
    axis: Vec<(u64, String)>,
    scenarios: Vec<ScenarioRows>,
}

/// A scenario with its assertions.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct ScenarioRows {
    id: String,
    template: String,
    length: String,
    inputs: Vec<String>,
    rows: Vec<Row>,
}

/// An assertion.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Row {
    id: String,
    says: String,
    decided: String,
    /// What gold and the buggy project show, and whether it holds there.
    shows: [(String, bool); 2],
    /// Shares of all runs in which it holds, in percent.
    shares: [f64; 2],
    line: TimeLine,
}

/// A drawing of a run's time, in units of [`WIDTH`].
#[derive(Debug, Clone, PartialEq, Serialize)]
struct TimeLine {
    length: u64,
    /// From where to where the projects differ in what is watched.
    spans: Vec<(u64, u64)>,
    inputs: Vec<u64>,
    decided: u64,
    /// The same in words.
    says: String,
}

/// The runs of a scenario: gold's, and the buggy project's.
pub(super) type Pair = [Played; 2];

/// The table of a suite, of which each scenario was played.
pub(super) fn table(suite: &Suite, pairs: &[Pair]) -> SuiteView {
    // A guard is longer than the rest, and there is nothing to draw of it.
    let is_asserted = |scenario: &&Scenario| suite.assertions.iter().any(|one| one.scenario == scenario.id);
    let longest = suite.scenarios.iter().filter(is_asserted).map(|scenario| scenario.length).max().unwrap_or(1).max(1);
    let scale = |ticks: u64| ticks * WIDTH / longest;
    let scenarios = suite.scenarios.iter().zip(pairs).map(|(scenario, [gold, buggy])| {
        let own = suite.assertions.iter().filter(|one| one.scenario == scenario.id);
        let runs = [gold.run(), buggy.run()];
        ScenarioRows {
            id: scenario.id.clone(),
            template: scenario.template.clone(),
            length: seconds(scenario.length),
            inputs: says::reproduce(scenario, scenario.length),
            rows: own.map(|one| row(one, scenario, suite.every, runs, scale)).collect(),
        }
    });
    let step = 30 * STEPS.into_iter().find(|step| longest / (step * 30) <= MOST_TIMES).unwrap_or(LONGEST_STEP);
    SuiteView {
        seed: suite.seeds.first().copied().unwrap_or(1),
        seeds: suite.seeds.len(),
        width: WIDTH,
        axis: (0..=longest / step).map(|mark| (scale(mark * step), format!("{} s", mark * step / 30))).collect(),
        scenarios: scenarios.collect(),
    }
}

fn row(one: &Assertion, scenario: &Scenario, every: u64, runs: [&TraceRun; 2], scale: impl Fn(u64) -> u64) -> Row {
    let decided = one.feature.decided_after().unwrap_or(scenario.length);
    let spans = spans(&one.feature.signal(), scenario, every, runs);
    let told: Vec<String> = spans.iter().map(|(from, to)| format!("{} to {}", seconds(*from), seconds(*to))).collect();
    let differs = if told.is_empty() {
        "differs at no checkpoint".to_owned()
    } else {
        format!("differs from {}", told.join(", "))
    };
    Row {
        id: one.id.clone(),
        says: says::expected(&one.feature, scenario),
        decided: seconds(decided),
        shows: runs.map(|run| (shows(&one.feature, run, every), holds(&one.feature, run, every))),
        shares: [one.p_golden, one.p_buggy].map(|share| 100.0 * share),
        line: TimeLine {
            length: scale(scenario.length),
            spans: spans.iter().map(|(from, to)| (scale(*from), scale(*to).max(scale(*from) + 1))).collect(),
            inputs: scenario.steps.iter().map(|step| scale(step.at())).collect(),
            decided: scale(decided),
            says: format!("{}: {differs}; decided after {}", named(&one.feature.signal()), seconds(decided)),
        },
    }
}

/// Times in ticks between which two runs differ in a signal.
fn spans(signal: &str, scenario: &Scenario, every: u64, [gold, buggy]: [&TraceRun; 2]) -> Vec<(u64, u64)> {
    let mut spans: Vec<(u64, u64)> = Vec::new();
    for tick in checkpoints(every, scenario.length).filter(|tick| !agree(gold, buggy, signal, *tick)) {
        match spans.last_mut() {
            Some((_, to)) if *to == tick => *to = tick + every,
            _ => spans.push((tick, tick + every)),
        }
    }
    for (_, to) in &mut spans {
        *to = (*to).min(scenario.length);
    }
    spans
}

/// What a run shows of what an assertion is about.
fn shows(feature: &Feature, run: &TraceRun, every: u64) -> String {
    let at = |after: u64| value(run, &feature.signal(), after);
    let told = |after: u64| told(run, &feature.signal(), after);
    match feature {
        Feature::Equals { after, .. }
        | Feature::AtMost { after, .. }
        | Feature::AtLeast { after, .. }
        | Feature::EventCount { after, .. }
        | Feature::Event { by: after, .. }
        | Feature::NeverEvent { until: after, .. }
        | Feature::Only { until: after, .. }
        | Feature::Follows { until: after, .. } => told(*after),
        Feature::Spans { signal, until, .. } => match numbers_until(run, signal, *until, every) {
            Some(numbers) => {
                let (low, high) = extremes(&numbers);
                format!("{low} to {high}")
            }
            None => told(*until),
        },
        Feature::Travels { signal, until, .. } => match numbers_until(run, signal, *until, every) {
            Some(numbers) => format!("{} in all", travelled(&numbers)),
            None => told(*until),
        },
        Feature::Reached { value, by: until, .. } | Feature::Never { value, until, .. } => {
            let is_it = |tick: &u64| at(*tick).is_some_and(|shown| same(&shown, value));
            match checkpoints(every, *until).find(is_it) {
                Some(tick) => format!("{} at {}", shown(value), seconds(tick)),
                None => format!("never {}, at last {}", shown(value), told(*until)),
            }
        }
        Feature::Changed { from, to, .. } => format!("{}, then {}", told(*from), told(*to)),
        Feature::Before { event, first, second } => {
            let when = |name: &Value| {
                let column = run.signals.get(&format!("{EVENTS}{event}"))?;
                column.t.iter().zip(&column.v).find(|(_, what)| same(what, name)).map(|(tick, _)| *tick)
            };
            let said = |name: &Value| {
                let when = when(name).map_or_else(|| "never".to_owned(), |tick| format!("at {}", seconds(tick)));
                format!("{} {when}", shown(name))
            };
            format!("{}, {}", said(first), said(second))
        }
    }
}
