//! `scratchbed task …`: what there is to solve.

use clap::Subcommand;
use serde_json::{Value, json};

use super::failure::{Failure, Status};
use super::output::Output;
use super::settings::Settings;
use super::table::table;
use crate::model::{Category, Mode};
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
}

/// Carries out one of them.
pub fn run(command: TaskCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let tasks = TaskSet::read(&settings.root)?;
    match command {
        TaskCommand::List { category } => list(&tasks, category, out),
        TaskCommand::Show { id } => show(tasks.find(&id)?, out),
    }
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
