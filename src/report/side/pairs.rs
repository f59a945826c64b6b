//! Runs of tasks compared pair by pair, over what both have: how far apart they are, and whether chance explains it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::sets::apart;
use super::table::{NONE, Table, interval, two};
use super::{Format, claimed, counted, formats, names};
use crate::benchmarks::tasks::Tasks;
use crate::benchmarks::tasks::regrade::{Grading, graded_tries};
use crate::experiment::Benchmark as _;
use crate::grade::{ArmGrades, Compared, Difference, Graded, Test, compared, correct};
use crate::model::{TaskRecord, pluralise, pluralise_as};
use crate::report::ReportError;
use crate::store::RunDir;

/// All pairs of some runs.
#[derive(Debug, Serialize)]
pub struct Pairs {
    pairs: Vec<Pair>,
    notes: Vec<String>,
}

/// Two runs at what both have.
#[derive(Debug, Serialize)]
struct Pair {
    first: Named,
    second: Named,
    #[serde(flatten)]
    compared: Compared,
}

#[derive(Debug, Clone, Serialize)]
struct Named {
    run: String,
    name: String,
}

/// Compares each run with each later one.
///
/// # Errors
/// When a run can't be read or is not one of tasks, or two runs share no attempt that counts.
pub fn pairs(runs: &[RunDir], grading: Grading<'_>) -> Result<Pairs, ReportError> {
    if let Some(other) = runs.iter().find(|run| run.record().benchmark != Tasks::NAME) {
        return Err(ReportError::OnlyTasks { run: other.record().id.clone() });
    }
    let refs: Vec<&RunDir> = runs.iter().collect();
    let records = runs.iter().map(|run| records(run, grading)).collect::<Result<Vec<_>, _>>()?;
    let named = named(&refs);
    let compares: Vec<_> = runs
        .iter()
        .zip(&named)
        .zip(&records)
        .map(|((run, named), records)| (run.record(), named.name.as_str(), counted(records)))
        .collect();
    let is_changed = runs.iter().any(|run| run.record().set != runs[0].record().set);
    let changed = "The runs are of different versions of the task set: tasks of one name may differ";
    let claims = claimed(runs, grading).into_iter();
    let notes = claims.chain(is_changed.then(|| changed.to_owned())).chain(apart(&compares)).collect();
    let arms: Vec<ArmGrades> = records.iter().map(|records| arm(records)).collect();
    let mut pairs = Vec::new();
    for (at, one) in arms.iter().enumerate() {
        for (other, second) in arms.iter().enumerate().skip(at + 1) {
            let (first, other) = (named[at].clone(), named[other].clone());
            let Some(compared) = compared(one, second) else {
                return Err(ReportError::NothingShared { first: first.name, second: other.name });
            };
            pairs.push(Pair { first, second: other, compared });
        }
    }
    correct(&mut pairs.iter_mut().map(|pair| &mut pair.compared).collect::<Vec<_>>());
    Ok(Pairs { pairs, notes })
}

fn records(run: &RunDir, grading: Grading<'_>) -> Result<Vec<TaskRecord>, ReportError> {
    Ok(graded_tries(run, grading)?.into_iter().map(|graded| graded.record).collect())
}

fn arm(records: &[TaskRecord]) -> ArmGrades {
    ArmGrades::of(records.iter().map(|record| (record.item.as_str(), record.attempt, Graded::from(record))))
}

/// The runs with names that tell them apart.
fn named(runs: &[&RunDir]) -> Vec<Named> {
    let full = runs.iter().zip(names(runs, &["plain"])).map(|(run, name)| {
        let mode = run.record().mode.map(|mode| format!("{mode}, ")).unwrap_or_default();
        Named { run: run.record().id.clone(), name: format!("{mode}{name}") }
    });
    let full: Vec<Named> = full.collect();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for one in &full {
        *times.entry(one.name.clone()).or_default() += 1;
    }
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    full.into_iter()
        .map(|one| {
            let place = seen.entry(one.name.clone()).or_default();
            *place += 1;
            // The same run twice, or two experiments with arms of the same name.
            if times[&one.name] > 1 { Named { name: format!("{} [{place}]", one.name), ..one } } else { one }
        })
        .collect()
}

impl Pairs {
    /// The tables in a format.
    ///
    /// # Errors
    /// When the page can't be made.
    pub fn write(&self, format: Format) -> Result<String, ReportError> {
        let tables =
            [self.table("SR", |pair| &pair.compared.sr, true), self.table("PSR", |pair| &pair.compared.psr, false)];
        formats::written(&tables, &[], format)
    }

    fn table(&self, rate: &str, of: fn(&Pair) -> &Difference, with_notes: bool) -> Table {
        let heads = [format!("{rate} of first"), format!("{rate} of second")];
        let head = [
            "first",
            "second",
            "tasks",
            "attempts",
            &heads[0],
            &heads[1],
            "difference",
            "95 %",
            "test",
            "p",
            "p (Holm)",
            "least difference",
        ];
        let cells = |pair: &Pair| {
            let found = of(pair);
            vec![
                pair.first.name.clone(),
                pair.second.name.clone(),
                pair.compared.tasks.to_string(),
                pair.compared.pairs.to_string(),
                two(Some(found.first)),
                two(Some(found.second)),
                format!("{:+.2}", found.points),
                interval(Some((found.low, found.high))),
                test_name(found.test).to_owned(),
                shown(found.p),
                shown(found.p_holm),
                found.least.map_or_else(|| NONE.to_owned(), |least| format!("{least:.2}")),
            ]
        };
        let rows = self.pairs.iter().map(cells).collect();
        let notes = if with_notes { self.all_notes() } else { Vec::new() };
        Table::new(
            &format!("{rate} compared at the same tasks and attempts, in percentage points"),
            &head,
            rows,
            &notes,
        )
    }

    fn all_notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        notes.extend(self.pairs.iter().map(Pair::told));
        notes.push(
            "McNemar: exact, where each task has one attempt. Bootstrap: tasks are drawn anew, 10,000 times. Least difference: \
             the smallest that would have been significant at 5 % before the correction, given how much the two differ task by task"
                .to_owned(),
        );
        notes
    }
}

impl Pair {
    /// What was compared, what was not, and what can be told.
    fn told(&self) -> String {
        let Self { first, second, compared } = self;
        let mut parts = vec![format!(
            "{} and {}: {} at {} in both",
            first.name,
            second.name,
            pluralise(compared.pairs, "attempt"),
            pluralise(compared.tasks, "task")
        )];
        if compared.only_first + compared.only_second > 0 {
            parts.push(format!(
                "left out because they count in one run only: {} of the first, {} of the second",
                compared.only_first, compared.only_second
            ));
        }
        if let Some((one, other)) = compared.discordant {
            let one = pluralise_as(one, "task was", "tasks were");
            parts.push(format!("{one} solved by the first only, {other} by the second only"));
        }
        parts.push(match compared.sr.least {
            None => "so few tasks with different results could not tell any difference in SR".to_owned(),
            Some(least) => format!("a difference in SR below {least:.2} points could not be told from chance"),
        });
        parts.join("; ")
    }
}

const fn test_name(test: Test) -> &'static str {
    match test {
        Test::Mcnemar => "McNemar",
        Test::PairedBootstrap => "bootstrap",
    }
}

/// Probabilities that the bootstrap can't tell from 0 are not shown as 0.
fn shown(p: f64) -> String {
    if p < 0.0005 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}
