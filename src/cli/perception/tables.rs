//! Tables of accuracies.

use crate::cli::output::Output;
use crate::cli::table::table;
use crate::flags::count::{AS_THE_REFERENCE, left_out_text, percent, with_interval, with_missing};
use scratchbed::benchmarks::perception::{Score, YesNo};
use scratchbed::grade::Proportion;

/// Prints our accuracies, and the reference's where there are some.
pub fn show(ours: &Score, reference: Option<&Score>, out: Output) {
    one(ours, out);
    if let Some(reference) = reference {
        out.say(AS_THE_REFERENCE);
        one(reference, out);
    }
}

/// Prints accuracies, abilities first.
fn one(score: &Score, out: Output) {
    let types =
        score.task_types.iter().map(|group| row(group.kind.as_ref(), group.accuracy, group.yes_no, group.missing));
    let all = row("all", score.all, score.yes_no, score.missing);
    let tags = score.tags.iter().map(|group| row(group.kind.as_ref(), group.accuracy, group.yes_no, group.missing));
    let head = ["items", "right", "of", "accuracy %", "said YES %", "truth YES %", "balanced %"];
    out.say(table(&head, types.chain([all]).chain(tags)).to_string());
    out.say(format!("N = {}, {}", score.all.n, left_out_text(&score.left_out)));
    if score.missing > 0 {
        out.say(format!("items missing, because none of their trials counts: {}", score.missing));
    }
    if score.unanswered > 0 {
        out.say(format!("{} without an answer, counted as wrong", score.unanswered));
    }
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
