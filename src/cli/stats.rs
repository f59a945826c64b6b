//! `scratchbed task list --stats`: what a task set is made of.

use serde_json::json;

use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::signs::bar;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::certify::stats::{by_category, figures};
use scratchbed::compile::texts_of;
use scratchbed::model::{Category, Coded};
use scratchbed::report::statistics_text;
use scratchbed::taskset::{Selection, TaskSet};

/// Prints the figures of each task and of each category.
pub async fn run(tasks: &TaskSet, selection: &Selection, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let selected = tasks.select(selection)?;
    let (fleet, cache) = (browsers::start(settings, 0).await?, browsers::built_projects(settings));
    browsers::build_ahead(&fleet, &cache, &texts_of(selected.iter().copied())).await;
    let progress = bar("projects", selected.len() as u64);
    let mut found = Vec::new();
    for entry in selected {
        let task = figures(&fleet, &cache, entry).await;
        progress.inc(1);
        match task {
            Ok(task) => found.push(task),
            Err(error) => {
                fleet.shutdown().await;
                let detail = format!("{}: {error}", entry.task.id);
                return Err(Failure::new(Status::Input, error.code(), detail));
            }
        }
    }
    progress.finish_and_clear();
    fleet.shutdown().await;
    out.say(statistics_text(&found));
    let sums = by_category(&found);
    let answer: serde_json::Map<String, serde_json::Value> = sums
        .iter()
        .filter_map(|(category, sum)| Some((name(*category).to_owned(), serde_json::to_value(sum).ok()?)))
        .collect();
    out.answer(&json!({"tasks": found, "sums": answer}));
    Ok(Status::Success)
}

fn name(category: Option<Category>) -> &'static str {
    category.map_or("all", Into::into)
}
