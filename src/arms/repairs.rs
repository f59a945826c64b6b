//! Repairs as an arm: the flags of `repair run`, and what they ask for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::{Value, json};

use super::apart::{check_isolation, with_isolation};
use super::house::House;
use crate::flags::agents::{AgentName, AskArgs, among};
use crate::flags::budget::pricing;
use crate::flags::failure::{Failure, Status};
use crate::flags::ids::IdsArgs;
use crate::flags::isolation::IsolationArgs;
use crate::flags::named::named;
use crate::flags::preset::PresetArgs;
use crate::flags::run::RunFlags;
use crate::flags::settings::Settings;
use scratchbed::agent::Asker;
use scratchbed::agent::model::Budget;
use scratchbed::benchmarks::repair::{Answers, ITEMS, Item, Manner, Repairs};
use scratchbed::bugs::Bench;
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, Plan};
use scratchbed::judge::Judges;
use scratchbed::mend::{Pictures, Representation, Shots};
use scratchbed::taskset::{EvaluationSources, player};

/// Who can mend a fault.
const AGENTS: &[AgentName] =
    &[AgentName::Oracle, AgentName::Noop, AgentName::Mutate, AgentName::Search, AgentName::Model, AgentName::Command];

/// Which instances, and what is shown of each.
#[derive(Debug, Args)]
pub struct InstancesArgs {
    /// The benchmark, as `scratchbed forge run` makes it.
    #[arg(value_name = "BENCH", conflicts_with = "from")]
    bench: Option<PathBuf>,
    /// The same as a flag, for the files of experiments.
    #[arg(long = "bench", id = "from", value_name = "BENCH", hide_short_help = true)]
    from: Option<PathBuf>,
    #[command(flatten)]
    ids: IdsArgs,
}

impl InstancesArgs {
    /// The folder of the benchmark, if one is named.
    pub fn folder(&self) -> Option<&Path> {
        self.bench.as_deref().or(self.from.as_deref())
    }

    /// The names that were given; none for all.
    pub fn names(&self) -> Result<Vec<String>, Failure> {
        self.ids.names()
    }

    /// The benchmark and the names of the chosen instances; none for all.
    pub fn open(&self) -> Result<(Bench, Vec<String>), Failure> {
        let Some(folder) = self.folder() else {
            let failure = Failure::new(Status::Usage, "no_benchmark", "no benchmark is named");
            return Err(failure.hinted("name the folder that `scratchbed forge run` made"));
        };
        Ok((Bench::open(folder)?, self.ids.names()?))
    }
}

/// How a project is written for a model.
#[derive(Debug, Args)]
pub struct ShownArgs {
    /// How the project is written for a model.
    #[arg(long, value_parser = named::<Representation>(), default_value = "ir")]
    representation: Representation,
    /// Show only scripts that the report has to do with; `raw` shows all.
    #[arg(long)]
    slice: bool,
    /// Show a picture, too: the stage after the reported inputs, and the costumes. For models that see.
    #[arg(long)]
    pictures: bool,
}

impl ShownArgs {
    /// The same without more; images are the project's own where the preset has them.
    pub fn manner(&self, preset: PresetArgs) -> Manner {
        let pictures = match (preset.has_images(), self.pictures) {
            (true, _) => Pictures::Costumes,
            (false, true) => Pictures::Sheet,
            (false, false) => Pictures::None,
        };
        Manner { representation: self.representation, is_slice: self.slice, pictures, ..Manner::default() }
    }

    /// Flags that are on, with whether the paper has it otherwise.
    pub fn beside(&self) -> [(&'static str, bool); 3] {
        [
            ("--representation", self.representation != Representation::Ir),
            ("--slice", self.slice),
            ("--pictures", self.pictures),
        ]
    }

    /// Whether something is played for the question.
    pub const fn has_pictures(&self) -> bool {
        self.pictures
    }

    /// What records say of it.
    pub fn options(&self) -> Value {
        let mut options = json!({"representation": self.representation, "slice": self.slice});
        // Only where there is one, so that earlier runs can be resumed.
        if self.pictures {
            options["pictures"] = json!(true);
        }
        options
    }
}

/// How a question is put.
#[derive(Debug, Args)]
pub struct MannerArgs {
    #[command(flatten)]
    shown: ShownArgs,
    /// Ask for reasons before the answer.
    #[arg(long)]
    rationale: bool,
    /// Solved instances of the benchmark's other half that are shown first: 0 for zero-shot, 1 for one-shot.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=8))]
    shots: u8,
    /// Tokens that a shown instance may have, as estimated.
    #[arg(long, value_name = "N", default_value_t = 4096)]
    shot_tokens: usize,
}

impl MannerArgs {
    fn read(&self, bench: &Bench, preset: PresetArgs) -> Result<Manner, Failure> {
        let shots = Shots::of(bench, usize::from(self.shots), self.shot_tokens)?;
        Ok(Manner { rationale: self.rationale, shots, ..self.shown.manner(preset) })
    }

    /// What records say of it.
    fn options(&self, manner: &Manner) -> Value {
        let mut options = self.shown.options();
        options["rationale"] = json!(self.rationale);
        options["shots"] = json!(manner.shots.names());
        options
    }

    fn setting(&self) -> String {
        let shots = match self.shots {
            0 => "zero-shot".to_owned(),
            1 => "one-shot".to_owned(),
            shots => format!("{shots}-shot"),
        };
        if self.rationale { format!("{shots}, rationale") } else { shots }
    }
}

/// The exit code is 0 when all attempts ended with an answer, right or wrong, and 1 when some did not.
#[derive(Debug, Args)]
pub struct RepairsArgs {
    #[command(flatten)]
    pub instances: InstancesArgs,
    /// Who mends. The oracle applies the inverse of the fault, `noop` (or `none`) nothing; `search` and `mutate` are baselines without a
    /// model.
    #[arg(long, value_parser = among(AGENTS))]
    pub(super) agent: AgentName,
    #[command(flatten)]
    pub(super) ask: AskArgs,
    #[command(flatten)]
    manner: MannerArgs,
    #[command(flatten)]
    pub(super) preset: PresetArgs,
    #[command(flatten)]
    pub(super) isolation: IsolationArgs,
    #[command(flatten)]
    pub run: RunFlags,
}

impl RepairsArgs {
    /// The model that is asked, if there is one.
    pub fn model(&self) -> Option<String> {
        self.ask.model(self.agent).map(|name| name.model)
    }

    /// What is given beside the preset, with whether the paper has it otherwise.
    fn beside(&self) -> Vec<(&'static str, bool)> {
        let more = [
            ("--rationale", self.manner.rationale),
            ("--shots", self.manner.shots > 0),
            ("--attempts", self.run.attempts > 1),
        ];
        self.manner.shown.beside().into_iter().chain(more).collect()
    }

    /// Refuses a program whose user can read the truth, and warns of one that nothing keeps from it.
    pub async fn check_isolation(&self, settings: &Settings) -> Result<(), Failure> {
        check_isolation((self.agent, &self.isolation), self.instances.folder(), self.run.resume(), settings).await
    }

    /// The model or program that is asked, if there is one.
    pub(super) fn asker(&self, budget: &Budget) -> Result<Option<Arc<dyn Asker>>, Failure> {
        let apart = (self.isolation.user_of_questions()?, self.instances.folder());
        self.ask.asker_apart(self.agent, &self.preset.model(), apart, budget)
    }

    /// What records say of the agent beside its name.
    pub(super) fn agent_options(&self) -> Value {
        with_isolation(self.ask.options(self.agent, &self.preset.model()), &self.isolation)
    }

    fn answers(&self, budget: &Budget) -> Result<Answers, Failure> {
        Ok(match (self.asker(budget)?, self.agent) {
            (Some(asker), _) => Answers::Asked(asker),
            (None, AgentName::Mutate) => Answers::Mutate(self.ask.seed),
            (None, AgentName::Search) => Answers::Search,
            (None, AgentName::Noop) => Answers::Nothing,
            (None, _) => Answers::Oracle,
        })
    }
}

/// The plan of a run; nothing is opened for it.
pub fn planned(args: &RepairsArgs) -> Result<Plan, Failure> {
    args.preset.check(&args.ask, &args.beside())?;
    let (bench, ids) = args.instances.open()?;
    let manner = args.manner.read(&bench, args.preset)?;
    let (agent, question) = (args.agent_options(), args.manner.options(&manner));
    Ok(Plan {
        agent: args.ask.name(args.agent),
        name: format!("{}-repair", args.ask.readable(args.agent)),
        setting: args.preset.setting(&args.manner.setting()),
        options: with_preset(json!({"agent": agent, "question": question}), args.preset.options(args.agent, &args.ask)),
        attempts: args.run.attempts,
        ..plan(&bench, &ids)?
    })
}

/// The options of a run with what its preset set, if it has one: earlier runs have none, and can be resumed.
pub(super) fn with_preset(mut options: Value, preset: Option<Value>) -> Value {
    if let Some(preset) = preset {
        options["preset"] = preset;
    }
    options
}

/// Repairs with who makes them, and the plan of their run.
pub fn asked(args: &RepairsArgs, budget: &Budget, house: &House) -> Result<(Repairs, Plan), Failure> {
    let plan = planned(args)?;
    let (bench, ids) = args.instances.open()?;
    let manner = args.manner.read(&bench, args.preset)?;
    let repairs = Repairs::of(bench, &ids, (args.answers(budget)?, manner), players(house)?)?;
    Ok((repairs, plan))
}

/// Repairs as an arm of an experiment.
pub async fn arm(args: &RepairsArgs, folder: &Path, house: &House) -> Result<RunArm<Repairs>, Failure> {
    args.check_isolation(&house.settings).await?;
    let (benchmark, plan) = asked(args, &Budget::default(), house)?;
    let dir = plan.open_in(folder)?;
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    dir.keep(ITEMS, &benchmark.chosen())?;
    Ok(RunArm { benchmark, dir, pricing })
}

/// Judges, and the script with which they play suites.
pub fn players(house: &House) -> Result<(Judges, EvaluationSources), Failure> {
    Ok((house.judges.clone(), player(&house.settings.root)?))
}

/// What all runs of repairs of these instances have in common.
pub fn plan(bench: &Bench, ids: &[String]) -> Result<Plan, Failure> {
    let items = Item::chosen(bench, ids)?.into_iter().map(|item| item.id).collect();
    Ok(Plan { benchmark: Repairs::NAME, set: bench.version().to_owned(), items, ..Plan::default() })
}
