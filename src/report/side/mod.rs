//! Runs side by side: tables over agents in the shapes of the paper, with what was spent and what went wrong.
//!
//! `tasks`, `drags`, `perception` and `faults` read runs and make rows; `gap` sets both modes of an agent against each other; `epochs` tells of several attempts at each
//! task; `lacking` says what is owed, `remarks` what became of attempts, `sets` which rows compare, `pairs` how far two runs differ, and `ways` how the same faults are mended otherwise; `table` and `formats` write
//! tables, `plot` and `page` the page.

mod drags;
mod epochs;
mod faults;
mod formats;
mod gap;
mod lacking;
mod page;
mod pairs;
mod perception;
mod plot;
mod remarks;
mod sets;
mod table;
mod tasks;
#[cfg(test)]
mod tests;
mod ways;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use formats::Format;
pub(in crate::report) use formats::text;
pub use lacking::check_final;
pub use pairs::{Pairs, pairs};
pub(in crate::report) use table::{NONE, Table};
pub use ways::{Ways, ways};

use self::plot::Plot;
use self::table::harmless;
use super::budgeted;
use crate::benchmarks::tasks::regrade::Grading;
use crate::benchmarks::{drag, explain, perception as questions, repair, tasks as projects, trajectories};
use crate::experiment::Benchmark as _;
use crate::export::{claims, claims_beside_verdicts};
use crate::grade::{Bootstrapped, Count, PerSolved, PriceTable, Pricing, Spending, Taken, dollars};
use crate::model::{AttemptRecord, Outcome, RunRecord, TaskRecord, shown_name};
use crate::report::ReportError;
use crate::store::RunDir;

/// Some runs, by benchmark.
#[derive(Debug, Serialize)]
pub struct Comparison {
    tasks: Option<tasks::Tasks>,
    drags: Option<drags::Drags>,
    perception: Option<perception::Perception>,
    faults: Option<faults::Faults>,
    /// Of budgeted repair, as `repair matrix` has them.
    trajectories: Vec<Table>,
    /// What is said of runs that came in bundles.
    claims: Vec<String>,
}

/// What an agent is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    Agent,
    /// Knows nothing: what it reaches is worth nothing.
    Floor,
    /// Knows the solution.
    Ceiling,
}

impl Role {
    pub(crate) fn of(run: &RunRecord) -> Self {
        match run.agent.as_str() {
            "noop" | "random" | "mutate" | "search" | "report" => Self::Floor,
            "oracle" => Self::Ceiling,
            _ => Self::Agent,
        }
    }

    const fn remark(self) -> &'static str {
        match self {
            Self::Agent => "",
            Self::Floor => " (floor)",
            Self::Ceiling => " (ceiling)",
        }
    }
}

/// Reads runs, with prices for what they cost. With [`Count::Reference`] there are also the tables of the paper as the
/// reference counts.
///
/// # Errors
/// When a run can't be read, or is of a benchmark that has no tables.
pub fn compare(
    runs: &[RunDir],
    prices: &PriceTable,
    count: Count,
    grading: Grading<'_>,
) -> Result<Comparison, ReportError> {
    let of = |name: &str| runs.iter().filter(|run| run.record().benchmark == name).collect::<Vec<_>>();
    let known = [
        projects::Tasks::NAME,
        drag::Drags::NAME,
        questions::Questions::NAME,
        repair::Repairs::NAME,
        explain::Explanations::NAME,
        trajectories::Trajectories::NAME,
    ];
    if let Some(other) = runs.iter().find(|run| !known.contains(&run.record().benchmark.as_str())) {
        return Err(ReportError::NoTables { benchmark: other.record().benchmark.clone() });
    }
    let [tasks, drags, questions, repairs, explanations, controlled] = known.map(of);
    let controlled: Vec<RunDir> = controlled.into_iter().cloned().collect();
    let has_faults = !repairs.is_empty() || !explanations.is_empty();
    Ok(Comparison {
        tasks: (!tasks.is_empty()).then(|| tasks::Tasks::of(&tasks, prices, count, grading)).transpose()?,
        drags: (!drags.is_empty()).then(|| drags::Drags::of(&drags, prices, count)).transpose()?,
        perception: (!questions.is_empty())
            .then(|| perception::Perception::of(&questions, prices, count))
            .transpose()?,
        faults: has_faults.then(|| faults::Faults::of(&repairs, &explanations, prices)).transpose()?,
        trajectories: if controlled.is_empty() { Vec::new() } else { budgeted::tables(&controlled)? },
        claims: claimed(runs, grading),
    })
}

/// Reads runs of the halves of a benchmark of faults as one row: one of each half, asked in the same way.
///
/// # Errors
/// When a run can't be read, is of another benchmark or was asked in another way, or an instance is in two runs.
pub fn pooled(runs: &[RunDir], prices: &PriceTable) -> Result<Comparison, ReportError> {
    let of = |name: &str| runs.iter().filter(|run| run.record().benchmark == name).collect::<Vec<_>>();
    let known = [repair::Repairs::NAME, explain::Explanations::NAME];
    if let Some(other) = runs.iter().find(|run| !known.contains(&run.record().benchmark.as_str())) {
        let (id, benchmark) = (shown_name(&other.record().id), shown_name(&other.record().benchmark));
        let why = format!("{id} is a run of `{benchmark}`, which has no halves");
        return Err(ReportError::NotPooled { why });
    }
    let [repairs, explanations] = known.map(of);
    Ok(Comparison {
        tasks: None,
        drags: None,
        perception: None,
        faults: Some(faults::Faults::pooled(&repairs, &explanations, prices)?),
        trajectories: Vec::new(),
        claims: claimed(runs, Grading::Original),
    })
}

/// What is said of runs that came in bundles. With current grades, only projects of tasks were judged here.
fn claimed(runs: &[RunDir], grading: Grading<'_>) -> Vec<String> {
    let is_current = matches!(grading, Grading::Current(_));
    let (judged, others): (Vec<&RunDir>, Vec<&RunDir>) =
        runs.iter().partition(|run| is_current && run.record().benchmark == projects::Tasks::NAME);
    claims_beside_verdicts(judged).into_iter().chain(claims(others)).collect()
}

impl Comparison {
    /// All tables in a format.
    ///
    /// # Errors
    /// When the page can't be made.
    pub fn write(&self, format: Format) -> Result<String, ReportError> {
        formats::written(&self.tables(), &self.plots(), format)
    }

    fn tables(&self) -> Vec<Table> {
        let tasks = self.tasks.iter().flat_map(tasks::Tasks::tables);
        let drags = self.drags.iter().flat_map(drags::Drags::tables);
        let perception = self.perception.iter().flat_map(perception::Perception::tables);
        let faults = self.faults.iter().flat_map(faults::Faults::tables);
        let all = tasks.chain(drags).chain(perception).chain(faults).chain(self.trajectories.iter().cloned());
        let mut tables: Vec<Table> = all.collect();
        if let Some(first) = tables.first_mut() {
            let own = std::mem::take(&mut first.notes);
            first.notes = self.claims.iter().map(|note| harmless(note)).chain(own).collect();
        }
        tables
    }

    fn plots(&self) -> Vec<Plot> {
        let tasks = self.tasks.iter().flat_map(tasks::Tasks::plots);
        let drags = self.drags.iter().flat_map(drags::Drags::plots);
        let perception = self.perception.iter().flat_map(perception::Perception::plots);
        tasks.chain(drags).chain(perception).chain(self.faults.iter().flat_map(faults::Faults::plots)).collect()
    }
}

/// The last try of each attempt at the items of a run: earlier ones did not count.
fn last_tries<D: DeserializeOwned>(run: &RunDir) -> Result<Vec<AttemptRecord<D>>, ReportError> {
    let tries = run.last_tries::<D>()?.into_iter().map(|tried| tried.record);
    Ok(tries.filter(|record| run.record().items.contains(&record.item)).collect())
}

/// How many of them count.
fn counted<D>(records: &[AttemptRecord<D>]) -> usize {
    records.iter().filter(|record| record.outcome.counts()).count()
}

/// What answers cost, where one that passed is what is wanted.
fn spent<D>(records: &[AttemptRecord<D>], prices: &PriceTable, run: &RunRecord) -> Spending {
    let passed = |record: &AttemptRecord<D>| record.outcome == Outcome::Passed;
    Spending::of(records.iter().map(|record| (&record.cost, passed(record))), &prices.pricing(run))
}

/// The names of rows: the agent's, its setting where it is not the usual one, and the run's where that is not enough.
fn names(runs: &[&RunDir], usual: &[&str]) -> Vec<String> {
    let name = |run: &RunRecord| {
        let is_usual = usual.contains(&run.setting.as_str());
        let setting = if is_usual { String::new() } else { format!(", {}", shown_name(&run.setting)) };
        let agent = shown_name(&run.agent);
        format!("{agent}{}{setting}{}{}", manner(run), editor_remark(run), Role::of(run).remark())
    };
    let all: Vec<(String, &RunRecord)> = runs.iter().map(|run| (name(run.record()), run.record())).collect();
    let is_twice = |name: &str, run: &RunRecord| {
        all.iter()
            .filter(|(other, made)| {
                let kind = |run: &RunRecord| (run.mode, run.setting.clone(), run.prompt(), run.editor());
                other == name && kind(made) == kind(run)
            })
            .count()
            > 1
    };
    all.iter()
        .map(|(name, run)| if is_twice(name, run) { format!("{name}, {}", shown_name(&run.id)) } else { name.clone() })
        .collect()
}

/// Which editor tasks were done in, if it is not the current one; drags have a column for it.
fn editor_remark(run: &RunRecord) -> String {
    if run.benchmark == projects::Tasks::NAME && !run.editor().is_current() {
        return format!(", {} editor", run.editor());
    }
    String::new()
}

/// How a model was talked to: the protocol, and what is not the protocol's own way of it.
pub(crate) fn manner(run: &RunRecord) -> String {
    let style = &run.options["agent"]["style"];
    let Some(protocol) = style["protocol"].as_str() else { return String::new() };
    let usual = if protocol == "paper-1" { "paper" } else { "native" };
    let shown = style["observing"].as_str().filter(|shown| *shown != usual);
    let shown = shown.map(|shown| format!(", {} observation", shown_name(shown))).unwrap_or_default();
    let answers = style["answers"].as_str().filter(|answers| *answers != "text");
    let answers = answers.map(|answers| format!(", {}", shown_name(answers))).unwrap_or_default();
    format!(", {}{answers}{shown}", shown_name(protocol))
}

/// The heads of [`cost_cells`] but the last.
const COST_HEADS: [&str; 3] = ["tokens", "cached share", "cost"];

/// Tokens and money for a row: tokens of an attempt, how much of the requests the provider had in its cache, the attempt's
/// cost, and that of one that went well.
fn cost_cells(spending: &Spending) -> [String; 4] {
    let tokens = spending.tokens_per_attempt().map_or_else(|| table::NONE.to_owned(), |tokens| tokens.to_string());
    let cached = spending.cached_percent().map_or_else(|| table::NONE.to_owned(), |percent| format!("{percent:.0} %"));
    let solved = if spending.solved == 0 { table::NONE.to_owned() } else { dollars(spending.micro_usd_per_solved) };
    [tokens, cached, dollars(spending.micro_usd_per_attempt), solved]
}

/// What a solved task costs and takes, with intervals.
fn per_solved(records: &[&TaskRecord], pricing: &Pricing) -> PerSolved {
    PerSolved::of(records.iter().map(|record| Taken {
        task: record.item.as_str(),
        micro_usd: pricing.of(*record),
        seconds: record.cost.seconds,
        solved: projects::succeeded(record),
    }))
}

/// The 95 % intervals of what a solved task costs and takes.
fn per_solved_cells(per: &PerSolved) -> [String; 2] {
    let bounds = |found: Option<Bootstrapped>, shown: fn(f64) -> String| {
        let end = |end: f64| if end.is_finite() { shown(end) } else { "∞".to_owned() };
        found.map_or_else(|| table::NONE.to_owned(), |found| format!("[{}, {}]", end(found.low), end(found.high)))
    };
    [bounds(per.micro_usd, money), bounds(per.minutes, |minutes| table::two(Some(minutes)))]
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an amount of money above 0")]
fn money(micro_usd: f64) -> String {
    dollars(Some(micro_usd.round() as u64))
}

/// What is to be said of prices, where any are used.
fn price_note<'a>(all: impl Iterator<Item = &'a Spending>) -> Option<String> {
    let mut dates: Vec<&str> = all.filter_map(|spending| spending.prices_of.as_deref()).collect();
    dates.sort_unstable();
    dates.dedup();
    (!dates.is_empty()).then(|| {
        format!("Costs are by the list prices of {}; prices change: check them before use", dates.join(" and "))
    })
}
