//! One row of the leaderboard.

use serde::Serialize;
use serde_json::Value;
use strum::IntoEnumIterator as _;

use super::grader::{GradeSource, Grader, day};
use crate::benchmarks::tasks::regrade::{CurrentJudges, Grading, RegradeError, graded_tries, judged_again};
use crate::benchmarks::tasks::succeeded;
use crate::export::Who;
use crate::grade::{Count, Graded, PriceTable, Spending, TaskRow, dollars, task_table};
use crate::model::{Category, RunRecord, TaskRecord, pluralise, pluralise_as, shown_name};
use crate::report::{ReportError, Role, manner};
use crate::store::RunDir;

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
    #[serde(flatten)]
    grader: Grader,
    /// Whether the run came in a bundle, which may claim whatever was not judged here.
    from_file: bool,
    /// Attempts that count in no rate.
    left_out: usize,
    /// Attempts that the current judges have judged in this checkout.
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
    pub(super) fn of(run: &RunDir, judges: &CurrentJudges, prices: &PriceTable) -> Result<Self, ReportError> {
        let record = run.record();
        let first = records(run, Grading::Original)?;
        let again = match records(run, Grading::Current(judges)) {
            Ok(records) => Some(records),
            Err(RegradeError::NotRegraded { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let judged = judged_again(run, judges)?;
        let shown = again.as_ref().unwrap_or(&first);
        let (rows, before) = (table(shown), table(&first));
        let spending = Spending::of(shown.iter().map(|one| (one, succeeded(one))), &prices.pricing(record));
        let who = Who::of(record);
        let category = |wanted: Category| rows.iter().find(|row| row.category == Some(wanted)).and_then(|row| row.sr);
        Ok(Self {
            run: shown_name(&record.id),
            name: name(&who, record),
            role: Role::of(record),
            mode: record.mode.map(|mode| mode.to_string()).unwrap_or_default(),
            protocol: protocol(record),
            isolation: isolation(record),
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
            grader: Grader::of(run, again.is_some(), &judged),
            from_file: run.has_claims(),
            left_out: shown.iter().filter(|one| !one.outcome.counts()).count(),
            judged_again: judged.judged,
            judged_differently: judged.differ,
            judgeable: judged.of,
            set: shown_name(&record.set.chars().take(SHOWN).collect::<String>()),
            date: day(record.started_at),
            limits: limits(record),
        })
    }

    /// Where its rates come from.
    pub(super) const fn source(&self) -> GradeSource {
        self.grader.graded
    }

    /// What sets the run apart from a plain one, and what is known of its verdicts.
    pub(super) fn notes(&self) -> Vec<String> {
        let own = |note: String| format!("{}, {}: {note}", self.name, self.mode);
        let limits = self.limits.as_ref().map(|limits| own(format!("limits instead of the tasks' own: {limits}")));
        limits.into_iter().chain(self.graded_note().map(own)).collect()
    }

    /// What is known of its verdicts where not all were given in one way.
    fn graded_note(&self) -> Option<String> {
        let Self { judged_again, judgeable, judged_differently, left_out, .. } = self;
        match self.source() {
            GradeSource::Sample => Some(format!(
                "{judged_again} of {} judged again, {judged_differently} of them with another result; the rates are by \
                 the first verdicts",
                pluralise_as(*judgeable, "attempt was", "attempts were")
            )),
            GradeSource::Claimed => Some(format!(
                "all figures are as claimed by the file; this checkout has judged {judged_again} of its {judgeable} \
                 projects, {judged_differently} of them with another result"
            )),
            GradeSource::Again if self.from_file => Some(format!(
                "this checkout has judged its projects; who made them, how attempts ended, minutes and costs are as \
                 claimed by the file, which leaves out {}",
                pluralise(*left_out, "attempt")
            )),
            GradeSource::Again | GradeSource::First => None,
        }
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

/// Who acted. Of a command line, which would tell paths of one machine, it is the program.
fn name(who: &Who, run: &RunRecord) -> String {
    match &who.model {
        Some(model) if who.agent == "llm" => shown_name(model),
        Some(model) => format!("{}, {}", shown_name(model), shown_name(&who.agent)),
        None if who.agent == "command" => program(&run.agent),
        None => shown_name(&who.agent),
    }
}

/// The program of a command line, with an ellipsis for its arguments.
fn program(command: &str) -> String {
    let (program, arguments) = command.trim().split_once(char::is_whitespace).unwrap_or((command.trim(), ""));
    let program = shown_name(program.rsplit('/').next().unwrap_or_default());
    if arguments.is_empty() { program } else { format!("{program} …") }
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
    if parts.is_empty() { "–".to_owned() } else { shown_name(&parts.join(", ")) }
}

/// What kept a program from the solutions. A model sees nothing but what it is sent.
fn isolation(run: &RunRecord) -> String {
    let recorded = run.options.pointer("/agent/isolation").and_then(Value::as_str);
    shown_name(recorded.unwrap_or(if run.setting == "predictions" { "unknown" } else { "not needed" }))
}

fn limits(run: &RunRecord) -> Option<String> {
    let limits = &run.options["limits"];
    limits.as_object().is_some_and(|limits| !limits.is_empty()).then(|| shown_name(&limits.to_string()))
}
