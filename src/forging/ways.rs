//! `scratchbed repair ways`: the same faults mended by patches, by operations on blocks and with the mouse, in one table.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arms::files::write_or_say;
use crate::arms::output::Output;
use crate::flags::budget::PricesArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::run_folders::{RunFolders, UnpackingArgs};
use crate::flags::settings::Settings;
use scratchbed::report::{Format, ways};

/// Runs of `repair run BENCH`, and of `run --pack PACK` in either mode, where the pack is what `bugs pack` made of the same benchmark.
/// Figures are over the instances that count in all of them.
#[derive(Debug, Args)]
pub struct WaysArgs {
    /// Folders of runs or experiments, their names below runs/ or its folders, or bundles.
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
}

/// Prints or writes the tables.
pub fn run(args: &WaysArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let prices = args.prices.table()?;
    let found = ways(&RunFolders::open(&args.runs, args.unpacking, settings)?.runs(), &prices)?;
    write_or_say(&found.write(args.format)?, args.out.as_deref(), out)?;
    out.answer(&json!({"ways": found, "file": args.out}));
    Ok(Status::Success)
}
