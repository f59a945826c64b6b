//! `scratchbed judge --predictions`: judges many projects in one process, and prints rates as `run` does.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::{Value, json};

use scratchbed::benchmarks::tasks::predictions::{Predicted, Prediction, Unusable, read_predictions};
use scratchbed::benchmarks::tasks::{LocalJudge, Tasks, costs, succeeded, summary};

use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::runs::carry_out;
use crate::arms::signs::progress;
use crate::cli::run::say_rates;
use crate::flags::count::CountArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, Plan, RunOptions};
use scratchbed::grade::{Pricing, TaskTables};
use scratchbed::judge::Judges;
use scratchbed::model::{JudgeSeed, Mode, RunRecord, TaskRecord};
use scratchbed::report::write_run_report;
use scratchbed::store::{RunDir, VerdictStore};
use scratchbed::taskset::TaskSet;

/// Many projects, and how they are judged.
#[derive(Debug, Args)]
pub struct PredictionArgs {
    /// Judge many projects in one go: a file with {"task": "ID", "project": "FILE.sb3"} a line, paths from the file's folder, or
    /// a folder with ID.sb3 or ID/*.sb3. Each is judged as `run` judges: under the task's first seed, and, where the script
    /// draws what it asks, under a secret seed of the run, too.
    #[arg(long, value_name = "FILE|DIR")]
    predictions: Option<PathBuf>,
    /// Projects that are judged at a time.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..), requires = "predictions", conflicts_with = "task")]
    jobs: u16,
    /// The folder of the run that verdicts become; a new one in runs by default.
    #[arg(long, value_name = "DIR", requires = "predictions", conflicts_with_all = ["resume", "task"])]
    out: Option<PathBuf>,
    /// Go on with an earlier run of the same predictions: what it has verdicts on is not judged again.
    #[arg(long, value_name = "FOLDER", requires = "predictions", conflicts_with = "task")]
    resume: Option<PathBuf>,
    /// The name of who made the projects, in records and reports.
    #[arg(long, value_name = "NAME", default_value = "predictions", requires = "predictions", conflicts_with = "task")]
    name: String,
    /// In which mode they were made, for the records.
    #[arg(long, value_parser = named::<Mode>(), default_value = "composite", requires = "predictions", conflicts_with = "task")]
    mode: Mode,
    /// The secret seed of the run in place of one that is drawn, to judge as an earlier run did. With a FILE: judge under this seed,
    /// too, as attempts are judged; all tests must hold under both.
    #[arg(long, value_name = "N", conflicts_with_all = ["golden", "initial"])]
    pub judge_seed: Option<u32>,
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
    let fleet = browsers::start(settings, 0).await?;
    let judges = Judges::new(fleet.clone(), args.jobs.into());
    let (judge, mode) = (LocalJudge::with(judges.clone()), args.mode);
    let predicted = Predicted { judge, mode, predictions: found.usable };
    let begun = dir(args, tasks, settings, &predicted).and_then(|dir| {
        let verdicts = VerdictStore::new(settings.root.verdicts());
        let dir = if args.judge_seed.is_none() { verdicts.with_own_seed(dir)? } else { dir };
        verdicts.keep_begun(&dir)?;
        Ok(dir)
    });
    let judged = match begun {
        Ok(dir) => {
            let seed = dir.record().judge_seed.into();
            let judge = LocalJudge::over(judges.clone(), seed, browsers::built_projects(settings));
            let predicted = Predicted { judge, ..predicted };
            let arm = Arc::new(RunArm { benchmark: predicted, dir, pricing: Pricing::Unknown });
            let options = RunOptions { jobs: args.jobs.into(), retries: 2, retry_failed_calls: false };
            carry_out(&arm, options, settings).await.map(|records| (arm, records))
        }
        Err(failure) => Err(failure),
    };
    judges.close().await;
    fleet.shutdown().await;
    let (arm, records) = judged?;
    let RunArm { benchmark: predicted, dir, pricing } = &*arm;
    let (summary, tables) = (summary(&records), TaskTables::of(&records, args.count.reference()));
    let page = write_run_report(dir, &records, (&summary, &tables, &costs(&records, pricing)))?;
    show(&tables, &records, &found.unusable, out);
    out.say(format!("run       {}", dir.path().display()));
    out.say(format!("report    {}", page.display()));
    let solved = found.unusable.is_empty() && records.iter().all(succeeded);
    let place = |record: &TaskRecord| predicted.predictions.iter().position(|one| is_of(one, record));
    let mut sorted: Vec<&TaskRecord> = records.iter().collect();
    sorted.sort_by_key(|record| place(record));
    let verdicts: Vec<Value> = sorted
        .into_iter()
        .filter_map(|record| Some(verdict(predicted.find(&record.item, record.attempt)?, record)))
        .collect();
    out.answer(&json!({
        "solved": solved,
        "run": dir.path(),
        "report": page,
        "verdicts": verdicts,
        "not_judged": found.unusable,
        "summary": summary,
        "tables": tables,
    }));
    Ok(if records.iter().any(|record| !record.outcome.counts()) { Status::Infrastructure } else { Status::of(solved) })
}

fn is_of(prediction: &Prediction, record: &TaskRecord) -> bool {
    prediction.task.task.id.as_str() == record.item.as_str() && prediction.attempt == record.attempt
}

fn verdict(prediction: &Prediction, record: &TaskRecord) -> Value {
    json!({
        "place": prediction.place,
        "task": record.item,
        "project": prediction.project,
        "attempt": record.attempt,
        "outcome": record.outcome,
        "passed_tests": record.detail.passed_tests,
        "total_tests": record.detail.total_tests,
        "error": record.error,
    })
}

fn show(tables: &TaskTables, records: &[TaskRecord], unusable: &[Unusable], out: Output) {
    say_rates(tables, out);
    let (judged, lost) = (records.len(), unusable.len());
    out.say(format!("{judged} predictions judged, {lost} not judged, in no rate"));
}

fn dir(args: &PredictionArgs, tasks: &TaskSet, settings: &Settings, predicted: &Predicted) -> Result<RunDir, Failure> {
    let plan = Plan {
        benchmark: Tasks::NAME,
        agent: args.name.clone(),
        name: "predictions".to_owned(),
        mode: Some(args.mode),
        setting: "predictions".to_owned(),
        options: json!({"projects": predicted.digest()}),
        set: tasks.version()?,
        attempts: predicted.attempts(),
        items: predicted.items(),
        notes: vec!["projects that were made elsewhere, judged by `scratchbed judge --predictions`".to_owned()],
        judge_seed: args.judge_seed.map_or(JudgeSeed::Drawn, |seed| JudgeSeed::Given(seed.into())),
        ..Plan::default()
    };
    let Some(folder) = &args.out else { return Ok(plan.open(&settings.root.runs(), args.resume.as_deref())?) };
    let id = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let id = id.ok_or_else(|| Failure::new(Status::Usage, "no_folder_name", "--out names no folder"))?;
    Ok(RunDir::create(folder.parent().unwrap_or(Path::new("")), RunRecord { id, ..plan.record() })?)
}
