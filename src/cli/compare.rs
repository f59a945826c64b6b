//! `scratchbed compare`: runs of tasks against each other, over what both have.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arms::files::write_or_say;
use crate::arms::output::Output;
use crate::arms::signs::spinner;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::run_folders::{GradingArgs, RunFolders, UnpackingArgs, grading};
use crate::flags::settings::Settings;
use scratchbed::report::{Format, pairs};
use scratchbed::store::RunDir;

/// Each run is compared with each later one at the same tasks and attempts, and p is corrected for all of them together (Holm).
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Two or more runs of tasks: folders of runs or experiments, their names below runs/, or bundles.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    unpacking: UnpackingArgs,
    #[command(flatten)]
    form: FormArgs,
}

/// How tables are written, and by which grades.
#[derive(Debug, Args)]
pub struct FormArgs {
    /// How tables are written.
    #[arg(long, value_parser = named::<Format>(), default_value_t)]
    format: Format,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    grading: GradingArgs,
}

/// Prints or writes the tables.
pub fn run(args: &CompareArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let opened = RunFolders::open(&args.runs, args.unpacking, settings)?;
    args.form.write(&opened.runs(), settings, out)
}

impl FormArgs {
    /// Prints or writes the tables of these runs.
    pub fn write(&self, runs: &[RunDir], settings: &Settings, out: Output) -> Result<Status, Failure> {
        if runs.len() < 2 {
            let message = "there is one run, and nothing to compare it with";
            let failure = Failure::new(Status::Usage, "one_run_only", message);
            return Err(failure.hinted("name two or more runs of tasks, or an experiment with several arms"));
        }
        let judges = self.grading.judges(settings)?;
        let progress = spinner("drawing samples");
        let compared = pairs(runs, grading(judges.as_ref()));
        progress.finish_and_clear();
        let compared = compared?;
        let text = compared.write(self.format)?;
        write_or_say(&text, self.out.as_deref(), out)?;
        out.answer(&json!({"compared": compared, "file": self.out}));
        Ok(Status::Success)
    }
}
