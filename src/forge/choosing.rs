//! Which assertions make a suite: few, about different things, the most telling first (ScratchEval, section 4.4).

use std::mem::discriminant;

use serde_json::Value;

use super::says;
use super::synthesis::Telling;
use crate::model::{Assertion, Feature, Scenario};

/// Assertions of a suite, of a signal, and of a scenario, at most.
const MOST: usize = 5;
const MOST_OF_SIGNAL: usize = 2;
const MOST_OF_SCENARIO: usize = 3;

/// Chooses among what tells the projects apart, given with the scenarios. `ends` has what gold reaches come first: such a fault keeps an
/// end away.
pub fn choose(found: Vec<(&Scenario, Telling)>, state_signals: &[String], ends: bool) -> Vec<Assertion> {
    let mut ranked: Vec<(&Scenario, Telling)> = found;
    ranked.sort_by_key(|(scenario, telling)| {
        let feature = &telling.feature;
        let tick = feature.decided_after().unwrap_or(scenario.length);
        let is_end = matches!(feature, Feature::Reached { .. } | Feature::Event { .. });
        (
            ends && !is_end,
            tier(&feature.signal(), state_signals),
            kind(feature),
            std::cmp::Reverse(telling.plateau),
            tick,
            scenario.id.clone(),
        )
    });
    let mut chosen: Vec<(&Scenario, Telling)> = Vec::new();
    // A statement about another signal counts more than a second one about the same.
    for most_of_signal in 1..=MOST_OF_SIGNAL {
        for (scenario, telling) in &ranked {
            let feature = &telling.feature;
            let same_signal =
                |one: &&(&Scenario, Telling)| one.1.feature.signal().eq_ignore_ascii_case(&feature.signal());
            let of_signal = chosen.iter().filter(same_signal).count();
            let of_scenario = chosen.iter().filter(|one| one.0.id == scenario.id).count();
            let is_said = chosen.iter().any(|one| is_alike(&one.1.feature, feature));
            if chosen.len() < MOST && of_signal < most_of_signal && of_scenario < MOST_OF_SCENARIO && !is_said {
                chosen.push((*scenario, telling.clone()));
            }
        }
    }
    let assertion = |((scenario, telling), number): ((&Scenario, Telling), usize)| {
        let says = says::expected(&telling.feature, scenario);
        let Telling { feature, p_golden, p_buggy, .. } = telling;
        Assertion { id: format!("a{number}"), scenario: scenario.id.clone(), feature, p_golden, p_buggy, says }
    };
    chosen.into_iter().zip(1..).map(assertion).collect()
}

/// Whether two statements say the same of a signal, be it of two moments or in two scenarios.
fn is_alike(one: &Feature, other: &Feature) -> bool {
    let is_same = discriminant(one) == discriminant(other) && one.signal().eq_ignore_ascii_case(&other.signal());
    is_same && value(one) == value(other)
}

/// What a statement says that a signal is, or how often something happens.
fn value(feature: &Feature) -> Option<Value> {
    match feature {
        Feature::Equals { value, .. } | Feature::Reached { value, .. } | Feature::Never { value, .. } => {
            Some(value.clone())
        }
        Feature::EventCount { n, .. } | Feature::Event { n, .. } => Some((*n).into()),
        _ => None,
    }
}

/// State signals, other variables, what happens and shows, where it is, and the rest.
fn tier(signal: &str, state_signals: &[String]) -> u8 {
    let last = signal.rsplit('/').next().unwrap_or_default();
    if state_signals.iter().any(|known| known.eq_ignore_ascii_case(signal)) {
        0
    } else if signal.contains("/variable/") || signal.contains("/list/") {
        1
    } else if signal.starts_with("events/broadcast") || matches!(last, "costume" | "visible") {
        2
    } else if matches!(last, "x" | "y" | "direction" | "size") {
        3
    } else {
        4
    }
}

/// The order of the table.
const fn kind(feature: &Feature) -> u8 {
    match feature {
        Feature::Equals { .. } => 0,
        Feature::EventCount { .. } => 1,
        Feature::Event { .. } => 2,
        Feature::Reached { .. } => 3,
        Feature::Never { .. } | Feature::NeverEvent { .. } => 4,
        Feature::Changed { .. } => 5,
        Feature::AtMost { .. } | Feature::AtLeast { .. } => 6,
        Feature::Before { .. } => 7,
        Feature::Only { .. } | Feature::Spans { .. } | Feature::Travels { .. } | Feature::Follows { .. } => 8,
    }
}
