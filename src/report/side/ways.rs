//! The same faults mended in several ways: by patches, by operations on blocks, and with the mouse. Runs of repairs and runs of the tasks
//! that `bugs pack` makes of the same instances are set side by side, over the instances that all of them have.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use super::faults::differences;
use super::table::{NONE, Table, interval, two};
use super::{COST_HEADS, Format, cost_cells, formats, last_tries, names, price_note, spent};
use crate::benchmarks::{repair, tasks};
use crate::experiment::Benchmark as _;
use crate::export::claims;
use crate::forge::task_of;
use crate::grade::{PriceTable, Proportion, Spending};
use crate::model::{AttemptRecord, Mode, Outcome, RunRecord};
use crate::report::ReportError;
use crate::store::RunDir;

/// Runs over the same faults.
#[derive(Debug, Serialize)]
pub struct Ways {
    /// Instances that count in all runs, by the names of their tasks.
    instances: BTreeSet<String>,
    rows: Vec<Row>,
    /// What is said of runs that came in bundles.
    claims: Option<String>,
}

#[derive(Debug, Serialize)]
struct Row {
    run: String,
    /// How it mends.
    way: String,
    name: String,
    repaired: Proportion,
    /// Instances of the run that others do not have, or where they do not count.
    left_out: usize,
    /// The mean of an attempt.
    seconds: Option<f64>,
    spending: Spending,
    /// Whether it was mended, by task.
    #[serde(skip)]
    passed: BTreeMap<String, bool>,
}

type Record = AttemptRecord<Value>;

/// Sets runs side by side, by first attempts.
///
/// # Errors
/// When a run can't be read or is of another benchmark, or no instance counts in all of them.
pub fn ways(runs: &[RunDir], prices: &PriceTable) -> Result<Ways, ReportError> {
    let known = [repair::Repairs::NAME, tasks::Tasks::NAME];
    if let Some(other) = runs.iter().find(|run| !known.contains(&run.record().benchmark.as_str())) {
        return Err(ReportError::NoTables { benchmark: other.record().benchmark.clone() });
    }
    let all = runs.iter().map(first_attempts).collect::<Result<Vec<_>, _>>()?;
    let has = |records: &BTreeMap<String, Record>| records.keys().cloned().collect::<BTreeSet<String>>();
    let common = all.iter().map(has).reduce(|one, other| &one & &other).unwrap_or_default();
    let refs: Vec<&RunDir> = runs.iter().collect();
    let named = names(&refs, &["zero-shot", "answers", "plain"]);
    if common.is_empty() {
        let first = named.first().cloned().unwrap_or_default();
        return Err(ReportError::NothingShared { first, second: named.last().cloned().unwrap_or_default() });
    }
    let rows = runs.iter().zip(named).zip(all);
    let rows = rows.map(|((run, name), records)| row(run.record(), name, records, &common, prices)).collect();
    Ok(Ways { instances: common, rows, claims: claims(runs) })
}

/// First attempts that count, by the tasks of their instances.
fn first_attempts(run: &RunDir) -> Result<BTreeMap<String, Record>, ReportError> {
    let records = last_tries::<Value>(run)?.into_iter();
    let counted = records.filter(|record| record.attempt == 1 && record.outcome.counts());
    Ok(counted.map(|record| (task_of(record.item.as_str()), record)).collect())
}

fn row(
    run: &RunRecord,
    name: String,
    records: BTreeMap<String, Record>,
    common: &BTreeSet<String>,
    prices: &PriceTable,
) -> Row {
    let (own, others): (BTreeMap<String, Record>, BTreeMap<String, Record>) =
        records.into_iter().partition(|(task, _)| common.contains(task));
    let passed: BTreeMap<String, bool> =
        own.iter().map(|(task, record)| (task.clone(), record.outcome == Outcome::Passed)).collect();
    let seconds: Vec<f64> = own.values().map(|record| record.cost.seconds).collect();
    let records: Vec<Record> = own.into_values().collect();
    Row {
        run: run.id.clone(),
        way: way(run),
        name,
        repaired: Proportion::clustered(passed.iter().map(|(task, passed)| (task, *passed))),
        left_out: others.len(),
        seconds: mean(&seconds),
        spending: spent(&records, prices, run),
        passed,
    }
}

#[expect(clippy::cast_precision_loss, reason = "instances are few")]
fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// How a run mends.
fn way(run: &RunRecord) -> String {
    match run.mode {
        Some(Mode::Composite) => "composite calls".to_owned(),
        Some(Mode::Primitive) => "mouse and keyboard".to_owned(),
        None => match run.options["question"]["representation"].as_str() {
            Some(representation) => format!("patch, project as {representation}"),
            None => "patch".to_owned(),
        },
    }
}

impl Ways {
    /// The tables in a format.
    ///
    /// # Errors
    /// When the page can't be made.
    pub fn write(&self, format: Format) -> Result<String, ReportError> {
        let tables: Vec<Table> = std::iter::once(self.table()).chain(self.pairs()).collect();
        formats::written(&tables, &[], format)
    }

    fn table(&self) -> Table {
        let own = ["way", "agent", "repaired", "of", "repaired %", "95 %", "seconds"];
        let head: Vec<&str> = own.into_iter().chain(COST_HEADS).chain(["per repair", "left out"]).collect();
        let rows = self.rows.iter().map(|row| {
            let share = &row.repaired;
            let mut cells = vec![row.way.clone(), row.name.clone(), share.hits.to_string(), share.n.to_string()];
            cells.extend([two(share.percent), interval(share.interval), two(row.seconds)]);
            cells.extend(cost_cells(&row.spending));
            cells.push(if row.left_out == 0 { NONE.to_owned() } else { row.left_out.to_string() });
            cells
        });
        let mut notes = vec![
            "First attempts at the instances that count in every run; seconds, tokens and cost are means of an attempt"
                .to_owned(),
        ];
        notes.extend(self.claims.clone());
        notes.extend(price_note(self.rows.iter().map(|row| &row.spending)));
        Table::new("Repair by several ways", &head, rows.collect(), &notes)
    }

    fn pairs(&self) -> Option<Table> {
        let title = |row: &Row| format!("{}, {}", row.name, row.way);
        let titled: Vec<(String, &BTreeMap<String, bool>)> =
            self.rows.iter().map(|row| (title(row), &row.passed)).collect();
        let pairs = titled
            .iter()
            .enumerate()
            .flat_map(|(at, first)| titled[at + 1..].iter().map(move |second| (first, second)));
        differences(
            "Repair by several ways",
            pairs.map(|(one, other)| ((one.0.clone(), one.1), (other.0.clone(), other.1))),
        )
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::{Cost, RUN_FORMAT};
    use crate::store::fakes;

    /// A run with these outcomes of first attempts.
    fn run(folder: &std::path::Path, made: (&str, &str, Option<Mode>), outcomes: &[(&str, Outcome)]) -> RunDir {
        let (id, benchmark, mode) = made;
        let items: Vec<&str> = outcomes.iter().map(|(item, _)| *item).collect();
        let record = RunRecord {
            id: id.to_owned(),
            agent: "one".to_owned(),
            mode,
            benchmark: benchmark.to_owned(),
            options: json!({"question": {"representation": "text"}}),
            ..fakes::run(&items)
        };
        let run = RunDir::create(folder, record).unwrap();
        for (item, outcome) in outcomes {
            let item: crate::model::ItemId = item.parse().unwrap();
            let cost = Cost { seconds: 2.0, ..Cost::default() };
            let (format, outcome, detail) = (RUN_FORMAT, *outcome, Value::Null);
            let dir = run.begin(&item, 1, 0).unwrap();
            dir.complete(&AttemptRecord { format, item, attempt: 1, retry: 0, outcome, error: None, cost, detail })
                .unwrap();
        }
        run
    }

    #[test]
    fn ways_are_compared_over_the_instances_that_count_in_all_of_them() {
        use Outcome::{Failed, InfraError, Passed};
        let folder = tempfile::tempdir().unwrap();
        let of = |made, outcomes: &[(&str, Outcome)]| run(folder.path(), made, outcomes);
        let patches = of(("1-p", "repair", None), &[("moth-1", Passed), ("moth-2", Passed), ("owl-1", Passed)]);
        let calls = ("2-c", "tasks", Some(Mode::Composite));
        let calls = of(calls, &[("moth_1", Passed), ("moth_2", Failed), ("owl_1", InfraError), ("fox_1", Failed)]);
        let mouse = ("3-m", "tasks", Some(Mode::Primitive));
        let mouse = of(mouse, &[("moth_1", Failed), ("moth_2", Failed), ("owl_1", Failed)]);
        let prices = PriceTable::bundled().unwrap();
        let found = ways(&[patches.clone(), calls, mouse], &prices).unwrap();
        assert_eq!(found.instances.iter().collect::<Vec<_>>(), ["moth_1", "moth_2"]);
        let hits: Vec<_> = found.rows.iter().map(|row| (row.repaired.hits, row.repaired.n, row.left_out)).collect();
        assert_eq!(hits, [(2, 2, 1), (1, 2, 1), (0, 2, 1)], "the fox of the second, too, is in no other run");
        assert_eq!(found.rows[0].seconds, Some(2.0));
        let text = found.write(Format::Text).unwrap();
        for words in ["patch, project as text", "composite calls", "mouse and keyboard", "p (McNemar)"] {
            assert!(text.contains(words), "{words} is not in\n{text}");
        }
        let other = of(("4-o", "tasks", Some(Mode::Composite)), &[("bear_1", Passed)]);
        assert!(matches!(ways(&[patches, other], &prices), Err(ReportError::NothingShared { .. })));
    }
}
