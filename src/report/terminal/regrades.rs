//! What later grades changed, task by task.

use std::collections::BTreeMap;

use serde::Serialize;

use super::plain_table;
use crate::benchmarks::tasks::regrade::{Grade, Regraded, Regrading, TestChange};
use crate::model::{pluralise, printable, shown_name};

/// How many attempts were judged, and how many have another grade now.
pub fn regrading_text(regrading: &Regrading) -> String {
    let kept = regrading.regraded.iter().filter(|one| one.kept).count();
    let (all, changed) = (regrading.regraded.len(), regrading.changed().count());
    let flipped = regrading.changed().filter(|one| one.change.before.succeeded != one.change.after.succeeded).count();
    let kept = if kept == 0 { String::new() } else { format!(" ({kept} of them before)") };
    let run = shown_name(&regrading.run);
    let mut lines = vec![format!(
        "{run}: {} graded by the current judges of this checkout{kept}, {} changed, {flipped} of them between solved \
         and not",
        pluralise(all, "attempt"),
        pluralise(changed, "grade")
    )];
    if regrading.claimed {
        lines.push(format!("{run}: its first grades are as claimed by the file, and grades in it do not count"));
    }
    let stays = if regrading.claimed { "as claimed by the file" } else { "first grade stays" };
    for one in &regrading.unjudged {
        let how = if one.is_broken { "BROKEN" } else { stays };
        lines.push(format!("{}: {how}: {}", printable(&one.attempt), one.why));
    }
    lines.join("\n")
}

/// The grades that changed; empty where none did.
pub fn changes_text(regrading: &Regrading) -> String {
    let rows: Vec<[String; 4]> = regrading.changed().map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    plain_table(&["attempt", "before", "now", "tests"], rows).to_string()
}

/// Verdicts of one worker that were checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OfWorker {
    pub worker: String,
    pub judged: usize,
    /// Those with another result now.
    pub differ: usize,
}

/// Counts attempts that were judged again by who had judged them first.
pub fn by_worker<'a>(judged: impl IntoIterator<Item = (&'a str, &'a Regraded)>) -> Vec<OfWorker> {
    let mut workers: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (worker, one) in judged {
        let (all, differ) = workers.entry(worker).or_default();
        *all += 1;
        *differ += usize::from(one.change.is_one());
    }
    workers
        .into_iter()
        .map(|(worker, (judged, differ))| OfWorker { worker: worker.to_owned(), judged, differ })
        .collect()
}

/// The same for people.
pub fn by_worker_text(workers: &[OfWorker]) -> String {
    let rows = workers.iter().map(|one| [one.worker.clone(), one.judged.to_string(), one.differ.to_string()]);
    plain_table(&["worker", "judged again", "differ"], rows).to_string()
}

fn row(one: &Regraded) -> [String; 4] {
    let tests = one.change.tests.iter().map(test).collect::<Vec<_>>().join("\n");
    [printable(&one.attempt), grade(one.change.before), grade(one.change.after), tests]
}

fn grade(grade: Grade) -> String {
    format!("{} {}/{}", grade.outcome.name(), grade.passed_tests, grade.total_tests)
}

fn test(change: &TestChange) -> String {
    let how = match (change.before, change.after) {
        (_, Some(true)) => "now passes",
        (_, Some(false)) => "now fails",
        (_, None) => "is no more",
    };
    let new = if change.before.is_none() { "new, " } else { "" };
    format!("{new}{how}: {}", printable(&change.test))
}
