//! How far the behaviour of a project is from gold's over all scenarios, in two figures: of what people see and hear with the state that
//! the blocks keep, and of everything that was looked at.

use std::collections::BTreeSet;

use super::gold::Gold;
use super::suite_runs::SuiteRuns;
use super::trials::Accepted;
use crate::bugs::FaultDrift;
use crate::grade::{Pair, drift, drift_by_signal, is_behaviour, telling};
use crate::model::Suite;

/// The mean distance of a signal in a scenario from which on people notice it: as much as all that can be for a twentieth of the time.
const VISIBLE: f64 = 0.05;
/// What signals of sounds begin with.
const SOUND: &str = "events/sound";
/// Signals that a reason names at most.
const MOST_NAMED: usize = 5;

/// Semantic drift, 0 for gold's own behaviour and 1 for as different as can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drifts {
    /// Over poses, costumes, visibility, speech, backdrops, messages, clones, and the state of gold.
    pub behaviour: f64,
    /// Over all signals.
    pub all: f64,
}

impl Drifts {
    /// The drift of a project by its runs. `others` are runs of other projects: what tells those from gold counts as well. `state` has the
    /// signals of gold's state in lower case.
    pub fn of(
        golden: &SuiteRuns,
        runs: &SuiteRuns,
        others: &[&SuiteRuns],
        suite: &Suite,
        state: &BTreeSet<String>,
    ) -> Self {
        let pairs = runs.beside(golden, suite);
        let all = signals(golden, runs, others, suite);
        let behaviour: BTreeSet<String> = all.iter().filter(|signal| is_headline(signal, state)).cloned().collect();
        let of = |signals: &BTreeSet<String>| drift(&pairs, signals, suite.every).unwrap_or_default();
        Self { behaviour: of(&behaviour), all: of(&all) }
    }
}

/// Signals that change in some run, or differ from gold's.
fn signals(golden: &SuiteRuns, runs: &SuiteRuns, others: &[&SuiteRuns], suite: &Suite) -> BTreeSet<String> {
    let compared = || std::iter::once(runs).chain(others.iter().copied());
    let every = compared().chain([golden]).flat_map(|one| one.all().map(|(_, _, run)| run));
    let pairs = compared().flat_map(|one| one.beside(golden, suite));
    telling(every, pairs.map(|pair| (pair.golden, pair.run)))
}

/// Whether people would notice a difference to gold: of something that is seen or heard, in one of the scenarios. `monitors` are the
/// variables and lists that the stage shows.
pub(super) fn is_noticed(golden: &SuiteRuns, runs: &SuiteRuns, suite: &Suite, monitors: &BTreeSet<String>) -> bool {
    let shows = |signal: &String| is_behaviour(signal) || signal.starts_with(SOUND) || monitors.contains(signal);
    let behaviour: BTreeSet<String> = signals(golden, runs, &[], suite).into_iter().filter(shows).collect();
    let pairs = runs.beside(golden, suite);
    let of = |pair: &Pair<'_>| drift_by_signal(std::slice::from_ref(pair), &behaviour, suite.every);
    pairs.iter().any(|pair| of(pair).values().any(|drift| *drift >= VISIBLE))
}

fn is_headline(signal: &str, state: &BTreeSet<String>) -> bool {
    is_behaviour(signal) || state.contains(&signal.to_lowercase())
}

/// The drift of an accepted fault under the first seed, and where it has none in what people notice, the reason.
pub fn of_fault(gold: &Gold, accepted: &Accepted) -> FaultDrift {
    let (golden, buggy) = (SuiteRuns::under_first_seed(&gold.first), SuiteRuns::under_first_seed(&accepted.first));
    let suite = &accepted.suite;
    let Drifts { behaviour, all } = Drifts::of(&golden, &buggy, &[], suite, &gold.facts.state_in_lower_case());
    let why = || reason(&buggy.beside(&golden, suite), &signals(&golden, &buggy, &[], suite), suite.every);
    FaultDrift { behaviour, all, reason: (behaviour <= 0.0).then(why) }
}

/// Why nobody would notice a difference: where it is, or that it is between two looks.
fn reason(pairs: &[Pair<'_>], signals: &BTreeSet<String>, every: u64) -> String {
    let by_signal = drift_by_signal(pairs, signals, every);
    let differing: Vec<String> =
        by_signal.into_iter().filter(|(_, drift)| *drift > 0.0).map(|(name, _)| name).collect();
    if differing.is_empty() {
        return "no signal differs at a checkpoint of any scenario".to_owned();
    }
    let named = differing[..differing.len().min(MOST_NAMED)].join(", ");
    format!("{} signals differ, none of which drift counts as behaviour: {named}", differing.len())
}

#[cfg(test)]
#[path = "drifts_tests.rs"]
mod tests;
