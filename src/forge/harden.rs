//! More assertions for a suite that wrong repairs pass (ScratchEval, section 10.3): what the report tells is asserted; then each wrong
//! repair that the suite accepts is compared with gold as the fault was, and what tells them apart is asserted as well. The fault itself
//! need not show in it.

use std::sync::Arc;

use serde_json::Value;

use super::adequacy::{Try, wrong_fixes};
use super::budget::Budget;
use super::gold::Gold;
use super::plays::{Part, Plays, Seeded, runs};
use super::report::site;
use super::right_repairs::right_repairs;
use super::rules::Rules;
use super::says;
use super::sighting::Sighting;
use super::synthesis::Telling;
use super::trials::{Accepted, difference};
use crate::bugs::Site;
use crate::grade::suite::{holds, share};
use crate::judge::{PlayError, Played};
use crate::model::{Assertion, Feature, Scenario, Suite};
use crate::noticing::statements;
use crate::project::Project;

/// Wrong repairs that are tried, and assertions that are added at most.
const MOST_WRONG: usize = 14;
const MOST_ADDED: usize = 3;
/// Scenarios that a wrong repair is played in, beside those of the suite.
const MOST_SCENARIOS: usize = 3;

/// The suite of an accepted fault, with what it took to reject wrong repairs, as far as the budget goes. `soonest` is how the fault is
/// seen soonest, with all inputs of its scenario.
///
/// # Errors
/// When no page holds.
pub async fn hardened(
    gold: &Gold,
    accepted: &Accepted,
    (plays, budget): (&Plays, Budget),
    (rules, soonest): (&Rules, &Sighting),
) -> Result<Suite, PlayError> {
    let site = site(&accepted.candidate);
    let (assertions, right) = (accepted.suite.assertions.clone(), right(gold, accepted, &site));
    let mut hardening = Hardening { gold, accepted, plays, rules, right, assertions };
    let reported = hardening.reported(soonest).await?;
    hardening.assertions.extend(reported);
    let most = hardening.assertions.len() + MOST_ADDED;
    for wrong in wrong_fixes(gold, &accepted.buggy, &accepted.inverse, &site, MOST_WRONG) {
        if hardening.assertions.len() == most || budget.is_spent(plays) {
            break;
        }
        if let Some(assertion) = hardening.against(&wrong).await? {
            hardening.assertions.push(assertion);
        }
    }
    Ok(Suite { assertions: hardening.assertions, ..accepted.suite.clone() })
}

/// Right repairs that look otherwise, as files.
fn right(gold: &Gold, accepted: &Accepted, site: &Site) -> Vec<Vec<u8>> {
    let buggy = &accepted.buggy;
    let repairs = right_repairs(&buggy.json, &gold.project.json, &accepted.inverse, site).into_iter();
    repairs.filter_map(|repair| Project { json: repair.project, assets: buggy.assets.clone() }.pack().ok()).collect()
}

struct Hardening<'a> {
    gold: &'a Gold,
    accepted: &'a Accepted,
    plays: &'a Plays,
    rules: &'a Rules,
    right: Vec<Vec<u8>>,
    assertions: Vec<Assertion>,
}

impl Hardening<'_> {
    /// What the report tells, in a scenario with its own steps; where that hangs on chance, what was noticed in the scenario that they
    /// were taken from.
    async fn reported(&self, soonest: &Sighting) -> Result<Option<Assertion>, PlayError> {
        for sighting in [&self.accepted.sighting, soonest] {
            if let Some(assertion) = self.symptom(sighting).await? {
                return Ok(Some(assertion).filter(|new| !self.is_known(&new.scenario, &new.feature)));
            }
        }
        Ok(None)
    }

    /// What is noticed first, at the first moment at which it tells gold from the fault under all seeds, and everything that does the same
    /// as gold keeps it.
    async fn symptom(&self, sighting: &Sighting) -> Result<Option<Assertion>, PlayError> {
        let (gold, accepted, plays, rules) = (self.gold, self.accepted, self.plays, self.rules);
        let scenario = gold.scenario(&sighting.scenario.id).filter(|scenario| sighting.begins(scenario));
        let Some((lead, scenario)) = sighting.noticed.first().zip(scenario) else { return Ok(None) };
        let first = Arc::clone(&gold.first[&scenario.id]);
        let statements = statements(lead, first.run(), scenario.length, rules.every);
        let golden = plays.all_seeds(Part::Harden, &gold.sb3, scenario, first).await?;
        let buggy = Arc::clone(&accepted.first[&scenario.id]);
        let buggy = plays.all_seeds(Part::Harden, &accepted.sb3, scenario, buggy).await?;
        let telling = statements.into_iter().filter_map(|feature| {
            let [p_golden, p_buggy] = [&golden, &buggy].map(|all| share(&feature, &runs(all), rules.every));
            let tells = p_golden >= rules.theta.0 && p_buggy <= rules.theta.1;
            tells.then_some((feature, p_golden, p_buggy))
        });
        let mut telling = telling.peekable();
        if telling.peek().is_none() {
            return Ok(None);
        }
        let right = self.right_runs(scenario).await?;
        let is_kept = |feature: &Feature| right.iter().all(|run| holds(feature, run.run(), rules.every));
        Ok(telling.find(|(feature, ..)| is_kept(feature)).map(|(feature, p_golden, p_buggy)| {
            let says = says::expected(&feature, scenario);
            let (id, scenario) = (format!("a{}", self.assertions.len() + 1), scenario.id.clone());
            Assertion { id, scenario, feature, p_golden, p_buggy, says }
        }))
    }

    /// What programs that do the same as gold show in a scenario.
    async fn right_runs(&self, scenario: &Scenario) -> Result<Seeded, PlayError> {
        let mut right = self.gold.benign(self.plays, scenario).await?;
        let repairs = self.right.iter().map(Vec::as_slice);
        right.extend(self.plays.those_that_run(Part::Harden, repairs, scenario).await?);
        Ok(right)
    }

    /// What rejects a wrong repair that nothing rejects so far. `None` also where no scenario tells it from gold, or only chance does.
    async fn against(&self, wrong: &Try) -> Result<Option<Assertion>, PlayError> {
        let Ok(sb3) = wrong.project.pack() else { return Ok(None) };
        for scenario in self.scenarios() {
            let played = match self.plays.play(Part::Harden, &sb3, scenario, 1).await {
                Ok(played) => played,
                // What can't be played repairs nothing.
                Err(error) if error.is_of_project() => return Ok(None),
                Err(error) => return Err(error),
            };
            if self.rejects(scenario, &played) {
                return Ok(None);
            }
            if difference(&self.gold.first[&scenario.id], &played).is_some()
                && let Some(assertion) = self.telling(scenario, (&wrong.project.json, &sb3), played).await?
            {
                return Ok(Some(assertion));
            }
        }
        Ok(None)
    }

    /// Those of the suite, then others that run the place, the shortest first.
    fn scenarios(&self) -> Vec<&Scenario> {
        let asserted = |scenario: &&Scenario| self.assertions.iter().any(|one| one.scenario == scenario.id);
        let candidate = &self.accepted.candidate;
        let reaching = self.gold.reaching(&candidate.sprite_id, &candidate.statement);
        let (own, mut others): (Vec<&Scenario>, Vec<&Scenario>) = reaching.into_iter().partition(asserted);
        others.truncate(MOST_SCENARIOS);
        own.into_iter().chain(others).collect()
    }

    fn rejects(&self, scenario: &Scenario, played: &Played) -> bool {
        let mut own = self.assertions.iter().filter(|one| one.scenario == scenario.id);
        own.any(|one| !holds(&one.feature, played.run(), self.rules.every))
    }

    /// The best assertion that gold fulfils under all seeds, the wrong repair under none, and everything that does the same as gold.
    async fn telling(
        &self,
        scenario: &Scenario,
        (other, sb3): (&Value, &[u8]),
        played: Arc<Played>,
    ) -> Result<Option<Assertion>, PlayError> {
        let (gold, plays) = (self.gold, self.plays);
        let first = Arc::clone(&gold.first[&scenario.id]);
        let golden = plays.all_seeds(Part::Harden, &gold.sb3, scenario, first).await?;
        let wrong = plays.all_seeds(Part::Harden, sb3, scenario, played).await?;
        let mut found = gold.telling(scenario, (&golden, &wrong), &self.accepted.candidate, self.rules);
        found.retain(|telling| !self.is_known(&scenario.id, &telling.feature));
        let right = self.right_runs(scenario).await?;
        found.retain(|telling| right.iter().all(|run| holds(&telling.feature, run.run(), self.rules.every)));
        self.chosen(scenario, found, other).await
    }

    fn is_known(&self, scenario: &str, feature: &Feature) -> bool {
        self.assertions.iter().any(|one| one.scenario == scenario && one.feature == *feature)
    }

    async fn chosen(
        &self,
        scenario: &Scenario,
        found: Vec<Telling>,
        other: &Value,
    ) -> Result<Option<Assertion>, PlayError> {
        let found = found.into_iter().map(|telling| (scenario, telling)).collect();
        let Some(best) = self.gold.chosen(found, other, &self.accepted.candidate).into_iter().next() else {
            return Ok(None);
        };
        let first = match self.accepted.first.get(&scenario.id) {
            Some(first) => Arc::clone(first),
            None => self.plays.play(Part::Harden, &self.accepted.sb3, scenario, 1).await?,
        };
        let buggy = self.plays.all_seeds(Part::Harden, &self.accepted.sb3, scenario, first).await?;
        let shows = buggy.iter().filter(|run| holds(&best.feature, run.run(), self.rules.every)).count();
        #[expect(clippy::cast_precision_loss, reason = "seeds are few")]
        let p_buggy = shows as f64 / buggy.len() as f64;
        Ok(Some(Assertion { id: format!("a{}", self.assertions.len() + 1), p_buggy, ..best }))
    }
}
