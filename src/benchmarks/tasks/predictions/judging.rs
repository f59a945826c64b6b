//! Predictions as a benchmark: no agent is asked, the projects exist already.

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;

use super::Prediction;
use crate::benchmarks::tasks::measure::Judged;
use crate::benchmarks::tasks::{Judging, Tasks, figures};
use crate::experiment::{Benchmark, Cell, Ended, RunError};
use crate::grade::{Count, TaskRow};
use crate::judge::JudgeError;
use crate::model::{Cost, Ending, ItemId, Mode, Outcome, TaskDetail, TaskRecord, sha256_hex};
use crate::store::AttemptDir;

/// Projects that were made elsewhere.
#[derive(Debug)]
pub struct Predicted {
    pub judge: Arc<dyn Judging>,
    /// How the projects were made, for the records.
    pub mode: Mode,
    pub predictions: Vec<Prediction>,
}

impl Predicted {
    /// Projects for the task with the most of them.
    pub fn attempts(&self) -> u32 {
        self.predictions.iter().map(|prediction| prediction.attempt).max().unwrap_or_default()
    }

    /// Digest of all projects with their tasks: a run goes on only with those that it was begun with.
    pub fn digest(&self) -> String {
        let lines = self.predictions.iter().map(|Prediction { task, attempt, project, .. }| {
            let project = fs::read(project).map_or_else(|_| "gone".to_owned(), |sb3| sha256_hex(&sb3));
            format!("{} {attempt} {project}\n", task.task.id)
        });
        sha256_hex(lines.collect::<String>().as_bytes())
    }

    /// The prediction of a cell.
    pub fn find(&self, item: &ItemId, attempt: u32) -> Option<&Prediction> {
        let is_its = |one: &&Prediction| one.task.task.id.as_str() == item.as_str() && one.attempt == attempt;
        self.predictions.iter().find(is_its)
    }
}

#[async_trait]
impl Benchmark for Predicted {
    type Detail = TaskDetail;
    type Figures = Vec<TaskRow>;

    const NAME: &'static str = Tasks::NAME;

    /// The tasks, each once, in the order of the predictions.
    fn items(&self) -> Vec<ItemId> {
        let mut items: Vec<ItemId> = Vec::new();
        for Prediction { task, .. } in &self.predictions {
            let item = ItemId::from(&task.task.id);
            if !items.contains(&item) {
                items.push(item);
            }
        }
        items
    }

    fn has(&self, item: &ItemId, attempt: u32) -> bool {
        self.find(item, attempt).is_some()
    }

    /// A file that is not a project has failed: leaving it out would inflate rates.
    async fn attempt(&self, cell: Cell<'_, TaskDetail>, dir: &AttemptDir) -> Result<Ended<TaskDetail>, RunError> {
        let Some(Prediction { task, project, .. }) = self.find(cell.item, cell.attempt) else {
            return Err(RunError::Item { item: cell.item.to_string(), reason: "there is no such project".to_owned() });
        };
        let started = Instant::now();
        let judged = match fs::read(project) {
            Ok(sb3) => {
                dir.keep_project(&sb3)?;
                Judged::of(self.judge.judge(task, &sb3).await, unjudged)
            }
            Err(error) => {
                let error = Some(format!("{}: {error}", project.display()));
                Judged { outcome: Some(Outcome::InfraError), error, ..Judged::default() }
            }
        };
        if let Some(verdict) = &judged.verdict {
            dir.keep_verdict(verdict)?;
        }
        let judging_s = started.elapsed().as_secs_f64();
        let detail = TaskDetail { judging_s, ..judged.detail(task.task.category, self.mode, Ending::Done) };
        let outcome = judged.outcome.unwrap_or(Outcome::InfraError);
        Ok(Ended { outcome, error: judged.error, cost: Cost::default(), detail })
    }

    /// Where the project is named, and what is wrong with it.
    fn reason(&self, record: &TaskRecord) -> Option<String> {
        let place = &self.find(&record.item, record.attempt)?.place;
        let error = record.error.as_ref().map(|error| format!(" {error}")).unwrap_or_default();
        Some(format!("({place}){error}"))
    }

    fn asks(&self) -> bool {
        false
    }

    fn figures(&self, records: &[TaskRecord], count: Count) -> Vec<TaskRow> {
        figures::rows(records, count)
    }
}

/// The outcome of a project without a verdict.
pub const fn unjudged(error: &JudgeError) -> Outcome {
    match error {
        JudgeError::Project(_) => Outcome::Failed,
        JudgeError::Script(_) => Outcome::JudgeError,
        JudgeError::Unloadable { .. } => Outcome::InfraError,
    }
}

#[cfg(test)]
#[path = "judging_tests.rs"]
mod tests;
