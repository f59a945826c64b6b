//! One row an attempt, of any benchmark: for spreadsheets and data frames. What a benchmark does not measure is empty.

use serde::Serialize;

use super::known::Known;
use super::source::{Tried, Who, iso, last_tries, observation};
use crate::benchmarks::drag::figures::{SceneClass, Split, failure_of};
use crate::benchmarks::drag::measure::{BreakStage, DragDetail, FailureType, MeasuredBy};
use crate::benchmarks::perception::{Answered, Tag};
use crate::grade::Graded;
use crate::model::{Category, Ending, Mode, Outcome, RunRecord, TaskDetail};
use crate::store::{RunDir, StoreError};

/// An attempt. The names of the fields are the columns.
#[derive(Debug, Default, Serialize)]
pub(super) struct Row<'a> {
    run: &'a str,
    benchmark: &'a str,
    started_at: String,
    version: &'a str,
    agent: String,
    model: Option<String>,
    mode: Option<Mode>,
    setting: &'a str,
    observation: &'a str,
    /// Digest of the items.
    set: &'a str,
    split: Option<&'a str>,
    item: String,
    category: Option<Category>,
    /// T1 or T2.
    interaction: Option<Split>,
    tag: Option<Tag>,
    attempt: u32,
    /// How often the attempt was made again because the testbed or the judge had spoiled it.
    retries: u32,
    outcome: Option<Outcome>,
    /// Whether it is in our denominators.
    counts: bool,
    succeeded: bool,
    /// Passed tests of all, from 0 to 1.
    partial: Option<f64>,
    passed_tests: Option<u32>,
    total_tests: Option<u32>,
    ending: Option<Ending>,
    steps: Option<u32>,
    misses: Option<u32>,
    replans: Option<u32>,
    seconds: f64,
    judging_s: Option<f64>,
    calls: u32,
    input_tokens: u64,
    output_tokens: u64,
    cached_tokens: u64,
    cache_written_tokens: u64,
    reasoning_tokens: u64,
    start_x: Option<f64>,
    start_y: Option<f64>,
    end_x: Option<f64>,
    end_y: Option<f64>,
    start_in: Option<bool>,
    end_in: Option<bool>,
    start_gap: Option<f64>,
    end_gap: Option<f64>,
    measured_by: Option<MeasuredBy>,
    failure: Option<FailureType>,
    broke_at: Option<BreakStage>,
    broke_px: Option<f64>,
    answer: Option<String>,
    ground_truth: Option<&'a str>,
    error: Option<String>,
}

impl<'a> Row<'a> {
    /// What all benchmarks have.
    fn of<D>(run: &'a RunRecord, Tried { record, .. }: &Tried<D>) -> Self {
        let Who { model, agent } = Who::of(run);
        let cost = record.cost;
        Self {
            run: &run.id,
            benchmark: &run.benchmark,
            started_at: iso(run.started_at),
            version: &run.version,
            agent,
            model,
            mode: run.mode,
            setting: &run.setting,
            observation: observation(run),
            set: &run.set,
            split: run.split.as_deref(),
            item: record.item.to_string(),
            attempt: record.attempt,
            retries: record.retry,
            outcome: Some(record.outcome),
            counts: record.outcome.counts(),
            succeeded: record.outcome == Outcome::Passed,
            seconds: cost.seconds,
            calls: cost.calls,
            input_tokens: cost.input_tokens,
            output_tokens: cost.output_tokens,
            cached_tokens: cost.cached_tokens,
            cache_written_tokens: cost.cache_written_tokens,
            reasoning_tokens: cost.reasoning_tokens,
            error: record.error.clone(),
            ..Self::default()
        }
    }
}

/// The rows of a run of tasks.
pub(super) fn of_tasks(run: &RunDir) -> Result<Vec<Row<'_>>, StoreError> {
    let row = |tried: Tried<TaskDetail>| {
        let (graded, detail) = (Graded::from(&tried.record), &tried.record.detail);
        Row {
            category: Some(detail.category),
            mode: Some(detail.mode),
            succeeded: graded.succeeded(),
            partial: Some(graded.partial()),
            passed_tests: Some(detail.passed_tests),
            total_tests: Some(detail.total_tests),
            ending: Some(detail.ending),
            steps: Some(detail.steps),
            misses: detail.misses,
            replans: detail.replans,
            judging_s: Some(detail.judging_s),
            ..Row::of(run.record(), &tried)
        }
    };
    Ok(last_tries(run)?.into_iter().map(row).collect())
}

/// The rows of a run of single drags.
pub(super) fn of_drags<'a>(run: &'a RunDir, known: &Known) -> Result<Vec<Row<'a>>, StoreError> {
    let row = |tried: Tried<Option<DragDetail>>| {
        let common = Row {
            interaction: known.scene(&tried.record.item).map(|scene| SceneClass::of(scene).interaction()),
            failure: Some(failure_of(&tried.record)),
            ..Row::of(run.record(), &tried)
        };
        let Some(detail) = &tried.record.detail else { return common };
        Row {
            start_x: detail.start.map(|point| point.x),
            start_y: detail.start.map(|point| point.y),
            end_x: detail.end.map(|point| point.x),
            end_y: detail.end.map(|point| point.y),
            start_in: Some(detail.start_in),
            end_in: detail.end_in,
            start_gap: detail.start_gap,
            end_gap: detail.end_gap,
            measured_by: Some(detail.measured_by),
            broke_at: detail.broke.map(|broke| broke.stage),
            broke_px: detail.broke.map(|broke| broke.pixels),
            ..common
        }
    };
    Ok(last_tries(run)?.into_iter().map(row).collect())
}

/// The rows of a run of questions.
pub(super) fn of_questions<'a>(run: &'a RunDir, known: &'a Known) -> Result<Vec<Row<'a>>, StoreError> {
    let row = |tried: Tried<Option<Answered>>| {
        let item = known.question(&tried.record.item);
        Row {
            tag: item.map(|item| item.tag),
            ground_truth: item.map(|item| item.ground_truth.as_str()),
            answer: tried.record.detail.as_ref().map(|answered| answered.response.clone()),
            ..Row::of(run.record(), &tried)
        }
    };
    Ok(last_tries(run)?.into_iter().map(row).collect())
}
