//! `scratchbed export`: runs for other programs.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arms::output::Output;
use crate::arms::signs::spinner;
use crate::flags::count::left_out_text;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::run_folders::{RunFolders, UnpackingArgs};
use crate::flags::settings::Settings;
use scratchbed::benchmarks::drag::{Scene, ScenePack};
use scratchbed::benchmarks::perception::PerceptionSet;
use scratchbed::export::{Format, Known, export};
use scratchbed::model::pluralise;
use scratchbed::taskset::TaskSet;

/// Which runs, in which form and where to. The exit code is 1 when no attempt could be exported.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Runs of one benchmark or several: folders of runs or experiments, their names below runs/, or bundles.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    unpacking: UnpackingArgs,
    #[command(flatten)]
    form: FormArgs,
}

/// In which form and where to.
#[derive(Debug, Args)]
pub struct FormArgs {
    /// What is written.
    #[arg(long, value_parser = named::<Format>())]
    format: Format,
    /// The folder to write to, new or empty.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    known: KnownArgs,
}

/// Where the items of runs are described.
#[derive(Debug, Args)]
pub struct KnownArgs {
    /// The task pack of runs of tasks; the bundled tasks by default. Instructions come from there.
    #[arg(long, value_name = "DIR")]
    pack: Option<PathBuf>,
    /// The folder of the scenes of runs of drags; the bundled ones by default. Instructions and types come from there.
    #[arg(long, value_name = "DIR")]
    scenes: Option<PathBuf>,
    /// The set of runs of questions. Tags, questions and truths come from there.
    #[arg(long, value_name = "DIR")]
    set: Option<PathBuf>,
}

impl KnownArgs {
    /// What is known of the items of runs. What is bundled may be missing, what is named may not.
    pub fn known(&self, settings: &Settings) -> Result<Known, Failure> {
        let tasks = match &self.pack {
            Some(pack) => Some(TaskSet::read_pack(pack)?),
            None => TaskSet::read(&settings.root).ok(),
        };
        let scenes: Vec<Scene> = match &self.scenes {
            Some(folder) => ScenePack::read(folder)?.scenes().to_vec(),
            None => ScenePack::read(&settings.root.scenes()).map(|pack| pack.scenes().to_vec()).unwrap_or_default(),
        };
        let questions = self.set.as_deref().map(PerceptionSet::read).transpose()?;
        Ok(Known { tasks, scenes, questions })
    }
}

pub fn run(args: &ExportArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    args.form.write(&args.runs, args.unpacking, settings, out)
}

impl FormArgs {
    /// Writes runs.
    pub fn write(
        &self,
        runs: &[PathBuf],
        unpacking: UnpackingArgs,
        settings: &Settings,
        out: Output,
    ) -> Result<Status, Failure> {
        let opened = RunFolders::open(runs, unpacking, settings)?;
        let runs = opened.runs();
        let known = self.known.known(settings)?;
        let progress = spinner("writing");
        let exported = export(&runs, self.format, &known, &self.out);
        progress.finish_and_clear();
        let exported = exported?;
        let attempts = pluralise(exported.attempts, "attempt");
        out.say(format!("{attempts}, {}", left_out_text(&exported.left_out)));
        for note in &exported.notes {
            out.say(format!("note      {note}"));
        }
        out.say(format!("written   {} in {}", pluralise(exported.files, "file"), self.out.display()));
        out.answer(&json!({"out": self.out, "format": self.format.to_string(), "exported": exported}));
        Ok(Status::of(exported.attempts > 0))
    }
}
