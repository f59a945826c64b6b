//! Whether a suite tells right repairs from wrong ones (ScratchEval, section 10.3): wrong ones are faults of gold near the place, and near
//! misses of the true repair; right ones are rewrites of gold that do the same, and repairs that look otherwise. Each is also shown to the
//! validators, which say what they think of it before it runs.

use std::collections::BTreeSet;

use serde::Serialize;

use super::check::rate;
use super::gold::Gold;
use super::near_misses::{Repair, near_misses};
use super::plays::{Part, Plays};
use super::right_repairs::right_repairs;
use super::rules::Rules;
use super::trials::difference;
use crate::bugs::{Instance, Site};
use crate::judge::PlayError;
use crate::model::Scenario;
use crate::mutants::mutants_of_script;
use crate::patches::lint::{Code, Finding, compare, review};
use crate::project::edit::Edit;
use crate::project::{Project, ProjectError};

/// Wrong repairs that are tried.
const MOST_WRONG: usize = 20;
/// The least score of a suite that is not weak.
const ADEQUATE: f64 = 0.8;

/// What became of a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum FixOutcome {
    /// The suite fails.
    Rejected,
    /// The suite passes.
    Accepted,
    /// The suite passes, and no scenario shows a difference to gold.
    Equivalent,
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
    /// Rejected wrong repairs over those that are not equivalent to gold; 1 without any.
    pub score: f64,
}

impl Adequacy {
    /// Right repairs that the suite rejects.
    pub fn rejected_right(&self) -> impl Iterator<Item = &Fix> {
        self.right.iter().filter(|fix| fix.outcome == FixOutcome::Rejected)
    }

    /// Whether the suite rejects enough of the wrong repairs and none of the right ones.
    pub fn is_adequate(&self) -> bool {
        self.score >= ADEQUATE && self.rejected_right().next().is_none()
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
    let golden = Project::read(&instance.golden).map_err(broke)?;
    let buggy = Project::read(&instance.buggy).map_err(broke)?;
    let mut gold = Gold::of(&instance.entry.project, golden, rules).map_err(broke)?;
    // The suite's own scenarios are there already.
    gold.play(plays, &Rules { search: 0, ..rules.clone() }).await?;
    let (mut wrong, mut right) = (Vec::new(), Vec::new());
    for one in wrong_fixes(&gold, &buggy, &instance.truth.inverse, &instance.truth.site, MOST_WRONG) {
        let outcome = outcome(&gold, &one.project, instance, plays).await?;
        wrong.push(one.with(outcome));
    }
    for one in right_fixes(&gold, &buggy, instance).map_err(broke)? {
        let sb3 = one.project.pack().map_err(broke)?;
        let passes = rate(&sb3, &instance.suite, plays).await? >= instance.suite.theta.0;
        right.push(one.with(if passes { FixOutcome::Accepted } else { FixOutcome::Rejected }));
    }
    let score = score(&wrong);
    Ok(Adequacy { id: instance.entry.id.clone(), wrong, right, score })
}

#[expect(clippy::cast_precision_loss, reason = "repairs are few")]
fn score(wrong: &[Fix]) -> f64 {
    let count = |outcome| wrong.iter().filter(|fix| fix.outcome == outcome).count();
    let (rejected, accepted) = (count(FixOutcome::Rejected), count(FixOutcome::Accepted));
    if rejected + accepted == 0 { 1.0 } else { rejected as f64 / (rejected + accepted) as f64 }
}

/// Near misses of the repair, then faults of gold in the same script, none of them the fault itself, and no more than so many. Damage
/// elsewhere is no wrong repair of this fault: drift shows it.
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
        all.push(Try::of(name.clone(), project, &findings));
    }
    let truth = &instance.truth;
    let repairs = right_repairs(&buggy.json, &gold.project.json, &truth.inverse, &truth.site);
    all.extend(repairs.into_iter().map(|repair| Try::of_repair("right repair", repair, buggy)));
    all.retain(|one| one.project.check().is_ok());
    Ok(all)
}

/// What a suite makes of a project that should not pass.
async fn outcome(gold: &Gold, project: &Project, instance: &Instance, plays: &Plays) -> Result<FixOutcome, PlayError> {
    let Ok(sb3) = project.pack() else { return Ok(FixOutcome::Rejected) };
    match rate(&sb3, &instance.suite, plays).await {
        Ok(rate) if rate < instance.suite.theta.0 => return Ok(FixOutcome::Rejected),
        Ok(_) => {}
        // A project that can't be played repairs nothing.
        Err(error) if error.is_of_project() => return Ok(FixOutcome::Rejected),
        Err(error) => return Err(error),
    }
    let scenarios: Vec<&Scenario> = gold.scenarios.iter().collect();
    let played = plays.first(Part::Adequacy, &sb3, &scenarios).await?;
    let differs =
        scenarios.iter().zip(played).any(|(scenario, run)| difference(&gold.first[&scenario.id], &run).is_some());
    Ok(if differs { FixOutcome::Accepted } else { FixOutcome::Equivalent })
}
