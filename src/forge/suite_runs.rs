//! The runs of a suite: the scenarios that something is asserted of, under all seeds, and where a project's whole behaviour is asked for,
//! all other scenarios under the first. Each is played once and serves both.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::plays::{FirstRuns, Part, Plays, Seeded};
use crate::grade::Pair;
use crate::grade::suite::{holds, pass_rate};
use crate::judge::PlayError;
use crate::judge::console::{errors, new_error};
use crate::model::{Assertion, Guard, Scenario, Suite, TraceRun};

/// Runs of a project, by scenario, one a seed; those of nothing asserted under the first seed alone.
#[derive(Debug, Clone)]
pub struct SuiteRuns(BTreeMap<String, Seeded>);

impl SuiteRuns {
    /// Plays what a suite asserts something of to a project, until all of it is decided.
    ///
    /// # Errors
    /// When it can't be played, or no page holds.
    pub async fn of(sb3: &[u8], suite: &Suite, plays: &Plays, part: Part) -> Result<Self, PlayError> {
        let asserted = suite.asserted();
        let wanted: Vec<&Scenario> = asserted.iter().collect();
        let first = first_runs(sb3, &wanted, plays, part).await?;
        Self::with_other_seeds(&first, sb3, suite, plays, part).await
    }

    /// Plays all scenarios to a project at full length under the first seed, and what the suite asserts something of under the others.
    ///
    /// # Errors
    /// When it can't be played, or no page holds.
    pub async fn whole(sb3: &[u8], suite: &Suite, plays: &Plays, part: Part) -> Result<Self, PlayError> {
        Self::whole_after(&FirstRuns::new(), sb3, suite, plays, part).await
    }

    /// The same of a project of which some scenarios were played before, at full length under the first seed: these are not played again.
    ///
    /// # Errors
    /// When it can't be played, or no page holds.
    pub(super) async fn whole_after(
        known: &FirstRuns,
        sb3: &[u8],
        suite: &Suite,
        plays: &Plays,
        part: Part,
    ) -> Result<Self, PlayError> {
        let is_new = |scenario: &&Scenario| !known.contains_key(&scenario.id);
        let wanted: Vec<&Scenario> = suite.scenarios.iter().filter(is_new).collect();
        let mut first = first_runs(sb3, &wanted, plays, part).await?;
        first.extend(known.clone());
        Self::with_other_seeds(&first, sb3, suite, plays, part).await
    }

    /// Runs of what is asserted ([`of`](Self::of)) with all that [`whole`](Self::whole) plays.
    ///
    /// # Errors
    /// When the project can't be played, or no page holds.
    pub(super) async fn completed(
        self,
        sb3: &[u8],
        suite: &Suite,
        plays: &Plays,
        part: Part,
    ) -> Result<Self, PlayError> {
        Ok(self.with_first(Self::rest(sb3, suite, plays, part).await?))
    }

    /// Plays what runs of what is asserted ([`of`](Self::of)) lack of all that [`whole`](Self::whole) plays: at full length under the first
    /// seed, the scenarios that nothing is asserted of, and those that end before it, where all is decided.
    ///
    /// # Errors
    /// When the project can't be played, or no page holds.
    pub async fn rest(sb3: &[u8], suite: &Suite, plays: &Plays, part: Part) -> Result<FirstRuns, PlayError> {
        first_runs(sb3, &suite.beyond_asserted(), plays, part).await
    }

    /// The same with these runs under the first seed in place of what there was.
    #[must_use]
    pub fn with_first(mut self, first: FirstRuns) -> Self {
        for (scenario, played) in first {
            let seeded = self.0.entry(scenario).or_default();
            match seeded.first_mut() {
                Some(before) => *before = played,
                None => seeded.push(played),
            }
        }
        self
    }

    /// Plays the scenarios that guards are about, at full length under the first seed.
    ///
    /// # Errors
    /// When it can't be played, or no page holds.
    pub async fn of_guards(sb3: &[u8], suite: &Suite, plays: &Plays, part: Part) -> Result<Self, PlayError> {
        Ok(Self::under_first_seed(&first_runs(sb3, &suite.guarded(), plays, part).await?))
    }

    /// Runs under the first seed, with those of the scenarios of assertions under the others.
    async fn with_other_seeds(
        first: &FirstRuns,
        sb3: &[u8],
        suite: &Suite,
        plays: &Plays,
        part: Part,
    ) -> Result<Self, PlayError> {
        let mut runs = Self::under_first_seed(first).0;
        for scenario in suite.asserted() {
            if let Some(seeded) = runs.get_mut(&scenario.id)
                && let Some(first) = seeded.pop()
            {
                *seeded = plays.all_seeds(part, sb3, &scenario, first).await?;
            }
        }
        Ok(Self(runs))
    }

    /// The share of reruns in which all assertions hold.
    pub fn rate(&self, suite: &Suite) -> f64 {
        let of_seed = |seed: usize| {
            self.0.iter().filter_map(move |(scenario, runs)| Some((scenario.clone(), runs.get(seed)?.run())))
        };
        let reruns: Vec<BTreeMap<String, &TraceRun>> =
            (0..suite.seeds.len()).map(|seed| of_seed(seed).collect()).collect();
        pass_rate(&suite.assertions, &reruns, suite.every)
    }

    /// Whether an assertion holds under every seed.
    pub fn hold(&self, assertion: &Assertion, suite: &Suite) -> bool {
        let runs = self.0.get(&assertion.scenario);
        runs.is_some_and(|runs| runs.iter().all(|played| holds(&assertion.feature, played.run(), suite.every)))
    }

    /// Guards that do not hold in runs of full length, in the order of the suite. What was not played is not kept.
    pub fn broken_guards<'s>(&self, suite: &'s Suite) -> Vec<&'s Guard> {
        let is_kept = |guard: &Guard| {
            let run = self.run(&guard.scenario, 0);
            run.is_some_and(|run| holds(&guard.feature, run, suite.every))
        };
        suite.guards.iter().filter(|guard| !is_kept(guard)).collect()
    }

    /// All runs: the scenario, the number of the seed from 0, and what was seen.
    pub fn all(&self) -> impl Iterator<Item = (&str, usize, &TraceRun)> {
        let seeded = |(scenario, runs)| -> (&String, &Seeded) { (scenario, runs) };
        self.0.iter().map(seeded).flat_map(|(scenario, runs)| {
            runs.iter().enumerate().map(|(seed, played)| (scenario.as_str(), seed, played.run()))
        })
    }

    /// The run of a scenario under a seed, counted from 0.
    pub fn run(&self, scenario: &str, seed: usize) -> Option<&TraceRun> {
        Some(self.0.get(scenario)?.get(seed)?.run())
    }

    /// Each run beside gold's of the same scenario and seed, as far as both were played.
    pub fn beside<'a>(&'a self, golden: &'a Self, suite: &Suite) -> Vec<Pair<'a>> {
        let lengths = |scenarios: &[Scenario]| -> BTreeMap<String, u64> {
            scenarios.iter().map(|scenario| (scenario.id.clone(), scenario.length)).collect()
        };
        let (whole, cut) = (lengths(&suite.scenarios), lengths(&suite.asserted()));
        let pair = |(scenario, seed, run): (&'a str, usize, &'a TraceRun)| {
            // Later seeds are played until all is decided.
            let length = if seed == 0 { whole.get(scenario)? } else { cut.get(scenario)? };
            Some(Pair { scenario, run, golden: golden.run(scenario, seed)?, length: *length })
        };
        self.all().filter_map(pair).collect()
    }

    /// The first error on the console that gold does not have.
    pub fn new_error<'a>(&'a self, golden: &'a Self) -> Option<&'a str> {
        new_error(self.console(), golden.console())
    }

    /// Whether any error is on the console.
    pub fn has_error(&self) -> bool {
        new_error(self.console(), []).is_some()
    }

    /// The errors on the console, as they are told apart.
    pub fn errors(&self) -> BTreeSet<String> {
        errors(self.console()).map(str::to_owned).collect()
    }

    fn console(&self) -> impl Iterator<Item = &String> {
        self.0.values().flatten().flat_map(|played| &played.console)
    }

    /// Digests of the runs that were made: without chance, one stands for all seeds.
    pub fn hashes(&self) -> Vec<String> {
        let made = |runs: &Seeded| if runs[0].draws == 0 { 1 } else { runs.len() };
        self.0.values().flat_map(|runs| runs[..made(runs)].iter().map(|played| played.hash.clone())).collect()
    }

    /// Runs under the first seed that were made before, by scenario.
    pub fn under_first_seed(first: &FirstRuns) -> Self {
        Self(first.iter().map(|(scenario, played)| (scenario.clone(), vec![Arc::clone(played)])).collect())
    }

    /// Runs that were made before, by scenario, one a seed.
    pub const fn of_runs(runs: BTreeMap<String, Seeded>) -> Self {
        Self(runs)
    }
}

/// Runs of scenarios under the first seed, by scenario.
async fn first_runs(sb3: &[u8], scenarios: &[&Scenario], plays: &Plays, part: Part) -> Result<FirstRuns, PlayError> {
    let played = plays.first(part, sb3, scenarios).await?;
    Ok(scenarios.iter().map(|scenario| scenario.id.clone()).zip(played).collect())
}

#[cfg(test)]
#[path = "suite_runs_tests.rs"]
mod tests;
