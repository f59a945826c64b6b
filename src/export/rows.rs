//! One row an attempt, of any benchmark: for spreadsheets and data frames. What a benchmark does not measure is empty.

use schemars::JsonSchema;
use serde::Serialize;

use super::known::Known;
use super::source::{Who, iso, observation};
use crate::benchmarks::drag::figures::{SceneClass, Split, failure_of};
use crate::benchmarks::drag::measure::{BreakStage, DragDetail, FailureType, MeasuredBy};
use crate::benchmarks::perception::{Answered, Tag};
use crate::grade::Graded;
use crate::model::{Category, Ending, Mode, Outcome, TaskDetail};
use crate::store::{RunDir, StoreError, Try};

/// An attempt: a line of attempts.jsonl. The names of the fields are the columns of attempts.csv. What a benchmark does not
/// measure is null.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(title = "Attempt")]
pub(super) struct Row<'a> {
    /// The name of the run.
    run: &'a str,
    /// Whether all that follows is as claimed by a file: the run came in a bundle, and was not judged or measured here.
    claimed: bool,
    /// `tasks`, `drag` or `perception`.
    benchmark: &'a str,
    /// When the run began: RFC 3339, UTC.
    started_at: String,
    /// The version of scratchbed that made the run.
    version: &'a str,
    /// `llm`, `awm`, `planner`, `command`, or a built-in agent.
    agent: String,
    /// The model that was asked, if one was.
    model: Option<String>,
    /// How the agent acted.
    mode: Option<Mode>,
    /// What the items were shown with.
    setting: &'a str,
    /// What the agent was shown: `native`, `markdown`, or `paper` for the reference's observations.
    observation: &'a str,
    /// Digest of the items.
    set: &'a str,
    /// The split that was run, if one was named.
    split: Option<&'a str>,
    /// The task, scene or question.
    item: String,
    /// Of tasks.
    category: Option<Category>,
    /// Of drags: T1 or T2.
    interaction: Option<Split>,
    /// Of questions.
    tag: Option<Tag>,
    /// Which of the run's attempts at the item, from 1.
    attempt: u32,
    /// How often the attempt was made again because the testbed or the judge had spoiled it.
    retries: u32,
    /// How it ended.
    outcome: Option<Outcome>,
    /// Whether it is in our denominators.
    counts: bool,
    /// Whether it solved its item.
    succeeded: bool,
    /// Passed tests of all, from 0 to 1.
    partial: Option<f64>,
    /// Tests that passed.
    passed_tests: Option<u32>,
    /// Tests in all; 0 when nothing was judged.
    total_tests: Option<u32>,
    /// Why the agent stopped.
    ending: Option<Ending>,
    /// Actions taken.
    steps: Option<u32>,
    /// Actions that did not do what the agent meant them to do, where it notices.
    misses: Option<u32>,
    /// How often the agent tried something again in another way, where it counts.
    replans: Option<u32>,
    /// Seconds that the agent worked.
    seconds: f64,
    /// Seconds that judging took.
    judging_s: Option<f64>,
    /// Requests to a model or program.
    calls: u32,
    /// Tokens of the requests, cached ones included.
    input_tokens: u64,
    /// Tokens of the answers.
    output_tokens: u64,
    /// Of the input: tokens that the provider had in its cache.
    cached_tokens: u64,
    /// Of the input: tokens that were written to the provider's cache.
    cache_written_tokens: u64,
    /// Of the output: tokens that the model thought.
    reasoning_tokens: u64,
    /// Where the drag began, in pixels of the page.
    start_x: Option<f64>,
    /// Where the drag began, in pixels of the page.
    start_y: Option<f64>,
    /// Where it ended, in pixels of the page.
    end_x: Option<f64>,
    /// Where it ended, in pixels of the page.
    end_y: Option<f64>,
    /// Whether it began where it could.
    start_in: Option<bool>,
    /// Whether it ended where it should.
    end_in: Option<bool>,
    /// Pixels from where it could have begun.
    start_gap: Option<f64>,
    /// Pixels from where it should have ended.
    end_gap: Option<f64>,
    /// What start and end were measured by.
    measured_by: Option<MeasuredBy>,
    /// Which end of the drag failed.
    failure: Option<FailureType>,
    /// At which stage the drag broke.
    broke_at: Option<BreakStage>,
    /// How far from its end it broke, in pixels.
    broke_px: Option<f64>,
    /// What was answered to a question.
    answer: Option<String>,
    /// What is right.
    ground_truth: Option<&'a str>,
    /// What went wrong, in words.
    error: Option<String>,
}

impl<'a> Row<'a> {
    /// What all benchmarks have.
    fn of<D>(dir: &'a RunDir, Try { name, record, .. }: &Try<D>) -> Self {
        let (run, cost) = (dir.record(), record.cost);
        let Who { model, agent } = Who::of(run);
        Self {
            run: &run.id,
            claimed: dir.is_claimed(name),
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
    let row = |tried: Try<TaskDetail>| {
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
            ..Row::of(run, &tried)
        }
    };
    Ok(run.last_tries()?.into_iter().map(row).collect())
}

/// The rows of a run of single drags.
pub(super) fn of_drags<'a>(run: &'a RunDir, known: &Known) -> Result<Vec<Row<'a>>, StoreError> {
    let row = |tried: Try<Option<DragDetail>>| {
        let common = Row {
            interaction: known.scene(&tried.record.item).map(|scene| SceneClass::of(scene).interaction()),
            failure: Some(failure_of(&tried.record)),
            ..Row::of(run, &tried)
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
    Ok(run.last_tries()?.into_iter().map(row).collect())
}

/// The rows of a run of questions.
pub(super) fn of_questions<'a>(run: &'a RunDir, known: &'a Known) -> Result<Vec<Row<'a>>, StoreError> {
    let row = |tried: Try<Option<Answered>>| {
        let item = known.question(&tried.record.item);
        Row {
            tag: item.map(|item| item.tag),
            ground_truth: item.map(|item| item.ground_truth.as_str()),
            answer: tried.record.detail.as_ref().map(|answered| answered.response.clone()),
            ..Row::of(run, &tried)
        }
    };
    Ok(run.last_tries()?.into_iter().map(row).collect())
}
