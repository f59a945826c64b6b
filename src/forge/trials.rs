//! One fault tried in a project, the cheapest test first (ScratchEval, section 3.5): whether it is sound, whether it shows, and whether
//! assertions tell it apart under all seeds.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::check::same_bytes;
use super::choosing;
use super::gold::Gold;
use super::plays::{Part, Plays, Seeded};
use super::rules::Rules;
use super::synthesis::Telling;
use crate::grade::suite::{holds, pass_rate};
use crate::grade::{TraceDifference, first_difference};
use crate::inject::{Candidate, Pattern};
use crate::judge::{PlayError, Played, editor, engine};
use crate::model::{Assertion, Feature, SUITE_FORMAT, Scenario, Suite, TraceRun};
use crate::project::Project;
use crate::project::edit::{Edit, apply, inverse};
use crate::project::view::TargetView;

/// Scenarios that a fault is tried in first.
const FIRST_SCENARIOS: usize = 3;
/// Edits of a repair at most (section 3.3).
const MOST_EDITS: usize = 3;

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
    /// The same run came out differently.
    Unstable,
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
    pub first: BTreeMap<String, Arc<Played>>,
}

/// What became of a fault.
#[derive(Debug)]
pub enum Tried {
    Accepted(Box<Accepted>),
    Discarded(Discard, String),
}

/// A fault that is sound by its blocks.
pub(super) struct Sound {
    inverse: Vec<Edit>,
    pub(super) buggy: Project,
    pub(super) sb3: Vec<u8>,
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
        Err(message) => return discarded(Discard::Invalid, &message),
    };
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
/// The same, where it says nothing of the fault.
pub(super) fn failed(error: PlayError) -> Result<(Discard, String), PlayError> {
    match error {
        PlayError::Unloadable(message) => Ok((Discard::Unloadable, message)),
        PlayError::Hung(message) | PlayError::Broke(message) => Ok((Discard::Hung, message)),
        error => Err(error),
    }
}

/// The single-fault proof: a sound project, an inverse that gives gold back to the byte, and nothing else touched.
pub(super) fn sound(gold: &Gold, candidate: &Candidate) -> Result<Sound, String> {
    let json = &gold.project.json;
    let text = |error: &dyn std::error::Error| error.to_string();
    let buggy = apply(json, &candidate.patch).map_err(|error| text(&error))?;
    if buggy == *json {
        return Err("it changes nothing".to_owned());
    }
    let back = inverse(json, &candidate.patch).map_err(|error| text(&error))?;
    let back = back.filter(|back| back.len() <= MOST_EDITS).ok_or("it has no small inverse")?;
    let again = apply(&buggy, &back).map_err(|error| text(&error))?;
    if !same_bytes(&again, json) {
        return Err("its inverse does not give gold back".to_owned());
    }
    if let Some(target) = touched_elsewhere(json, &buggy, &candidate.sprite_id) {
        return Err(format!("it touches {target} as well"));
    }
    let buggy = Project { json: buggy, assets: gold.project.assets.clone() };
    buggy.check().map_err(|error| text(&error))?;
    let sb3 = buggy.pack().map_err(|error| text(&error))?;
    Ok(Sound { inverse: back, buggy, sb3 })
}

/// A target other than the site's of which more differs than the messages that the stage declares.
fn touched_elsewhere<'a>(gold: &'a Value, buggy: &'a Value, site: &str) -> Option<&'a str> {
    let rest = |target: &'a Value| target.as_object().into_iter().flatten().filter(|(name, _)| *name != "broadcasts");
    let all = |json: &'a Value| json["targets"].as_array().into_iter().flatten();
    let name = |target: &'a Value| TargetView::of(target).sprite_id();
    let mut others = all(gold).zip(all(buggy)).filter(|(golden, _)| name(golden) != site);
    others.find(|(golden, buggy)| rest(golden).ne(rest(buggy))).map(|(golden, _)| name(golden))
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
        let mut first: BTreeMap<String, Arc<Played>> = BTreeMap::new();
        let mut differing = Vec::new();
        for part in reaching.chunks(FIRST_SCENARIOS) {
            let played = self.plays.first(Part::Trial, &self.sound.sb3, part).await?;
            for (scenario, buggy) in part.iter().zip(played) {
                let golden = &self.gold.first[&scenario.id];
                if let Some(line) = buggy.console.iter().find(|line| !golden.console.contains(line)) {
                    return Ok(Tried::Discarded(Discard::Unloadable, line.clone()));
                }
                if difference(golden, &buggy).is_some() {
                    differing.push(*scenario);
                }
                first.insert(scenario.id.clone(), buggy);
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

    async fn under_all_seeds(
        self,
        differing: &[&Scenario],
        first: BTreeMap<String, Arc<Played>>,
    ) -> Result<Tried, PlayError> {
        let mut all = Vec::new();
        for scenario in differing {
            let golden = Arc::clone(&self.gold.first[&scenario.id]);
            let golden = self.plays.all_seeds(Part::Seeds, &self.gold.sb3, scenario, golden).await?;
            let buggy = Arc::clone(&first[&scenario.id]);
            let buggy = self.plays.all_seeds(Part::Seeds, &self.sound.sb3, scenario, buggy).await?;
            all.push(Both { scenario, golden, buggy });
        }
        let assertions = self.assertions(&all).await?;
        if let Some(discarded) = self.too_weak(&all, &assertions) {
            return Ok(discarded);
        }
        let suite = self.suite(assertions);
        if let Some(message) = self.unstable(&suite, &first).await? {
            return Ok(Tried::Discarded(Discard::Unstable, message));
        }
        let Sound { inverse, buggy, sb3 } = self.sound;
        let candidate = self.candidate.clone();
        Ok(Tried::Accepted(Box::new(Accepted { candidate, inverse, buggy, sb3, suite, first })))
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
        Ok(self.gold.chosen(found, &self.sound.buggy.json, self.candidate))
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

    fn suite(&self, assertions: Vec<Assertion>) -> Suite {
        Suite {
            format: SUITE_FORMAT,
            seeds: (1..=self.rules.reruns).collect(),
            horizon: self.rules.horizon,
            every: self.rules.every,
            theta: self.rules.theta,
            engine: engine(),
            editor: editor(),
            scenarios: choosing::kept(&self.gold.scenarios, &assertions),
            assertions,
        }
    }

    /// Gold and fault once more in the scenarios as they are kept: both must begin as they did.
    async fn unstable(
        &self,
        suite: &Suite,
        first: &BTreeMap<String, Arc<Played>>,
    ) -> Result<Option<String>, PlayError> {
        let asserted = |scenario: &&Scenario| suite.assertions.iter().any(|one| one.scenario == scenario.id);
        let kept: Vec<&Scenario> = suite.scenarios.iter().filter(asserted).collect();
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
