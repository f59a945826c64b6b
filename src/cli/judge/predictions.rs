//! `scratchbed judge --predictions`: judges many projects in one process, and prints rates as `run` does.

use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use crate::cli::count::{AS_THE_REFERENCE, CountArgs};
use crate::cli::failure::{Failure, Status};
use crate::cli::fleet;
use crate::cli::output::{Output, bar, progress};
use crate::cli::run::{mode, rates};
use crate::cli::settings::Settings;
use crate::experiment::predictions::{
    Judged, Prediction, PredictionRun, PredictionsError, Unusable, check_run, judge_predictions, read_predictions,
    tasks_of,
};
use crate::experiment::{LocalJudge, succeeded, summary};
use crate::grade::TaskTables;
use crate::judge::Judges;
use crate::model::{AttemptRecord, LimitOverrides, Mode, Outcome, RUN_FORMAT, RunRecord, run_name, unix_seconds};
use crate::report::write_run_report;
use crate::store::RunDir;
use crate::taskset::TaskSet;

/// Many projects, and how they are judged.
#[derive(Debug, Args)]
pub struct PredictionArgs {
    /// Judge many projects in one go: a file with {"task": "ID", "project": "FILE.sb3"} a line, paths from the file's folder, or
    /// a folder with ID.sb3 or ID/*.sb3. Seeds are the tasks' first ones.
    #[arg(long, value_name = "FILE|DIR")]
    predictions: Option<PathBuf>,
    /// Projects that are judged at a time.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..), requires = "predictions", conflicts_with = "task")]
    jobs: u16,
    /// The folder of the run that verdicts become; a new one in runs unless it is said.
    #[arg(long, value_name = "DIR", requires = "predictions", conflicts_with_all = ["resume", "task"])]
    out: Option<PathBuf>,
    /// Go on with an earlier run of the same predictions: what it has verdicts on is not judged again.
    #[arg(long, value_name = "FOLDER", requires = "predictions", conflicts_with = "task")]
    resume: Option<PathBuf>,
    /// What records and reports call whoever made the projects.
    #[arg(long, value_name = "NAME", default_value = "predictions", requires = "predictions", conflicts_with = "task")]
    name: String,
    /// In which mode they were made, for the records.
    #[arg(long, value_parser = mode, default_value = "composite", requires = "predictions", conflicts_with = "task")]
    mode: Mode,
    #[command(flatten)]
    count: CountArgs,
}

/// Judges them; the status is positive only if all passed and nothing was unusable.
pub async fn run(args: &PredictionArgs, tasks: &TaskSet, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let path = args.predictions.as_deref().unwrap_or(Path::new(""));
    let found = read_predictions(path, tasks)?;
    for Unusable { place, reason } in &found.unusable {
        progress(format!("not judged  {place}: {reason}"));
    }
    if found.usable.is_empty() {
        let message = format!("none of the {} predictions can be judged", found.unusable.len());
        return Err(Failure::new(Status::Input, "no_usable_prediction", message).hinted("see the reasons above"));
    }
    let dir = dir(args, tasks, settings, &found.usable)?;
    let fleet = fleet::start(settings, 0).await?;
    let judges = Judges::new(fleet.clone(), args.jobs.into());
    let judge = LocalJudge::with(judges.clone());
    let many = PredictionRun { judge: judge.as_ref(), dir: &dir, mode: dir.record().mode, jobs: args.jobs.into() };
    let bar = bar("judged", found.usable.len() as u64);
    let records = judge_predictions(&found.usable, many, &|judged| show_one(&bar, judged)).await;
    bar.finish_and_clear();
    judges.close().await;
    fleet.shutdown().await;
    let records = records?;
    let (summary, tables) = (summary(&records), TaskTables::of(&records, args.count.reference()));
    let page = write_run_report(&dir, &records, &summary, &tables)?;
    show(&tables, &records, &found.unusable, out);
    out.say(format!("run       {}", dir.path().display()));
    out.say(format!("report    {}", page.display()));
    let solved = found.unusable.is_empty() && records.iter().all(succeeded);
    let verdicts: Vec<Value> = found.usable.iter().zip(&records).map(|(one, record)| verdict(one, record)).collect();
    out.answer(&json!({
        "solved": solved,
        "run": dir.path(),
        "report": page,
        "verdicts": verdicts,
        "not_judged": found.unusable,
        "summary": summary,
        "tables": tables,
    }));
    let is_broken = |record: &AttemptRecord| matches!(record.outcome, Outcome::InfraError | Outcome::JudgeError);
    Ok(if records.iter().any(is_broken) { Status::Infrastructure } else { Status::of(solved) })
}

fn verdict(prediction: &Prediction, record: &AttemptRecord) -> Value {
    json!({
        "place": prediction.place,
        "task": record.task,
        "project": prediction.project,
        "attempt": record.attempt,
        "outcome": record.outcome,
        "passed_tests": record.passed_tests,
        "total_tests": record.total_tests,
        "error": record.error,
    })
}

fn show_one(bar: &ProgressBar, Judged { prediction, record, before }: Judged<'_>) {
    bar.inc(1);
    if !before {
        let done = format!("{}/{}", bar.position(), bar.length().unwrap_or_default());
        let tests = format!("{}/{}", record.passed_tests, record.total_tests);
        let error = record.error.as_deref().map(|error| format!("  {error}")).unwrap_or_default();
        let (task, place, outcome) = (&record.task, &prediction.place, record.outcome.name());
        bar.suspend(|| progress(format!("{done:>9}  {task} ({place})  {outcome}  {tests} tests{error}")));
    }
}

fn show(tables: &TaskTables, records: &[AttemptRecord], unusable: &[Unusable], out: Output) {
    for row in &tables.ours {
        out.say(rates(row));
    }
    if let Some(rows) = &tables.reference {
        out.say(AS_THE_REFERENCE);
        for row in rows {
            out.say(rates(row));
        }
    }
    let (judged, lost) = (records.len(), unusable.len());
    out.say(format!("{judged} predictions judged, {lost} not judged, in no rate"));
}

fn dir(args: &PredictionArgs, tasks: &TaskSet, settings: &Settings, usable: &[Prediction]) -> Result<RunDir, Failure> {
    let version = tasks.version()?;
    if let Some(path) = &args.resume {
        let dir = RunDir::resume(path)?;
        let record = dir.record();
        let differs = match &record.task_set {
            Some(then) if *then != version => Some(format!("the tasks are {version}, and were {then}")),
            _ if record.agent != args.name => Some(format!("the name is {}, and was {}", args.name, record.agent)),
            _ => check_run(&dir, usable)?,
        };
        return match differs {
            Some(what) => Err(Failure::new(Status::Input, "run_differs", format!("{}: {what}", path.display()))
                .hinted("repeat the arguments of that run, or start a new one")),
            None => Ok(dir),
        };
    }
    let started_at = unix_seconds();
    let usual = settings.root.runs().join(run_name(started_at, "predictions"));
    let folder = args.out.as_deref().unwrap_or(&usual);
    let id = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let id = id.ok_or_else(|| Failure::new(Status::Usage, "no_folder_name", "--out names no folder"))?;
    let record = RunRecord {
        format: RUN_FORMAT,
        id,
        started_at,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        agent: args.name.clone(),
        mode: args.mode,
        tasks: tasks_of(usable),
        task_set: Some(version),
        split: None,
        server: None,
        limits: LimitOverrides::default(),
        notes: vec!["projects that were made elsewhere, judged by `scratchbed judge --predictions`".to_owned()],
    };
    Ok(RunDir::create(folder.parent().unwrap_or(Path::new("")), record)?)
}

impl From<PredictionsError> for Failure {
    fn from(error: PredictionsError) -> Self {
        Self::of(Status::Input, error.code(), &error).hinted(error.hint())
    }
}
