//! Runs of the halves of a benchmark as one: of two models, each is tuned on one half and evaluated on the other, and both runs together
//! are of all instances (ScratchEval, section 7).

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::super::{last_tries, names};
use super::{Faults, Row, USUAL};
use crate::benchmarks::explain::Explained;
use crate::benchmarks::{explain, repair};
use crate::grade::{PriceTable, Pricing, Spending};
use crate::mend::Repair;
use crate::model::{AttemptRecord, ItemId, Outcome, RunRecord, pluralise, shown_name};
use crate::report::ReportError;
use crate::report::side::Role;
use crate::store::RunDir;

impl Faults {
    /// All runs of repairs as one row, and all of explanations.
    pub(in crate::report::side) fn pooled(
        repairs: &[&RunDir],
        explanations: &[&RunDir],
        prices: &PriceTable,
    ) -> Result<Self, ReportError> {
        let repairs =
            row(repairs, prices, |items, records: &[AttemptRecord<Option<Repair>>]| Ok(repair::score(items, records)))?;
        let explanations = row(explanations, prices, |items, records: &[AttemptRecord<Option<Explained>>]| {
            let mut baseline: Vec<AttemptRecord<Option<Explained>>> = Vec::new();
            for run in explanations {
                let kept: Option<Vec<AttemptRecord<Option<Explained>>>> = run.kept(explain::BASELINE)?;
                // A floor of one half beside rows of all would not compare.
                let Some(kept) = kept else { return Ok(explain::score(items, records)) };
                baseline.extend(kept);
            }
            Ok(explain::score(items, records).above(items, &baseline))
        })?;
        Ok(Self { repairs: repairs.into_iter().collect(), explanations: explanations.into_iter().collect() })
    }
}

/// The row of these runs together; nothing of none.
fn row<D: DeserializeOwned, S>(
    runs: &[&RunDir],
    prices: &PriceTable,
    score: impl Fn(&[repair::Item], &[AttemptRecord<D>]) -> Result<S, ReportError>,
) -> Result<Option<Row<S>>, ReportError> {
    let Some((first, others)) = runs.split_first() else { return Ok(None) };
    check(first.record(), others)?;
    let (mut items, mut records): (Vec<repair::Item>, Vec<AttemptRecord<D>>) = (Vec::new(), Vec::new());
    for run in runs {
        let kept: Option<Vec<repair::Item>> = run.kept(repair::ITEMS)?;
        items.extend(kept.into_iter().flatten());
        records.extend(last_tries(run)?);
    }
    let record = first.record();
    let is_one_agent = others.iter().all(|run| run.record().agent == record.agent);
    // Two agents may have two prices.
    let pricing = if is_one_agent { prices.pricing(record) } else { Pricing::Unknown };
    let passed = |one: &AttemptRecord<D>| one.outcome == Outcome::Passed;
    let counted = records.iter().filter(|one| one.attempt == 1 && one.outcome.counts());
    Ok(Some(Row {
        run: runs.iter().map(|run| run.record().id.as_str()).collect::<Vec<_>>().join(" + "),
        name: format!("{}, pooled", names(runs, &USUAL).join(" + ")),
        role: Role::of(record),
        setting: shown_name(&record.setting),
        preset: record.preset(),
        set: record.set.clone(),
        passed: counted.map(|one| (one.item.to_string(), passed(one))).collect(),
        score: score(&items, &records)?,
        spending: Spending::of(records.iter().map(|one| (&one.cost, passed(one))), &pricing),
    }))
}

/// Refuses runs that were not made in the same way, and instances that are in two of them.
fn check(first: &RunRecord, others: &[&RunDir]) -> Result<(), ReportError> {
    let refused = |why: String| Err(ReportError::NotPooled { why });
    if others.is_empty() {
        return refused(format!("{} is alone", shown_name(&first.id)));
    }
    let mut seen: BTreeSet<&str> = first.items.iter().map(ItemId::as_str).collect();
    for run in others {
        let record = run.record();
        let both = format!("{} and {}", shown_name(&first.id), shown_name(&record.id));
        if let Some(what) = difference(first, record) {
            return refused(format!("{both} differ in {what}"));
        }
        let twice: Vec<&str> = record.items.iter().map(ItemId::as_str).filter(|item| !seen.insert(*item)).collect();
        if let Some(one) = twice.first() {
            let (run, is) = (shown_name(&record.id), if twice.len() == 1 { "is" } else { "are" });
            let twice = pluralise(twice.len(), "instance");
            return refused(format!("{twice} of {run} {is} in another run as well, such as {one}"));
        }
    }
    Ok(())
}

/// What two runs differ in beside their models and instances.
fn difference(one: &RunRecord, other: &RunRecord) -> Option<&'static str> {
    let asked = [comparable(&one.options), comparable(&other.options)];
    let parts = [
        ("the benchmark", one.set == other.set),
        ("the setting", one.setting == other.setting),
        ("the number of attempts", one.attempts == other.attempts),
        ("the version of scratchbed", one.version == other.version),
        ("how they were asked", asked[0] == asked[1]),
    ];
    parts.into_iter().find(|(_, is_same)| !is_same).map(|(what, _)| what)
}

/// The options without what two tuned models must differ in: which model it is, and which instances of the other half were shown.
fn comparable(options: &Value) -> Value {
    let mut options = options.clone();
    if let Some(agent) = options.get_mut("agent").and_then(Value::as_object_mut) {
        for key in ["model", "endpoint", "command"] {
            agent.shift_remove(key);
        }
    }
    if let Some(shots) = options.pointer_mut("/question/shots") {
        *shots = json!(shots.as_array().map(Vec::len));
    }
    options
}

#[cfg(test)]
#[path = "pooled_tests.rs"]
mod tests;
