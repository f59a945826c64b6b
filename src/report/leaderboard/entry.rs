//! One row of the leaderboard.

use serde::Serialize;
use serde_json::Value;
use strum::IntoEnumIterator as _;

use crate::benchmarks::tasks::regrade::{Grading, JudgedAgain, RegradeError, graded_tries, judged_again};
use crate::benchmarks::tasks::succeeded;
use crate::export::Who;
use crate::grade::{Count, Graded, PriceTable, Spending, TaskRow, dollars, task_table};
use crate::model::{Category, RunRecord, TaskRecord};
use crate::report::ReportError;
use crate::report::side::{Role, manner};
use crate::store::RunDir;
use crate::taskset::TaskSet;

/// Letters of a digest that are shown.
const SHOWN: usize = 12;

/// A rate in percent with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Rate {
    pub(super) value: f64,
    low: f64,
    high: f64,
    /// By the first grade, where that differs.
    before: Option<f64>,
}

/// A run.
#[derive(Debug, Serialize)]
pub(super) struct Entry {
    run: String,
    name: String,
    role: Role,
    mode: String,
    protocol: String,
    isolation: String,
    pub(super) sr: Rate,
    psr: Rate,
    /// SR of each category, in the paper's order.
    categories: Vec<Option<f64>>,
    tasks: usize,
    /// At each task.
    attempts: u32,
    micro_usd: Option<u64>,
    micro_usd_per_solved: Option<u64>,
    cost: String,
    cost_per_solved: String,
    pub(super) prices: Option<String>,
    minutes: f64,
    /// `again` by today's judges, `sample` where they have judged some of its attempts, or `first`.
    graded: &'static str,
    /// Attempts that today's judges have judged again.
    judged_again: usize,
    /// Of these: those with another result than at first.
    judged_differently: usize,
    /// Attempts that have a project to judge.
    judgeable: usize,
    set: String,
    date: String,
    limits: Option<String>,
}

impl Entry {
    pub(super) fn of(run: &RunDir, tasks: &TaskSet, prices: &PriceTable) -> Result<Self, ReportError> {
        let record = run.record();
        let first = records(run, Grading::Original)?;
        let again = match records(run, Grading::Current(tasks)) {
            Ok(records) => Some(records),
            Err(RegradeError::NotRegraded { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let JudgedAgain { of, judged, differ } = judged_again(run, tasks)?;
        let (rows, before) = (table(again.as_ref().unwrap_or(&first)), table(&first));
        let shown = again.as_ref().unwrap_or(&first);
        let spending = Spending::of(shown.iter().map(|one| (one, succeeded(one))), &prices.pricing(record));
        let who = Who::of(record);
        let category = |wanted: Category| rows.iter().find(|row| row.category == Some(wanted)).and_then(|row| row.sr);
        Ok(Self {
            run: record.id.clone(),
            name: name(&who, record),
            role: Role::of(record),
            mode: record.mode.map(|mode| mode.to_string()).unwrap_or_default(),
            protocol: protocol(record),
            isolation: isolation(record).to_owned(),
            sr: rate(&rows[0], &before[0], |row| row.sr, |row| row.sr_interval),
            psr: rate(&rows[0], &before[0], |row| row.psr, |row| row.psr_interval),
            categories: Category::iter().map(category).collect(),
            tasks: record.items.len(),
            attempts: record.attempts,
            cost: dollars(spending.micro_usd_per_attempt),
            cost_per_solved: if spending.solved == 0 {
                "–".to_owned()
            } else {
                dollars(spending.micro_usd_per_solved)
            },
            micro_usd: spending.micro_usd_per_attempt,
            micro_usd_per_solved: spending.micro_usd_per_solved,
            minutes: spending.minutes_per_attempt().unwrap_or_default(),
            prices: spending.prices_of,
            graded: match (again.is_some(), judged) {
                (true, _) => "again",
                (false, 0) => "first",
                (false, _) => "sample",
            },
            judged_again: judged,
            judged_differently: differ,
            judgeable: of,
            set: record.set.chars().take(SHOWN).collect(),
            date: day(record.started_at),
            limits: limits(record),
        })
    }

    pub(super) fn is_regraded(&self) -> bool {
        self.graded == "again"
    }

    pub(super) fn has_first_only(&self) -> bool {
        self.graded == "first"
    }

    /// What sets the run apart from a plain one, and what a sample of its verdicts showed.
    pub(super) fn notes(&self) -> Vec<String> {
        let Self { name, mode, judged_again, judgeable, judged_differently, .. } = self;
        let limits =
            self.limits.as_ref().map(|limits| format!("{name}, {mode}: limits instead of the tasks' own: {limits}"));
        let sampled = (self.graded == "sample").then(|| {
            format!(
                "{name}, {mode}: {judged_again} of {judgeable} attempts were judged again, {judged_differently} of them with another \
                 result; the rates are by the first verdicts"
            )
        });
        limits.into_iter().chain(sampled).collect()
    }
}

fn records(run: &RunDir, grading: Grading<'_>) -> Result<Vec<TaskRecord>, RegradeError> {
    Ok(graded_tries(run, grading)?.into_iter().map(|graded| graded.record).collect())
}

fn table(records: &[TaskRecord]) -> Vec<TaskRow> {
    let graded: Vec<(&str, Graded)> =
        records.iter().map(|record| (record.item.as_str(), Graded::from(record))).collect();
    task_table(&graded, Count::Ours)
}

fn rate(
    row: &TaskRow,
    before: &TaskRow,
    of: fn(&TaskRow) -> Option<f64>,
    interval: fn(&TaskRow) -> Option<(f64, f64)>,
) -> Rate {
    let (value, first) = (of(row).unwrap_or_default(), of(before).unwrap_or_default());
    let (low, high) = interval(row).unwrap_or_default();
    Rate { value, low, high, before: ((value - first).abs() > 1e-9).then_some(first) }
}

/// Who acted, in a few words; a command line would tell paths of one machine.
fn name(who: &Who, run: &RunRecord) -> String {
    let agent = if who.agent == "command" { &run.agent } else { &who.agent };
    match &who.model {
        Some(model) if who.agent == "llm" => model.clone(),
        Some(model) => format!("{model}, {}", who.agent),
        None => agent.split_whitespace().next().unwrap_or_default().rsplit('/').next().unwrap_or_default().to_owned(),
    }
}

/// How an agent is talked to, where that is not the usual way: rates of different protocols do not compare.
fn protocol(run: &RunRecord) -> String {
    let text = |place: &str| run.options.pointer(place).and_then(Value::as_str);
    let manner = manner(run);
    let manner = Some(manner.trim_start_matches([',', ' '])).filter(|manner| !manner.is_empty());
    let own = manner.or_else(|| text("/agent/kind")).or_else(|| text("/agent/via"));
    let setting = (run.setting != "plain").then_some(run.setting.as_str());
    let editor = format!("{} editor", run.editor());
    let editor = (!run.editor().is_current()).then_some(editor.as_str());
    let parts: Vec<&str> = own.into_iter().chain(setting).chain(editor).collect();
    if parts.is_empty() { "–".to_owned() } else { parts.join(", ") }
}

/// What kept a program from the solutions. A model sees nothing but what it is sent.
fn isolation(run: &RunRecord) -> &str {
    let recorded = run.options.pointer("/agent/isolation").and_then(Value::as_str);
    recorded.unwrap_or(if run.setting == "predictions" { "unknown" } else { "not needed" })
}

fn limits(run: &RunRecord) -> Option<String> {
    let limits = &run.options["limits"];
    limits.as_object().is_some_and(|limits| !limits.is_empty()).then(|| limits.to_string())
}

/// A day in UTC.
fn day(seconds: f64) -> String {
    crate::export::iso(seconds).chars().take(10).collect()
}
