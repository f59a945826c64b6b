//! `scratchbed check`: certifies tasks by judging their solutions, their starts, and mutants of the golden project.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{ArgGroup, Args};
use indicatif::ProgressDrawTarget;
use serde_json::json;

use super::certificates::{self, Checked, Finding};
use crate::arms::browsers;
use crate::arms::files;
use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::arms::signs::{LoggedBar, bar};
use crate::flags::choice::ChoiceArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::certify::{
    CERTIFICATE_FILE, Certificate, CheckOptions, JudgeProject, KeptJudge, Progress, Score, Thresholds, budget_faults,
    build, certify, current, current_in, still_good, surroundings, with_budget, with_oracle,
};
use scratchbed::compile::texts_of;
use scratchbed::judge::Judges;
use scratchbed::session::{Fleet, SessionOptions, Sessions};
use scratchbed::taskset::{Problem, TaskEntry};

/// Mutants that are judged at most. More of them would not change a score by much.
const MUTANTS: u64 = 40;

/// Behavioural mutants that are judged at most by default, and when an author wants to see more of them.
const BEHAVIOURS: u64 = 20;
const MORE_BEHAVIOURS: u64 = 1000;

/// Collateral and benign mutants that are judged at most, and mutants that are judged on past the first failing test.
const COLLATERAL: u64 = 20;
const BENIGN: u64 = 10;
const LATE: u64 = 10;

/// What docs/TASKS.md asks of the judges of this checkout's tasks: two scores and a number of tests.
const MIN_MUTATION: f64 = 0.8;
const MIN_COLLATERAL: f64 = 0.6;
const MIN_TESTS: u32 = 3;

/// What to check, and how thoroughly.
///
/// Exit code 0 only if nothing speaks against any of the tasks and no threshold is missed, else 1; 3 if the only trouble is
/// a draft with faults, which can't be checked. A task whose
/// certificate is kept beside it and still current is not judged again, and neither is one of a pack whose certificate is in
/// runs/check. Judgements are kept there by all that they depend on, so that a check that was broken off goes on where it
/// ended.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("which").required(true).multiple(true).args(["task", "split", "all", "pack", "drafts"])))]
pub struct CheckArgs {
    #[command(flatten)]
    choice: ChoiceArgs,
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
    /// Behavioural mutants to judge at most, likewise; those that survive show what a judge does not look at.
    #[arg(long, value_name = "N", default_value_t = BEHAVIOURS, value_parser = clap::value_parser!(u64).range(1..=MORE_BEHAVIOURS))]
    max_behaviours: u64,
    /// Collateral mutants to judge at most, likewise; those that survive damage what the task leaves alone.
    #[arg(long, value_name = "N", default_value_t = COLLATERAL, value_parser = clap::value_parser!(u64).range(1..=MORE_BEHAVIOURS))]
    max_collateral: u64,
    /// The mutation score that each task must reach, 0 to 1; for tasks of this checkout 0.8 by default.
    #[arg(long, value_name = "SCORE", value_parser = score, conflicts_with = "no_mutants")]
    min_mutation: Option<f64>,
    /// The mutation score that the tasks must reach on average, 0 to 1.
    #[arg(long, value_name = "SCORE", value_parser = score, conflicts_with = "no_mutants")]
    mean_mutation: Option<f64>,
    /// The score over behavioural mutants that each task must reach, 0 to 1.
    #[arg(long, value_name = "SCORE", value_parser = score, conflicts_with = "no_mutants")]
    min_behaviour: Option<f64>,
    /// The score over behavioural mutants that the tasks must reach on average, 0 to 1.
    #[arg(long, value_name = "SCORE", value_parser = score, conflicts_with = "no_mutants")]
    mean_behaviour: Option<f64>,
    /// The score over collateral mutants that each task must reach, 0 to 1; for tasks of this checkout 0.6 by default.
    #[arg(long, value_name = "SCORE", value_parser = score, conflicts_with = "no_mutants")]
    min_collateral: Option<f64>,
    /// The score over collateral mutants that the tasks must reach on average, 0 to 1.
    #[arg(long, value_name = "SCORE", value_parser = score, conflicts_with = "no_mutants")]
    mean_collateral: Option<f64>,
    /// Judge everything again, also what has a current certificate.
    #[arg(long)]
    fresh: bool,
    /// Judgements at a time.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    lanes: u16,
    /// Write the certificates beside the tasks, not only to runs/check.
    #[arg(long, conflicts_with = "no_mutants")]
    write: bool,
}

impl CheckArgs {
    /// What is asked of the scores. Tasks of this checkout, drafts too, must reach what docs/TASKS.md asks of judges; those of
    /// packs what is said.
    fn thresholds(&self) -> Thresholds {
        let Self {
            min_mutation, mean_mutation, min_behaviour, mean_behaviour, min_collateral, mean_collateral, ..
        } = *self;
        let behaviour = Thresholds { min_behaviour, mean_behaviour, ..Thresholds::default() };
        let given = Thresholds { min_mutation, mean_mutation, min_collateral, mean_collateral, ..behaviour };
        if self.pack.is_foreign() || self.no_mutants {
            return given;
        }
        Thresholds {
            min_mutation: min_mutation.or(Some(MIN_MUTATION)),
            min_collateral: min_collateral.or(Some(MIN_COLLATERAL)),
            min_tests: Some(MIN_TESTS),
            ..given
        }
    }
}

fn score(text: &str) -> Result<f64, String> {
    let score = text.parse().ok().filter(|score| (0.0..=1.0).contains(score));
    score.ok_or_else(|| "give a number from 0 to 1".to_owned())
}

/// Sessions end with the list that is tried in them, long before this.
const IDLE: Duration = Duration::from_secs(3600);

/// Checks the chosen tasks.
pub async fn run(args: &CheckArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let set = args.pack.tasks(settings, &args.choice.task)?;
    let chosen = set.select(&args.choice.selection())?;
    if chosen.is_empty() && !set.unfinished().is_empty() {
        return Err(unfinished(set.unfinished()));
    }
    let start = Instant::now();
    let fleet = browsers::start(settings, 0).await?;
    let judges = Judges::new(fleet.clone(), args.lanes.into());
    let progress = bar("", 0);
    // For the oracles' lists, which are tried one at a time.
    let sessions = Sessions::new(fleet.clone(), SessionOptions { limit: 1, idle: IDLE });
    let checked = all(args, settings, &chosen, (&fleet, &sessions), &judges, &progress).await;
    progress.finish_and_clear();
    judges.close().await;
    sessions.shutdown().await;
    let checked = checked?;
    let certificates: Vec<Certificate> = checked.iter().filter_map(|task| task.certificate().cloned()).collect();
    let missed = args.thresholds().missed(&certificates);
    certificates::show(&checked, &missed, out);
    let sound = missed.is_empty() && checked.iter().all(Checked::is_sound);
    out.answer(&json!({
        "tasks": checked.iter().map(certificates::summary).collect::<Vec<_>>(),
        "mean_mutation": Score::Mutation.mean(&certificates),
        "mean_behaviour": Score::Behaviour.mean(&certificates),
        "mean_collateral": Score::Collateral.mean(&certificates),
        "missed": missed,
        "sound": sound,
        "seconds": (start.elapsed().as_secs_f64() * 10.0).round() / 10.0,
    }));
    // Those that were checked may be sound, and others could not be.
    let is_whole = set.unfinished().is_empty() || !args.choice.task.is_empty();
    Ok(if sound && !is_whole { Status::Input } else { Status::of(sound) })
}

/// There is nothing to check but drafts with faults, which were reported.
fn unfinished(faults: &[Problem]) -> Failure {
    let count = faults.iter().map(|fault| fault.file.parent()).collect::<BTreeSet<_>>().len();
    let message = if count == 1 { "the draft is unfinished" } else { "all drafts are unfinished" };
    Failure::new(Status::Input, "drafts_unfinished", message).hinted("mend the faults named above, then check again")
}

async fn all(
    args: &CheckArgs,
    settings: &Settings,
    chosen: &[&TaskEntry],
    (fleet, sessions): (&Fleet, &Sessions),
    judges: &Judges,
    progress: &LoggedBar,
) -> Result<Vec<Checked>, Failure> {
    let kept = kept(args, settings);
    let own = std::env::current_exe().map_err(|error| Failure::infrastructure("own_program_unknown", &error))?;
    let programs = surroundings(&[&own, &settings.launch_options()?.find_chromium()?]);
    let judge = KeptJudge::new(judges.clone(), kept.clone(), programs, args.fresh);
    let most = |count: u64| if args.no_mutants { 0 } else { usize::try_from(count).unwrap_or(usize::MAX) };
    let options = CheckOptions {
        seeds: args.seeds.into(),
        mutants: most(args.max_mutants),
        behaviours: most(args.max_behaviours),
        collateral: most(args.max_collateral),
        benign: most(BENIGN),
        late: most(LATE),
        lanes: args.lanes.into(),
    };
    let mut checked = Vec::new();
    let is_judged = |entry: &&TaskEntry| certified(args, entry, options, &kept).is_none();
    let texts = texts_of(chosen.iter().copied().filter(is_judged));
    // Two bars at once would write over each other.
    progress.set_draw_target(ProgressDrawTarget::hidden());
    browsers::build_ahead(fleet, &browsers::built_projects(settings), &texts).await;
    progress.set_draw_target(ProgressDrawTarget::stderr());
    for entry in chosen {
        progress.set_message(entry.task.id.to_string());
        let unchanged = certified(args, entry, options, &kept).filter(|_| budget_faults(entry).is_empty());
        let keeps = !(args.fresh || args.no_mutants);
        let earlier = if keeps { still_good(entry, options).ok() } else { None };
        let finding = match unchanged {
            Some(certificate) => {
                if args.write && args.pack.is_foreign() {
                    write(&certificate, &entry.folder)?;
                }
                Finding::Unchanged(certificate)
            }
            None => match judge_again(entry, settings, (fleet, sessions), &judge, options, earlier, progress).await {
                Ok(certificate) => {
                    write(&certificate, &kept.join(entry.task.id.as_str()))?;
                    if args.write {
                        write(&certificate, &entry.folder)?;
                    }
                    Finding::Judged(certificate)
                }
                // What ails the machine ails all tasks.
                Err(failure) if failure.status() != Status::Input => return Err(failure),
                Err(failure) => Finding::Broken(failure),
            },
        };
        let one = Checked { id: entry.task.id.clone(), category: entry.task.category, finding };
        progress.say(format!("{}: {}", one.id, one.verdict()));
        checked.push(one);
    }
    Ok(checked)
}

/// The certificate that a task has already, if nothing of it is judged again. Those of packs also lie among the kept judgements, so that a
/// check that was broken off goes on after what it has certified.
fn certified(args: &CheckArgs, entry: &TaskEntry, options: CheckOptions, kept: &Path) -> Option<Certificate> {
    if args.fresh || args.no_mutants {
        return None;
    }
    let in_kept = || current_in(entry, &kept.join(entry.task.id.as_str()), options).ok();
    let of_pack = || if args.pack.is_foreign() { in_kept() } else { None };
    current(entry, options).ok().or_else(of_pack)
}

async fn judge_again(
    entry: &TaskEntry,
    settings: &Settings,
    (fleet, sessions): (&Fleet, &Sessions),
    judge: &dyn JudgeProject,
    options: CheckOptions,
    earlier: Option<Certificate>,
    progress: &LoggedBar,
) -> Result<Certificate, Failure> {
    let projects = build(fleet, &browsers::built_projects(settings), entry).await?;
    let certificate = certify(entry, &projects, judge, options, earlier, &|step| advance(progress, step)).await?;
    let certificate = with_oracle(certificate, entry, &projects, sessions, judge).await;
    Ok(with_budget(certificate, entry))
}

/// Where judgements and certificates are kept; those of packs apart, since they may use the same names.
fn kept(args: &CheckArgs, settings: &Settings) -> PathBuf {
    let pack = args.pack.pack.as_ref().and_then(|pack| pack.file_name().map(|name| Path::new("packs").join(name)));
    let kept = settings.root.runs().join("check");
    pack.map_or_else(|| kept.clone(), |pack| kept.join(pack))
}

fn advance(progress: &LoggedBar, step: Progress) {
    match step {
        Progress::Planned(more) => progress.inc_length(more as u64),
        Progress::Judged => progress.inc(1),
    }
}

fn write(certificate: &Certificate, folder: &Path) -> Result<(), Failure> {
    let failed = |error: serde_json::Error| Failure::infrastructure("certificate_not_written", &error);
    let mut text = serde_json::to_string_pretty(certificate).map_err(failed)?;
    text.push('\n');
    files::write(&folder.join(CERTIFICATE_FILE), text.as_bytes())
}
