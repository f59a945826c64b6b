//! Judging predictions, several at a time; those that a run has recorded are not judged again.

use std::fs;
use std::time::Instant;

use futures::{StreamExt as _, TryStreamExt as _};

use super::Prediction;
use crate::experiment::Judging;
use crate::judge::JudgeError;
use crate::model::{AttemptRecord, Ending, Mode, Outcome, RUN_FORMAT, TaskId, Verdict, with_causes};
use crate::store::{RunDir, StoreError};

/// How often a project is judged whose judgement the testbed spoils.
const TRIES: u32 = 3;

/// Where and how predictions are judged.
#[derive(Debug, Clone, Copy)]
pub struct PredictionRun<'a> {
    /// Who judges.
    pub judge: &'a dyn Judging,
    /// Where verdicts are recorded.
    pub dir: &'a RunDir,
    /// How the projects were made, for the records.
    pub mode: Mode,
    /// Judgements at a time.
    pub jobs: usize,
}

/// A prediction that has been judged, for a progress bar.
#[derive(Debug, Clone, Copy)]
pub struct Judged<'a> {
    /// The prediction.
    pub prediction: &'a Prediction,
    /// What became of it.
    pub record: &'a AttemptRecord,
    /// Whether it was recorded before this run was taken up again.
    pub before: bool,
}

/// The tasks of predictions, each once, in order.
#[must_use]
pub fn tasks_of(predictions: &[Prediction]) -> Vec<TaskId> {
    let mut tasks: Vec<TaskId> = Vec::new();
    for Prediction { task, .. } in predictions {
        if !tasks.contains(&task.task.id) {
            tasks.push(task.task.id.clone());
        }
    }
    tasks
}

/// Whether a run that is to go on was begun with these predictions: `None`, or what differs. What was judged must still be
/// the same project.
///
/// # Errors
/// When the run can't be read.
pub fn check_run(dir: &RunDir, predictions: &[Prediction]) -> Result<Option<String>, StoreError> {
    if dir.record().tasks != tasks_of(predictions) {
        return Ok(Some("the predictions are for other tasks".to_owned()));
    }
    for record in dir.attempts()? {
        let is_its = |one: &&Prediction| one.task.task.id == record.task && one.attempt == record.attempt;
        let Some(prediction) = predictions.iter().find(is_its) else {
            return Ok(Some(format!("project {} for {} is gone", record.attempt, record.task)));
        };
        let judged = dir.recorded_project(&format!("{}.{}.{}", record.task, record.mode, record.attempt))?;
        if judged.is_some_and(|judged| fs::read(&prediction.project).ok() != Some(judged)) {
            return Ok(Some(format!("{} is not the project that was judged", prediction.place)));
        }
    }
    Ok(None)
}

/// Judges all predictions that the run has no verdict on yet, and returns all records in the order of the predictions. A
/// file that is no project has failed: leaving it out would make rates better than they are.
///
/// # Errors
/// When the run can't be read or written.
pub async fn judge_predictions(
    predictions: &[Prediction],
    run: PredictionRun<'_>,
    on_end: &(dyn Fn(Judged<'_>) + Send + Sync),
) -> Result<Vec<AttemptRecord>, StoreError> {
    let before = run.dir.attempts()?;
    futures::stream::iter(predictions)
        .map(|prediction| {
            let before = &before;
            async move {
                let is_its = |record: &&AttemptRecord| {
                    record.task == prediction.task.task.id
                        && record.attempt == prediction.attempt
                        && !is_spoiled(record)
                };
                if let Some(record) = before.iter().find(is_its) {
                    on_end(Judged { prediction, record, before: true });
                    return Ok(record.clone());
                }
                let record = one(prediction, run).await?;
                on_end(Judged { prediction, record: &record, before: false });
                Ok(record)
            }
        })
        .buffered(run.jobs.max(1))
        .try_collect()
        .await
}

const fn is_spoiled(record: &AttemptRecord) -> bool {
    matches!(record.outcome, Outcome::InfraError | Outcome::JudgeError)
}

async fn one(prediction: &Prediction, run: PredictionRun<'_>) -> Result<AttemptRecord, StoreError> {
    let task = &prediction.task.task;
    let folder = run.dir.begin(&task.id, run.mode, prediction.attempt)?;
    let started = Instant::now();
    let (outcome, verdict, error) = match fs::read(&prediction.project) {
        Ok(sb3) => {
            folder.keep_project(&sb3)?;
            judged(prediction, &sb3, run).await
        }
        Err(error) => (Outcome::InfraError, None, Some(format!("{}: {error}", prediction.project.display()))),
    };
    if let Some(verdict) = &verdict {
        folder.keep_verdict(verdict)?;
    }
    let record = AttemptRecord {
        format: RUN_FORMAT,
        task: task.id.clone(),
        category: task.category,
        mode: run.mode,
        attempt: prediction.attempt,
        outcome,
        ending: Ending::Done,
        steps: 0,
        misses: None,
        replans: None,
        passed_tests: verdict.as_ref().map_or(0, |verdict| verdict.passed_tests),
        total_tests: verdict.as_ref().map_or(0, |verdict| verdict.total_tests),
        acting_s: 0.0,
        judging_s: started.elapsed().as_secs_f64(),
        lost_program: None,
        error: error.or_else(|| verdict.and_then(|verdict| verdict.error)),
    };
    folder.complete(&record)?;
    Ok(record)
}

/// The outcome with the verdict, where there is one, or why there is none.
async fn judged(
    prediction: &Prediction,
    sb3: &[u8],
    run: PredictionRun<'_>,
) -> (Outcome, Option<Verdict>, Option<String>) {
    let mut tried = 1;
    loop {
        let judged = run.judge.judge(&prediction.task, sb3).await;
        let (outcome, verdict, error) = match judged {
            Ok(verdict) => (verdict.outcome, Some(verdict), None),
            Err(error) => (unjudged(&error), None, Some(with_causes(&error))),
        };
        if outcome != Outcome::InfraError || tried == TRIES {
            return (outcome, verdict, error);
        }
        tracing::warn!(place = %prediction.place, "a project is judged again, because the testbed broke");
        tried += 1;
    }
}

/// What a project is that there is no verdict on.
const fn unjudged(error: &JudgeError) -> Outcome {
    match error {
        JudgeError::Project(_) => Outcome::Failed,
        JudgeError::Script(_) => Outcome::JudgeError,
        JudgeError::Unloadable { .. } => Outcome::InfraError,
    }
}

#[cfg(test)]
#[path = "judging_tests.rs"]
mod tests;
