//! Tables of explanations.

use super::{left_out_text, plain_table, with_interval};
use crate::benchmarks::explain::{Group, Score};
use crate::grade::Proportion;

/// The paper's accuracies with their intervals; patterns and difficulties below all, and the floor at the end.
pub fn explanations_text(score: &Score) -> String {
    let groups = std::iter::once(&score.all).chain(&score.patterns).chain(&score.difficulties).chain(&score.floor);
    let head = ["instances", "N", "G-Acc %", "U-Acc %", "T-F1", "own T-F1", "T %", "M-Acc %", "O %"];
    let mut parts = vec![
        plain_table(&head, groups.map(row)).to_string(),
        format!("N = {}, {}", score.all.understood.n, left_out_text(&score.left_out)),
    ];
    if score.all.goal.n < score.all.understood.n {
        let n = score.all.goal.n;
        parts.push(format!("G-Acc over {n}: summaries are scored where a person has confirmed the project's record"));
    }
    if score.missing > 0 {
        parts.push(format!("instances missing, because none of their attempts counts: {}", score.missing));
    }
    for (count, why) in [(score.unreadable, "that could not be read"), (score.unanswered, "without an answer")] {
        if count > 0 {
            parts.push(format!("{count} {why}, counted as wrong"));
        }
    }
    parts.join("\n")
}

fn row(group: &Group) -> [String; 9] {
    let share = |share: Proportion| with_interval(share.percent, share.interval);
    let two = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
    [
        group.name.clone(),
        group.understood.n.to_string(),
        share(group.goal),
        share(group.understood),
        two(group.trigger_f1),
        two(group.trigger_f1_mean),
        share(group.trigger),
        share(group.mechanism),
        share(group.outcome),
    ]
}
