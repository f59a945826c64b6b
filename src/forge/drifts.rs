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
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;
    use crate::judge::Played;
    use crate::model::TraceRun;

    /// Runs of one scenario in which each signal is constant.
    fn runs(signals: &Value) -> SuiteRuns {
        let columns =
            signals.as_object().unwrap().iter().map(|(name, value)| (name.clone(), json!({"t": [9], "v": [value]})));
        let signals: serde_json::Map<String, Value> = columns.collect();
        let run: TraceRun = serde_json::from_value(json!({"ticks": 100, "signals": signals})).unwrap();
        SuiteRuns::under_first_seed(&BTreeMap::from([("s1".to_owned(), Arc::new(Played::of_run(run)))]))
    }

    fn suite() -> Suite {
        let scenario = json!({"id": "s1", "template": "idle", "length": 100, "answers": [], "steps": []});
        let suite = json!({"format": 2, "seeds": [1], "horizon": 100, "every": 10, "theta": [0.9, 0.1], "engine": "e", "editor": "1",
            "scenarios": [scenario], "assertions": []});
        Suite::read(&suite.to_string()).unwrap()
    }

    fn drifts(golden: &Value, shown: &Value, others: &[&SuiteRuns], state: &[&str]) -> Drifts {
        let state = state.iter().map(|name| (*name).to_owned()).collect();
        Drifts::of(&runs(golden), &runs(shown), others, &suite(), &state)
    }

    #[track_caller]
    fn near(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-9, "{one} and {other}");
    }

    #[test]
    fn a_card_that_never_shows_drifts_although_nothing_ever_changes() {
        let golden = json!({"Card/visible": true, "Card/x": 0, "Stage/variable/score": 0});
        let shown = json!({"Card/visible": false, "Card/x": 0, "Stage/variable/score": 0});
        let found = drifts(&golden, &shown, &[], &[]);
        assert!(found.behaviour > 0.99 && found.all > 0.99, "{found:?}");
        near(drifts(&golden, &golden, &[], &[]).behaviour, 0.0);
    }

    #[test]
    fn variables_count_among_behaviour_if_they_are_state_and_always_among_all() {
        let (golden, shown) = (json!({"Stage/variable/Boarded": 0}), json!({"Stage/variable/Boarded": 1}));
        let found = drifts(&golden, &shown, &[], &[]);
        near(found.behaviour, 0.0);
        near(found.all, 1.0);
        near(drifts(&golden, &shown, &[], &["stage/variable/boarded"]).behaviour, 1.0);
    }

    #[test]
    fn a_repair_that_mends_half_is_nearer_to_gold_than_the_fault() {
        let golden = json!({"Moth/visible": true, "Owl/visible": true});
        let fault = json!({"Moth/visible": false, "Owl/visible": false});
        let half = json!({"Moth/visible": true, "Owl/visible": false});
        let broken = runs(&fault);
        near(drifts(&golden, &fault, &[&broken], &[]).behaviour, 1.0);
        near(drifts(&golden, &half, &[&broken], &[]).behaviour, 0.5);
    }

    #[test]
    fn a_step_aside_is_not_noticed_and_a_sprite_that_is_gone_is() {
        let golden = runs(&json!({"Moth/visible": true, "Moth/x": 0, "Stage/variable/score": 0}));
        let among = |shown: &Value, monitors: &[&str]| {
            let monitors = monitors.iter().map(|name| (*name).to_owned()).collect();
            is_noticed(&golden, &runs(shown), &suite(), &monitors)
        };
        let visible = |shown: &Value| among(shown, &[]);
        assert!(!visible(&json!({"Moth/visible": true, "Moth/x": 5, "Stage/variable/score": 0})));
        assert!(!visible(&json!({"Moth/visible": true, "Moth/x": 0, "Stage/variable/score": 9})), "it is not shown");
        let counted = json!({"Moth/visible": true, "Moth/x": 0, "Stage/variable/score": 9});
        assert!(among(&counted, &["Stage/variable/score"]), "a monitor shows it");
        assert!(visible(&json!({"Moth/visible": true, "Moth/x": 48, "Stage/variable/score": 0})));
        assert!(visible(&json!({"Moth/visible": false, "Moth/x": 0, "Stage/variable/score": 0})));
    }

    #[test]
    fn the_reason_of_no_drift_names_what_nobody_sees() {
        let (golden, buggy) = (runs(&json!({"Moth/layer": 1})), runs(&json!({"Moth/layer": 2})));
        let told = |runs: &SuiteRuns| {
            reason(&runs.beside(&golden, &suite()), &signals(&golden, runs, &[], &suite()), suite().every)
        };
        assert!(told(&buggy).ends_with(": Moth/layer"), "{}", told(&buggy));
        assert_eq!(told(&golden), "no signal differs at a checkpoint of any scenario");
    }
}
