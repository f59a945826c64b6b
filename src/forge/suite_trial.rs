//! A suite tried on projects that were made of gold or of a repair of it, under the first seed: whether it passes them, and whether people
//! would notice a difference to gold. Scenarios in which nothing can differ are not played again. Repairs are tried as they are scored.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::adequacy::FixOutcome;
use super::differing::Differing;
use super::drifts::is_noticed;
use super::plays::{FirstRuns, Part, Plays};
use super::suite_runs::SuiteRuns;
use super::verdict::{GoldenRuns, SuiteOutcome, verdict};
use crate::bugs::Instance;
use crate::judge::{PlayError, Played};
use crate::model::{Scenario, Suite};
use crate::noticing::monitors;
use crate::project::{Project, ProjectError};

/// An instance's suite, with gold's runs of all its scenarios.
pub(super) struct SuiteTrial<'a> {
    pub(super) golden: Project,
    pub(super) buggy: Project,
    suite: &'a Suite,
    plays: &'a Plays,
    /// Gold's run under the first seed, by scenario.
    first: FirstRuns,
    /// The same with its other runs, which are made where repairs write errors to the console.
    golden_runs: GoldenRuns<'a>,
    /// The variables and lists that gold's stage shows.
    monitors: BTreeSet<String>,
}

impl<'a> SuiteTrial<'a> {
    /// Plays gold.
    ///
    /// # Errors
    /// When it can't be played, or no page holds.
    pub(super) async fn of(instance: &'a Instance, plays: &'a Plays) -> Result<Self, PlayError> {
        let broke = |error: ProjectError| PlayError::Unloadable(error.to_string());
        let golden = Project::read(&instance.golden).map_err(broke)?;
        let buggy = Project::read(&instance.buggy).map_err(broke)?;
        let suite = &instance.suite;
        let scenarios: Vec<&Scenario> = suite.scenarios.iter().collect();
        let played = plays.first(Part::Adequacy, &instance.golden, &scenarios).await?;
        let first: FirstRuns = scenarios.iter().map(|scenario| scenario.id.clone()).zip(played).collect();
        Ok(Self::played((&instance.golden, golden), buggy, (suite, first), plays))
    }

    /// The same where gold, a file that was read, was played before: with its runs of all scenarios of the suite at full length under the
    /// first seed.
    pub(super) fn played(
        (sb3, golden): (&'a [u8], Project),
        buggy: Project,
        (suite, first): (&'a Suite, FirstRuns),
        plays: &'a Plays,
    ) -> Self {
        let golden_runs = GoldenRuns::of(sb3, first.clone());
        let monitors = monitors(&golden.json);
        Self { golden, buggy, suite, plays, first, golden_runs, monitors }
    }

    /// The suite's scenarios with gold's runs of them at full length under the first seed.
    pub(super) fn known(&self) -> Vec<(&Scenario, &Arc<Played>)> {
        let played = |scenario: &'a Scenario| Some((scenario, self.first.get(&scenario.id)?));
        self.suite.scenarios.iter().filter_map(played).collect()
    }

    /// What the suite makes of a repair, under every seed. What can't be played is rejected.
    ///
    /// # Errors
    /// When no page holds, or gold can't be played.
    pub(super) async fn verdict(&self, project: &Project) -> Result<FixOutcome, PlayError> {
        verdict(project, &self.golden_runs, self.suite, self.plays).await
    }

    /// What the suite makes of a project; [`FixOutcome::Equivalent`] where nobody would notice a difference to gold. What can't be played
    /// is rejected.
    ///
    /// # Errors
    /// When no page holds.
    pub(super) async fn outcome(&self, project: &Project) -> Result<FixOutcome, PlayError> {
        let Ok(sb3) = project.pack() else { return Ok(FixOutcome::Rejected) };
        let differing = Differing::between(&self.golden.json, &project.json);
        let may_show = |scenario: &&Scenario| {
            self.first.get(&scenario.id).is_none_or(|played| differing.may_show(&played.covered))
        };
        let scenarios: Vec<&Scenario> = self.suite.scenarios.iter().filter(may_show).collect();
        let played = match self.plays.first(Part::Adequacy, &sb3, &scenarios).await {
            Ok(played) => played,
            Err(error) if error.is_of_project() => return Ok(FixOutcome::Rejected),
            Err(error) => return Err(error),
        };
        let mut first = self.first.clone();
        first.extend(scenarios.iter().map(|scenario| scenario.id.clone()).zip(played));
        Ok(judged((self.suite, &self.monitors), &self.first, &first))
    }
}

/// What a suite makes of runs beside gold's, of the same scenarios.
fn judged((suite, monitors): (&Suite, &BTreeSet<String>), golden: &FirstRuns, first: &FirstRuns) -> FixOutcome {
    let (runs, golden_runs) = (SuiteRuns::under_first_seed(first), SuiteRuns::under_first_seed(golden));
    let outcome = runs.outcome(&golden_runs, suite);
    // Whoever scores it notices that it complains, if nobody else does.
    let complains = matches!(outcome, SuiteOutcome::ConsoleError(_));
    let counts = complains || is_noticed(&golden_runs, &runs, suite, monitors);
    if counts { outcome.into() } else { FixOutcome::Equivalent }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::*;

    /// A run in which these signals are constant.
    fn played(signals: &Value, console: &[&str]) -> FirstRuns {
        let columns =
            signals.as_object().unwrap().iter().map(|(name, value)| (name.clone(), json!({"t": [9], "v": [value]})));
        let signals: serde_json::Map<String, Value> = columns.collect();
        let run = serde_json::from_value(json!({"ticks": 100, "signals": signals})).unwrap();
        let console = console.iter().map(|line| (*line).to_owned()).collect();
        let played = Played { hash: signals.len().to_string(), console, ..Played::of_run(run) };
        BTreeMap::from([("s1".to_owned(), Arc::new(played))])
    }

    fn suite() -> Suite {
        let scenario = json!({"id": "s1", "template": "idle", "length": 100, "answers": [], "steps": []});
        let asserted = json!({"id": "a1", "scenario": "s1", "kind": "equals", "signal": "Stage/variable/score", "after": 50, "value": 0,
            "p_golden": 1.0, "p_buggy": 0.0, "says": "…"});
        let only = json!({"kind": "only", "signal": "Moth/visible", "values": [true], "until": 100});
        let suite = json!({"format": 2, "seeds": [1], "horizon": 100, "every": 10, "theta": [0.9, 0.1], "engine": "e", "editor": "1",
            "scenarios": [scenario], "assertions": [asserted],
            "guards": [{"id": "g1", "scenario": "s1", "feature": only, "says": "…"}]});
        Suite::read(&suite.to_string()).unwrap()
    }

    #[test]
    fn damage_is_rejected_by_what_it_breaks_and_counts_where_it_is_seen() {
        let of = |score: i64, moth: bool, owl: bool| json!({"Stage/variable/score": score, "Moth/visible": moth, "Owl/visible": owl});
        let gold = of(0, true, true);
        let outcome = |shown: &Value, console: &[&str]| {
            judged((&suite(), &BTreeSet::new()), &played(&gold, &[]), &played(shown, console))
        };
        assert_eq!(outcome(&gold, &[]), FixOutcome::Equivalent);
        assert_eq!(outcome(&of(1, true, true), &[]), FixOutcome::Equivalent, "nobody sees a variable");
        assert_eq!(outcome(&of(1, false, true), &[]), FixOutcome::Rejected);
        assert_eq!(outcome(&of(0, false, true), &[]), FixOutcome::BreaksGuard);
        assert_eq!(outcome(&of(0, true, false), &[]), FixOutcome::Accepted, "nothing guards the owl");
        assert_eq!(outcome(&gold, &["error: broken"]), FixOutcome::Rejected);
    }
}
