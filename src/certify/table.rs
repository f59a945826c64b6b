//! A program that knows by heart what a script asks under the public seed: it must pass under that seed, and fail under any other.
//! Only then does a judgement under a secret seed tell those who solve a task from those who read its script.

use serde::{Deserialize, Serialize};

use super::evidence::{Progress, shortfall};
use super::judging::{Trial, judged, traced};
use super::parts::Parts;
use crate::model::Outcome;
use crate::mutants::{noted_inputs, noting_inputs, table_mutant};
use crate::project::ProjectError;
use crate::taskset::TaskEntry;

/// How the table mutant of a task did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableTrial {
    /// The public seed, whose inputs it knows.
    pub seed: u64,
    /// How many inputs these are, each with those before it in its round.
    pub inputs: usize,
    /// The other seeds that it was tried under.
    pub others: Vec<u64>,
    /// Those of them under which it passed.
    pub passed: Vec<u64>,
    /// Why there is no table, or why it is none: it does not pass under the seed whose inputs it knows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trouble: Option<String>,
}

impl TableTrial {
    /// Reasons against the task: its judge can be passed by a table, or was not tried.
    pub(super) fn reasons(&self) -> Vec<String> {
        let Self { seed, passed, trouble, .. } = self;
        let untried = trouble.iter().map(|trouble| format!("its script draws what it asks, and {trouble}"));
        let seeds: Vec<String> = passed.iter().map(u64::to_string).collect();
        let seeds = (!seeds.is_empty()).then(|| seeds.join(", "));
        let beaten =
            seeds.map(|seeds| format!("a table of what it asks under seed {seed} passes under others, too: {seeds}"));
        untried.chain(beaten).collect()
    }
}

/// Whether a task's script draws what it asks, so that a table must be tried.
pub(super) fn needs_table(entry: &TaskEntry) -> bool {
    entry.evaluation().is_ok_and(|sources| sources.draws())
}

impl Parts<'_> {
    /// Makes the table of the first seed and tries it under all seeds of the certificate, and under one more if there is but one.
    pub(super) async fn try_table(&self, progress: &(dyn Fn(Progress) + Sync)) -> TableTrial {
        let seeds: Vec<u64> = self.runs.iter().map(|run| run.seed).collect();
        let Some((seed, rest)) = seeds.split_first() else {
            let trouble = Some("the golden project has no verdict".to_owned());
            return TableTrial { trouble, ..TableTrial::default() };
        };
        let others = if rest.is_empty() { vec![seed + 1] } else { rest.to_vec() };
        let mut trial = TableTrial { seed: *seed, others, ..TableTrial::default() };
        if let Err(trouble) = self.fill(&mut trial, progress).await {
            trial.trouble = Some(trouble);
        }
        trial
    }

    /// Fills in what comes of it; why there is no table, in words that follow "and".
    async fn fill(&self, trial: &mut TableTrial, progress: &(dyn Fn(Progress) + Sync)) -> Result<(), String> {
        let no_file = |error: ProjectError| format!("the table can't be written: {error}");
        let noting = noting_inputs(self.golden)
            .ok_or("no table can be made: the golden project neither asks nor is given lists")?
            .write()
            .map_err(no_file)?;
        progress(Progress::Planned(1));
        let trace = traced(self.judge, self.entry, &noting, Trial::seeded(trial.seed)).await;
        progress(Progress::Judged);
        let inputs = noted_inputs(&trace.map_err(|error| format!("its inputs were not noted: {error}"))?);
        trial.inputs = inputs.len();
        if inputs.is_empty() {
            return Err("no table can be made: the golden project was given nothing".to_owned());
        }
        let table = table_mutant(self.golden, &inputs).ok_or("no table can be made of the golden project")?;
        let sb3 = table.write().map_err(no_file)?;
        progress(Progress::Planned(1 + trial.others.len()));
        let known = judged(self.judge, self.entry, &sb3, Trial::seeded(trial.seed)).await;
        progress(Progress::Judged);
        let is_table = known.as_ref().is_ok_and(|verdict| verdict.outcome == Outcome::Passed);
        let mut unjudged = None;
        for seed in &trial.others {
            let how = Trial { stop_at_first_failure: true, ..Trial::seeded(*seed) };
            match judged(self.judge, self.entry, &sb3, how).await {
                Ok(verdict) if verdict.outcome == Outcome::Passed => trial.passed.push(*seed),
                Ok(_) => {}
                Err(error) => unjudged = Some(format!("the table was not judged under seed {seed}: {error}")),
            }
            progress(Progress::Judged);
        }
        if !is_table {
            return Err(format!(
                "the table fails under seed {}, whose inputs it knows: {}",
                trial.seed,
                shortfall(Some(&known))
            ));
        }
        unjudged.map_or(Ok(()), Err)
    }
}
