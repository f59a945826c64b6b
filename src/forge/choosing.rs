//! Which assertions make a suite: few, about different things, the most telling first (ScratchEval, section 4.4).

use std::collections::BTreeMap;

use super::says;
use super::synthesis::Telling;
use crate::model::{Assertion, Feature, Scenario};

/// Assertions of a suite, of a signal, and of a scenario, at most.
const MOST: usize = 5;
const MOST_OF_SIGNAL: usize = 2;
const MOST_OF_SCENARIO: usize = 3;
/// Ticks that a kept scenario goes on after its last assertion is decided.
const TAIL: u64 = 300;

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
    let (mut of_signal, mut of_scenario) = (BTreeMap::<String, usize>::new(), BTreeMap::<&str, usize>::new());
    let mut chosen = Vec::new();
    for (scenario, telling) in ranked {
        let signal = telling.feature.signal().to_lowercase();
        let (same_signal, same_scenario) =
            (of_signal.entry(signal).or_default(), of_scenario.entry(&scenario.id).or_default());
        if chosen.len() == MOST || *same_signal == MOST_OF_SIGNAL || *same_scenario == MOST_OF_SCENARIO {
            continue;
        }
        *same_signal += 1;
        *same_scenario += 1;
        let says = says::expected(&telling.feature, scenario);
        let Telling { feature, p_golden, p_buggy, .. } = telling;
        let id = format!("a{}", chosen.len() + 1);
        chosen.push(Assertion { id, scenario: scenario.id.clone(), feature, p_golden, p_buggy, says });
    }
    chosen
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
    }
}

/// The scenarios that a suite keeps: those of its assertions, cut where all is decided, and a guard at full length.
pub fn kept(scenarios: &[Scenario], assertions: &[Assertion]) -> Vec<Scenario> {
    let needed = |scenario: &Scenario| {
        let own = assertions.iter().filter(|assertion| assertion.scenario == scenario.id);
        own.map(|assertion| assertion.feature.decided_after().unwrap_or(scenario.length)).max()
    };
    let guards = ["idle", "restart"];
    let guard =
        scenarios.iter().find(|scenario| guards.contains(&scenario.template.as_str()) && needed(scenario).is_none());
    let is_guard = |scenario: &Scenario| guard.is_some_and(|guard| guard.id == scenario.id);
    let cut = |scenario: &Scenario| match needed(scenario) {
        Some(ticks) => Some(shortened(scenario, (ticks + TAIL).min(scenario.length))),
        None => is_guard(scenario).then(|| scenario.clone()),
    };
    scenarios.iter().filter_map(cut).collect()
}

fn shortened(scenario: &Scenario, length: u64) -> Scenario {
    let steps = scenario.steps.iter().filter(|step| step.at() < length).cloned().collect();
    Scenario { length, steps, ..scenario.clone() }
}
