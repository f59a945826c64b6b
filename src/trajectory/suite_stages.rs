//! What stages of a suite's verification come to: the runs that they share, what is asserted of one of them, and what the suite makes of
//! all.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::oracle::{CONSOLE, FAILED, GUARD, PASS, tell};
use crate::forge::{SuiteOutcome, SuiteRuns, says};
use crate::grade::suite::holds;
use crate::judge::Played;
use crate::model::{Feature, Scenario, StageRecord, Suite, TraceRun};

/// Runs of a project that were made, by scenario, length and seed.
#[derive(Debug, Default)]
pub(super) struct Made(BTreeMap<(String, u64, u64), Arc<Played>>);

impl Made {
    /// The run of a scenario of so many ticks under a seed; without chance, the first stands for all seeds.
    pub(super) fn run(&self, scenario: &str, length: u64, seed: u64) -> Option<Arc<Played>> {
        let of = |seed: u64| self.0.get(&(scenario.to_owned(), length, seed));
        of(seed).or_else(|| of(1).filter(|first| first.draws == 0)).cloned()
    }

    /// Keeps a run of a scenario of so many ticks under a seed.
    pub(super) fn keep(&mut self, scenario: &str, length: u64, seed: u64, played: &Arc<Played>) {
        self.0.insert((scenario.to_owned(), length, seed), Arc::clone(played));
    }

    /// The runs of what a suite asserts something of, as far as they were made until that is decided.
    pub(super) fn asserted(&self, suite: &Suite) -> SuiteRuns {
        let seeded = |scenario: Scenario| {
            let length = scenario.length.min(suite.horizon);
            let runs: Vec<Arc<Played>> =
                suite.seeds.iter().filter_map(|seed| self.run(&scenario.id, length, *seed)).collect();
            (scenario.id, runs)
        };
        SuiteRuns::of_runs(suite.asserted().into_iter().map(seeded).collect())
    }
}

/// Notes what of the assertions about a scenario does not hold in a run of it, as far as they are decided after so many ticks.
pub(super) fn check(stage: &mut StageRecord, suite: &Suite, scenario: &Scenario, until: u64, played: &Played) {
    for one in suite.assertions.iter().filter(|one| one.scenario == scenario.id) {
        if one.feature.decided_after().unwrap_or(scenario.length) > until {
            continue;
        }
        stage.checked += 1;
        if !holds(&one.feature, played.run(), suite.every) {
            stage.failed += 1;
            tell(stage, words(&one.feature, scenario, played.run()));
        }
    }
    if stage.failed > 0 {
        FAILED.clone_into(&mut stage.outcome);
    }
}

/// Notes what the suite makes of all runs of a project that keeps the assertions, beside gold's: the same that a score comes to.
pub(super) fn conclude(stage: &mut StageRecord, suite: &Suite, runs: &SuiteRuns, golden: &SuiteRuns) {
    let outcome = runs.outcome(golden, suite);
    if let SuiteOutcome::ConsoleError(error) = outcome {
        stage.failed += 1;
        tell(stage, format!("the console has an error that gold does not have: {error}"));
    }
    stage.checked += u32::try_from(suite.guards.len()).unwrap_or(u32::MAX);
    for guard in runs.broken_guards(suite) {
        stage.failed += 1;
        let scenario = suite.scenarios.iter().find(|scenario| scenario.id == guard.scenario);
        if let Some((scenario, run)) = scenario.zip(runs.run(&guard.scenario, 0)) {
            tell(stage, words(&guard.feature, scenario, run));
        }
    }
    let name = match outcome {
        SuiteOutcome::ConsoleError(_) => CONSOLE,
        SuiteOutcome::AssertionFailed => FAILED,
        SuiteOutcome::GuardFailed => GUARD,
        SuiteOutcome::Passed => PASS,
    };
    name.clone_into(&mut stage.outcome);
}

/// What is seen instead of what an assertion or guard wants.
fn words(feature: &Feature, scenario: &Scenario, run: &TraceRun) -> String {
    format!("{}; wanted: {}", says::seen(feature, scenario, run), says::expected(feature, scenario))
}

#[cfg(test)]
#[path = "suite_stages_tests.rs"]
mod tests;
