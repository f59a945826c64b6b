//! What the catalogue says about a task: its texts, its figures, its certificate, and pictures of its projects.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::certify::stats::{TaskFigures, figures_of};
use crate::certify::{Certificate, CheckOptions, MutantOutcome, build, current, kept_certificate};
use crate::compile::{Pictures, draw};
use crate::model::Task;
use crate::notation::diff::{TargetDiff, diff};
use crate::project::Project;
use crate::session::Fleet;
use crate::session::retry::while_broken;
use crate::taskset::TaskEntry;

use super::ReportError;

/// How long after the green flag the golden project's stage is drawn.
const RUN: Duration = Duration::from_millis(1000);
/// A certificate counts here as it is, however thorough: the page says how it was made.
const ANY: CheckOptions =
    CheckOptions { seeds: 0, mutants: 0, behaviours: 0, collateral: 0, benign: 0, late: 0, lanes: 1 };

/// One task as its page shows it.
#[derive(Debug, Clone, Serialize)]
pub struct TaskView {
    /// Its `task.json`.
    pub task: Task,
    pub figures: TaskFigures,
    /// The types of blocks that its golden project has, in the order of their names, with their numbers.
    pub types: Vec<(String, usize)>,
    /// What agents start from.
    pub initial: ProjectView,
    pub golden: ProjectView,
    /// What the solution changes, as notation.
    pub changes: Vec<ChangedTarget>,
    /// The certificate, and whether it is current.
    pub certificate: Option<CertificateView>,
}

#[derive(Debug, Clone, Serialize)]
pub struct ProjectView {
    pub stage: PictureFile,
    /// The scripts of each target that has any.
    pub scripts: Vec<PictureFile>,
}

/// A picture with the name of its file in the catalogue.
#[derive(Debug, Clone, Serialize)]
pub struct PictureFile {
    pub target: String,
    /// Its path in the catalogue's folder.
    pub file: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// What the solution changes in one target.
#[derive(Debug, Clone, Serialize)]
pub struct ChangedTarget {
    pub target: String,
    /// New variables and lists.
    pub added_names: Vec<String>,
    /// Lines of the scripts that differ, an empty one between two scripts: a sign, a blank for lines that stay, and the line.
    pub lines: Vec<(char, String)>,
}

/// The summary of a certificate.
#[derive(Debug, Clone, Serialize)]
pub struct CertificateView {
    /// Whether it was made from what is there now.
    pub current: bool,
    pub stale: Option<String>,
    /// Whether nothing speaks against the task.
    pub certified: bool,
    /// The seeds that the golden project passed under.
    pub seeds: Vec<u64>,
    /// Mutation score, 0 to 1.
    pub score: Option<f64>,
    /// Mutants killed, survived and equivalent.
    pub mutants: [usize; 3],
    /// Behavioural mutation score, 0 to 1.
    pub behaviour: Option<f64>,
    /// Collateral mutation score, 0 to 1; `None` where there is nothing to damage.
    pub collateral: Option<f64>,
    /// Benign mutants that passed, and how many were judged.
    pub benign: [usize; 2],
    /// Second and slow solutions that passed.
    pub second_solutions: usize,
    /// Each test with the number of mutants that it was the first to fail on, and of those that it is known to fail on.
    pub tests: Vec<(String, usize, usize)>,
    pub editor: String,
}

/// Gathers all about one task: builds its projects, or takes them from `cache`, and draws them in a page of the fleet.
///
/// # Errors
/// When a project has a fault, or the editor fails repeatedly.
pub async fn view(fleet: &Fleet, cache: &Path, entry: &TaskEntry) -> Result<TaskView, ReportError> {
    let built = build(fleet, cache, entry).await?;
    let (initial, golden) = (Project::read(&built.initial)?, Project::read(&built.golden)?);
    let figures = figures_of(entry, &initial, &golden);
    let drawn = || both(fleet, &built.initial, &built.golden);
    let (before, after) = while_broken("drawing a task's projects", ReportError::is_broken, drawn).await?;
    Ok(TaskView {
        types: figures.types.clone().into_iter().collect(),
        figures,
        initial: project_view(entry, "initial", before),
        golden: project_view(entry, "golden", after),
        changes: diff(&initial, &golden).into_iter().map(changed).collect(),
        certificate: certificate(entry),
        task: entry.task.clone(),
    })
}

async fn both(fleet: &Fleet, initial: &[u8], golden: &[u8]) -> Result<(Pictures, Pictures), ReportError> {
    let lease = fleet.acquire().await.map_err(crate::compile::BuildError::from)?;
    let drawn = async {
        let before = draw(&lease.page, initial, Duration::ZERO).await?;
        Ok((before, draw(&lease.page, golden, RUN).await?))
    };
    let drawn = drawn.await;
    fleet.release(lease).await;
    drawn
}

fn project_view(entry: &TaskEntry, which: &str, pictures: Pictures) -> ProjectView {
    let folder = format!("pictures/{}", entry.task.id);
    let stage = PictureFile {
        target: "Stage".to_owned(),
        file: format!("{folder}/{which}.png"),
        width: 480,
        height: 360,
        bytes: pictures.stage,
    };
    let scripts = pictures.scripts.into_iter().enumerate().map(|(number, picture)| PictureFile {
        target: picture.target,
        file: format!("{folder}/{which}-{number}.svg"),
        width: picture.width,
        height: picture.height,
        bytes: picture.svg.into_bytes(),
    });
    ProjectView { stage, scripts: scripts.collect() }
}

fn changed(target: TargetDiff) -> ChangedTarget {
    let mut lines = Vec::new();
    for script in target.scripts {
        if !lines.is_empty() {
            lines.push((' ', String::new()));
        }
        lines.extend(script.lines.into_iter().map(|(change, line)| (change.sign().unwrap_or(' '), line)));
    }
    ChangedTarget { target: target.target, added_names: target.added_names, lines }
}

fn certificate(entry: &TaskEntry) -> Option<CertificateView> {
    let kept = kept_certificate(&entry.folder).ok()?;
    let stale = current(entry, ANY).err().map(|stale| stale.to_string());
    let Certificate {
        certified,
        seeds,
        mutation,
        behaviour,
        collateral,
        benign,
        tests,
        second_solutions_passed,
        slow_solutions_passed,
        editor,
        ..
    } = kept;
    let count = |outcome| {
        let found = mutation.as_ref().and_then(|mutation| mutation.outcomes.get(&outcome));
        found.copied().unwrap_or_default()
    };
    Some(CertificateView {
        current: stale.is_none(),
        stale,
        certified,
        seeds,
        score: mutation.as_ref().and_then(|mutation| mutation.score),
        mutants: [MutantOutcome::Killed, MutantOutcome::Survived, MutantOutcome::Equivalent].map(count),
        behaviour: behaviour.and_then(|behaviour| behaviour.score),
        collateral: collateral.and_then(|collateral| collateral.score),
        benign: benign.map(|benign| [benign.passed, benign.judged]).unwrap_or_default(),
        second_solutions: [second_solutions_passed, slow_solutions_passed]
            .concat()
            .into_iter()
            .filter(|passed| *passed)
            .count(),
        tests: tests
            .map(|report| report.tests.into_iter().map(|test| (test.name, test.first, test.kills)).collect())
            .unwrap_or_default(),
        editor,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::diff::{Change, ScriptDiff};

    #[test]
    fn scripts_of_a_difference_are_kept_apart() {
        let script = |line: &str| ScriptDiff {
            before: None,
            after: Some(0),
            lines: vec![(Change::Added, line.to_owned()), (Change::Kept, "hide".to_owned())],
        };
        let scripts = vec![script("move (1) steps"), script("show")];
        let difference =
            TargetDiff { target: "Kite".to_owned(), added_names: Vec::new(), removed_names: Vec::new(), scripts };
        let lines = changed(difference).lines;
        let shown: Vec<String> = lines.into_iter().map(|(sign, line)| format!("{sign}{line}")).collect();
        assert_eq!(shown, ["+move (1) steps", " hide", " ", "+show", " hide"]);
    }
}
