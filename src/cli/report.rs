//! `scratchbed report`: runs side by side, as tables or a page.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arms::files::write_or_say;
use crate::arms::output::Output;
use crate::flags::budget::PricesArgs;
use crate::flags::count::CountArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::run_folders::{GradingArgs, RunFolders, UnpackingArgs, grading};
use crate::flags::settings::Settings;
use scratchbed::report::{Format, check_final, compare, pooled};

/// Runs of different benchmarks get a table each. Runs of different sets of items stand in one table with a letter for each
/// set and a note, since their figures do not compare.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Folders of runs or experiments, their names below runs/ or its folders, or bundles; complete or not.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    unpacking: UnpackingArgs,
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
    /// Refuse runs of which attempts are owed or dead: for tables that are published.
    #[arg(long = "final")]
    is_final: bool,
    /// Count runs of the halves of a benchmark of faults (`bugs folds`) as one: one run of each half, asked in the same way.
    #[arg(long)]
    pooled: bool,
}

/// Prints or writes the tables.
pub fn run(args: &ReportArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let prices = args.prices.table()?;
    let opened = RunFolders::open(&args.runs, args.unpacking, settings)?;
    let judges = args.grading.judges(settings)?;
    let grading = grading(judges.as_ref());
    let runs = opened.runs();
    if args.is_final {
        check_final(&runs, grading)?;
    }
    let compared =
        if args.pooled { pooled(&runs, &prices)? } else { compare(&runs, &prices, args.count.count(), grading)? };
    let text = compared.write(args.format)?;
    write_or_say(&text, args.out.as_deref(), out)?;
    out.answer(&json!({"report": compared, "file": args.out}));
    Ok(Status::Success)
}
