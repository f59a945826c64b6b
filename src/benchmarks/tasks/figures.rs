//! The figures of tasks: SR and PSR in all and per category (paper, equations 3 and 4), and which attempts are void.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::grade::{Count, Graded, Pricing, RunCosts, Summary, TaskRow, task_table};
use crate::model::{Outcome, TaskDetail, TaskRecord, pluralise, shown_name};
use crate::store::{RunDir, StoreError};

/// Attempts that errors of one kind voided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VoidedAttempts {
    /// Stable code of the errors; `infra_error` in older records.
    pub code: String,
    pub count: usize,
}

/// The rows of the table: all tasks, then each category.
pub(super) fn rows(records: &[TaskRecord], count: Count) -> Vec<TaskRow> {
    let graded: Vec<(&str, Graded)> =
        records.iter().map(|record| (record.item.as_str(), Graded::from(record))).collect();
    task_table(&graded, count)
}

/// The closing figures of a run.
pub fn summary(records: &[TaskRecord]) -> Summary {
    let graded: Vec<Graded> = records.iter().map(Graded::from).collect();
    Summary::of(&graded)
}

/// What the attempts of a run cost.
pub fn costs(records: &[TaskRecord], pricing: &Pricing) -> RunCosts {
    let costs: Vec<(&TaskRecord, bool)> = records.iter().map(|record| (record, succeeded(record))).collect();
    RunCosts::of(&costs, pricing)
}

/// How many attempts of a run the testbed voided, by its errors, the most frequent first; those that were repeated since are
/// among them.
///
/// # Errors
/// When an attempt can't be read.
pub fn voided(run: &RunDir) -> Result<Vec<VoidedAttempts>, StoreError> {
    Ok(by_code(run.attempts::<TaskDetail>()?.iter().map(|(_, record)| record)))
}

fn by_code<'a>(records: impl Iterator<Item = &'a TaskRecord>) -> Vec<VoidedAttempts> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for record in records.filter(|record| record.outcome == Outcome::InfraError) {
        let code = record.detail.voided.as_ref().map_or(Outcome::InfraError.name(), |voided| voided.code.as_str());
        // The runs of bundles say what they like.
        *counts.entry(shown_name(code)).or_default() += 1;
    }
    let mut all: Vec<_> = counts.into_iter().map(|(code, count)| VoidedAttempts { code, count }).collect();
    all.sort_by_key(|voided| std::cmp::Reverse(voided.count));
    all
}

/// The same in words: `0 attempts`, `3 attempts (2 browser_lost, 1 disk_full)`.
pub fn voided_text(voided: &[VoidedAttempts]) -> String {
    let all: usize = voided.iter().map(|one| one.count).sum();
    let attempts = pluralise(all, "attempt");
    let codes: Vec<String> = voided.iter().map(|one| format!("{} {}", one.count, one.code)).collect();
    if all == 0 { attempts } else { format!("{attempts} ({})", codes.join(", ")) }
}

/// Whether an attempt solved its task.
pub fn succeeded(record: &TaskRecord) -> bool {
    Graded::from(record).succeeded()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::RUN_FORMAT;

    fn record(outcome: Outcome, code: Option<&str>) -> TaskRecord {
        let voided = code.map(|code| json!({"code": code, "acting": true}));
        serde_json::from_value(json!({
            "format": RUN_FORMAT, "item": "t", "attempt": 1, "retry": 0, "outcome": outcome,
            "cost": {"seconds": 1.0, "calls": 0, "input_tokens": 0, "output_tokens": 0},
            "detail": {"category": "debug", "mode": "composite", "ending": "infra_error", "steps": 0, "passed_tests": 0,
                "total_tests": 0, "judging_s": 0.0, "voided": voided},
        }))
        .unwrap()
    }

    #[test]
    fn void_attempts_are_counted_by_what_voided_them() {
        let records = [
            record(Outcome::InfraError, Some("disk_full")),
            record(Outcome::InfraError, Some("browser_lost")),
            record(Outcome::Passed, None),
            record(Outcome::InfraError, Some("browser_lost")),
            record(Outcome::InfraError, None),
        ];
        let found = by_code(records.iter());
        assert_eq!(voided_text(&found), "4 attempts (2 browser_lost, 1 disk_full, 1 infra_error)");
        assert_eq!(voided_text(&by_code(records[2..3].iter())), "0 attempts");
        assert_eq!(voided_text(&by_code(records[..1].iter())), "1 attempt (1 disk_full)");
    }
}
