//! `scratchbed regrade`: judges the kept projects of recorded attempts anew.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::arms::signs::bar;
use crate::flags::failure::{Failure, Status};
use crate::flags::run_folders::{RunFolders, UnpackingArgs, current_judges};
use crate::flags::settings::Settings;
use scratchbed::benchmarks::tasks::regrade::{CurrentJudges, How, Regrading, regrade};
use scratchbed::benchmarks::tasks::{LocalJudge, SecretSeed};
use scratchbed::export::{Known, bundle_inputs};
use scratchbed::judge::Judges;
use scratchbed::report::{changes_text, regrading_text};
use scratchbed::store::{RunDir, pack_runs};

/// What to judge again. No model is asked and no session is opened. The new grade is kept beside the first one, which stays;
/// `report` and `compare` read it with --grading current.
///
/// Grades in a bundle are claims: all its projects are judged here, unless this checkout has judged the very same before.
///
/// The exit code is 1 when a grade changed, 5 when a judge broke.
#[derive(Debug, Args)]
pub struct RegradeArgs {
    /// Folders of runs or experiments, their names below runs/, or bundles.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    unpacking: UnpackingArgs,
    #[command(flatten)]
    how: HowArgs,
    /// Write all runs with their new grades as a bundle to this file. They count in this checkout, which keeps its own
    /// verdicts; elsewhere they are claims.
    #[arg(long, value_name = "FILE.zip")]
    out: Option<PathBuf>,
}

/// How projects are judged again.
#[derive(Debug, Args)]
pub struct HowArgs {
    #[command(flatten)]
    pub pack: PackArgs,
    /// Projects that are judged at a time.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    /// Judge again what this checkout has judged before, too.
    #[arg(long)]
    fresh: bool,
}

/// Judges, and tells what flipped.
pub async fn run(args: &RegradeArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let started = Instant::now();
    if let Some(file) = args.out.as_deref().filter(|file| file.exists()) {
        let failure = Failure::new(Status::Usage, "bundle_exists", format!("{} is there already", file.display()));
        return Err(failure.hinted("nothing is ever overwritten: name a new file"));
    }
    let judges = current_judges(args.how.pack.tasks(settings, &[])?, settings);
    let opened = RunFolders::open(&args.runs, args.unpacking, settings)?;
    let runs = opened.runs();
    let all = args.how.judged(&runs, &judges, &[], settings, out).await?;
    if let Some(file) = &args.out {
        let inputs = bundle_inputs(&runs, &Known { tasks: Some(judges.tasks), ..Known::default() })?;
        pack_runs(&runs.iter().collect::<Vec<_>>(), &inputs, file, &|| ())?;
        out.say(format!("wrote {}", file.display()));
    } else if opened.opened.iter().any(|(_, one)| one.unpacked().is_some()) {
        out.say("note: this checkout keeps the verdicts; --out FILE.zip also writes them into a bundle");
    }
    let seconds = started.elapsed().as_secs_f64();
    out.say(format!("took {seconds:.1} s"));
    out.answer(&json!({"runs": all, "seconds": seconds, "bundle": args.out}));
    Ok(status(&all))
}

impl HowArgs {
    /// Judges the projects of these runs, and says what flipped. `only` names the attempts of each run that are judged; it is empty
    /// for all of all.
    pub async fn judged(
        &self,
        runs: &[RunDir],
        judges: &CurrentJudges,
        only: &[BTreeSet<String>],
        settings: &Settings,
        out: Output,
    ) -> Result<Vec<Regrading>, Failure> {
        let fleet = browsers::start(settings, 0).await?;
        let pool = Judges::new(fleet.clone(), self.jobs.into());
        let judge = LocalJudge::over(pool.clone(), SecretSeed::Fresh, browsers::built_projects(settings));
        let whole = |run: &RunDir| run.record().items.len() * run.record().attempts as usize;
        let count: usize = match only {
            [] => runs.iter().map(whole).sum(),
            only => only.iter().map(BTreeSet::len).sum(),
        };
        let progress = bar("projects", count as u64);
        let all = async {
            let mut all: Vec<Regrading> = Vec::new();
            for (at, run) in runs.iter().enumerate() {
                let how = How { jobs: self.jobs.into(), fresh: self.fresh, only: only.get(at) };
                all.push(regrade(run, judges, judge.as_ref(), how, &|| progress.inc(1)).await?);
            }
            Ok::<_, Failure>(all)
        };
        let all = all.await;
        progress.finish_and_clear();
        pool.close().await;
        fleet.shutdown().await;
        let all = all?;
        for regrading in &all {
            out.say(regrading_text(regrading));
            let changes = changes_text(regrading);
            if !changes.is_empty() {
                out.say(changes);
            }
        }
        Ok(all)
    }
}

/// How the process ends after judging.
pub fn status(all: &[Regrading]) -> Status {
    if all.iter().flat_map(|one| &one.unjudged).any(|one| one.is_broken) {
        return Status::Infrastructure;
    }
    Status::of(all.iter().all(|one| one.changed().count() == 0))
}
