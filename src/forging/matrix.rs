//! `scratchbed repair matrix`: runs of controllers as one matrix of models and modes, with the paper's tables, and as files.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use crate::arms::cases::counted;
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::export::{Matrix, claims, trajectories};
use scratchbed::grade::budgeted::figures;
use scratchbed::meter::may_share_a_table;
use scratchbed::model::{EnergyRecord, Trajectory};
use scratchbed::report::{Budgeted, budgeted_text, write_budgeted_report};
use scratchbed::store::RunDir;

/// Which runs are set side by side.
#[derive(Debug, Args)]
pub struct MatrixArgs {
    /// The folders of the runs, of any models and modes over the same cases.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Also write the tables of single trajectories and attempts (CSV), and a page with figures, into this folder.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Prints the tables. Exit code 1 if a cell of the matrix is missing.
pub fn matrix(args: &MatrixArgs, out: Output) -> Result<Status, Failure> {
    let runs = args.runs.iter().map(|run| RunDir::open(run)).collect::<Result<Vec<_>, _>>()?;
    let matrix = Matrix::read(&runs)?;
    let rows = matrix.rows();
    let figures = figures(&rows, &matrix.not_counted());
    check_energy(&runs)?;
    let notes: Vec<String> = claims(&runs).into_iter().collect();
    let report = Budgeted { figures: &figures, missing: matrix.missing(), notes: &notes };
    out.say(budgeted_text(&report));
    let files = args.out.as_deref().map(|folder| written(&runs, folder, &report, out)).transpose()?;
    out.answer(&json!({
        "trajectories": rows.len(),
        "missing": matrix.missing().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "figures": figures,
        "files": files,
        "claims": notes,
    }));
    Ok(Status::of(matrix.missing().is_empty()))
}

/// Energy that was found in different ways is no common figure.
fn check_energy(runs: &[RunDir]) -> Result<(), Failure> {
    let mut all: Vec<EnergyRecord> = Vec::new();
    for run in runs {
        all.extend(counted(run)?.into_iter().filter_map(|(_, trajectory): (_, Trajectory)| trajectory.energy));
    }
    may_share_a_table(&all).map_err(|error| {
        let failure = Failure::of(Status::Input, "energy_mixed", &error);
        failure.hinted("set runs side by side whose energy was found in one way, or make them with --energy off")
    })
}

fn written(runs: &[RunDir], folder: &Path, report: &Budgeted<'_>, out: Output) -> Result<Value, Failure> {
    let exported = trajectories(runs, folder)?;
    let page = write_budgeted_report(folder, report)?;
    out.say(format!("tables    {}", folder.display()));
    out.say(format!("page      {}", page.display()));
    Ok(json!({"folder": folder, "page": page, "notes": exported.notes}))
}
