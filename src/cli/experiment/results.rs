//! `scratchbed experiment report` and `export`: each arm is the folder of a run, so what there is for runs serves its arms.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::arms::files::{write, write_or_say};
use crate::arms::output::Output;
use crate::cli::export;
use crate::flags::budget::PricesArgs;
use crate::flags::count::CountArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::NamedArgs;
use crate::flags::named::named;
use crate::flags::run_folders::{GradingArgs, UnpackingArgs, grading};
use crate::flags::settings::Settings;
use scratchbed::benchmarks::tasks::regrade::Grading;
use scratchbed::grade::{Count, PriceTable};
use scratchbed::ledger::Status as State;
use scratchbed::model::pluralise_as;
use scratchbed::report::{Format, compare};
use scratchbed::store::RunDir;

/// Which experiment, and how its tables are written.
#[derive(Debug, Args)]
pub struct ReportArgs {
    #[command(flatten)]
    named: NamedArgs,
    /// Refuse tables as long as cells are owed or dead.
    #[arg(long = "final")]
    is_final: bool,
    /// How tables are written.
    #[arg(long, value_parser = named::<Format>(), default_value_t)]
    format: Format,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    prices: PricesArgs,
    #[command(flatten)]
    count: CountArgs,
    #[command(flatten)]
    grading: GradingArgs,
}

/// Which experiment, in which form and where to.
#[derive(Debug, Args)]
pub struct ExportArgs {
    #[command(flatten)]
    named: NamedArgs,
    #[command(flatten)]
    form: export::FormArgs,
}

/// The folders of an experiment's arms, in the order of its file. Arms that nothing was made of have none.
pub fn folders(status: &State, settings: &Settings) -> Vec<PathBuf> {
    if let Some(run) = &status.run {
        return vec![PathBuf::from(run)];
    }
    let folder = settings.root.experiments().join(&status.id);
    let all = status.arms.iter().map(|arm| folder.join(&arm.label));
    all.filter(|arm| arm.join("run.json").is_file()).collect()
}

/// The arms of an experiment that something was made of.
pub fn arms(status: &State, settings: &Settings) -> Result<Vec<RunDir>, Failure> {
    opened(&folders(status, settings))
}

/// Prints or writes the tables.
pub async fn report(args: &ReportArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let status = args.named.ledger.open(settings).await?.status(&args.named.name).await?;
    let (cells, owed) = (&status.cells, status.cells.all() - status.cells.decided - status.cells.dead);
    if args.is_final && cells.decided < cells.all() {
        let owed = pluralise_as(owed, "cell is", "cells are");
        let message = format!("{owed} owed and {} dead, of {}", cells.dead, cells.all());
        return Err(Failure::new(Status::Input, "not_final", message)
            .hinted("run the file again, `experiment requeue` the dead ones, or leave --final out"));
    }
    let judges = args.grading.judges(settings)?;
    let runs = arms(&status, settings)?;
    let compared = compare(&runs, &args.prices.table()?, args.count.count(), grading(judges.as_ref()))?;
    let text = compared.write(args.format)?;
    write_or_say(&text, args.out.as_deref(), out)?;
    if cells.decided < cells.all() {
        let owed = pluralise_as(owed, "cell is", "cells are");
        out.say(format!("not final: {owed} owed, {} dead", cells.dead));
    }
    out.answer(&json!({"report": compared, "file": args.out, "owed": owed, "dead": cells.dead}));
    Ok(Status::Success)
}

/// Writes attempts for other programs.
pub async fn export(args: &ExportArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let status = args.named.ledger.open(settings).await?.status(&args.named.name).await?;
    args.form.write(&folders(&status, settings), UnpackingArgs::default(), settings, out)
}

/// Writes the page of all arms, and prints their tables.
pub fn write_report(folder: &Path, arms: &[PathBuf], prices: &PriceTable, out: Output) -> Result<PathBuf, Failure> {
    let compared = compare(&opened(arms)?, prices, Count::Ours, Grading::Original)?;
    out.say(compared.write(Format::default())?.trim_end());
    out.say(String::new());
    let page = folder.join("report.html");
    write(&page, compared.write(Format::Html)?.as_bytes())?;
    Ok(page)
}

fn opened(arms: &[PathBuf]) -> Result<Vec<RunDir>, Failure> {
    Ok(arms.iter().map(|arm| RunDir::open(arm)).collect::<Result<_, _>>()?)
}
