//! What a task set is made of.

use super::plain_table;
use crate::certify::stats::{SetFigures, TaskFigures, by_category, palette_categories};

/// A table of tasks, one of categories, and which blocks they use.
pub fn statistics_text(found: &[TaskFigures]) -> String {
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
    let mut parts = vec![plain_table(&head, rows).to_string()];
    let sums = by_category(found);
    let rows = sums.iter().map(|(category, sum)| {
        let SetFigures { tasks, mean_blocks, mean_changed_blocks, most_changed_blocks, .. } = sum;
        let SetFigures { mean_changed_statements: statements, most_changed_statements, .. } = sum;
        let SetFigures { block_types, tests: cases, fewest_tests, certified, mean_mutation_score, .. } = sum;
        [
            category.map_or("all", Into::into).to_owned(),
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
    parts.push(format!("\n{}", plain_table(&head, rows)));
    if let Some((_, all)) = sums.first() {
        let categories = palette_categories(&all.types);
        let counts: Vec<String> = categories.into_iter().map(|(name, count)| format!("{name} {count}")).collect();
        parts.push(format!("block types by category: {}", counts.join(", ")));
    }
    parts.join("\n")
}
