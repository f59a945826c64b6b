//! Checks one task: what must pass passes, what must fail fails, and mutants of the golden project are noticed.

use std::collections::BTreeMap;
use std::time::Instant;

use futures::StreamExt as _;
use futures::stream;
use serde_json::json;

use super::certificate::{CERTIFICATE_FORMAT, Certificate, GoldenRun, ProjectHashes};
use super::error::CheckError;
use super::judging::{JudgeProject, Trial, judged};
use super::pace;
use super::parts::{Parts, explained};
use crate::judge::engine;
use crate::model::{CaseResult, Category, Outcome, Verdict, sha256_hex};
use crate::project::{Project, ProjectError};
use crate::solver::{Counted, changed_blocks};
use crate::taskset::{Contract, TaskEntry};

#[derive(Debug, Clone, Copy)]
pub struct CheckOptions {
    /// Under how many seeds the golden project must pass; at least one.
    pub seeds: usize,
    /// How many mutants to judge at most; none for 0.
    pub mutants: usize,
    /// How many behavioural mutants to judge at most; none for 0.
    pub behaviours: usize,
    /// How many collateral mutants to judge at most; none for 0.
    pub collateral: usize,
    /// How many benign mutants to judge at most; none for 0.
    pub benign: usize,
    /// How many mutants that a test killed to judge on to the last test, at most.
    pub late: usize,
    /// Judgements at a time.
    pub lanes: usize,
}

/// The project files of a task.
#[derive(Debug, Clone)]
pub struct Projects {
    /// What solves the task.
    pub golden: Vec<u8>,
    /// What agents start from.
    pub initial: Vec<u8>,
    /// What solves it too.
    pub second_solutions: Vec<Vec<u8>>,
    /// What solves it as slowly as the instruction allows.
    pub slow_solutions: Vec<Vec<u8>>,
}

/// The progress of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// So many judgements are to be made beside those announced before.
    Planned(usize),
    Judged,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Golden(u64),
    /// The golden project under the first seed once more.
    Again,
    Initial(u64),
    Empty,
    Second(usize, u64),
    Slow(usize, u64),
}

/// The judge's verdict, or why there is none.
type Verdicts = BTreeMap<Subject, Result<Verdict, String>>;

/// Checks one task. The parts of an `earlier` certificate of the same projects and judge ([`super::still_good`]) are kept, and those
/// that it lacks are added.
///
/// # Errors
/// When the task's files can't be used. What speaks against the task is in the certificate.
pub async fn certify(
    entry: &TaskEntry,
    projects: &Projects,
    judge: &dyn JudgeProject,
    options: CheckOptions,
    earlier: Option<Certificate>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Certificate, CheckError> {
    let start = Instant::now();
    let read = |which, sb3: &[u8]| {
        let invalid = |source| CheckError::Project { task: entry.task.id.to_string(), which, source };
        Project::read(sb3).map_err(invalid)
    };
    let (golden, initial) = (read("golden", &projects.golden)?, read("initial", &projects.initial)?);
    let is_of_these = |found: &Certificate| {
        found.hashes.golden == sha256_hex(&projects.golden) && found.hashes.initial == sha256_hex(&projects.initial)
    };
    let (mut certificate, tests) = match earlier.filter(is_of_these) {
        Some(earlier) => {
            let tests = earlier.test_names();
            (Certificate { format: CERTIFICATE_FORMAT, ..earlier }, tests)
        }
        None => basics(entry, projects, &initial, judge, options, progress).await?,
    };
    certificate.changed_blocks = changed_blocks(&initial, &golden, Counted::All);
    certificate.reasons.extend(miscounted(entry, certificate.changed_blocks));
    let passed = certificate.golden.iter().filter(|run| run.outcome == Outcome::Passed).count();
    if options.mutants > 0 && passed == certificate.seeds.len() {
        let runs = certificate.golden.clone();
        let parts = Parts {
            entry,
            golden: &golden,
            initial: &initial,
            golden_file: &projects.golden,
            judge,
            options,
            runs: &runs,
            tests: &tests,
            explained: explained(&entry.folder)?,
        };
        parts.complete(&mut certificate, progress).await;
        certificate.reasons.extend(parts.unknown_reasons());
        certificate.reasons.extend(certificate.part_reasons(entry.contract() == Contract::Scratchbed));
    }
    let complete = certificate.mutation.is_some() && certificate.behaviour.is_some();
    certificate.certified = certificate.reasons.is_empty() && complete;
    certificate.seconds = (start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
    Ok(certificate)
}

/// What must pass and what must fail, without mutants; and the names of the script's tests.
async fn basics(
    entry: &TaskEntry,
    projects: &Projects,
    initial: &Project,
    judge: &dyn JudgeProject,
    options: CheckOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(Certificate, Vec<String>), CheckError> {
    let empty = without_code(initial).map_err(|source| CheckError::Project {
        task: entry.task.id.to_string(),
        which: "initial",
        source,
    })?;
    let seeds = seeds(&entry.task.seeds, options.seeds);
    entry.evaluation()?;
    let subjects = subjects(&seeds, projects);
    progress(Progress::Planned(subjects.len()));
    let verdicts: Verdicts = stream::iter(subjects)
        .map(|subject| {
            let (sb3, trial) = trial(subject, projects, &empty, &seeds);
            async move {
                let verdict = judged(judge, entry, sb3, trial).await;
                progress(Progress::Judged);
                (subject, verdict)
            }
        })
        .buffer_unordered(options.lanes.max(1))
        .collect()
        .await;
    let mut certificate = summary(entry, &seeds, &verdicts, projects);
    certificate.hashes = ProjectHashes {
        sources: entry.sources_digest()?,
        engine: engine(),
        script: std::mem::take(&mut certificate.hashes.script),
        golden: sha256_hex(&projects.golden),
        initial: sha256_hex(&projects.initial),
        second_solutions: projects.second_solutions.iter().map(|sb3| sha256_hex(sb3)).collect(),
        slow_solutions: projects.slow_solutions.iter().map(|sb3| sha256_hex(sb3)).collect(),
    };
    let first = seeds.first().and_then(|seed| verdicts.get(&Subject::Golden(*seed))?.as_ref().ok());
    let tests = first.map(|verdict| verdict.details.iter().map(|test| test.name.clone()).collect());
    Ok((certificate, tests.unwrap_or_default()))
}

/// What speaks against the number of blocks that the task says a solution changes. Imported tasks may leave it open.
fn miscounted(entry: &TaskEntry, changed: usize) -> Option<String> {
    let expected = entry.task.expected_changed_blocks?;
    let same = usize::try_from(expected).is_ok_and(|expected| expected == changed);
    (!same).then(|| {
        format!(
            "expected_changed_blocks is {expected}, and must be {changed}: the golden project changes so many blocks"
        )
    })
}

/// The task's own seeds first, then the smallest numbers that are not among them.
fn seeds(own: &[u64], count: usize) -> Vec<u64> {
    let more = (1..).filter(|seed| !own.contains(seed));
    own.iter().copied().chain(more).take(count.max(1)).collect()
}

/// The stage and the sprites, without code and without data.
fn without_code(project: &Project) -> Result<Vec<u8>, ProjectError> {
    let mut empty = project.clone();
    for target in empty.json["targets"].as_array_mut().into_iter().flatten() {
        for part in ["blocks", "comments", "variables", "lists", "broadcasts"] {
            target[part] = json!({});
        }
    }
    empty.json["monitors"] = json!([]);
    empty.write()
}

fn subjects(seeds: &[u64], projects: &Projects) -> Vec<Subject> {
    let mut subjects = vec![Subject::Again, Subject::Empty];
    for seed in seeds {
        subjects.extend([Subject::Golden(*seed), Subject::Initial(*seed)]);
        subjects.extend((0..projects.second_solutions.len()).map(|number| Subject::Second(number, *seed)));
        subjects.extend((0..projects.slow_solutions.len()).map(|number| Subject::Slow(number, *seed)));
    }
    subjects
}

fn trial<'a>(subject: Subject, projects: &'a Projects, empty: &'a [u8], seeds: &[u64]) -> (&'a [u8], Trial) {
    let first = seeds.first().copied().unwrap_or_default();
    match subject {
        Subject::Golden(seed) => (&projects.golden, Trial::seeded(seed)),
        Subject::Again => (&projects.golden, Trial { repetition: 1, ..Trial::seeded(first) }),
        Subject::Initial(seed) => (&projects.initial, Trial { stop_at_first_failure: true, ..Trial::seeded(seed) }),
        // To its end, to list the tests that pass on sprites that do nothing.
        Subject::Empty => (empty, Trial::seeded(first)),
        Subject::Second(number, seed) => (&projects.second_solutions[number], Trial::seeded(seed)),
        Subject::Slow(number, seed) => (&projects.slow_solutions[number], Trial::seeded(seed)),
    }
}

/// Everything but the mutants.
fn summary(entry: &TaskEntry, seeds: &[u64], verdicts: &Verdicts, projects: &Projects) -> Certificate {
    let mut reasons = Vec::new();
    let mut ended = |subject: Subject, wanted: Outcome| match verdicts.get(&subject) {
        Some(Ok(verdict)) if verdict.outcome == wanted => true,
        other => {
            reasons.push(format!("{}: {}", words(subject), shortfall(other)));
            false
        }
    };
    for seed in seeds {
        ended(Subject::Golden(*seed), Outcome::Passed);
    }
    let initials: Vec<bool> = seeds.iter().map(|seed| ended(Subject::Initial(*seed), Outcome::Failed)).collect();
    let empty_failed = ended(Subject::Empty, Outcome::Failed);
    let passing_when_empty = passing(verdicts.get(&Subject::Empty));
    let mut passed = |count: usize, subject: fn(usize, u64) -> Subject| -> Vec<bool> {
        let mut under_all = |number| {
            let failed = seeds.iter().filter(|seed| !ended(subject(number, **seed), Outcome::Passed));
            failed.count() == 0
        };
        (0..count).map(&mut under_all).collect()
    };
    let second_solutions_passed = passed(projects.second_solutions.len(), Subject::Second);
    let slow_solutions_passed = passed(projects.slow_solutions.len(), Subject::Slow);
    let golden: Vec<(u64, &Verdict)> =
        seeds.iter().filter_map(|seed| Some((*seed, verdicts.get(&Subject::Golden(*seed))?.as_ref().ok()?))).collect();
    let again = verdicts.get(&Subject::Again).and_then(|verdict| verdict.as_ref().ok());
    let first = golden.first().map(|(_, verdict)| *verdict);
    reasons.extend(copies(projects));
    let flake_rate = first.zip(again).map_or(1.0, |(first, again)| flake_rate(first, again));
    if entry.contract() == Contract::Scratchbed {
        if asks_for_slow(entry.task.category) && projects.slow_solutions.is_empty() {
            reasons.push("there is no slow solution: slow_solutions in task.json names none".to_owned());
        }
        // One that ran into a limit does not show how much it needs.
        let passed = golden.iter().map(|(_, verdict)| *verdict).filter(|verdict| verdict.outcome == Outcome::Passed);
        let goldens: Vec<&Verdict> = passed.collect();
        reasons.extend(pace::faults(&entry.task, &goldens, &other_solutions(verdicts)));
    }
    // Where nothing was before, nothing can have been kept.
    if matches!(entry.task.category, Category::Create | Category::Compute) && !passing_when_empty.is_empty() {
        reasons.push(format!("sprites without code pass: {}", passing_when_empty.join("; ")));
    }
    if flake_rate > 0.0 {
        reasons
            .push(format!("{:.0}% of the results differ when the golden project is judged again", flake_rate * 100.0));
    }
    Certificate {
        format: CERTIFICATE_FORMAT,
        task: entry.task.id.clone(),
        category: entry.task.category,
        certified: false,
        hashes: ProjectHashes {
            script: first.map(|verdict| verdict.hashes.script.clone()).unwrap_or_default(),
            ..ProjectHashes::default()
        },
        editor: first.map(|verdict| verdict.hashes.editor.clone()).unwrap_or_default(),
        browser: first.map(|verdict| verdict.hashes.browser.clone()).unwrap_or_default(),
        seeds: seeds.to_vec(),
        golden: golden.into_iter().map(|(seed, verdict)| golden_run(seed, verdict)).collect(),
        initial_failed: initials.into_iter().all(|failed| failed),
        empty_failed,
        passing_when_empty,
        second_solutions_passed,
        slow_solutions_passed,
        flake_rate,
        changed_blocks: 0,
        mutation: None,
        behaviour: None,
        collateral: None,
        benign: None,
        table: None,
        unseen: None,
        tests: None,
        oracle: None,
        reasons,
        seconds: 0.0,
    }
}

/// Solutions that show nothing, since they are the golden project.
fn copies(projects: &Projects) -> Vec<String> {
    let of = |words: &'static str, others: &[Vec<u8>]| {
        let same = others.iter().enumerate().filter(|(_, sb3)| **sb3 == projects.golden);
        same.map(|(at, _)| format!("{words} solution {} is the golden project", at + 1)).collect::<Vec<_>>()
    };
    [of("second", &projects.second_solutions), of("slow", &projects.slow_solutions)].concat()
}

/// Whether programs of this category are built freely enough for a slow one to meet a limit that the golden does not.
const fn asks_for_slow(category: Category) -> bool {
    matches!(category, Category::Create | Category::Extend)
}

/// The verdicts on second and slow solutions that passed. One that failed may have met a limit, so its time is meaningless.
fn other_solutions(verdicts: &Verdicts) -> Vec<&Verdict> {
    let others = verdicts.iter().filter(|(subject, _)| matches!(subject, Subject::Second(..) | Subject::Slow(..)));
    let judged = others.filter_map(|(_, verdict)| verdict.as_ref().ok());
    judged.filter(|verdict| verdict.outcome == Outcome::Passed).collect()
}

/// The names of the tests that passed.
fn passing(verdict: Option<&Result<Verdict, String>>) -> Vec<String> {
    let details = verdict.and_then(|verdict| verdict.as_ref().ok()).map(|verdict| verdict.details.as_slice());
    let passed = details.unwrap_or_default().iter().filter(|test| test.passed);
    passed.map(|test| test.name.clone()).collect()
}

fn golden_run(seed: u64, verdict: &Verdict) -> GoldenRun {
    let Verdict { outcome, passed_tests, total_tests, trace_hash, .. } = verdict.clone();
    GoldenRun { seed, outcome, passed_tests, total_tests, trace_hash }
}

fn words(subject: Subject) -> String {
    match subject {
        Subject::Golden(seed) => format!("the golden project must pass under seed {seed}"),
        Subject::Again => "the golden project must pass again".to_owned(),
        Subject::Initial(seed) => format!("the initial project must fail under seed {seed}"),
        Subject::Empty => "sprites without code must fail".to_owned(),
        Subject::Second(number, seed) => format!("second solution {} must pass under seed {seed}", number + 1),
        Subject::Slow(number, seed) => format!("slow solution {} must pass under seed {seed}", number + 1),
    }
}

/// How a judgement ended that should have ended differently.
pub(super) fn shortfall(verdict: Option<&Result<Verdict, String>>) -> String {
    match verdict {
        Some(Ok(verdict)) => {
            let described = |test: &CaseResult| {
                let message = test.error.as_ref().map(|error| format!(": {error}"));
                format!(" at \"{}\"{}", test.name, message.unwrap_or_default())
            };
            let failed = verdict.details.iter().find(|test| !test.passed).map(described);
            let error = verdict.error.as_ref().map(|error| format!(": {error}"));
            format!("{}{}{}", verdict.outcome.name(), failed.unwrap_or_default(), error.unwrap_or_default())
        }
        Some(Err(error)) => error.clone(),
        None => "not judged".to_owned(),
    }
}

/// Share of the tests and the trace hash, 0 to 1, in which two judgements differ.
#[expect(clippy::cast_precision_loss, reason = "counts of tests are small")]
fn flake_rate(one: &Verdict, other: &Verdict) -> f64 {
    let count = one.details.len().max(other.details.len());
    let result = |verdict: &Verdict, at: usize| verdict.details.get(at).map(|test| (test.name.clone(), test.passed));
    let tests = (0..count).filter(|at| result(one, *at) != result(other, *at)).count();
    let differing = tests + usize::from(one.trace_hash != other.trace_hash);
    differing as f64 / (count + 1) as f64
}
