//! One repair as a person reads it: the scripts that it touches, of the buggy project, of the patched one and of gold, both patches in words,
//! and how the runs part where it failed.

use serde::Serialize;

use super::ScriptView;
use super::failure::{Failure, failure};
use super::gather::pictures;
use super::marks::marked;
use super::patch::{Piece, in_words};
use super::players::Players;
use crate::bugs::Instance;
use crate::compile::BuildError;
use crate::judge::Judges;
use crate::mend::{Repair, Stage};
use crate::project::Project;
use crate::project::edit::{Edit, apply};
use crate::report::ReportError;
use crate::session::retry::while_broken;
use crate::taskset::EvaluationSources;

/// What is drawn of a repair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepairView {
    /// The patch in words, an edit a sentence; empty of one that can't be applied.
    pub(in crate::report) patch: Vec<Vec<Piece>>,
    /// Gold's own.
    pub(in crate::report) gold: Vec<Vec<Piece>>,
    /// Scripts of the buggy project, of the patched one and of gold; of a patch that can't be applied, those of gold stand alone.
    scripts: Vec<(String, Vec<ScriptView>)>,
    /// Of a patch that was applied and fails the suite.
    failure: Option<Failure>,
}

/// Has a repair drawn, and played where it failed. `sources` is the script that plays scenarios.
///
/// # Errors
/// When a project is broken, or no page holds.
pub async fn repair_view(
    instance: &Instance,
    repair: &Repair,
    judges: &Judges,
    sources: &EvaluationSources,
) -> Result<RepairView, ReportError> {
    let patch = repair.patch.as_slice();
    let (gold, buggy) = (Project::read(&instance.golden)?, Project::read(&instance.buggy)?);
    let truth = &instance.truth;
    let words = |patch: &[Edit]| {
        in_words(&buggy, patch).map_err(|source| ReportError::Patch { id: instance.entry.id.clone(), source })
    };
    let patched = apply(&buggy.json, patch).ok().map(|json| Project { json, assets: buggy.assets.clone() });
    let shown = || drawn(instance, patch, (&buggy, patched.as_ref(), &gold), judges);
    let scripts = while_broken("drawing scripts", ReportError::is_broken, shown).await?;
    let mut failed = None;
    if let (Stage::Failed, Some(patched)) = (repair.stage, &patched) {
        let suite = &instance.suite;
        let players = Players { judges, sources, every: suite.every, seed: 1 };
        failed = failure(suite, [&instance.golden, &patched.pack()?], players).await?;
    }
    let patch = if patched.is_some() { words(patch)? } else { Vec::new() };
    Ok(RepairView { patch, gold: words(&truth.inverse)?, scripts, failure: failed })
}

async fn drawn(
    instance: &Instance,
    patch: &[Edit],
    (buggy, patched, gold): (&Project, Option<&Project>, &Project),
    judges: &Judges,
) -> Result<Vec<(String, Vec<ScriptView>)>, ReportError> {
    let truth = &instance.truth;
    let lease = judges.fleet().acquire().await.map_err(BuildError::from)?;
    let all = async {
        let mut views = Vec::new();
        if let Some(patched) = patched {
            let sb3 = patched.pack()?;
            let before = marked(buggy, &[], patch);
            views.push(("buggy".to_owned(), pictures(&lease.page, &instance.buggy, before).await?));
            views.push(("patched".to_owned(), pictures(&lease.page, &sb3, marked(patched, patch, &[])).await?));
        }
        let golden = marked(gold, &truth.inverse, &truth.forward);
        views.push(("gold".to_owned(), pictures(&lease.page, &instance.golden, golden).await?));
        Ok(views)
    };
    let all = all.await;
    judges.fleet().release(lease).await;
    all
}
