//! `scratchbed trace …`: what two recorded runs do differently.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::json;

use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::grade::{TraceDifference, first_difference};
use scratchbed::model::Trace;

/// What to do with traces.
#[derive(Debug, Subcommand)]
pub enum TraceCommand {
    /// Name the first tick and signal that differ. Exit code 0 if the traces are equal, 1 if not.
    Diff {
        /// A trace, as `scratchbed judge --trace FILE` writes it.
        left: PathBuf,
        /// The trace to compare it with.
        right: PathBuf,
    },
}

/// Carries out one of them.
pub fn run(command: &TraceCommand, out: Output) -> Result<Status, Failure> {
    let TraceCommand::Diff { left: left_file, right: right_file } = command;
    let (left, right) = (read(left_file)?, read(right_file)?);
    if left.seed != right.seed {
        out.say(format!("warning: the seeds differ: {} and {}", left.seed, right.seed));
    }
    if left.clock != right.clock {
        out.say(format!("warning: the clocks differ: {} and {}", left.clock, right.clock));
    }
    let found = first_difference(&left, &right);
    out.say(found.as_ref().map_or_else(|| "the traces are equal".to_owned(), words));
    out.answer(&json!({"equal": found.is_none(), "difference": found}));
    Ok(Status::of(found.is_none()))
}

fn words(found: &TraceDifference) -> String {
    let TraceDifference { run, tick, signal, left, right } = found;
    format!("run {}, tick {tick}: {signal} is {left} in the first trace and {right} in the second", run + 1)
}

fn read(path: &Path) -> Result<Trace, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        Failure::new(Status::Input, "trace_unreadable", message)
    })?;
    Ok(Trace::parse(&text)?)
}
