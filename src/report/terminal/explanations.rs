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
    if score.all.understood.n > 0 {
        parts.push(summaries(score));
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

/// Of how many summaries G-Acc is, and who stands for the records that they are scored with.
fn summaries(score: &Score) -> String {
    let n = score.all.goal.n;
    if n == 0 {
        return "no G-Acc: no answer is about a project whose record a person wrote or confirmed".to_owned();
    }
    let others = if n < score.all.understood.n { "; all others have drafts, no record or no answer" } else { "" };
    format!("G-Acc over {n}, by the projects' records: {}{others}", score.records)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmarks::explain::{ScoredRecords, score};

    fn told(n: u32, goal: u32, records: ScoredRecords) -> String {
        let mut of_nothing = score(&[], &[]);
        (of_nothing.all.understood, of_nothing.all.goal) = (Proportion::of(0, n), Proportion::of(0, goal));
        explanations_text(&Score { records, ..of_nothing })
    }

    #[test]
    fn a_table_says_who_stands_for_the_records_that_summaries_are_scored_with() {
        let written = ScoredRecords { written: 9, ..ScoredRecords::default() };
        let all = told(9, 9, written);
        assert!(all.ends_with("G-Acc over 9, by the projects' records: 9 written, 0 confirmed by a player"), "{all}");
        let some = told(5, 3, ScoredRecords { written: 1, confirmed: 2, unknown: 0 });
        let words = "G-Acc over 3, by the projects' records: 1 written, 2 confirmed by a player; all others";
        assert!(some.contains(words), "{some}");
        let none = told(5, 0, ScoredRecords::default());
        assert!(none.contains("no G-Acc: no answer") && !none.contains("by a player"), "{none}");
    }
}
