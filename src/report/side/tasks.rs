//! Runs of tasks: the paper's table 1, its rows with intervals and costs, and what went wrong.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use strum::IntoEnumIterator as _;

use super::epochs::{self, Epochs};
use super::gap::{self, Gap, Solved, gaps};
use super::lacking::{Tries, in_category};
use super::plot::{Bar, Plot};
use super::remarks::Remarks;
use super::sets::{Sets, sets};
use super::table::{NONE, Table, interval, left_out, or_none, two};
use super::{COST_HEADS, Role, cost_cells, counted, names, per_solved, per_solved_cells, price_note};
use crate::agent::ACT;
use crate::benchmarks::tasks::regrade::{Grading, graded_tries};
use crate::benchmarks::tasks::succeeded;
use crate::grade::{
    Count, FailureCounter, Failures, Lacking, PerSolved, PriceTable, Pricing, Spending, TaskRow, TaskTables,
};
use crate::model::{CallRecord, Category, ItemId, Mode, TaskRecord, Verdict};
use crate::report::{AS_THE_REFERENCE, ReportError};
use crate::store::{RunDir, read_lines};

/// Tests that are shown of each run; JSON has all.
const MOST_TESTS: usize = 5;
/// Codes that are shown of each run.
const MOST_CODES: usize = 4;

#[derive(Debug, Serialize)]
pub(super) struct Tasks {
    rows: Vec<AgentRow>,
    /// Agents with a run in each mode.
    gaps: Vec<Gap>,
    notes: Vec<String>,
    /// What is to be said of prices; it belongs to the table with costs.
    price_note: Option<String>,
}

/// A run.
#[derive(Debug, Serialize)]
struct AgentRow {
    run: String,
    name: String,
    role: Role,
    mode: Option<Mode>,
    /// The letter of its set of tasks, where several are compared.
    set: String,
    /// All tasks, then each category.
    figures: Vec<Figures>,
    /// The rates that the reference arrives at, where they were asked for.
    reference: Option<Vec<TaskRow>>,
    /// Of runs with several attempts at each task.
    epochs: Epochs,
    #[serde(skip)]
    solved: Solved,
    /// How many attempts ended how.
    outcomes: BTreeMap<&'static str, usize>,
    failures: Failures,
}

#[derive(Debug, Serialize)]
struct Figures {
    #[serde(flatten)]
    rates: TaskRow,
    /// Attempts that are owed or dead; those at tasks of which no run has an attempt are in the row of all tasks only. Absent where
    /// nothing says how many there should be.
    lacking: Option<Lacking>,
    /// Actions of an attempt that counts, in the mean.
    steps: Option<f64>,
    spending: Spending,
    per_solved: PerSolved,
}

/// As much of a line of `turns.jsonl` as is counted.
#[derive(Deserialize)]
struct TurnLine {
    /// What the request was made for; absent in older records.
    #[serde(default)]
    purpose: Option<String>,
    /// Why the answer held no action.
    #[serde(default)]
    fault: Option<String>,
}

impl Tasks {
    pub(super) fn of(
        runs: &[&RunDir],
        prices: &PriceTable,
        count: Count,
        grading: Grading<'_>,
    ) -> Result<Self, ReportError> {
        let names = names(runs, &["plain"]);
        let all = runs.iter().map(|run| Made::of(run, grading)).collect::<Result<Vec<_>, _>>()?;
        let categories: BTreeMap<ItemId, Category> = all
            .iter()
            .flat_map(|made| &made.records)
            .map(|record| (record.item.clone(), record.detail.category))
            .collect();
        let compared = runs
            .iter()
            .zip(&names)
            .zip(&all)
            .map(|((run, name), made)| (run.record(), name.as_str(), counted(&made.records)));
        let Sets { marks, mut notes } = sets(&compared.collect::<Vec<_>>());
        if matches!(grading, Grading::Current(_)) {
            notes.push("Graded again by the current judges in this checkout".to_owned());
        }
        notes.extend(names.iter().zip(&all).flat_map(|(name, made)| made.remarks.told(name)));
        let mut rows = Vec::new();
        for (((run, name), made), set) in runs.iter().zip(&names).zip(&all).zip(marks) {
            let row = row(run, name, made, (&prices.pricing(run.record()), &categories))?;
            let reference =
                (count == Count::Reference).then(|| TaskTables::of(&made.records, true).reference).flatten();
            rows.push(AgentRow { set, reference, ..row });
        }
        rows.sort_by_key(|row| row.mode.map(|mode| mode == Mode::Primitive));
        let price_note = price_note(rows.iter().flat_map(|row| &row.figures).map(|figures| &figures.spending));
        let all: Vec<_> = rows.iter().map(|row| (row.mode, row.name.as_str(), row.set.as_str(), &row.solved)).collect();
        Ok(Self { gaps: gaps(&all), rows, notes, price_note })
    }

    pub(super) fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.main(Count::Ours)];
        if self.rows.iter().any(|row| row.reference.is_some()) {
            tables.push(self.main(Count::Reference));
        }
        tables.push(self.detail());
        tables.extend(epochs::table(self.rows.iter().map(|row| (row.names(), &row.epochs))));
        tables.extend(gap::table(&self.gaps));
        tables.extend([self.failures(), self.tests()]);
        tables
    }

    /// As table 1 of the paper: agents, below each other by mode, with success rates by category.
    fn main(&self, count: Count) -> Table {
        let head = [
            "mode", "agent", "set", "create", "debug", "extend", "compute", "SR", "PSR", "pass@k", "pass^k", "N",
            "owed", "dead",
        ];
        let cells = |row: &AgentRow| {
            let mut cells = row.names();
            let rates = row.rates(count);
            let find = |wanted: Option<Category>| rates.iter().find(|one| one.category == wanted);
            cells.extend(Category::iter().map(|category| two(find(Some(category)).and_then(|one| one.sr))));
            let all = find(None);
            cells.extend([two(all.and_then(|one| one.sr)), two(all.and_then(|one| one.psr))]);
            cells.extend(if row.has_epochs() { epochs::cells(&row.epochs) } else { [String::new(), String::new()] });
            cells.push(all.map_or(0, |one| one.n).to_string());
            cells.extend(lacking_cells(row.figures.first().and_then(|one| one.lacking)));
            cells
        };
        let rows = self.rows.iter().map(cells).collect();
        let title = "Tasks: success rate by category, SR and PSR in percent";
        match count {
            Count::Ours => Table::new(title, &head, rows, &self.notes),
            Count::Reference => Table::new(&format!("{title}, {AS_THE_REFERENCE}"), &head, rows, &[]),
        }
    }

    fn detail(&self) -> Table {
        let head = [
            "mode",
            "agent",
            "set",
            "category",
            "N",
            "owed",
            "dead",
            "SR",
            "SR 95 %",
            "PSR",
            "PSR 95 %",
            "steps",
            COST_HEADS[0],
            COST_HEADS[1],
            COST_HEADS[2],
            "per solved task",
            "per solved task 95 %",
            "minutes",
            "per solved",
            "per solved 95 %",
            "left out",
        ];
        let cells = |row: &AgentRow, one: &Figures| {
            let rates = &one.rates;
            let mut cells = row.names();
            cells.extend([rates.category.map_or("all", Into::into).to_owned(), rates.n.to_string()]);
            cells.extend(lacking_cells(one.lacking));
            cells.extend([
                two(rates.sr),
                interval(rates.sr_interval),
                two(rates.psr),
                interval(rates.psr_interval),
                one.steps.map_or_else(|| NONE.to_owned(), |steps| format!("{steps:.1}")),
            ]);
            cells.extend(cost_cells(&one.spending));
            let [cost, minutes] = per_solved_cells(&one.per_solved);
            cells.push(cost);
            cells.extend([one.spending.minutes_per_attempt(), one.spending.minutes_per_solved()].map(two));
            cells.push(minutes);
            cells.push(left_out(&rates.left_out));
            cells
        };
        let rows = self.rows.iter().flat_map(|row| row.figures.iter().map(move |one| cells(row, one)));
        let mut notes = self.notes.clone();
        notes.extend(self.price_note.clone());
        notes.push("Steps, tokens, cost and minutes are those of an attempt in the mean; minutes are those that the agent worked. What a solved task took is that of all attempts; its intervals are those of a bootstrap over tasks".to_owned());
        if self.rows.iter().any(AgentRow::has_epochs) {
            notes.push(
                "Intervals of runs with several attempts at a task are those of a bootstrap over tasks".to_owned(),
            );
        }
        Table::new("Tasks: rates with 95 % intervals, and what attempts took", &head, rows.collect(), &notes)
    }

    fn failures(&self) -> Table {
        let head = [
            "mode",
            "agent",
            "set",
            "outcomes",
            "turns",
            "wasted",
            "actions",
            "repeated",
            "refused",
            "codes",
            "drags by index",
            "by points",
            "mixed",
        ];
        let cells = |row: &AgentRow| {
            let found = &row.failures;
            let codes = found.codes.iter().take(MOST_CODES).map(|one| format!("{} {}", one.count, one.code));
            let outcomes = row.outcomes.iter().map(|(name, count)| format!("{count} {name}"));
            let mut cells = row.names();
            cells.push(outcomes.collect::<Vec<_>>().join(", "));
            cells.extend(
                [found.turns, found.wasted_turns, found.actions, found.repeated, found.refused].map(|n| n.to_string()),
            );
            cells.push(or_none(&codes.collect::<Vec<_>>().join(", ")));
            cells.extend([found.drags.by_index, found.drags.by_points, found.drags.mixed].map(|n| n.to_string()));
            cells
        };
        let note = "Wasted: answers without an action. Repeated: the same call twice in a row. Refused: actions that ended with \
            an error code";
        Table::new("Tasks: what went wrong", &head, self.rows.iter().map(cells).collect(), &[note.to_owned()])
    }

    fn tests(&self) -> Table {
        let cells = |row: &AgentRow| {
            let names = row.names();
            let shown = row.failures.tests.iter().take(MOST_TESTS).map(move |one| {
                let own = [one.item.to_string(), one.test.clone(), one.failed.to_string(), one.of.to_string()];
                names.iter().cloned().chain(own).collect()
            });
            shown.collect::<Vec<Vec<String>>>()
        };
        let head = ["mode", "agent", "set", "task", "test", "failed", "of"];
        let note = format!("At most {MOST_TESTS} tests of each run");
        Table::new("Tasks: tests that failed most often", &head, self.rows.iter().flat_map(cells).collect(), &[note])
    }

    /// One for each mode.
    pub(super) fn plots(&self) -> Vec<Plot> {
        let modes = [Some(Mode::Composite), Some(Mode::Primitive), None];
        let of = |mode: Option<Mode>| {
            let bars = self.rows.iter().filter(|row| row.mode == mode).flat_map(|row| {
                let all = row.figures.first().map(|one| &one.rates);
                let name = if row.set.is_empty() { row.name.clone() } else { format!("{} [{}]", row.name, row.set) };
                let sr = all.and_then(|one| Bar::new(&name, "SR", one.sr, one.sr_interval));
                [sr, all.and_then(|one| Bar::new("", "PSR", one.psr, one.psr_interval))].into_iter().flatten()
            });
            let bars: Vec<Bar> = bars.collect();
            let title = mode.map_or_else(|| "Tasks".to_owned(), |mode| format!("Tasks, {mode} mode"));
            (!bars.is_empty()).then(|| Plot::new(&title, &["SR", "PSR"], bars))
        };
        modes.into_iter().filter_map(of).collect()
    }
}

/// What is read of a run.
struct Made {
    records: Vec<TaskRecord>,
    verdicts: Vec<Option<Verdict>>,
    remarks: Remarks,
    tries: Tries,
}

impl Made {
    fn of(run: &RunDir, grading: Grading<'_>) -> Result<Self, ReportError> {
        let mut graded = graded_tries(run, grading)?;
        graded.retain(|graded| run.record().items.contains(&graded.record.item));
        let remarks = Remarks::of(run, &graded)?;
        let (records, verdicts): (Vec<_>, Vec<_>) =
            graded.into_iter().map(|graded| (graded.record, graded.verdict)).unzip();
        let tries = Tries::of(run, &records)?;
        Ok(Self { records, verdicts, remarks, tries })
    }
}

fn lacking_cells(lacking: Option<Lacking>) -> [String; 2] {
    lacking.map_or_else(|| [NONE, NONE].map(str::to_owned), |found| [found.owed.to_string(), found.dead.to_string()])
}

impl AgentRow {
    fn has_epochs(&self) -> bool {
        self.epochs != Epochs::default()
    }

    fn rates(&self, count: Count) -> Vec<&TaskRow> {
        match count {
            Count::Ours => self.figures.iter().map(|one| &one.rates).collect(),
            Count::Reference => self.reference.iter().flatten().collect(),
        }
    }

    fn names(&self) -> Vec<String> {
        let mode = self.mode.map(|mode| mode.to_string()).unwrap_or_default();
        vec![mode, self.name.clone(), self.set.clone()]
    }
}

fn row(
    run: &RunDir,
    name: &str,
    made: &Made,
    (pricing, categories): (&Pricing, &BTreeMap<ItemId, Category>),
) -> Result<AgentRow, ReportError> {
    let records = &made.records;
    let mut outcomes = BTreeMap::new();
    for record in records {
        *outcomes.entry(record.outcome.name()).or_default() += 1;
    }
    let figures = TaskTables::of(records, false).ours.into_iter().map(|rates| {
        let of_these = |record: &&TaskRecord| rates.category.is_none_or(|one| record.detail.category == one);
        let chosen: Vec<&TaskRecord> = records.iter().filter(of_these).collect();
        let spending = Spending::of(chosen.iter().map(|record| (*record, succeeded(record))), pricing);
        let per_solved = per_solved(&chosen, pricing);
        let lacking = made.tries.lacking(run, &in_category(run, categories, rates.category));
        Figures { steps: mean_steps(&chosen), spending, per_solved, rates, lacking }
    });
    Ok(AgentRow {
        run: run.record().id.clone(),
        name: name.to_owned(),
        role: Role::of(run.record()),
        mode: run.record().mode.or_else(|| Some(records.first()?.detail.mode)),
        set: String::new(),
        figures: figures.collect(),
        reference: None,
        epochs: Epochs::of(records, run.record().attempts),
        solved: Solved::of(records),
        outcomes,
        failures: failures(run, made)?,
    })
}

fn mean_steps(records: &[&TaskRecord]) -> Option<f64> {
    let counted = || records.iter().filter(|record| record.outcome.counts());
    let n = u32::try_from(counted().count()).ok().filter(|n| *n > 0)?;
    Some(counted().map(|record| f64::from(record.detail.steps)).sum::<f64>() / f64::from(n))
}

/// Reads what was recorded of each attempt that counts.
fn failures(run: &RunDir, made: &Made) -> Result<Failures, ReportError> {
    let mut counter = FailureCounter::default();
    let all = made.records.iter().zip(&made.verdicts);
    for (record, verdict) in all.filter(|(record, _)| record.outcome.counts()) {
        let place = RunDir::place(record);
        let name = Path::new(&place).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let Some(recorded) = run.recorded(&name)? else { continue };
        let calls = recorded.calls.into_iter().filter_map(|call| serde_json::from_value::<CallRecord>(call).ok());
        counter.add_calls(&calls.collect::<Vec<_>>());
        let turns = run.path().join(&place).join("turns.jsonl");
        if turns.is_file() {
            let decides = |turn: &TurnLine| turn.purpose.as_deref().is_none_or(|purpose| purpose == ACT);
            let turns = read_lines::<TurnLine>(&turns)?.0.into_iter().filter(decides);
            counter.add_turns(turns.map(|turn| turn.fault.is_some()));
        }
        if let Some(verdict) = verdict {
            counter.add_verdict(&record.item, verdict);
        }
    }
    Ok(counter.finish())
}
