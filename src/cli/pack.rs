//! `scratchbed task import`, which makes packs.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::json;

use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::benchmarks::tasks::import::{Import, import};
use scratchbed::model::{pluralise, pluralise_as};
use scratchbed::report::plain_table as table;
use scratchbed::taskset::{Golden, ImportReport};

/// Where foreign tasks come from.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// A checkout laid out like the ScratchWorld repository. Tasks with a part missing are listed and left out.
    Scratchworld {
        /// The checkout, with `tasks/` and `scratch-gui/static/`, and `evaluation_scripts/` anywhere below it.
        checkout: PathBuf,
        /// Where the pack goes.
        #[arg(long, value_name = "PACK")]
        out: PathBuf,
        /// Replace a pack that is there.
        #[arg(long)]
        force: bool,
    },
}

/// Imports; the status is positive only if nothing was missing or ambiguous. Nothing is written unless a task is complete.
pub fn run(command: &ImportCommand, out: Output) -> Result<Status, Failure> {
    let ImportCommand::Scratchworld { checkout, out: folder, force } = command;
    let imported: Import = import(checkout)?;
    let report = imported.report();
    // A pack without a task would look like one that all is well with.
    let written = !report.tasks.is_empty();
    if written {
        imported.write(folder, *force)?;
    }
    show(&imported, &report, written.then_some(folder.as_path()), out);
    out.answer(&json!({
        "pack": written.then_some(folder),
        "name": imported.pack.name,
        "stage": imported.pack.stage,
        "complete": report.gaps.is_empty(),
        "tasks": report.tasks,
        "splits": imported.splits(),
        "gaps": report.gaps,
        "notes": report.notes,
    }));
    Ok(Status::of(written && report.gaps.is_empty()))
}

fn show(imported: &Import, report: &ImportReport, pack: Option<&Path>, out: Output) {
    let rows = report.tasks.iter().map(|task| {
        let rule = match task.golden_rule {
            Golden::Own => "own",
            Golden::Base => "base project's",
        };
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        [task.category.to_string(), task.id.to_string(), name(&task.initial), name(&task.golden), rule.to_owned()]
    });
    out.say(table(&["category", "id", "initial", "golden", "golden is"], rows).to_string());
    if !imported.splits().is_empty() {
        let splits = imported.splits().iter().map(|(name, tasks)| format!("{name} ({})", tasks.len()));
        out.say(format!("splits: {}", splits.collect::<Vec<_>>().join(", ")));
    }
    for note in &report.notes {
        out.say(format!("note: {note}"));
    }
    for gap in &report.gaps {
        out.say(gap.to_string());
    }
    let (tasks, gaps) = (pluralise(report.tasks.len(), "task"), report.gaps.len());
    match pack {
        Some(folder) => {
            let gaps = pluralise(gaps, "part");
            out.say(format!("{}: {tasks}, {gaps} missing, ambiguous or invalid", folder.display()));
        }
        None => out.say(format!(
            "No pack was written: no task is complete, {} missing, ambiguous or invalid. Put what is missing into the \
             checkout, and import it again.",
            pluralise_as(gaps, "part is", "parts are")
        )),
    }
}
