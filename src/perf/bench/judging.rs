//! Time to judge goldens, and whether repeating it gives the same result.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::judge::{Conditions, Judges};
use crate::meter::process_tree;
use crate::model::{Clock, Outcome, Verdict};
use crate::perf::median;
use crate::taskset::TaskEntry;

/// How many judgements the medians at the beginning and at the end are taken over, at most.
const SAMPLE: usize = 100;

#[derive(Debug, Clone, Copy)]
pub struct JudgingPlan {
    /// How often each project is judged.
    pub rounds: usize,
    /// Judgements under way at the same time.
    pub at_once: usize,
    pub clock: Clock,
    /// Judgements made beforehand and not counted: a page's first ones are slower, until its code is compiled.
    pub warm_up: usize,
}

/// What one task's judgements had in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// Which task.
    pub task: String,
    /// Different outcomes that were seen; one is what should be.
    pub outcomes: BTreeSet<String>,
    /// How many different verdicts there were: outcome and the outcome of each test.
    pub verdicts: usize,
    /// How many different traces there were; none in real time.
    pub traces: usize,
    /// Tests that ended otherwise than in the task's first judgement.
    pub differing_tests: usize,
    /// Tests judged in all.
    pub tests: usize,
    /// Milliseconds of project time of one judgement.
    pub project_ms: f64,
    /// Milliseconds that a judgement took: median.
    pub median_ms: f64,
}

/// What was seen over all tasks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgingReport {
    /// Each task's part.
    pub tasks: Vec<Judged>,
    /// Judgements made.
    pub judgements: usize,
    /// Seconds of project time that passed in all.
    pub project_s: f64,
    /// Seconds that it took.
    pub wall_s: f64,
    /// How many times faster than real time.
    pub speed: f64,
    /// Median milliseconds of the first judgements, at most 100.
    pub first_ms: f64,
    /// Median milliseconds of as many last judgements.
    pub last_ms: f64,
    /// Median milliseconds of each hundred judgements in their order, to see a trend.
    pub hundreds_ms: Vec<f64>,
    /// Memory of our process tree in MB after each of them.
    pub hundreds_mb: Vec<f64>,
    /// What went wrong with the testbed.
    pub failures: Vec<String>,
}

impl JudgingReport {
    /// Whether every judgement of a task said the same and nothing broke.
    pub fn is_stable(&self) -> bool {
        self.failures.is_empty() && self.tasks.iter().all(|task| task.verdicts == 1 && task.traces <= 1)
    }
}

struct Done {
    task: usize,
    took: Duration,
    verdict: Result<Verdict, String>,
}

/// Judges each project so many times; `progress` gets the number of judgements done.
pub async fn run(
    judges: &Judges,
    projects: &[(TaskEntry, Vec<u8>)],
    plan: JudgingPlan,
    progress: impl Fn(usize),
) -> JudgingReport {
    let ahead = (0..plan.warm_up).map(|number| judge(judges, projects, number % projects.len(), plan.clock));
    stream::iter(ahead).buffer_unordered(plan.at_once.max(1)).for_each(|_| async {}).await;
    let started = Instant::now();
    // Round by round, so that the first and the last hundred judge the same projects.
    let work = (0..plan.rounds).flat_map(|_| 0..projects.len());
    let mut running =
        stream::iter(work.map(|task| judge(judges, projects, task, plan.clock))).buffer_unordered(plan.at_once.max(1));
    let (mut done, mut hundreds_mb) = (Vec::new(), Vec::new());
    while let Some(one) = running.next().await {
        done.push(one);
        progress(done.len());
        if done.len().is_multiple_of(SAMPLE) || done.len() == plan.rounds * projects.len() {
            hundreds_mb.push(megabytes());
        }
    }
    drop(running);
    let wall_s = started.elapsed().as_secs_f64();
    report(projects, &done, wall_s, hundreds_mb)
}

async fn judge(judges: &Judges, projects: &[(TaskEntry, Vec<u8>)], task: usize, clock: Clock) -> Done {
    let started = Instant::now();
    let (entry, sb3) = &projects[task];
    let seed = entry.task.seeds.first().copied().unwrap_or_default();
    let how = Conditions { clock, ..Conditions::seeded(seed) };
    let verdict = judges.judge(entry, sb3, &how).await.map(|judgement| judgement.verdict);
    Done { task, took: started.elapsed(), verdict: verdict.map_err(|error| error.to_string()) }
}

fn report(projects: &[(TaskEntry, Vec<u8>)], done: &[Done], wall_s: f64, hundreds_mb: Vec<f64>) -> JudgingReport {
    let project_s = done.iter().filter_map(|one| one.verdict.as_ref().ok()?.project_ms).sum::<f64>() / 1000.0;
    let sample = SAMPLE.min(done.len() / 2).max(1);
    let took = |some: &[Done]| milliseconds(median(some.iter().map(|one| one.took).collect()));
    JudgingReport {
        tasks: projects.iter().enumerate().map(|(task, (entry, _))| judged(entry, task, done)).collect(),
        judgements: done.len(),
        project_s,
        wall_s,
        speed: project_s / wall_s,
        first_ms: took(&done[..sample.min(done.len())]),
        last_ms: took(&done[done.len().saturating_sub(sample)..]),
        hundreds_ms: done.chunks(SAMPLE).map(took).collect(),
        hundreds_mb,
        failures: done.iter().filter_map(failure).collect(),
    }
}

fn failure(done: &Done) -> Option<String> {
    match &done.verdict {
        Err(error) => Some(error.clone()),
        Ok(verdict) if verdict.outcome == Outcome::InfraError => verdict.error.clone(),
        Ok(_) => None,
    }
}

fn judged(entry: &TaskEntry, task: usize, done: &[Done]) -> Judged {
    let of_task = done.iter().filter(|one| one.task == task);
    let (mut outcomes, mut verdicts, mut traces) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut times, mut project_ms, mut tests, mut differing_tests) = (Vec::new(), 0.0, 0, 0);
    let mut first: Option<Vec<bool>> = None;
    for one in of_task {
        let Ok(verdict) = &one.verdict else { continue };
        times.push(one.took);
        let passed: Vec<bool> = verdict.details.iter().map(|detail| detail.passed).collect();
        let expected = first.get_or_insert_with(|| passed.clone());
        differing_tests += expected.iter().zip(&passed).filter(|(a, b)| a != b).count();
        tests += passed.len();
        outcomes.insert(verdict.outcome.name().to_owned());
        verdicts.insert((verdict.outcome.name(), passed));
        traces.extend(verdict.trace_hash.clone());
        project_ms = verdict.project_ms.unwrap_or_default();
    }
    Judged {
        task: entry.task.id.to_string(),
        outcomes,
        verdicts: verdicts.len(),
        traces: traces.len(),
        differing_tests,
        tests,
        project_ms,
        median_ms: milliseconds(median(times)),
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[expect(clippy::cast_precision_loss, reason = "megabytes for people")]
fn megabytes() -> f64 {
    process_tree::memory(std::process::id()) as f64 / 1e6
}
