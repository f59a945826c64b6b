//! `scratchbed repair …`: forged faults are mended by whoever is asked, and patches are applied and scored.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::answers::{AnswersArgs, Elsewhere};
use super::applying::{ApplyArgs, apply};
use super::budgeted;
use super::matrix::{MatrixArgs, matrix};
use super::probing::{self, ProbeArgs};
use super::simulating::{SimulateArgs, simulate};
use super::trajectories::{self, AgainArgs};
use super::trajectory_pages::{self, Wanted};
use super::ways::{self, WaysArgs};
use crate::arms::budgeted::BudgetedArgs;
use crate::arms::hosting::end_with_server;
use crate::arms::house::House;
use crate::arms::output::Output;
use crate::arms::repairs::{RepairsArgs, asked, plan, players};
use crate::arms::runs::{carry_out, say_outcomes, say_preset};
use crate::arms::signs::bar;
use crate::arms::spending::say_costs;
use crate::flags::budget::{count_recorded, pricing};
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::repair::{Answers, ITEMS, Item, Manner, Repairs, filtered, score};
use scratchbed::benchmarks::trajectories::Trajectories;
use scratchbed::bugs::Bench;
use scratchbed::compile::DrawingPage;
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, RunOptions};
use scratchbed::export::claims;
use scratchbed::fault_views::repair_view;
use scratchbed::grade::{ANSWERS, Pricing, outcomes};
use scratchbed::mend::Repair;
use scratchbed::model::{AttemptRecord, Category};
use scratchbed::patches::lint::Group;
use scratchbed::report::{Gallery, filtered_text, repairs_text, write_repair_report};
use scratchbed::store::RunDir;

/// What to do with faults.
#[derive(Debug, Subcommand)]
pub enum RepairCommand {
    /// Have an agent mend the instances of a benchmark, each with one answer.
    Run(Box<RunArgs>),
    /// Apply a patch to a project, all or nothing: edits of blocks, or JSON Patch.
    Apply(ApplyArgs),
    /// Print the figures of a run again and write its page, with pictures of the scripts that patches touch. Of a controller's run it also
    /// writes a page for each trajectory.
    Report(ReportArgs),
    /// Score answers that were given elsewhere: a file with an object a line, `id` and `response` or `error`.
    Score(ScoreArgs),
    /// Set runs over the same faults side by side: by patches, by operations on blocks, and with the mouse.
    Ways(WaysArgs),
    /// Run the buggy project and gold of each case on a short schedule, and print the signals that controllers go by.
    Probe(ProbeArgs),
    /// Make the runs of controllers again from the answers that were kept: nobody is asked, and each record must be the same.
    Replay(AgainArgs),
    /// Verify the candidates that controllers' runs have kept again, as after a change of suite or engine: nobody is asked.
    Regrade(AgainArgs),
    /// Say what the heuristic with other cutoffs would have come to, from runs of all plans, and write the best ones down: nobody is asked.
    #[command(visible_alias = "calibrate")]
    Simulate(SimulateArgs),
    /// Set the runs of controllers side by side: rates, costs, pictures, layers and energy by mode and model, as the paper has them.
    Matrix(MatrixArgs),
}

/// Who mends what, and what is told of it.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    repairs: RepairsArgs,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    budgeted: BudgetedArgs,
    /// Make the run in this very folder, for a server: the process ends once its standard input is closed.
    #[arg(long, hide = true, value_name = "FOLDER", conflicts_with = "resume")]
    hosted_in: Option<PathBuf>,
}

/// Whether validators are weighed against verdicts.
#[derive(Debug, Args)]
pub struct FilterArgs {
    /// Also say what it would save, and cost, not to run patches that these validators flag. All are run: verdicts are the suite's.
    #[arg(long, value_name = "GROUPS", value_parser = named::<Group>(), value_delimiter = ',')]
    filter: Vec<Group>,
}

impl FilterArgs {
    /// Says it; nothing where no validators are named.
    fn tell(&self, items: &[Item], records: &[Record], answer: &mut Value, out: Output) {
        if !self.filter.is_empty() {
            let found = filtered(items, records, &self.filter);
            out.say(filtered_text(&found));
            answer["filter"] = json!(found);
        }
    }
}

type Record = AttemptRecord<Option<Repair>>;

/// Which run, of which benchmark.
#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
pub struct ReportArgs {
    /// The benchmark that it is of.
    #[arg(required_unless_present = "tasks")]
    bench: Option<PathBuf>,
    /// The folder of the run.
    #[arg(required = true)]
    run: PathBuf,
    /// The category that a controller's run is of, where it repaired bundled tasks.
    #[arg(long, value_name = "CATEGORY", conflicts_with = "bench")]
    tasks: Option<Category>,
    /// Draw the scripts of the buggy project, of the patched one and of gold, and of a patch that failed also both stages where its run
    /// parts from gold's: some seconds an attempt. Of a controller's run, draw the scripts that patches touch, before and after.
    #[arg(long)]
    pictures: bool,
    #[command(flatten)]
    filter: FilterArgs,
}

/// Which answers, and how many at a time.
#[derive(Debug, Args)]
pub struct ScoreArgs {
    #[command(flatten)]
    answers: AnswersArgs,
    #[command(flatten)]
    filter: FilterArgs,
    /// Patches that are scored at a time.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
}

/// Does it.
pub async fn run(command: RepairCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        RepairCommand::Run(args) => run_modes(&args, settings, out).await,
        RepairCommand::Apply(args) => apply(&args, out),
        RepairCommand::Report(args) => Box::pin(report(&args, settings, out)).await,
        RepairCommand::Score(args) => score_all(&args, settings, out).await,
        RepairCommand::Ways(args) => ways::run(&args, settings, out),
        RepairCommand::Probe(args) => probing::probe(&args, settings, out).await,
        RepairCommand::Replay(args) => trajectories::replay(&args, settings, out).await,
        RepairCommand::Regrade(args) => trajectories::regrade(&args, settings, out).await,
        RepairCommand::Simulate(args) => simulate(&args, out),
        RepairCommand::Matrix(args) => matrix(&args, out),
    }
}

/// Runs what `--mode` names: the repair track, and controllers after it.
async fn run_modes(args: &RunArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let RunArgs { repairs, budgeted, .. } = args;
    if budgeted.is_single() && budgeted.tasks.is_some() {
        let failure = Failure::new(Status::Usage, "single_without_suites", "tasks have no suite for the mode `single`");
        return Err(failure.hinted("name another --mode, such as heuristic"));
    }
    if budgeted.controlled().is_empty() {
        let (answer, status) = run_all(args, settings, out).await?;
        out.answer(&answer);
        return Ok(status);
    }
    let mut runs = Vec::new();
    let mut is_solved = true;
    if budgeted.is_single() {
        let (answer, status) = run_all(args, settings, out).await?;
        runs.push(answer);
        is_solved &= status == Status::of(true);
    }
    if args.hosted_in.is_some() {
        end_with_server();
    }
    let (controlled, status) = budgeted::run((repairs, budgeted), args.hosted_in.as_deref(), settings, out).await?;
    is_solved &= status == Status::of(true);
    runs.extend(controlled.as_array().into_iter().flatten().cloned());
    out.answer(&json!({"runs": runs}));
    Ok(Status::of(is_solved))
}

async fn run_all(
    RunArgs { repairs: args, filter, .. }: &RunArgs,
    settings: &Settings,
    out: Output,
) -> Result<(Value, Status), Failure> {
    let budget = args.run.budget.budget(args.model().as_deref())?;
    args.check_isolation(settings).await?;
    let house = House::start(settings, args.run.jobs()).await?;
    let made = async {
        let (repairs, plan) = asked(args, &budget, &house)?;
        let dir = plan.open(&settings.root.runs().join("repair"), args.run.resume())?;
        let pricing = pricing(&args.run.budget.prices, dir.record())?;
        count_recorded(&budget, &dir)?;
        let arm = Arc::new(RunArm { benchmark: repairs, dir, pricing });
        let records = carry_out(&arm, args.run.options(), settings).await?;
        Ok::<_, Failure>((arm, records))
    }
    .await;
    house.close().await;
    let (arm, records) = made?;
    let mut answer = finish(&arm, &records, filter, out)?;
    answer["costs"] = json!(say_costs(&records, &arm.pricing, "repair that passed", out));
    Ok((answer, Status::of(records.iter().all(|record| record.detail.is_some()))))
}

/// Writes down what tables group by, which no agent may know, and prints the figures.
fn finish(
    RunArm { benchmark: repairs, dir, .. }: &RunArm<Repairs>,
    records: &[Record],
    filter: &FilterArgs,
    out: Output,
) -> Result<Value, Failure> {
    dir.keep(ITEMS, &repairs.chosen())?;
    let mut answer = told(dir, records, repairs.chosen(), &Gallery::default(), out)?;
    filter.tell(repairs.chosen(), records, &mut answer, out);
    Ok(answer)
}

/// Prints the figures and writes the page.
fn told(dir: &RunDir, records: &[Record], items: &[Item], gallery: &Gallery, out: Output) -> Result<Value, Failure> {
    let score = score(items, records);
    let ended = outcomes(&ANSWERS, records.iter().map(|record| record.outcome));
    let page = write_repair_report(dir, records, items, (&score, gallery))?;
    out.say(repairs_text(&score));
    say_preset(dir, out);
    say_outcomes(&ended, out);
    out.say(format!("run       {}", dir.path().display()));
    out.say(format!("report    {}", page.display()));
    Ok(json!({"run": dir.path(), "report": page, "score": score, "outcomes": ended}))
}

async fn report(args: &ReportArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let dir = RunDir::open(&args.run)?;
    let claimed = claims([&dir]);
    if let Some(note) = &claimed {
        out.say(format!("note: {note}"));
    }
    if dir.record().benchmark == Trajectories::NAME {
        let wanted = Wanted { bench: args.bench.as_deref(), tasks: args.tasks, has_pictures: args.pictures };
        let mut answer = trajectory_pages::report(&dir, &wanted, settings, out).await?;
        answer["claims"] = json!(claimed);
        out.answer(&answer);
        return Ok(Status::Success);
    }
    let Some(folder) = &args.bench else {
        let failure =
            Failure::new(Status::Usage, "no_benchmark", "only controllers repair tasks, and this run has none");
        return Err(failure.hinted("name the benchmark that it is of"));
    };
    let bench = Bench::open(folder)?;
    if dir.record().set != bench.version() {
        let message = format!("{} is no run of {} as it is now", args.run.display(), folder.display());
        return Err(Failure::new(Status::Input, "run_of_other_benchmark", message));
    }
    let tries = dir.last_tries::<Option<Repair>>()?.into_iter();
    let records: Vec<Record> = tries.map(|tried| tried.record).collect();
    let ids: Vec<String> = dir.record().items.iter().map(ToString::to_string).collect();
    let items = Item::chosen(&bench, &ids)?;
    let mut gallery = Gallery::default();
    if args.pictures {
        let house = House::start(settings, 1).await?;
        let drawing = DrawingPage::new(house.fleet.clone());
        let shown = bar("attempts drawn", records.len() as u64);
        let drawn = async {
            let (judges, sources) = players(&house)?;
            for record in &records {
                if let Some(repair) = &record.detail {
                    let instance = bench.instance(record.item.as_str())?;
                    match repair_view(&instance, repair, (&judges, &drawing), &sources).await {
                        Ok(view) => {
                            gallery.insert((record.item.to_string(), record.attempt), view);
                        }
                        Err(error) if error.is_of_testbed() => return Err(Failure::from(error)),
                        // An agent, or whoever handed the run over, may make what can't be shown: the others can.
                        Err(error) => {
                            tracing::warn!(%error, item = %record.item, record.attempt, "it gets no pictures");
                        }
                    }
                }
                shown.inc(1);
            }
            Ok::<_, Failure>(())
        }
        .await;
        shown.finish_and_clear();
        drawing.clear().await;
        house.close().await;
        drawn?;
    }
    let mut answer = told(&dir, &records, &items, &gallery, out)?;
    answer["claims"] = json!(claimed);
    args.filter.tell(&items, &records, &mut answer, out);
    out.answer(&answer);
    Ok(Status::Success)
}

async fn score_all(args: &ScoreArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let given = args.answers.read()?;
    let plan = given.plan(plan(&given.bench, &given.ids)?);
    let Elsewhere { bench, ids, answers, .. } = given;
    let jobs = usize::from(args.jobs);
    let house = House::start(settings, jobs).await?;
    let made = async {
        let repairs = Repairs::of(bench, &ids, (Answers::Given(answers), Manner::default()), players(&house)?)?;
        let dir = plan.open(&settings.root.runs().join("repair"), None)?;
        let arm = Arc::new(RunArm { benchmark: repairs, dir, pricing: Pricing::Nothing });
        let options = RunOptions { jobs, retries: 2, retry_failed_calls: false };
        let records = carry_out(&arm, options, settings).await?;
        Ok::<_, Failure>((arm, records))
    }
    .await;
    house.close().await;
    let (arm, records) = made?;
    out.answer(&finish(&arm, &records, &args.filter, out)?);
    Ok(Status::Success)
}
