//! `scratchbed perception`: sets of questions about pictures of the editor.

mod score;
mod tables;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;

use crate::agent::model::Effort;
use crate::benchmarks::perception::{
    Answers, BuildOptions, Built, Imported, PerceptionSet, PerceptionTrials, build, import, reference_score_trials,
    score_trials,
};
use crate::cli::count::CountArgs;
use crate::cli::failure::{Failure, Status};
use crate::cli::fleet;
use crate::cli::model::Preset;
use crate::cli::output::{Output, bar};
use crate::cli::settings::Settings;
use crate::cli::table::table;
use crate::cli::trials::{AgentName, Plan, TrialArgs, carry_out, say_outcomes};
use crate::experiment::trials::outcomes;
use crate::report::write_perception_report;
use crate::taskset::TaskSet;

/// What to do with questions.
#[derive(Debug, Subcommand)]
pub enum PerceptionCommand {
    /// Make a set of our own from pictures of the tasks' projects; the same seed makes the same files.
    Build(BuildArgs),
    /// Make a set of the published benchmark: a folder with tasks/ and screenshots_final/.
    Import(ImportArgs),
    /// List the items of a set.
    List(SetArgs),
    /// Show one item.
    Show(ShowArgs),
    /// Have an agent answer the questions of a set.
    Run(RunArgs),
    /// Score a file of answers.
    Score(score::ScoreArgs),
}

/// What decides the set, and where it goes.
#[derive(Debug, Args)]
pub struct BuildArgs {
    /// What decides all choices.
    #[arg(long, value_name = "N")]
    seed: u64,
    /// Where the set goes; runs/perception/seed-N by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many items, in the published mix of kinds.
    #[arg(long, value_name = "ITEMS", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    n: u32,
    /// Replace a set that is there.
    #[arg(long)]
    force: bool,
}

/// Where foreign items come from.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The folder with `tasks/` and `screenshots_final/` in it, or the published checkout above it.
    folder: PathBuf,
    /// Where the set goes.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace a set that is there.
    #[arg(long)]
    force: bool,
}

/// Which set.
#[derive(Debug, Args)]
pub struct SetArgs {
    /// The folder of the set.
    #[arg(long, value_name = "DIR")]
    set: PathBuf,
}

/// Which item of which set.
#[derive(Debug, Args)]
pub struct ShowArgs {
    #[command(flatten)]
    set: SetArgs,
    /// Its name.
    id: String,
}

/// The exit code is 0 when all trials ended with an answer, right or wrong, and 1 when some did not.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    set: SetArgs,
    #[command(flatten)]
    trials: TrialArgs,
    /// Questions that are asked at a time.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    jobs: u8,
    #[command(flatten)]
    count: CountArgs,
}

impl RunArgs {
    /// As the reference asks: models that think do so briefly, the others answer without chance.
    fn preset(&self) -> Preset {
        match self.trials.model() {
            Some(name) if name.is_gpt5() => Preset { effort: Some(Effort::Low), ..Preset::default() },
            _ => Preset { temperature: Some(0.0), ..Preset::default() },
        }
    }

    fn answers(&self) -> Result<Answers, Failure> {
        Ok(match (self.trials.asker(&self.preset(), None)?, self.trials.agent) {
            (Some(asker), _) => Answers::Asked(asker),
            (None, AgentName::Random) => Answers::Coin(self.trials.seed),
            (None, AgentName::Centre) => {
                let message = "there is nothing to point at in a question".to_owned();
                return Err(Failure::new(Status::Usage, "no_such_agent", message)
                    .hinted("oracle, random, model and command answer questions"));
            }
            (None, _) => Answers::Oracle,
        })
    }
}

/// Makes, shows or scores sets.
pub async fn run(command: PerceptionCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        PerceptionCommand::Build(args) => build_set(&args, settings, out).await,
        PerceptionCommand::Import(args) => import_set(&args, out),
        PerceptionCommand::List(args) => list(&args, out),
        PerceptionCommand::Show(args) => show(&args, out),
        PerceptionCommand::Run(args) => run_set(&args, settings, out).await,
        PerceptionCommand::Score(args) => score::run(&args, settings, out).await,
    }
}

async fn build_set(args: &BuildArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let usual = || settings.root.join(format!("runs/perception/seed-{}", args.seed));
    let folder = args.out.clone().unwrap_or_else(usual);
    let tasks = TaskSet::read(&settings.root)?;
    let fleet = fleet::start(settings, 0).await?;
    let progress = bar("items", u64::from(args.n));
    let options = BuildOptions { seed: args.seed, items: args.n, force: args.force };
    let cache = fleet::built_projects(settings);
    let built = build(&fleet, (&tasks, &cache), &folder, options, |items| progress.set_position(items as u64)).await;
    progress.finish_and_clear();
    fleet.shutdown().await;
    let Built { set, scenes, refused, pictures } = built?;
    let items = set.items.len();
    let left_out = if refused > 0 { format!(", {refused} of which the editor refused") } else { String::new() };
    out.say(format!("{}: {items} items on {pictures} pictures of {scenes} scenes{left_out}", folder.display()));
    out.answer(&json!({"set": folder, "items": items, "pictures": pictures, "scenes": scenes, "refused": refused}));
    Ok(Status::Success)
}

fn import_set(args: &ImportArgs, out: Output) -> Result<Status, Failure> {
    let Imported { set, dropped, warnings } = import(&args.folder, &args.out, args.force)?;
    for warning in &warnings {
        out.say(format!("warning: {warning}"));
    }
    let items = set.items.len();
    out.say(format!("{}: {items} items; {dropped} fields of their authors' tools left out", args.out.display()));
    out.answer(&json!({"set": args.out, "items": items, "dropped_fields": dropped, "warnings": warnings}));
    Ok(Status::Success)
}

fn list(args: &SetArgs, out: Output) -> Result<Status, Failure> {
    let set = PerceptionSet::read(&args.set)?;
    let rows = set
        .items
        .iter()
        .map(|item| [item.id.clone(), item.tag.to_string(), item.screenshot.clone(), item.instruction.clone()]);
    out.say(table(&["item", "tag", "picture", "question"], rows).to_string());
    out.answer(&json!({"set": args.set, "head": set.head, "items": set.items}));
    Ok(Status::Success)
}

fn show(args: &ShowArgs, out: Output) -> Result<Status, Failure> {
    let set = PerceptionSet::read(&args.set.set)?;
    let item = set.find(&args.id)?;
    let picture = set.picture(item);
    out.say(format!("{} ({})\n{}\ntruth: {}", picture.display(), item.tag, item.instruction, item.ground_truth));
    out.answer(&json!({"item": item, "picture": picture}));
    Ok(Status::Success)
}

async fn run_set(args: &RunArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let set = PerceptionSet::read(&args.set.set)?;
    let plan = Plan {
        benchmark: "perception",
        setting: "questions".to_owned(),
        options: json!({"agent": args.trials.told(&args.preset())}),
        set: set.digest()?,
        items: set.items.iter().map(|item| item.id.clone()).collect(),
    };
    let benchmark = PerceptionTrials { set, answers: args.answers()? };
    let dir = args.trials.dir(&settings.root.join("runs"), plan)?;
    let records = carry_out(&benchmark, &dir, args.jobs, args.trials.retry_failed_calls).await?;
    let items = &benchmark.set.items;
    let score = score_trials(items, &records);
    let reference = args.count.reference().then(|| reference_score_trials(items, &records));
    let ended = outcomes(&records);
    let page = write_perception_report(&dir, &records, items, (&score, reference.as_ref()))?;
    tables::show(&score, reference.as_ref(), out);
    say_outcomes(&ended, out);
    out.say(format!("report    {}", page.display()));
    out.answer(&json!({
        "run": dir.path(), "report": page, "score": score, "reference": reference, "outcomes": ended,
    }));
    Ok(Status::of(records.iter().all(|record| record.detail.is_some())))
}
