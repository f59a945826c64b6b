//! `scratchbed check`: certifies tasks by judging their solutions, their starts, and mutants of the golden project.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{ArgGroup, Args};
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::failure::{Failure, Status};
use super::output::{Output, bar};
use super::pack::PackArgs;
use super::settings::Settings;
use super::table::table;
use super::{fleet, project};
use crate::judge::Judges;
use crate::model::Outcome;
use crate::runner::check::{
    CERTIFICATE_FILE, Certificate, CheckError, CheckOptions, KeptJudge, MutantOutcome, Mutation, Progress, Thresholds,
    build, certify, mean_score, surroundings,
};
use crate::session::Fleet;
use crate::taskset::{Selection, TaskEntry};

/// Mutants that are judged at most. More of them would not change a score by much.
const MUTANTS: u64 = 40;

/// What to check, and how thoroughly.
///
/// Exit code 0 only if nothing speaks against any of the tasks and no threshold is missed, else 1. Judgements are
/// kept in runs/check by all that they depend on, so that a check that was broken off goes on where it ended.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("which").required(true).multiple(true).args(["task", "all", "pack"])))]
#[expect(clippy::struct_excessive_bools, reason = "four flags that go in any combination")]
pub struct CheckArgs {
    /// A task by name; may be given several times.
    #[arg(long, value_name = "ID")]
    task: Vec<String>,
    /// All tasks; needless with --pack.
    #[arg(long, conflicts_with = "task")]
    all: bool,
    #[command(flatten)]
    pack: PackArgs,
    /// Seeds under which the golden project must pass; the task's own ones first.
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    seeds: u16,
    /// Judge no mutants: quicker, and no certificate.
    #[arg(long)]
    no_mutants: bool,
    /// Mutants to judge at most, a stratified sample if there are more.
    #[arg(long, value_name = "N", default_value_t = MUTANTS, value_parser = clap::value_parser!(u64).range(1..=MUTANTS))]
    max_mutants: u64,
    /// The mutation score that each task must reach, 0 to 1.
    #[arg(long, value_name = "SCORE", value_parser = score, conflicts_with = "no_mutants")]
    min_mutation: Option<f64>,
    /// The mutation score that the tasks must reach on average, 0 to 1.
    #[arg(long, value_name = "SCORE", value_parser = score, conflicts_with = "no_mutants")]
    mean_mutation: Option<f64>,
    /// Judge everything again.
    #[arg(long)]
    fresh: bool,
    /// Judgements at a time.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    lanes: u16,
    /// Write the certificates beside the tasks, not only to runs/check.
    #[arg(long, conflicts_with = "no_mutants")]
    write: bool,
}

fn score(text: &str) -> Result<f64, String> {
    let score = text.parse().ok().filter(|score| (0.0..=1.0).contains(score));
    score.ok_or_else(|| "give a number from 0 to 1".to_owned())
}

/// Checks the chosen tasks.
pub async fn run(args: &CheckArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let set = args.pack.tasks(settings)?;
    let chosen = set.select(&Selection { ids: args.task.clone(), categories: Vec::new() })?;
    let start = Instant::now();
    let fleet = fleet::start(settings, 0).await?;
    let judges = Judges::new(fleet.clone(), args.lanes.into());
    let progress = bar("", 0);
    let certificates = all(args, settings, &chosen, &fleet, &judges, &progress).await;
    progress.finish_and_clear();
    judges.close().await;
    fleet.shutdown().await;
    let certificates = certificates?;
    let thresholds = Thresholds { min_mutation: args.min_mutation, mean_mutation: args.mean_mutation };
    let missed = thresholds.missed(&certificates);
    show(&certificates, &missed, out);
    let sound = missed.is_empty() && certificates.iter().all(|certificate| certificate.reasons.is_empty());
    out.answer(&json!({
        "tasks": certificates.iter().map(summary).collect::<Vec<_>>(),
        "mean_mutation": mean_score(&certificates),
        "missed": missed,
        "sound": sound,
        "seconds": (start.elapsed().as_secs_f64() * 10.0).round() / 10.0,
    }));
    Ok(Status::of(sound))
}

async fn all(
    args: &CheckArgs,
    settings: &Settings,
    chosen: &[&TaskEntry],
    fleet: &Fleet,
    judges: &Judges,
    progress: &ProgressBar,
) -> Result<Vec<Certificate>, Failure> {
    let kept = kept(args, settings);
    let own = std::env::current_exe().map_err(|error| Failure::infrastructure("own_program_unknown", &error))?;
    let programs = surroundings(&[&own, &settings.launch_options()?.find_chromium()?]);
    let judge = KeptJudge::new(judges.clone(), kept.clone(), programs, args.fresh);
    let mutants = if args.no_mutants { 0 } else { usize::try_from(args.max_mutants).unwrap_or(usize::MAX) };
    let options = CheckOptions { seeds: args.seeds.into(), mutants, lanes: args.lanes.into() };
    let mut certificates = Vec::new();
    for entry in chosen {
        progress.set_message(entry.task.id.to_string());
        let projects = build(fleet, &fleet::built_projects(settings), entry).await?;
        let certificate = certify(entry, &projects, &judge, options, &|step| advance(progress, step)).await?;
        write(&certificate, &kept.join(entry.task.id.as_str()))?;
        if args.write {
            write(&certificate, &entry.folder)?;
        }
        certificates.push(certificate);
    }
    Ok(certificates)
}

/// Where judgements and certificates are kept; those of packs apart, since they may use the same names.
fn kept(args: &CheckArgs, settings: &Settings) -> PathBuf {
    let pack = args.pack.pack.as_ref().and_then(|pack| pack.file_name().map(|name| Path::new("packs").join(name)));
    let kept = settings.root.join("runs/check");
    pack.map_or_else(|| kept.clone(), |pack| kept.join(pack))
}

fn advance(progress: &ProgressBar, step: Progress) {
    match step {
        Progress::Planned(more) => progress.inc_length(more as u64),
        Progress::Judged => progress.inc(1),
    }
}

fn write(certificate: &Certificate, folder: &Path) -> Result<(), Failure> {
    let failed = |error: serde_json::Error| Failure::infrastructure("certificate_not_written", &error);
    let mut text = serde_json::to_string_pretty(certificate).map_err(failed)?;
    text.push('\n');
    project::write(&folder.join(CERTIFICATE_FILE), text.as_bytes())
}

fn show(certificates: &[Certificate], missed: &[String], out: Output) {
    let head = ["task", "golden", "initial", "mutation", "killed", "survived", "equivalent", "flaky", "seconds", ""];
    out.say(table(&head, certificates.iter().map(row)).to_string());
    for certificate in certificates {
        let task = &certificate.task;
        for reason in &certificate.reasons {
            out.say(format!("{task}: {reason}"));
        }
        let Some(mutation) = &certificate.mutation else { continue };
        if !mutation.idle_tests.is_empty() {
            out.say(format!("{task}: never the first to fail: {}", mutation.idle_tests.join("; ")));
        }
        let alive = mutation.mutants.iter().filter(|mutant| mutant.outcome == MutantOutcome::Survived);
        for mutant in alive {
            out.say(format!("{task}: survived: {} ({})", mutant.id, mutant.block));
        }
    }
    for missed in missed {
        out.say(missed);
    }
}

/// Under how many seeds the golden project passed.
fn passed(certificate: &Certificate) -> usize {
    certificate.golden.iter().filter(|run| run.outcome == Outcome::Passed).count()
}

fn row(certificate: &Certificate) -> Vec<String> {
    let passed = passed(certificate);
    let mutation = certificate.mutation.as_ref();
    let count = |outcome| {
        mutation.map_or_else(|| "-".to_owned(), |found| found.outcomes.get(&outcome).copied().unwrap_or(0).to_string())
    };
    let verdict = match (certificate.certified, certificate.reasons.is_empty()) {
        (true, _) => "certified",
        (false, true) => "not certified",
        (false, false) => "REFUSED",
    };
    vec![
        certificate.task.to_string(),
        format!("{passed}/{} seeds", certificate.seeds.len()),
        if certificate.initial_failed { "fails" } else { "PASSES" }.to_owned(),
        mutation.and_then(|mutation| mutation.score).map_or_else(|| "-".to_owned(), |score| format!("{score:.2}")),
        count(MutantOutcome::Killed),
        count(MutantOutcome::Survived),
        count(MutantOutcome::Equivalent),
        format!("{:.2}", certificate.flake_rate),
        format!("{:.1}", certificate.seconds),
        verdict.to_owned(),
    ]
}

fn summary(certificate: &Certificate) -> Value {
    let mutation = certificate.mutation.as_ref();
    let goldens = passed(certificate);
    json!({
        "id": certificate.task,
        "category": certificate.category,
        "certified": certificate.certified,
        "reasons": certificate.reasons,
        "golden_passed": goldens == certificate.seeds.len(),
        "initial_failed": certificate.initial_failed,
        "empty_failed": certificate.empty_failed,
        "second_solutions_passed": certificate.second_solutions_passed,
        "mutation_score": mutation.and_then(|mutation| mutation.score),
        "mutants": mutation.map(outcomes),
        "idle_tests": mutation.map(|mutation| &mutation.idle_tests),
        "flake_rate": certificate.flake_rate,
        "seconds": certificate.seconds,
    })
}

fn outcomes(mutation: &Mutation) -> Value {
    json!({"population": mutation.population, "sample": mutation.sample, "outcomes": mutation.outcomes})
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        Self::of(Status::Input, error.code(), &error)
    }
}
