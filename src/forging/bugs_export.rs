//! `scratchbed bugs export`: examples to tune a model with.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use scratchbed::bugs::{Bench, write};
use scratchbed::explain::ExplainTask;
use scratchbed::mend::{Example, Fold, Options, RepairTask, TOKENS, Task, export};
use scratchbed::model::pluralise;
use scratchbed::report::plain_table as table;

/// Of which instances examples are made, and where they go.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The benchmark, parted by `scratchbed bugs folds`.
    bench: PathBuf,
    /// The half to tune on; evaluate on the other one.
    #[arg(long, value_parser = named::<Fold>())]
    fold: Fold,
    /// What the model learns: to mend faults, or to explain them.
    #[arg(long, value_enum, default_value = "repair")]
    task: Aim,
    /// Who reads it: `chat` is a conversation a line, with `messages` and `meta`.
    #[arg(long = "for", value_enum, default_value = "chat")]
    form: Form,
    /// Take all instances of each project, in place of its first: a benchmark forged with `--per-project N` has several.
    #[arg(long)]
    augment: bool,
    /// Estimated tokens that an example may have; longer ones are listed, not cut.
    #[arg(long, value_name = "N", default_value_t = TOKENS)]
    max_tokens: usize,
    /// The JSONL file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Form {
    Chat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Aim {
    /// The inverse patch is the answer.
    Repair,
    /// Trigger, mechanism and outcome are, with the summary of the project's record.
    Explain,
}

/// Writes the examples, and tells which instances gave none.
pub fn run(args: &ExportArgs, out: Output) -> Result<Status, Failure> {
    let options = Options { fold: args.fold, augment: args.augment, tokens: args.max_tokens };
    let task: &dyn Task = match args.task {
        Aim::Repair => &RepairTask,
        Aim::Explain => &ExplainTask,
    };
    let exported = export(&Bench::open(&args.bench)?, options, task)?;
    let line = |example: &Example| match args.form {
        Form::Chat => format!("{}\n", json!(example)),
    };
    let lines: String = exported.examples.iter().map(line).collect();
    write(&args.out, lines.as_bytes())?;
    let left = exported.left_out.iter().map(|left| [left.instance.clone(), left.reason.clone()]);
    if !exported.left_out.is_empty() {
        out.say(table(&["left out", "because"], left).to_string());
    }
    let longest = exported.examples.iter().map(|example| example.meta.tokens_estimate).max().unwrap_or_default();
    out.say(format!(
        "{} in {}, the longest of about {longest} tokens; {} left out",
        pluralise(exported.examples.len(), "example"),
        args.out.display(),
        pluralise(exported.left_out.len(), "instance")
    ));
    out.answer(&json!({"out": args.out, "examples": exported.examples.len(), "longest": longest, "left_out": exported.left_out}));
    Ok(Status::Success)
}
