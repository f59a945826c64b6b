//! `scratchbed perception`: sets of questions about pictures of the editor.

mod score;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::cli::fleet;
use crate::cli::output::{Output, bar};
use crate::cli::runs::{RunFlags, say_outcomes};
use crate::cli::spending::say_spending;
use crate::cli::table::table;
use crate::flags::agents::{AgentName, AskArgs, among};
use crate::flags::budget::{count_recorded, pricing};
use crate::flags::count::CountArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::ids::IdsArgs;
use crate::flags::model::Preset;
use crate::flags::prompts::{PromptArgs, note_prompts};
use crate::flags::settings::Settings;
use scratchbed::agent::QuestionPrompts;
use scratchbed::agent::model::{Budget, Effort};
use scratchbed::benchmarks::perception::{
    Answered, Answers, BuildOptions, Built, ITEMS, Imported, PerceptionSet, Questions, build, import, prompts,
};
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, Plan};
use scratchbed::grade::{ANSWERS, Count, Spending, outcomes};
use scratchbed::model::{AttemptRecord, Outcome};
use scratchbed::report::{perception_text, write_perception_report};
use scratchbed::store::RunDir;
use scratchbed::taskset::TaskSet;

/// Who can answer a question.
const AGENTS: &[AgentName] = &[AgentName::Oracle, AgentName::Random, AgentName::Model, AgentName::Command];

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
    Run(Box<RunArgs>),
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

/// The exit code is 0 when all attempts ended with an answer, right or wrong, and 1 when some did not.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    set: SetArgs,
    #[command(flatten)]
    ids: IdsArgs,
    /// One item of each kind, fifteen in a complete set: the reference's choice of the published set, the first of its kind in
    /// others.
    #[arg(long, conflicts_with = "ids")]
    small: bool,
    /// Who answers.
    #[arg(long, value_parser = among(AGENTS))]
    agent: AgentName,
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    prompts: PromptArgs,
    #[command(flatten)]
    pub run: RunFlags,
    #[command(flatten)]
    count: CountArgs,
}

impl RunArgs {
    /// The model that is asked, if there is one.
    pub fn model(&self) -> Option<String> {
        self.ask.model(self.agent).map(|name| name.model)
    }

    /// As the reference asks: models that think do so briefly, the others answer without chance.
    fn preset(&self) -> Preset {
        match self.ask.model(self.agent) {
            Some(name) if name.is_gpt5() => Preset { effort: Some(Effort::Low), ..Preset::default() },
            _ => Preset { temperature: Some(0.0), ..Preset::default() },
        }
    }

    /// The items that were chosen of a set.
    fn chosen(&self, set: PerceptionSet) -> Result<PerceptionSet, Failure> {
        let ids = self.ids.names()?;
        Ok(if self.small {
            set.small()
        } else if ids.is_empty() {
            set
        } else {
            set.only(&ids)?
        })
    }

    fn answers(&self, prompts: QuestionPrompts, budget: &Budget) -> Result<Answers, Failure> {
        Ok(match (self.ask.asker(self.agent, &self.preset(), None, budget)?, self.agent) {
            (Some(asker), _) => Answers::Asked { asker, prompts },
            (None, AgentName::Random) => Answers::Random(self.ask.seed),
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
    let usual = || settings.root.runs().join(format!("perception/seed-{}", args.seed));
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

/// Questions with who answers them, and the plan of their run.
pub fn asked(args: &RunArgs, budget: &Budget) -> Result<(Questions, Plan), Failure> {
    let set = PerceptionSet::read(&args.set.set)?;
    // Runs of some items are of the same set: it is named by its whole.
    let digest = set.digest()?;
    let prompts = args.prompts.read(prompts)?;
    let mut options = json!({"agent": args.ask.options(args.agent, &args.preset())});
    note_prompts(&mut options, args.agent, &prompts);
    let questions = Questions { set: args.chosen(set)?, answers: args.answers(prompts, budget)? };
    let plan = Plan {
        agent: args.ask.name(args.agent),
        name: format!("{}-questions", args.ask.readable(args.agent)),
        setting: "questions".to_owned(),
        options,
        attempts: args.run.attempts,
        ..plan(&questions, digest)
    };
    Ok((questions, plan))
}

/// Questions as an arm of an experiment.
pub fn arm(args: &RunArgs, folder: &Path) -> Result<RunArm<Questions>, Failure> {
    let (benchmark, plan) = asked(args, &Budget::default())?;
    let dir = plan.open_in(folder)?;
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    dir.keep(ITEMS, &benchmark.set.items)?;
    Ok(RunArm { benchmark, dir, pricing })
}

async fn run_set(args: &RunArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let budget = args.run.budget.budget(args.model().as_deref())?;
    let (questions, plan) = asked(args, &budget)?;
    let dir = plan.open(&settings.root.runs().join("perception"), args.run.resume())?;
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    count_recorded(&budget, &dir)?;
    dir.keep(ITEMS, &questions.set.items)?;
    let records = args.run.carry_out(&questions, &dir).await?;
    let mut answer = finish(&questions, &dir, &records, args.count, out)?;
    let passed = |record: &AttemptRecord<_>| record.outcome == Outcome::Passed;
    let spending = Spending::of(records.iter().map(|record| (&record.cost, passed(record))), &pricing);
    say_spending(&spending, "right answer", out);
    answer["costs"] = json!(spending);
    out.answer(&answer);
    Ok(Status::of(records.iter().all(|record| record.detail.is_some())))
}

/// What all runs of questions have in common.
fn plan(questions: &Questions, set: String) -> Plan {
    Plan { benchmark: Questions::NAME, set, items: questions.items(), ..Plan::default() }
}

/// Writes and prints the figures of a run.
fn finish(
    questions: &Questions,
    dir: &RunDir,
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
