//! Whether a suite tells right repairs from wrong ones (ScratchEval, section 10.3): wrong ones are faults of gold near the place, and near
//! misses of the true repair; right ones are rewrites of gold that do the same, and repairs that look otherwise. Each is also shown to the
//! validators, which say what they think of it before it runs. Damage elsewhere, after a right repair, is what guards are for: it counts
//! where people would notice it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::foreign::{Damage, foreign_damage};
use super::gold::Gold;
use super::near_misses::{Repair, near_misses};
use super::plays::{Part, Plays};
use super::report::site;
use super::right_repairs::right_repairs;
use super::rules::Rules;
use super::suite_trial::SuiteTrial;
use super::trials::{Accepted, difference};
use crate::bugs::{AdequacyMark, Instance, InstanceEntry, Site};
use crate::judge::PlayError;
use crate::model::Scenario;
use crate::mutants::mutants_of_script;
use crate::patches::lint::{Code, Finding, compare, review};
use crate::project::edit::Edit;
use crate::project::{Project, ProjectError};

/// Wrong repairs, and damages elsewhere, that are tried.
const MOST_WRONG: usize = 20;
const MOST_DAMAGE: usize = 24;
/// The least scores of a suite that is not weak.
pub const ADEQUATE: f64 = 0.9;

/// What became of a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum FixOutcome {
    /// An assertion fails, or the console has an error that gold does not have.
    Rejected,
    /// The assertions hold, and a guard does not.
    BreaksGuard,
    /// The suite passes.
    Accepted,
    /// The suite passes, and no scenario shows a difference to gold; of damage elsewhere, nobody would notice one.
    Equivalent,
}

impl FixOutcome {
    /// Whether the suite fails.
    pub const fn is_rejected(self) -> bool {
        matches!(self, Self::Rejected | Self::BreaksGuard)
    }
}

/// A repair that was tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fix {
    pub name: String,
    pub outcome: FixOutcome,
    /// What validators flag it for.
    pub codes: BTreeSet<Code>,
}

/// What a suite makes of repairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Adequacy {
    pub id: String,
    pub wrong: Vec<Fix>,
    pub right: Vec<Fix>,
    /// Right repairs that damage something elsewhere.
    pub damage: Vec<Fix>,
    /// Rejected wrong repairs over those that are not equivalent to gold; 1 without any.
    pub score: f64,
    /// The same of damage elsewhere.
    pub damage_score: f64,
}

impl Adequacy {
    /// Right repairs that the suite rejects.
    pub fn rejected_right(&self) -> impl Iterator<Item = &Fix> {
        self.right.iter().filter(|fix| fix.outcome.is_rejected())
    }

    /// Whether the suite rejects enough of the wrong repairs and of the damage, and none of the right repairs.
    pub fn is_adequate(&self) -> bool {
        self.score.min(self.damage_score) >= ADEQUATE && self.rejected_right().next().is_none()
    }

    /// What of it is kept beside the truth of an instance.
    pub fn mark(&self, entry: &InstanceEntry) -> AdequacyMark {
        let (suite, right_rejected) = (entry.suite.clone(), self.rejected_right().count());
        let (score, damage_score, is_adequate) = (self.score, self.damage_score, self.is_adequate());
        AdequacyMark { suite, score, damage_score, right: self.right.len(), right_rejected, is_adequate }
    }
}

/// A repair that is to be tried.
pub(super) struct Try {
    name: String,
    pub(super) project: Project,
    codes: BTreeSet<Code>,
}

impl Try {
    fn of(name: String, project: Project, findings: &[Finding]) -> Self {
        Self { name, project, codes: findings.iter().map(|finding| finding.code).collect() }
    }

    fn of_repair(kind: &str, repair: Repair, buggy: &Project) -> Self {
        let findings = review(&buggy.json, &repair.patch);
        let project = Project { json: repair.project, assets: buggy.assets.clone() };
        Self::of(format!("{kind}: {}", repair.name), project, &findings)
    }

    fn with(self, outcome: FixOutcome) -> Fix {
        Fix { name: self.name, outcome, codes: self.codes }
    }
}

/// Tries repairs.
///
/// # Errors
/// When no page holds, or a project can't be played at all.
pub async fn adequacy(instance: &Instance, plays: &Plays, rules: &Rules) -> Result<Adequacy, PlayError> {
    let broke = |error: ProjectError| PlayError::Unloadable(error.to_string());
    let trial = SuiteTrial::of(instance, plays).await?;
    let buggy = &trial.buggy;
    let mut gold = Gold::of(&instance.entry.project, trial.golden.clone(), rules).map_err(broke)?;
    // The report's steps are among them.
    gold.scenarios.clone_from(&instance.suite.scenarios);
    // The trial has played gold. A file that this program would pack otherwise is another project, and played on its own.
    let known = if gold.sb3 == instance.golden { trial.known() } else { Vec::new() };
    // The suite's own scenarios are there already.
    gold.play_others(&known, plays, &Rules { search: 0, ..rules.clone() }).await?;
    let (mut wrong, mut right) = (Vec::new(), Vec::new());
    for one in wrong_fixes(&gold, buggy, &instance.truth.inverse, &instance.truth.site, MOST_WRONG) {
        let outcome = outcome(&gold, &one.project, &trial, plays).await?;
        wrong.push(one.with(outcome));
    }
    for one in right_fixes(&gold, buggy, instance).map_err(broke)? {
        let outcome = trial.verdict(&one.project).await?;
        right.push(one.with(outcome));
    }
    let damage = damaged(&trial, &instance.truth.site, rules, &|_, _| ()).await?;
    let (score, damage_score) = (score(&wrong), score(&damage));
    Ok(Adequacy { id: instance.entry.id.clone(), wrong, right, damage, score, damage_score })
}

/// The share of damage elsewhere that the suite of a fault rejects before it is an instance: the `damage_score` that [`adequacy`] finds of
/// the instance. Told are the damages that were tried, and how many there are.
///
/// # Errors
/// When no page holds, or a project can't be played at all.
pub(super) async fn damage_score(
    gold: &Gold,
    accepted: &Accepted,
    plays: &Plays,
    told: &(dyn Fn(usize, usize) + Sync),
) -> Result<f64, PlayError> {
    let broke = |error: ProjectError| PlayError::Unloadable(error.to_string());
    // As an instance is read: what a file holds is what is damaged.
    let [golden, buggy] = [Project::read(&gold.sb3).map_err(broke)?, Project::read(&accepted.sb3).map_err(broke)?];
    let suite = (&accepted.suite, gold.first.clone());
    let trial = SuiteTrial::played((&gold.sb3, golden), buggy, suite, plays);
    let rules = Rules::of_suite(&accepted.suite);
    Ok(score(&damaged(&trial, &site(&accepted.candidate), &rules, told).await?))
}

/// Right repairs with damage elsewhere: gold, damaged.
async fn damaged(
    trial: &SuiteTrial<'_>,
    site: &Site,
    rules: &Rules,
    told: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<Fix>, PlayError> {
    let mut found = Vec::new();
    let all = foreign_damage(&trial.golden, site, MOST_DAMAGE, rules.seed);
    let number = all.len();
    for Damage { name, project } in all {
        let findings = compare(&trial.buggy.json, &project);
        let one = Try::of(name, Project { json: project, assets: trial.golden.assets.clone() }, &findings);
        let outcome = trial.outcome(&one.project).await?;
        found.push(one.with(outcome));
        told(found.len(), number);
    }
    Ok(found)
}

#[expect(clippy::cast_precision_loss, reason = "repairs are few")]
fn score(tried: &[Fix]) -> f64 {
    let count = |outcome| tried.iter().filter(|fix| fix.outcome == outcome).count();
    let rejected = count(FixOutcome::Rejected) + count(FixOutcome::BreaksGuard);
    let accepted = count(FixOutcome::Accepted);
    if rejected + accepted == 0 { 1.0 } else { rejected as f64 / (rejected + accepted) as f64 }
}

/// Near misses of the repair, then faults of gold in the same script, none of them the fault itself, and no more than so many.
pub(super) fn wrong_fixes(gold: &Gold, buggy: &Project, inverse: &[Edit], site: &Site, most: usize) -> Vec<Try> {
    let misses = near_misses(&buggy.json, inverse).into_iter();
    let misses = misses.map(|repair| Try::of_repair("near miss", repair, buggy));
    let script = site.path.split('.').next().unwrap_or_default();
    // A project holds its pictures and sounds: one after another is made, and only as many as are wanted.
    let near = mutants_of_script(&gold.project, &site.sprite_id, script, 2 * most, 1).into_iter().map(|one| {
        let project = one.project(&gold.project);
        let findings = compare(&buggy.json, &project.json);
        Try::of(one.id, project, &findings)
    });
    let is_other = |one: &Try| {
        let json = &one.project.json;
        *json != gold.project.json && *json != buggy.json && one.project.check().is_ok()
    };
    misses.chain(near).filter(is_other).take(most).collect()
}

/// Rewrites of gold that do the same, and repairs that do what the inverse does.
fn right_fixes(gold: &Gold, buggy: &Project, instance: &Instance) -> Result<Vec<Try>, ProjectError> {
    let mut all = Vec::new();
    for (name, sb3) in gold.rewrites() {
        let project = Project::read(sb3)?;
        let findings = compare(&buggy.json, &project.json);
        all.push(Try::of((*name).to_owned(), project, &findings));
    }
    let truth = &instance.truth;
    let repairs = right_repairs(&buggy.json, &gold.project.json, &truth.inverse, &truth.site);
    all.extend(repairs.into_iter().map(|repair| Try::of_repair("right repair", repair, buggy)));
    all.retain(|one| one.project.check().is_ok());
    Ok(all)
}

/// What a suite makes of a project that should not pass.
async fn outcome(
    gold: &Gold,
    project: &Project,
    trial: &SuiteTrial<'_>,
    plays: &Plays,
) -> Result<FixOutcome, PlayError> {
    let outcome = trial.verdict(project).await?;
    if outcome.is_rejected() {
        return Ok(outcome);
    }
    let Ok(sb3) = project.pack() else { return Ok(FixOutcome::Rejected) };
    let scenarios: Vec<&Scenario> = gold.scenarios.iter().collect();
    let played = plays.first(Part::Adequacy, &sb3, &scenarios).await?;
    let differs =
        scenarios.iter().zip(played).any(|(scenario, run)| difference(&gold.first[&scenario.id], &run).is_some());
    Ok(if differs { FixOutcome::Accepted } else { FixOutcome::Equivalent })
}

#[cfg(test)]
#[path = "adequacy_tests.rs"]
mod tests;
