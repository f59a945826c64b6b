//! One repair as a person reads it: the scripts that it touches, of the buggy project, of the patched one and of gold, both patches in words,
//! and how the runs part where it failed.

use serde::Serialize;

use super::failure::{Failure, failure};
use super::film::{Film, parting};
use super::gather::pictures;
use super::marks::marked;
use super::patch::{Piece, in_words};
use super::players::Players;
use super::signals::{agree, checkpoints, seen_in};
use super::{FaultViewError, ScriptView};
use crate::bugs::Instance;
use crate::compile::DrawingPage;
use crate::grade::signals::is_seen;
use crate::judge::{Judges, PlayError};
use crate::mend::{Repair, Stage, patched};
use crate::model::{Scenario, Suite};
use crate::project::Project;
use crate::project::edit::Edit;
use crate::session::retry::while_broken;
use crate::taskset::EvaluationSources;

/// What is drawn of a repair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepairView {
    /// The patch in words, an edit a sentence; empty of one that can't be read, applied or loaded.
    patch: Vec<Vec<Piece>>,
    /// Gold's own.
    gold: Vec<Vec<Piece>>,
    /// Scripts of the buggy project, of the patched one and of gold; of a patch that can't be applied or loaded, those of gold stand alone.
    scripts: Vec<(String, Vec<ScriptView>)>,
    /// Of a patch that was applied and fails the suite.
    failure: Option<Failure>,
    /// Of one that passes with other edits than gold's: where its stage first looks otherwise than gold's.
    parting: Option<Film>,
}

/// Checkpoints of a scenario that are drawn in search of a difference.
const MOST_DRAWN: usize = 12;

/// Has a repair drawn, and played where it failed. `sources` is the script that plays scenarios.
///
/// # Errors
/// When a project is broken, or no page holds.
pub async fn repair_view(
    instance: &Instance,
    repair: &Repair,
    (judges, drawing): (&Judges, &DrawingPage),
    sources: &EvaluationSources,
) -> Result<RepairView, FaultViewError> {
    let patch = repair.patch.as_slice();
    let (gold, buggy) = (Project::read(&instance.golden)?, Project::read(&instance.buggy)?);
    let truth = &instance.truth;
    let words = |patch: &[Edit]| {
        in_words(&buggy, patch).map_err(|source| FaultViewError::Patch { id: instance.entry.id.clone(), source })
    };
    let patched = shown_patched(&buggy, repair);
    let shown = || drawn(instance, patch, (&buggy, patched.as_ref(), &gold), drawing);
    let scripts = while_broken("drawing scripts", FaultViewError::is_broken, shown).await?;
    let (mut failed, mut parted) = (None, None);
    if let Some(patched) = &patched {
        let suite = &instance.suite;
        let players = Players { judges, sources, every: suite.every, seed: 1 };
        let sb3 = patched.pack()?;
        let both = [instance.golden.as_slice(), sb3.as_slice()];
        match repair.stage {
            Stage::AssertionFailed => failed = failure(suite, both, players).await?,
            Stage::GuardFailed | Stage::Passed if !repair.exact => parted = first_parting(suite, both, players).await?,
            _ => {}
        }
    }
    let patch = if patched.is_some() { words(patch)? } else { Vec::new() };
    Ok(RepairView { patch, gold: words(&truth.inverse)?, scripts, failure: failed, parting: parted })
}

/// The buggy project with a patch that was applied and loads. No other one is shown: not the buggy project as if it had been patched, and
/// no editor gets a project that was refused. The stage is a claim in a run that others made, so that the patch is checked again.
pub(super) fn shown_patched(buggy: &Project, repair: &Repair) -> Option<Project> {
    let is_loaded = repair.stage.is_applied() && repair.stage != Stage::Unloadable;
    if is_loaded { patched(buggy, &repair.patch).ok() } else { None }
}

/// Where the stage of a project that passes first looks otherwise than gold's, in any scenario under the first seed; nothing where it never
/// does, or does not run there.
async fn first_parting(suite: &Suite, both: [&[u8]; 2], players: Players<'_>) -> Result<Option<Film>, PlayError> {
    for scenario in &suite.scenarios {
        match parted_in(scenario, both, players).await {
            Ok(None) => {}
            Ok(Some(film)) => return Ok(Some(film.small())),
            Err(error) if error.is_of_project() => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

async fn parted_in(scenario: &Scenario, both: [&[u8]; 2], players: Players<'_>) -> Result<Option<Film>, PlayError> {
    let [gold, patched] = players.both(both, scenario, &[]).await?;
    if gold.hash == patched.hash {
        return Ok(None);
    }
    let mut signals = seen_in(gold.run(), patched.run());
    // What is only reckoned or heard is on no picture.
    signals.retain(|signal| is_seen(signal) || signal.starts_with("clones/"));
    let differs = |tick: &u64| signals.iter().any(|signal| !agree(gold.run(), patched.run(), signal, *tick));
    let ticks: Vec<u64> = checkpoints(players.every, scenario.length).filter(differs).take(MOST_DRAWN).collect();
    if ticks.is_empty() {
        return Ok(None);
    }
    let [gold, patched] = players.both(both, scenario, &ticks).await?;
    Ok(parting(scenario, [&gold, &patched]))
}

async fn drawn(
    instance: &Instance,
    patch: &[Edit],
    (buggy, patched, gold): (&Project, Option<&Project>, &Project),
    drawing: &DrawingPage,
) -> Result<Vec<(String, Vec<ScriptView>)>, FaultViewError> {
    let truth = &instance.truth;
    let mut views = Vec::new();
    if let Some(patched) = patched {
        let sb3 = patched.pack()?;
        let before = marked(buggy, &[], patch);
        views.push(("buggy".to_owned(), pictures(drawing, &instance.buggy, before).await?));
        views.push(("patched".to_owned(), pictures(drawing, &sb3, marked(patched, patch, &[])).await?));
    }
    let golden = marked(gold, &truth.inverse, &truth.forward);
    views.push(("gold".to_owned(), pictures(drawing, &instance.golden, golden).await?));
    Ok(views)
}
