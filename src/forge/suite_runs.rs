//! The runs of a suite: the scenarios that something is asserted of, under all seeds.

use std::collections::BTreeMap;

use super::plays::{Part, Plays, Seeded};
use crate::grade::suite::{holds, pass_rate};
use crate::judge::PlayError;
use crate::model::{Assertion, Scenario, Suite, TraceRun};

/// Runs of a project, by scenario, one a seed.
#[derive(Debug, Clone)]
pub struct SuiteRuns(BTreeMap<String, Seeded>);

impl SuiteRuns {
    /// Plays the scenarios of a suite to a project.
    ///
    /// # Errors
    /// When it can't be played, or no page holds.
    pub async fn of(sb3: &[u8], suite: &Suite, plays: &Plays, part: Part) -> Result<Self, PlayError> {
        let asserted = |scenario: &&Scenario| suite.assertions.iter().any(|one| one.scenario == scenario.id);
        let scenarios: Vec<&Scenario> = suite.scenarios.iter().filter(asserted).collect();
        let first = plays.first(part, sb3, &scenarios).await?;
        let mut runs = BTreeMap::new();
        for (scenario, played) in scenarios.into_iter().zip(first) {
            runs.insert(scenario.id.clone(), plays.all_seeds(part, sb3, scenario, played).await?);
        }
        Ok(Self(runs))
    }

    /// The share of reruns in which all assertions hold.
    pub fn rate(&self, suite: &Suite) -> f64 {
        let reruns: Vec<BTreeMap<String, &TraceRun>> = (0..suite.seeds.len())
            .map(|seed| self.0.iter().map(|(scenario, runs)| (scenario.clone(), runs[seed].run())).collect())
            .collect();
        pass_rate(&suite.assertions, &reruns, suite.every)
    }

    /// Whether an assertion holds under every seed.
    pub fn hold(&self, assertion: &Assertion, suite: &Suite) -> bool {
        let runs = self.0.get(&assertion.scenario);
        runs.is_some_and(|runs| runs.iter().all(|played| holds(&assertion.feature, played.run(), suite.every)))
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

    /// Digests of the runs that were made: without chance, one stands for all seeds.
    pub fn hashes(&self) -> Vec<String> {
        let made = |runs: &Seeded| if runs[0].draws == 0 { 1 } else { runs.len() };
        self.0.values().flat_map(|runs| runs[..made(runs)].iter().map(|played| played.hash.clone())).collect()
    }
}
