//! `scratchbed report`: runs side by side, as tables or a page.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::output::Output;
use super::project::write;
use crate::flags::budget::PricesArgs;
use crate::flags::count::CountArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::report::{Format, compare};
use scratchbed::store::{RunDir, StoreError};

/// Runs of different benchmarks get a table each. Runs of different sets of items stand in one table with a letter for each
/// set and a note, since their figures do not compare.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Folders of runs, or their names below runs/, runs/drag/ or runs/perception/; complete or not.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
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
}

/// Prints or writes the tables.
pub fn run(args: &ReportArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let prices = args.prices.table()?;
    let runs = args.runs.iter().map(|run| open(run, settings)).collect::<Result<Vec<_>, _>>()?;
    let compared = compare(&runs, &prices, args.count.count())?;
    let text = compared.write(args.format)?;
    match &args.out {
        Some(file) => {
            write(file, text.as_bytes())?;
            out.say(format!("wrote {}", file.display()));
        }
        None => out.say(text.trim_end()),
    }
    out.answer(&json!({"report": compared, "file": args.out}));
    Ok(Status::Success)
}

/// The run in a folder, or of a name.
fn open(run: &Path, settings: &Settings) -> Result<RunDir, Failure> {
    let runs = settings.root.runs();
    let places = [run.to_owned(), runs.join(run), runs.join("drag").join(run), runs.join("perception").join(run)];
    let found = places.iter().find(|place| place.join("run.json").is_file());
    let none = || StoreError::NoRun { path: run.to_owned() };
    Ok(RunDir::open(found.ok_or_else(none)?)?)
}
