//! Whether a suite tells right repairs from wrong ones (ScratchEval, section 10.3): wrong ones are faults of gold near the place, and near
//! misses of the true repair; right ones are rewrites of gold that do the same.

use serde::Serialize;
use serde_json::Value;

use super::check::rate;
use super::gold::Gold;
use super::near_misses::near_misses;
use super::plays::{Part, Plays};
use super::rules::Rules;
use super::trials::difference;
use crate::bugs::Instance;
use crate::judge::PlayError;
use crate::model::Scenario;
use crate::mutants::mutants;
use crate::project::{Project, ProjectError};

/// Wrong repairs that are tried.
const MOST_WRONG: usize = 20;
/// Mutants of gold among which those near the fault are looked for.
const POPULATION: usize = 2000;

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
}

/// What a suite makes of repairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Adequacy {
    pub id: String,
    pub wrong: Vec<Fix>,
    /// Right ones that the suite rejects.
    pub rejected_right: Vec<String>,
    pub right: usize,
    /// Rejected wrong repairs over those that are not equivalent to gold; 1 without any.
    pub score: f64,
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
    let mut wrong = Vec::new();
    for (name, project) in wrong_fixes(&gold, &buggy, instance) {
        let outcome = outcome(&gold, &project, instance, plays).await?;
        wrong.push(Fix { name, outcome });
    }
    let mut rejected_right = Vec::new();
    for (name, sb3) in gold.rewrites() {
        if rate(sb3, &instance.suite, plays).await? < instance.suite.theta.0 {
            rejected_right.push(name.clone());
        }
    }
    let score = score(&wrong);
    Ok(Adequacy { id: instance.entry.id.clone(), wrong, rejected_right, right: gold.rewrites().len(), score })
}

#[expect(clippy::cast_precision_loss, reason = "repairs are few")]
fn score(wrong: &[Fix]) -> f64 {
    let count = |outcome| wrong.iter().filter(|fix| fix.outcome == outcome).count();
    let (rejected, accepted) = (count(FixOutcome::Rejected), count(FixOutcome::Accepted));
    if rejected + accepted == 0 { 1.0 } else { rejected as f64 / (rejected + accepted) as f64 }
}

/// Near misses of the repair, then faults of gold in the very statement, none of them the fault itself. Damage elsewhere is no wrong
/// repair of this fault: drift shows it.
fn wrong_fixes(gold: &Gold, buggy: &Project, instance: &Instance) -> Vec<(String, Project)> {
    let truth = &instance.truth;
    let as_project = |json: Value| Project { json, assets: buggy.assets.clone() };
    let mut all: Vec<(String, Project)> = near_misses(&buggy.json, &truth.inverse)
        .into_iter()
        .map(|(name, json)| (format!("near miss: {name}"), as_project(json)))
        .collect();
    let script = format!("{}.", truth.site.path.split('.').next().unwrap_or_default());
    let sample = mutants(&gold.project, None, POPULATION, 1);
    let near =
        sample.mutants.into_iter().filter(|one| one.target == truth.site.sprite_id && one.path.starts_with(&script));
    all.extend(near.map(|one| (one.id.clone(), one.project(&gold.project))));
    all.retain(|(_, project)| {
        project.json != gold.project.json && project.json != buggy.json && project.check().is_ok()
    });
    all.truncate(MOST_WRONG);
    all
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
