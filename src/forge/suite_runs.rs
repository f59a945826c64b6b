//! The runs of a suite: the scenarios that something is asserted of, under all seeds, and where a project's whole behaviour is asked for,
//! all other scenarios under the first. Each is played once and serves both.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::console::new_error;
use super::plays::{FirstRuns, Part, Plays, Seeded};
use crate::grade::Pair;
use crate::grade::suite::{holds, pass_rate};
use crate::judge::PlayError;
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
        Self::begun_by(&suite.asserted(), sb3, suite, plays, part).await
    }

    /// Plays all scenarios to a project at full length under the first seed, and what the suite asserts something of under the others.
    ///
    /// # Errors
    /// When it can't be played, or no page holds.
    pub async fn whole(sb3: &[u8], suite: &Suite, plays: &Plays, part: Part) -> Result<Self, PlayError> {
        Self::begun_by(&suite.scenarios, sb3, suite, plays, part).await
    }

    /// Plays the scenarios that guards are about, at full length under the first seed.
    ///
    /// # Errors
    /// When it can't be played, or no page holds.
    pub async fn of_guards(sb3: &[u8], suite: &Suite, plays: &Plays, part: Part) -> Result<Self, PlayError> {
        let scenarios = suite.guarded();
        let played = plays.first(part, sb3, &scenarios).await?.into_iter();
        let seeded = scenarios.iter().map(|scenario| scenario.id.clone()).zip(played.map(|played| vec![played]));
        Ok(Self(seeded.collect()))
    }

    /// The scenarios under the first seed, and those of assertions under the others.
    async fn begun_by(
        scenarios: &[Scenario],
        sb3: &[u8],
        suite: &Suite,
        plays: &Plays,
        part: Part,
    ) -> Result<Self, PlayError> {
        let wanted: Vec<&Scenario> = scenarios.iter().collect();
        let first = plays.first(part, sb3, &wanted).await?;
        let ids = scenarios.iter().map(|scenario| scenario.id.clone());
        let mut runs: BTreeMap<String, Seeded> = ids.zip(first.into_iter().map(|played| vec![played])).collect();
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
    #[cfg(test)]
    const fn of_runs(runs: BTreeMap<String, Seeded>) -> Self {
        Self(runs)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::judge::Played;

    /// A run in which the score and the moth's visibility are constant.
    fn played(score: i64, visible: bool, console: &[&str]) -> Arc<Played> {
        let signals =
            json!({"Stage/variable/score": {"t": [9], "v": [score]}, "Moth/visible": {"t": [9], "v": [visible]}});
        let run = json!({"ticks": 2000, "signals": signals});
        let (hash, console) = (format!("{score} {visible}"), console.iter().map(|line| (*line).to_owned()).collect());
        Arc::new(Played { hash, draws: 1, console, ..Played::of_run(serde_json::from_value(run).unwrap()) })
    }

    fn suite() -> Suite {
        let scenario = |id: &str| json!({"id": id, "template": "idle", "length": 2000, "answers": [], "steps": []});
        let suite = json!({"format": 2, "seeds": [1, 2], "horizon": 2000, "every": 10, "theta": [0.9, 0.1], "engine": "e", "editor": "1",
            "scenarios": [scenario("s1"), scenario("s2")],
            "assertions": [{"id": "a1", "scenario": "s1", "kind": "equals", "signal": "Stage/variable/score", "after": 100, "value": 0,
                "p_golden": 1.0, "p_buggy": 0.0, "says": "…"}]});
        Suite::read(&suite.to_string()).unwrap()
    }

    fn runs(elsewhere: Arc<Played>) -> SuiteRuns {
        let asserted = vec![played(0, true, &[]), played(0, true, &[])];
        SuiteRuns::of_runs(BTreeMap::from([("s1".to_owned(), asserted), ("s2".to_owned(), vec![elsewhere])]))
    }

    #[test]
    fn what_nothing_is_asserted_of_has_a_part_in_behaviour_and_none_in_passing() {
        let (golden, damaged) = (runs(played(0, true, &[])), runs(played(0, false, &[])));
        assert!((damaged.rate(&suite()) - 1.0).abs() < 1e-9, "the suite asserts nothing there");
        let pairs = damaged.beside(&golden, &suite());
        let told: Vec<(&str, u64)> = pairs.iter().map(|pair| (pair.scenario, pair.length)).collect();
        assert_eq!(told, [("s1", 2000), ("s1", 400), ("s2", 2000)], "whole under the first seed");
        let signals = std::collections::BTreeSet::from(["Moth/visible".to_owned()]);
        assert_eq!(crate::grade::drift(&pairs, &signals, 10), Some(0.5));
        assert_eq!(damaged.hashes().len(), 3);
    }

    #[test]
    fn a_guard_asks_for_what_gold_does_where_nothing_is_asserted() {
        let mut suite = suite();
        let guard = |id: &str, scenario: &str| {
            let feature = json!({"kind": "only", "signal": "Moth/visible", "values": [true], "until": 2000});
            serde_json::from_value(json!({"id": id, "scenario": scenario, "feature": feature, "says": "…"})).unwrap()
        };
        suite.guards = vec![guard("g1", "s1"), guard("g2", "s2")];
        assert_eq!(runs(played(0, true, &[])).broken_guards(&suite), Vec::<&Guard>::new());
        let broken =
            runs(played(0, false, &[])).broken_guards(&suite).iter().map(|one| one.id.clone()).collect::<Vec<_>>();
        assert_eq!(broken, ["g2"], "the assertions hold all the same");
        suite.guards.push(guard("g3", "s3"));
        assert_eq!(runs(played(0, true, &[])).broken_guards(&suite).len(), 1, "what was not played is not kept");
    }

    #[test]
    fn an_error_in_any_scenario_is_new_if_gold_has_it_in_none() {
        let (golden, damaged) = (runs(played(0, true, &["log: x"])), runs(played(0, true, &["error: broken"])));
        assert_eq!(damaged.new_error(&golden), Some("broken"));
        assert_eq!(damaged.new_error(&damaged), None);
        assert_eq!(golden.new_error(&damaged), None);
    }
}
