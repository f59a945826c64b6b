//! Tables of accuracies.

use super::{AS_THE_REFERENCE, left_out_text, percent, plain_table, with_interval, with_missing};
use crate::benchmarks::perception::{Score, YesNo};
use crate::grade::Proportion;

/// Our accuracies, and the reference's where there are some.
pub fn perception_text(ours: &Score, reference: Option<&Score>) -> String {
    let mut parts = one(ours);
    if let Some(reference) = reference {
        parts.push(AS_THE_REFERENCE.to_owned());
        parts.extend(one(reference));
    }
    parts.join("\n")
}

/// Accuracies, abilities first.
fn one(score: &Score) -> Vec<String> {
    let types =
        score.task_types.iter().map(|group| row(group.kind.as_ref(), group.accuracy, group.yes_no, group.missing));
    let all = row("all", score.all, score.yes_no, score.missing);
    let tags = score.tags.iter().map(|group| row(group.kind.as_ref(), group.accuracy, group.yes_no, group.missing));
    let head = ["items", "right", "of", "accuracy %", "said YES %", "truth YES %", "balanced %"];
    let mut parts = vec![
        plain_table(&head, types.chain([all]).chain(tags)).to_string(),
        format!("N = {}, {}", score.all.n, left_out_text(&score.left_out)),
    ];
    if score.missing > 0 {
        parts.push(format!("items missing, because none of their trials counts: {}", score.missing));
    }
    if score.unanswered > 0 {
        parts.push(format!("{} without an answer, counted as wrong", score.unanswered));
    }
    parts
}

fn row(name: &str, accuracy: Proportion, yes_no: Option<YesNo>, missing: usize) -> [String; 7] {
    // Of questions for texts and numbers there is nothing to say here.
    let share = |of: fn(YesNo) -> Option<f64>| yes_no.map_or_else(String::new, |yes| percent(of(yes)));
    [
        name.to_owned(),
        accuracy.hits.to_string(),
        with_missing(accuracy.n, missing),
        with_interval(accuracy.percent, accuracy.interval),
        share(|yes| yes.said_yes.percent),
        share(|yes| yes.truly_yes.percent),
        share(|yes| yes.balanced),
    ]
}
