//! `scratchbed task …`: what there is to solve.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::{Value, json};

use super::failure::{Failure, Status};
use super::output::{Output, spinner};
use super::settings::Settings;
use super::table::table;
use super::{fleet, project};
use crate::build::decompile;
use crate::model::{Category, Mode, sha256_hex};
use crate::taskset::{Selection, TaskEntry, TaskSet};

/// What to do with tasks.
#[derive(Debug, Subcommand)]
pub enum TaskCommand {
    /// List the tasks.
    List {
        /// Only tasks of this category: create, debug, extend or compute.
        #[arg(long, value_parser = category)]
        category: Vec<Category>,
    },
    /// Show one task: what the agent is told, and where its files are.
    Show {
        /// The task's name.
        id: String,
    },
    /// Build a project file from its text. The same text gives the same bytes.
    Build {
        /// The project text.
        text: PathBuf,
        /// Where the project file goes.
        #[arg(long, short, value_name = "FILE")]
        out: PathBuf,
    },
    /// Turn a project file into text.
    Text {
        /// The project file (.sb3).
        file: PathBuf,
        /// Folder for the text and the assets; without it the text is only printed.
        #[arg(long, short, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
}

/// Carries out one of them.
pub async fn run(command: TaskCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        TaskCommand::List { category } => list(&TaskSet::read(&settings.root)?, category, out),
        TaskCommand::Show { id } => show(TaskSet::read(&settings.root)?.find(&id)?, out),
        TaskCommand::Build { text, out: file } => build(&text, &file, settings, out).await,
        TaskCommand::Text { file, out: folder } => text(&file, folder.as_deref(), out),
    }
}

async fn build(text: &Path, file: &Path, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let fleet = fleet::start(settings, 0).await?;
    let progress = spinner("building");
    let built = project::build(&fleet, text).await;
    progress.finish_and_clear();
    fleet.shutdown().await;
    let sb3 = built?;
    project::write(file, &sb3)?;
    let digest = sha256_hex(&sb3);
    out.say(format!("{} ({} bytes, sha256 {digest})", file.display(), sb3.len()));
    out.answer(&json!({"file": file, "bytes": sb3.len(), "sha256": digest}));
    Ok(Status::Success)
}

fn text(file: &Path, folder: Option<&Path>, out: Output) -> Result<Status, Failure> {
    let (text, parts) = decompile(&project::read(file)?)?;
    match folder {
        None => out.say(text.trim_end()),
        Some(folder) => {
            project::write(&folder.join("project.txt"), text.as_bytes())?;
            for (path, bytes) in &parts.files {
                project::write(&folder.join(path), bytes)?;
            }
            out.say(format!("{}: project.txt and {} assets", folder.display(), parts.files.len()));
        }
    }
    for path in &parts.missing {
        out.say(format!("warning: the project does not contain {path}"));
    }
    out.answer(&json!({"text": text, "assets": parts.files.keys().collect::<Vec<_>>(), "missing": parts.missing}));
    Ok(Status::Success)
}

fn list(tasks: &TaskSet, categories: Vec<Category>, out: Output) -> Result<Status, Failure> {
    let selected = tasks.select(&Selection { ids: Vec::new(), categories })?;
    let rows = selected.iter().map(|entry| {
        let task = &entry.task;
        [task.category.to_string(), task.id.to_string(), task.difficulty.to_string(), modes(entry), task.title.clone()]
    });
    out.say(table(&["category", "id", "difficulty", "oracle", "title"], rows).to_string());
    out.answer(&json!({"tasks": selected.iter().map(|entry| summary(entry)).collect::<Vec<_>>()}));
    Ok(Status::Success)
}

fn show(entry: &TaskEntry, out: Output) -> Result<Status, Failure> {
    let task = &entry.task;
    out.say(format!("{} ({}, difficulty {})\n{}\n", task.id, task.category, task.difficulty, task.title));
    out.say(format!("{}\n", task.instruction));
    out.say(format!("initial     {}", entry.initial().display()));
    out.say(format!("golden      {}", entry.golden().display()));
    out.say(format!("evaluation  {}", entry.scripts.join(format!("{}.js", task.evaluation)).display()));
    out.say(format!("concepts    {}", task.concepts.join(", ")));
    let object = serde_json::to_value(task).map_err(|error| Failure::infrastructure("task_not_shown", &error))?;
    out.answer(&json!({"task": object, "folder": entry.folder}));
    Ok(Status::Success)
}

fn summary(entry: &TaskEntry) -> Value {
    let task = &entry.task;
    json!({
        "id": task.id,
        "category": task.category,
        "title": task.title,
        "difficulty": task.difficulty,
        "steps": task.limits.steps,
        "primitive_oracle": task.oracle.primitive.is_some(),
    })
}

/// The modes that the oracle can solve the task in.
fn modes(entry: &TaskEntry) -> String {
    match &entry.task.oracle.primitive {
        Some(_) => format!("{}, {}", Mode::Composite, Mode::Primitive),
        None => Mode::Composite.to_string(),
    }
}

fn category(text: &str) -> Result<Category, String> {
    let found = Category::ALL.into_iter().find(|category| category.name() == text);
    found.ok_or_else(|| format!("choose from {}", Category::ALL.map(Category::name).join(", ")))
}
