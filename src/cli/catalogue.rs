//! `scratchbed task catalogue` and the pictures of `scratchbed task show`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::arms::browsers;
use crate::arms::files;
use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::arms::signs::{bar, spinner};
use crate::flags::choice::ChoiceArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::compile::texts_of;
use scratchbed::model::pluralise;
use scratchbed::report::{Catalogue, ProjectView, ReportError, TaskView, view, write_index, write_task};
use scratchbed::taskset::TaskEntry;

/// Which tasks, and where the pages go.
#[derive(Debug, Args)]
pub struct CatalogueArgs {
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    pack: PackArgs,
    /// Folder for the pages; runs/catalogue without it.
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Writes the pages, one task after another.
pub async fn run(args: &CatalogueArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let set = args.pack.tasks(settings, &args.choice.task)?;
    let chosen = set.select(&args.choice.selection())?;
    let folder = args.out.clone().unwrap_or_else(|| settings.root.runs().join("catalogue"));
    let (fleet, cache) = (browsers::start(settings, 0).await?, browsers::built_projects(settings));
    browsers::build_ahead(&fleet, &cache, &texts_of(chosen.iter().copied())).await;
    let progress = bar("pages", chosen.len() as u64);
    let tasks = async {
        let mut tasks = Vec::new();
        for entry in chosen {
            let task = view(&fleet, &cache, entry).await?;
            write_task(&folder, &task)?;
            tasks.push(task);
            progress.inc(1);
        }
        Ok::<_, ReportError>(tasks)
    };
    let tasks = tasks.await;
    progress.finish_and_clear();
    fleet.shutdown().await;
    let catalogue = Catalogue { version: set.version()?, program: env!("CARGO_PKG_VERSION").to_owned(), tasks: tasks? };
    write_index(&folder, &catalogue)?;
    let index = folder.join("index.html");
    out.say(format!("{}; open {}", pluralise(catalogue.tasks.len(), "page"), index.display()));
    out.answer(&json!({"index": index, "tasks": catalogue.tasks.len(), "set": catalogue.version}));
    Ok(Status::Success)
}

/// Writes the pictures of one task's projects, and says where they are.
pub async fn pictures(entry: &TaskEntry, folder: &Path, settings: &Settings) -> Result<Vec<PathBuf>, Failure> {
    let fleet = browsers::start(settings, 0).await?;
    let waiting = spinner("drawing");
    let drawn = view(&fleet, &browsers::built_projects(settings), entry).await;
    waiting.finish_and_clear();
    fleet.shutdown().await;
    let TaskView { initial, golden, .. } = drawn?;
    let mut files = Vec::new();
    for ProjectView { stage, scripts } in [initial, golden] {
        for picture in std::iter::once(stage).chain(scripts) {
            let file = folder.join(Path::new(&picture.file).file_name().unwrap_or_default());
            files::write(&file, &picture.bytes)?;
            files.push(file);
        }
    }
    Ok(files)
}
