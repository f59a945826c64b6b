//! `scratchbed task list --stats`: what a task set is made of.

use serde_json::json;

use super::fleet;
use super::output::{Output, bar};
use super::table::table;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::certify::stats::{SetFigures, TaskFigures, by_category, figures, palette_categories};
use scratchbed::compile::texts_of;
use scratchbed::model::{Category, Coded};
use scratchbed::taskset::{Selection, TaskSet};

/// Prints the figures of each task and of each category.
pub async fn run(tasks: &TaskSet, selection: &Selection, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let selected = tasks.select(selection)?;
    let (fleet, cache) = (fleet::start(settings, 0).await?, fleet::built_projects(settings));
    fleet::build_ahead(&fleet, &cache, &texts_of(selected.iter().copied())).await;
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
    show(&found, out);
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

fn show(found: &[TaskFigures], out: Output) {
    let number = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let rows = found.iter().map(|task| {
        [
            task.category.to_string(),
            task.id.to_string(),
            task.blocks.to_string(),
            task.changed_blocks.to_string(),
            task.changed_statements.to_string(),
            number(task.tests.map(|tests| tests.to_string())),
            number(task.mutation_score.map(|score| format!("{score:.2}"))),
            number(task.collateral_score.map(|score| format!("{score:.2}"))),
            task.second_solutions.to_string(),
        ]
    });
    let head = ["category", "id", "blocks", "changed", "statements", "tests", "mutation", "collateral", "second"];
    out.say(table(&head, rows).to_string());
    let sums = by_category(found);
    let rows = sums.iter().map(|(category, sum)| {
        let SetFigures { tasks, mean_blocks, mean_changed_blocks, most_changed_blocks, .. } = sum;
        let SetFigures { mean_changed_statements: statements, most_changed_statements, .. } = sum;
        let SetFigures { block_types, tests: cases, fewest_tests, certified, mean_mutation_score, .. } = sum;
        [
            name(*category).to_owned(),
            tasks.to_string(),
            format!("{mean_blocks:.1}"),
            format!("{mean_changed_blocks:.1}"),
            most_changed_blocks.to_string(),
            format!("{statements:.1}"),
            most_changed_statements.to_string(),
            block_types.to_string(),
            cases.to_string(),
            fewest_tests.to_string(),
            certified.to_string(),
            number(mean_mutation_score.map(|score| format!("{score:.3}"))),
            number(sum.mean_collateral_score.map(|score| format!("{score:.3}"))),
            sum.with_second_solution.to_string(),
        ]
    });
    let head = [
        "",
        "tasks",
        "blocks",
        "changed",
        "most",
        "statements",
        "most",
        "block types",
        "tests",
        "fewest",
        "certified",
        "mutation",
        "collateral",
        "second",
    ];
    out.say(format!("\n{}", table(&head, rows)));
    if let Some((_, all)) = sums.first() {
        let categories = palette_categories(&all.types);
        let counts: Vec<String> = categories.into_iter().map(|(name, count)| format!("{name} {count}")).collect();
        out.say(format!("block types by category: {}", counts.join(", ")));
    }
}
