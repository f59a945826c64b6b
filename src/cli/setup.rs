//! `scratchbed setup`.

use clap::Args;
use serde_json::{Value, json};

use crate::arms::browsers::compile_editor;
use crate::arms::output::Output;
use crate::arms::signs::spinner;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::model::EditorGeneration;
use scratchbed::setup::{self, Done};

/// What to set up.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
pub struct SetupArgs {
    /// Also make the virtual environment that the tests of the Python client run in.
    #[arg(long)]
    python: bool,
    /// Also install Postgres, which experiments on several machines and the tests of the ledger need.
    #[arg(long)]
    postgres: bool,
    /// Also make the virtual environment of the S3 server that the tests of fleets put artefacts on.
    #[arg(long)]
    s3: bool,
    /// Also fetch the sample projects of Scratch 1.4, CC BY-SA 3.0, for `scratchbed intake scan .cache/samples`.
    #[arg(long)]
    samples: bool,
    /// Also fetch the older editor in which the published single drags were made, 69 MB; what needs it fetches it too.
    #[arg(long)]
    reference_editor: bool,
}

/// Carries out the steps in order; the first that fails ends it.
pub async fn run(args: &SetupArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let place = settings.place();
    let _lock = setup::lock(&place)?;
    let mut done = Vec::new();
    let mut tell = |name: &str, outcome: Done| {
        out.say(format!("{} {name:<10} {}", outcome.mark(), outcome.detail()));
        done.push(record(name, &outcome));
    };
    let more = [
        args.python.then(setup::python_step),
        args.postgres.then(setup::postgres_step),
        args.s3.then(setup::s3_step),
        args.samples.then(setup::samples_step),
        args.reference_editor.then(setup::reference_editor_step),
    ];
    for step in setup::steps().into_iter().chain(more.into_iter().flatten()) {
        let progress = spinner(step.doing);
        let result = step.carry_out(&place);
        progress.finish_and_clear();
        tell(step.name, result?);
    }
    let reference = setup::has_reference_editor(&place).then_some(EditorGeneration::Reference);
    for editor in [EditorGeneration::Current].into_iter().chain(reference) {
        let progress = spinner(&format!("compiling the {editor} editor"));
        let compiled = compile_editor(editor, settings).await;
        progress.finish_and_clear();
        tell("code", compiled?);
    }
    out.answer(&json!({"steps": done}));
    Ok(Status::Success)
}

/// A step for a program.
fn record(name: &str, outcome: &Done) -> Value {
    let (changed, failed) = (matches!(outcome, Done::Now(_)), matches!(outcome, Done::Failed(_)));
    json!({"name": name, "changed": changed, "failed": failed, "detail": outcome.detail()})
}
