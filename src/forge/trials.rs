//! One fault tried in a project, the cheapest test first (ScratchEval, section 3.5): whether it is `sound`, whether it shows, and whether
//! assertions tell it apart under all seeds.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::companions::companions;
use super::gold::Gold;
use super::misfit::{linted, sighted};
use super::plays::{FirstRuns, Part, Plays, Seeded, runs};
use super::rules::Rules;
use super::sighting::Sighting;
use super::sound::{Sound, Unsound, sound};
use super::synthesis::Telling;
use crate::grade::suite::{holds, pass_rate};
use crate::grade::{TraceDifference, first_difference};
use crate::inject::{Candidate, Pattern};
use crate::judge::console::{new_error_in, new_error_under_seeds};
use crate::judge::{PlayError, Played, editor, engine};
use crate::model::{Assertion, Feature, SUITE_FORMAT, Scenario, Suite, TraceRun};
use crate::project::Project;
use crate::project::edit::Edit;

/// Scenarios that a fault is tried in first.
const FIRST_SCENARIOS: usize = 3;

/// Why a fault was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Discard {
    /// The edit gives no sound project, or has no small exact inverse.
    Invalid,
    /// The VM can't load it, or complains where it did not before.
    Unloadable,
    /// No scenario runs the place.
    NotReached,
    /// No run differs.
    Equivalent,
    /// Runs differ, but not in a way that all seeds share.
    SeedDependent,
    /// The program does not let the page go on.
    Hung,
    /// Nothing could be asserted that shows the fault.
    Weak,
    /// A linter finds it without a run.
    Linted,
    /// A player notices no difference.
    Unseen,
    /// What is seen is not what its pattern says.
    Mislabelled,
    /// The same run came out differently.
    Unstable,
    /// A text search repairs it by its report, and there are as many such instances as there may be.
    Trivial,
    /// Its suite rejects too little damage elsewhere, and another fault is taken in its place.
    Inadequate,
}

/// A fault that was taken.
#[derive(Debug, Clone)]
pub struct Accepted {
    pub candidate: Candidate,
    pub inverse: Vec<Edit>,
    pub buggy: Project,
    pub sb3: Vec<u8>,
    pub suite: Suite,
    /// The buggy project's run under the first seed, by scenario.
    pub first: FirstRuns,
    /// How a player gets to see it.
    pub sighting: Sighting,
}

/// What became of a fault.
#[derive(Debug)]
pub enum Tried {
    Accepted(Box<Accepted>),
    /// It is invalid by its blocks alone.
    Unsound(Unsound),
    Discarded(Discard, String),
}

impl Tried {
    /// Why it was not taken, and more of that in words.
    pub fn discarded(&self) -> Option<(Discard, String)> {
        match self {
            Self::Accepted(_) => None,
            Self::Unsound(why) => Some((Discard::Invalid, why.to_string())),
            Self::Discarded(why, detail) => Some((*why, detail.clone())),
        }
    }
}

/// The runs of one scenario under all seeds.
struct Both<'a> {
    scenario: &'a Scenario,
    golden: Seeded,
    buggy: Seeded,
}

/// Tries a fault.
///
/// # Errors
/// When no page holds: nothing is known of the fault then.
pub async fn attempt(gold: &Gold, plays: &Plays, rules: &Rules, candidate: &Candidate) -> Result<Tried, PlayError> {
    let discarded = |why, detail: &str| Ok(Tried::Discarded(why, detail.to_owned()));
    let sound = match sound(gold, candidate) {
        Ok(sound) => sound,
        Err(why) => return Ok(Tried::Unsound(why)),
    };
    if let Some(why) = linted(&gold.project.json, &sound.buggy.json, candidate.pattern) {
        return discarded(Discard::Linted, &why);
    }
    let reaching = gold.reaching(&candidate.sprite_id, &candidate.statement);
    if reaching.is_empty() {
        return discarded(Discard::NotReached, "no scenario runs the statement");
    }
    let trial = Trial { gold, plays, rules, candidate, sound };
    match trial.run(&reaching).await {
        Ok(tried) => Ok(tried),
        Err(error) => failed(error).map(|(why, message)| Tried::Discarded(why, message)),
    }
}

/// Why a fault is not taken whose run failed.
///
/// # Errors
/// The same, where it says nothing of the fault: then nothing is known of it, and the run ends.
pub(super) fn failed(error: PlayError) -> Result<(Discard, String), PlayError> {
    match error {
        PlayError::Unloadable(message) => Ok((Discard::Unloadable, message)),
        PlayError::Hung(message) => Ok((Discard::Hung, message)),
        error => Err(error),
    }
}

struct Trial<'a> {
    gold: &'a Gold,
    plays: &'a Plays,
    rules: &'a Rules,
    candidate: &'a Candidate,
    sound: Sound,
}

impl Trial<'_> {
    async fn run(self, reaching: &[&Scenario]) -> Result<Tried, PlayError> {
        let mut first: FirstRuns = BTreeMap::new();
        let mut differing = Vec::new();
        for part in reaching.chunks(FIRST_SCENARIOS) {
            let played = self.plays.first(Part::Trial, &self.sound.sb3, part).await?;
            for (scenario, buggy) in part.iter().zip(played) {
                if difference(&self.gold.first[&scenario.id], &buggy).is_some() {
                    differing.push(*scenario);
                }
                first.insert(scenario.id.clone(), buggy);
            }
            if let Some(complains) = self.complains(&first) {
                return Ok(complains);
            }
            if !differing.is_empty() {
                break;
            }
        }
        if differing.is_empty() {
            return Ok(Tried::Discarded(Discard::Equivalent, "no run differs".to_owned()));
        }
        self.under_all_seeds(&differing, first).await
    }

    /// What becomes of the fault if it complains in a run where gold does not.
    fn complains(&self, first: &FirstRuns) -> Option<Tried> {
        let error = new_error_in(first, &self.gold.first)?;
        Some(Tried::Discarded(Discard::Unloadable, error.to_owned()))
    }

    async fn under_all_seeds(self, differing: &[&Scenario], first: FirstRuns) -> Result<Tried, PlayError> {
        let mut all = Vec::new();
        for scenario in differing {
            let golden = Arc::clone(&self.gold.first[&scenario.id]);
            let golden = self.plays.all_seeds(Part::Seeds, &self.gold.sb3, scenario, golden).await?;
            let buggy = Arc::clone(&first[&scenario.id]);
            let buggy = self.plays.all_seeds(Part::Seeds, &self.sound.sb3, scenario, buggy).await?;
            if let Some(error) = new_error_under_seeds(&buggy, &golden) {
                return Ok(Tried::Discarded(Discard::Unloadable, error.to_owned()));
            }
            all.push(Both { scenario, golden, buggy });
        }
        let assertions = self.assertions(&all).await?;
        if let Some(discarded) = self.too_weak(&all, &assertions) {
            return Ok(discarded);
        }
        let first = self.in_all_scenarios(first).await?;
        if let Some(complains) = self.complains(&first) {
            return Ok(complains);
        }
        let sighting = match sighted(self.gold, &self.sound.buggy.json, self.candidate, &first, self.rules.every) {
            Ok(sighting) => sighting,
            Err((why, detail)) => return Ok(Tried::Discarded(why, detail)),
        };
        let suite = suite(self.gold, self.rules, assertions);
        if let Some(message) = self.unstable(&suite, &first).await? {
            return Ok(Tried::Discarded(Discard::Unstable, message));
        }
        let Sound { inverse, buggy, sb3 } = self.sound;
        let candidate = self.candidate.clone();
        Ok(Tried::Accepted(Box::new(Accepted { candidate, inverse, buggy, sb3, suite, first, sighting })))
    }

    /// The fault's runs with those of all other scenarios: an instance must be playable in each, since drift is over all of them.
    async fn in_all_scenarios(&self, mut first: FirstRuns) -> Result<FirstRuns, PlayError> {
        let missing: Vec<&Scenario> =
            self.gold.scenarios.iter().filter(|scenario| !first.contains_key(&scenario.id)).collect();
        let played = self.plays.first(Part::Trial, &self.sound.sb3, &missing).await?;
        first.extend(missing.iter().map(|scenario| scenario.id.clone()).zip(played));
        Ok(first)
    }

    /// Assertions that tell gold from the fault, and accept what does the same as gold (section 10.3).
    async fn assertions(&self, all: &[Both<'_>]) -> Result<Vec<Assertion>, PlayError> {
        let mut found: Vec<(&Scenario, Telling)> = Vec::new();
        for both in all {
            let telling = self.gold.telling(both.scenario, (&both.golden, &both.buggy), self.candidate, self.rules);
            if telling.is_empty() {
                continue;
            }
            let benign = self.gold.benign(self.plays, both.scenario).await?;
            let accepts = |one: &Telling| benign.iter().all(|run| holds(&one.feature, run.run(), self.rules.every));
            found.extend(telling.into_iter().filter(accepts).map(|telling| (both.scenario, telling)));
        }
        let chosen = self.gold.chosen(found, &self.sound.buggy.json, self.candidate);
        self.accompanied(all, chosen).await
    }

    /// Assertions with those that make them mean something.
    async fn accompanied(&self, all: &[Both<'_>], mut assertions: Vec<Assertion>) -> Result<Vec<Assertion>, PlayError> {
        let every = self.rules.every;
        for both in all {
            let (golden, buggy) = (runs(&both.golden), runs(&both.buggy));
            let mut found = companions(&assertions, both.scenario, [&golden, &buggy], every);
            found.retain(|one| one.p_golden >= self.rules.theta.0);
            if found.is_empty() {
                continue;
            }
            let benign = self.gold.benign(self.plays, both.scenario).await?;
            found.retain(|one| benign.iter().all(|run| holds(&one.feature, run.run(), every)));
            for companion in found {
                let id = format!("a{}", assertions.len() + 1);
                assertions.push(Assertion { id, ..companion });
            }
        }
        Ok(assertions)
    }

    /// Why the assertions are not enough, if they are not (section 3.5, steps 4 and 5; 3.3 (e)).
    fn too_weak(&self, all: &[Both<'_>], assertions: &[Assertion]) -> Option<Tried> {
        let discarded = |why, detail: &str| Some(Tried::Discarded(why, detail.to_owned()));
        if assertions.is_empty() {
            let shared = all.iter().any(|both| {
                let each = both.golden.iter().zip(&both.buggy);
                each.into_iter().all(|(golden, buggy)| difference(golden, buggy).is_some())
            });
            let why = if shared { Discard::Weak } else { Discard::SeedDependent };
            return discarded(why, "nothing can be asserted");
        }
        let shows_end = |one: &Assertion| matches!(one.feature, Feature::Reached { .. } | Feature::Event { .. });
        if self.candidate.pattern == Pattern::NonTerminatingLoop && !assertions.iter().any(shows_end) {
            return discarded(Discard::Weak, "no end of gold's stays away");
        }
        let (pass, fail) = self.rules.theta;
        let golden: Vec<(&Scenario, &Seeded)> = all.iter().map(|both| (both.scenario, &both.golden)).collect();
        let golden = pass_rate(assertions, &reruns(&golden), self.rules.every);
        let buggy: Vec<(&Scenario, &Seeded)> = all.iter().map(|both| (both.scenario, &both.buggy)).collect();
        let buggy = pass_rate(assertions, &reruns(&buggy), self.rules.every);
        (golden < pass || buggy > fail)
            .then(|| Tried::Discarded(Discard::Weak, format!("gold passes {golden} of its reruns, the fault {buggy}")))
    }

    /// Gold and fault once more in the scenarios that something is asserted of: both must begin as they did.
    async fn unstable(&self, suite: &Suite, first: &FirstRuns) -> Result<Option<String>, PlayError> {
        let asserted = suite.asserted();
        let kept: Vec<&Scenario> = asserted.iter().collect();
        let golden = self.plays.first(Part::Repetition, &self.gold.sb3, &kept).await?;
        let buggy = self.plays.first(Part::Repetition, &self.sound.sb3, &kept).await?;
        for ((scenario, golden), buggy) in kept.iter().zip(golden).zip(buggy) {
            for (again, before) in [(golden, &self.gold.first[&scenario.id]), (buggy, &first[&scenario.id])] {
                if !begins_alike(again.run(), before.run(), scenario.length / self.rules.every * self.rules.every) {
                    return Ok(Some(format!("scenario {} came out differently", scenario.id)));
                }
            }
        }
        Ok(None)
    }
}

/// The suite with these assertions over all scenarios of a project.
pub(super) fn suite(gold: &Gold, rules: &Rules, assertions: Vec<Assertion>) -> Suite {
    Suite {
        format: SUITE_FORMAT,
        seeds: (1..=rules.reruns).collect(),
        horizon: rules.horizon,
        every: rules.every,
        theta: rules.theta,
        engine: engine(),
        editor: editor(),
        scenarios: gold.scenarios.clone(),
        assertions,
        guards: Vec::new(),
    }
}

/// The runs of scenarios, seed by seed.
pub(super) fn reruns<'a>(all: &[(&Scenario, &'a Seeded)]) -> Vec<BTreeMap<String, &'a TraceRun>> {
    let seeds = all.iter().map(|(_, seeded)| seeded.len()).min().unwrap_or_default();
    (0..seeds)
        .map(|seed| all.iter().map(|(scenario, seeded)| (scenario.id.clone(), seeded[seed].run())).collect())
        .collect()
}

/// Where two runs of a scenario first differ.
pub fn difference(one: &Played, other: &Played) -> Option<TraceDifference> {
    if one.hash == other.hash {
        return None;
    }
    first_difference(&one.trace, &other.trace)
}

/// Whether two runs are the same up to so many ticks.
fn begins_alike(one: &TraceRun, other: &TraceRun, ticks: u64) -> bool {
    let begin = |run: &TraceRun| -> BTreeMap<String, Vec<(u64, Value)>> {
        let columns = run.signals.iter().map(|(name, column)| {
            let all = column.t.iter().copied().zip(column.v.iter().cloned());
            (name.clone(), all.take_while(|(tick, _)| *tick < ticks).collect::<Vec<_>>())
        });
        columns.filter(|(_, column)| !column.is_empty()).collect()
    };
    begin(one) == begin(other)
}
