//! `scratchbed demonstrations`: the solved attempts of a run as a set to learn from.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::arms::signs::spinner;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::export::claims;
use scratchbed::model::{pluralise, pluralise_as};
use scratchbed::recording::demonstrations::{LIST, demonstrations};
use scratchbed::store::RunDir;

/// Which run, and where to.
#[derive(Debug, Args)]
pub struct DemonstrationsArgs {
    /// The folder of the run.
    run: PathBuf,
    /// The folder to write to; what is there under the same names is replaced.
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    #[command(flatten)]
    pack: PackArgs,
}

pub fn run(args: &DemonstrationsArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let dir = RunDir::open(&args.run)?;
    let set = args.pack.tasks(settings, &[])?;
    let instructions: BTreeMap<_, _> =
        set.all().iter().map(|entry| (entry.task.id.to_string(), entry.task.instruction.clone())).collect();
    let progress = spinner("writing");
    let written = demonstrations(&dir, &instructions, &args.output);
    progress.finish_and_clear();
    let written = written?;
    out.say(format!(
        "{} of {}, {}",
        pluralise(written.steps, "step"),
        pluralise(written.attempts, "attempt"),
        pluralise(written.images, "picture")
    ));
    if written.left_out > 0 {
        let (one, many) = ("attempt that was not solved", "attempts that were not solved");
        out.say(format!("left out  {}", pluralise_as(written.left_out, one, many)));
    }
    let list = args.output.join(LIST);
    out.say(format!("list      {}", list.display()));
    let claimed = claims([&dir]);
    if let Some(note) = &claimed {
        out.say(format!("note      {note}"));
    }
    out.answer(&json!({"list": list, "written": written, "claims": claimed}));
    Ok(Status::of(written.attempts > 0))
}
