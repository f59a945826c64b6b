//! `scratchbed task …`: what there is to solve.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::{Value, json};

use super::catalogue::CatalogueArgs;
use super::oracle::OracleArgs;
use super::pack::ImportCommand;
use super::{catalogue, oracle, pack, stats, task_build, task_expand, task_new, task_text};
use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::model::{Category, Mode, Task, pluralise};
use scratchbed::report::plain_table as table;
use scratchbed::taskset::{Selection, TaskEntry, TaskSet};

/// What to do with tasks.
#[derive(Debug, Subcommand)]
pub enum TaskCommand {
    /// List the tasks.
    List {
        /// Only tasks of this category.
        #[arg(long, value_parser = named::<Category>())]
        category: Vec<Category>,
        /// Only tasks of this split; tasks/splits.json lists those that are no categories.
        #[arg(long, value_name = "NAME")]
        split: Option<String>,
        /// Show figures instead: blocks, changed blocks, types of blocks, tests. Projects that were not built yet are.
        #[arg(long)]
        stats: bool,
        #[command(flatten)]
        pack: PackArgs,
    },
    /// Show one task: its instruction, and where its files are.
    Show {
        /// The task's name.
        id: String,
        /// Draw the stage and the scripts of its projects into this folder.
        #[arg(long, value_name = "FOLDER")]
        pictures: Option<PathBuf>,
        #[command(flatten)]
        pack: PackArgs,
    },
    /// Write a catalogue: one HTML page a task, with pictures of its projects, and an index with filters.
    Catalogue(CatalogueArgs),
    /// Start a task from the template of its category.
    New(task_new::NewArgs),
    /// Have a language model propose tasks and write drafts of them.
    #[command(subcommand)]
    Expand(task_expand::ExpandCommand),
    /// Build project files from their texts. The same text gives the same bytes.
    Build(task_build::BuildArgs),
    /// Derive solutions in composite calls from the initial and the golden projects.
    Oracle(OracleArgs),
    /// Turn foreign tasks into a task pack.
    #[command(subcommand)]
    Import(ImportCommand),
    /// Turn a project into text: a file, or that of a task.
    Text(task_text::TextArgs),
}

/// Carries out one of them.
pub async fn run(command: TaskCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        TaskCommand::List { category, split, stats, pack } => {
            let selection = Selection { ids: Vec::new(), categories: category, split };
            let tasks = pack.tasks(settings, &[])?;
            if stats { stats::run(&tasks, &selection, settings, out).await } else { list(&tasks, &selection, out) }
        }
        TaskCommand::Show { id, pictures, pack } => {
            show(pack.tasks(settings, std::slice::from_ref(&id))?.find(&id)?, pictures.as_deref(), settings, out).await
        }
        TaskCommand::Catalogue(args) => catalogue::run(&args, settings, out).await,
        TaskCommand::New(args) => task_new::run(&args, settings, out),
        TaskCommand::Expand(command) => task_expand::run(&command, settings, out).await,
        TaskCommand::Oracle(args) => oracle::run(&args, settings, out).await,
        TaskCommand::Import(command) => pack::run(&command, out),
        TaskCommand::Build(args) => task_build::run(&args, settings, out).await,
        TaskCommand::Text(args) => task_text::run(&args, settings, out),
    }
}

fn list(tasks: &TaskSet, selection: &Selection, out: Output) -> Result<Status, Failure> {
    let selected = tasks.select(selection)?;
    let version = tasks.version()?;
    let rows = selected.iter().map(|entry| {
        let task = &entry.task;
        [task.category.to_string(), task.id.to_string(), difficulty(task), modes(entry), task.title.clone()]
    });
    out.say(table(&["category", "id", "difficulty", "oracle", "title"], rows).to_string());
    let number = pluralise(selected.len(), "task");
    out.say(format!("{number} of set {version}; splits: {}", tasks.splits().join(", ")));
    let summaries: Vec<Value> = selected.iter().map(|entry| summary(entry)).collect();
    out.answer(&json!({"set": version, "splits": tasks.splits(), "tasks": summaries}));
    Ok(Status::Success)
}

async fn show(entry: &TaskEntry, pictures: Option<&Path>, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let task = &entry.task;
    out.say(format!("{} ({}, difficulty {})\n{}\n", task.id, task.category, difficulty(task), task.title));
    out.say(format!("{}\n", task.instruction));
    out.say(format!("initial     {}", entry.initial().display()));
    out.say(format!("golden      {}", entry.golden().display()));
    out.say(format!("evaluation  {}", entry.script().display()));
    out.say(format!("concepts    {}", task.concepts.join(", ")));
    let object = serde_json::to_value(task).map_err(|error| Failure::infrastructure("task_not_shown", &error))?;
    let files = match pictures {
        Some(folder) => catalogue::pictures(entry, folder, settings).await?,
        None => Vec::new(),
    };
    for file in &files {
        out.say(format!("picture     {}", file.display()));
    }
    out.answer(&json!({"task": object, "folder": entry.folder, "pictures": files}));
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
        "primitive_oracle": task.oracle.as_ref().is_some_and(|lists| lists.of(Mode::Primitive).is_some()),
    })
}

/// 1 to 5, or a dash if not stated.
fn difficulty(task: &Task) -> String {
    task.difficulty.map_or_else(|| "-".to_owned(), |n| n.to_string())
}

/// The modes that the oracle can solve the task in.
fn modes(entry: &TaskEntry) -> String {
    let lists = entry.task.oracle.as_ref();
    let modes = [Mode::Composite, Mode::Primitive];
    let modes = modes.into_iter().filter(|mode| lists.is_some_and(|lists| lists.of(*mode).is_some()));
    let names: Vec<_> = modes.map(|mode| mode.to_string()).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(", ") }
}
