//! `scratchbed perception`: sets of questions about pictures of the editor.

mod score;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::arms::browsers;
use crate::arms::house::House;
use crate::arms::output::Output;
use crate::arms::questions::{QuestionsArgs, SetArgs, asked};
use crate::arms::runs::{carry_out, say_outcomes};
use crate::arms::signs::bar;
use crate::arms::spending::say_costs;
use crate::flags::budget::{count_recorded, pricing};
use crate::flags::count::CountArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::perception::{
    Answered, BuildOptions, Built, ITEMS, Imported, PerceptionSet, Questions, build, import,
};
use scratchbed::experiment::Benchmark as _;
use scratchbed::experiment::engine::RunArm;
use scratchbed::grade::{ANSWERS, Count, outcomes};
use scratchbed::model::{AttemptRecord, EditorGeneration, pluralise};
use scratchbed::report::plain_table as table;
use scratchbed::report::{perception_text, write_perception_report};
use scratchbed::taskset::TaskSet;

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
    Run(Box<QuestionsArgs>),
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
    /// Which editor the pictures show: the current one, or the one of the published pictures.
    #[arg(long, value_name = "EDITOR", default_value_t, value_parser = named::<EditorGeneration>())]
    editor: EditorGeneration,
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

/// Which item of which set.
#[derive(Debug, Args)]
pub struct ShowArgs {
    #[command(flatten)]
    set: SetArgs,
    /// Its name.
    id: String,
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
    let usual = || settings.root.runs().join("perception").join(usual_name(args));
    let folder = args.out.clone().unwrap_or_else(usual);
    let tasks = TaskSet::read(&settings.root)?;
    let house = House::start(settings, 1).await?;
    let fleet = house.fleet_of(args.editor).await?;
    let progress = bar("items", u64::from(args.n));
    let options = BuildOptions { seed: args.seed, items: args.n, force: args.force };
    let cache = browsers::built_projects(settings);
    let built =
        build(&fleet, (&tasks, &cache, &house.fleet), &folder, options, |items| progress.set_position(items as u64))
            .await;
    progress.finish_and_clear();
    house.close().await;
    let Built { set, scenes, refused, pictures } = built?;
    let items = set.items.len();
    let left_out = if refused > 0 { format!(", {refused} of which the editor refused") } else { String::new() };
    let editor = if args.editor.is_current() { String::new() } else { format!(" in the {} editor", args.editor) };
    let [on, of] = [(pictures, "picture"), (scenes, "scene")].map(|(number, what)| pluralise(number, what));
    let made = pluralise(items, "item");
    out.say(format!("{}: {made} on {on} of {of}{editor}{left_out}", folder.display()));
    out.answer(&json!({
        "set": folder, "editor": args.editor, "items": items, "pictures": pictures, "scenes": scenes, "refused": refused,
    }));
    Ok(Status::Success)
}

/// The name of a set's folder unless one is given.
fn usual_name(args: &BuildArgs) -> String {
    let editor = if args.editor.is_current() { String::new() } else { format!("-{}", args.editor) };
    format!("seed-{}{editor}", args.seed)
}

fn import_set(args: &ImportArgs, out: Output) -> Result<Status, Failure> {
    let Imported { set, dropped, warnings } = import(&args.folder, &args.out, args.force)?;
    for warning in &warnings {
        out.say(format!("warning: {warning}"));
    }
    let items = set.items.len();
    let (taken, fields) = (pluralise(items, "item"), pluralise(dropped, "field"));
    out.say(format!("{}: {taken}; {fields} of their authors' tools left out", args.out.display()));
    out.answer(&json!({"set": args.out, "items": items, "dropped_fields": dropped, "warnings": warnings}));
    Ok(Status::Success)
}

fn list(args: &SetArgs, out: Output) -> Result<Status, Failure> {
    let set = PerceptionSet::read(&args.set)?;
    let rows = set
        .items
        .iter()
        .map(|item| [item.id.to_string(), item.tag.to_string(), item.screenshot.clone(), item.instruction.clone()]);
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

async fn run_set(args: &QuestionsArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let budget = args.run.budget.budget(args.model().as_deref())?;
    let (questions, plan) = asked(args, &budget)?;
    let dir = plan.open(&settings.root.runs().join("perception"), args.run.resume())?;
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    count_recorded(&budget, &dir)?;
    dir.keep(ITEMS, &questions.set.items)?;
    let arm = Arc::new(RunArm { benchmark: questions, dir, pricing });
    let records = carry_out(&arm, args.run.options(), settings).await?;
    let mut answer = finish(&arm, &records, args.count, out)?;
    answer["costs"] = json!(say_costs(&records, &arm.pricing, "right answer", out));
    out.answer(&answer);
    Ok(Status::of(records.iter().all(|record| record.detail.is_some())))
}

/// Writes and prints the figures of a run.
fn finish(
    RunArm { benchmark: questions, dir, .. }: &RunArm<Questions>,
    records: &[AttemptRecord<Option<Answered>>],
    count: CountArgs,
    out: Output,
) -> Result<Value, Failure> {
    let score = questions.figures(records, Count::Ours);
    let reference = count.reference().then(|| questions.figures(records, Count::Reference));
    let ended = outcomes(&ANSWERS, records.iter().map(|record| record.outcome));
    let page = write_perception_report(dir, records, &questions.set.items, (&score, reference.as_ref()))?;
    out.say(perception_text(&score, reference.as_ref()));
    say_outcomes(&ended, out);
    out.say(format!("report    {}", page.display()));
    Ok(json!({"run": dir.path(), "report": page, "score": score, "reference": reference, "outcomes": ended}))
}
