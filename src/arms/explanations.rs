//! Explanations as an arm: the flags of `explain run`, and what they ask for.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::apart::{check_isolation, with_isolation};
use super::house::House;
use super::repairs::{self, InstancesArgs, ShownArgs, with_preset};
use crate::flags::agents::{AgentName, AskArgs, among};
use crate::flags::budget::pricing;
use crate::flags::failure::Failure;
use crate::flags::isolation::IsolationArgs;
use crate::flags::preset::PresetArgs;
use crate::flags::run::RunFlags;
use crate::flags::settings::Settings;
use scratchbed::agent::model::Budget;
use scratchbed::benchmarks::explain::{Answers, BASELINE, Explanations, ITEMS, Players};
use scratchbed::bugs::Bench;
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, Plan};

/// Who can explain a fault.
const AGENTS: &[AgentName] =
    &[AgentName::Oracle, AgentName::Noop, AgentName::Report, AgentName::Model, AgentName::Command];

/// The exit code is 0 when all attempts ended with an answer, right or wrong, and 1 when some did not.
#[derive(Debug, Args)]
pub struct ExplanationsArgs {
    #[command(flatten)]
    pub instances: InstancesArgs,
    /// Who explains. The oracle tells the truth, `noop` (or `none`) nothing; `report` is a baseline that knows the report alone.
    #[arg(long, value_parser = among(AGENTS))]
    agent: AgentName,
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    shown: ShownArgs,
    #[command(flatten)]
    preset: PresetArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
    #[command(flatten)]
    pub run: RunFlags,
}

impl ExplanationsArgs {
    /// The model that is asked, if there is one.
    pub fn model(&self) -> Option<String> {
        self.ask.model(self.agent).map(|name| name.model)
    }

    /// Whether something is played for its questions, so that there must be judges.
    pub const fn has_pictures(&self) -> bool {
        self.shown.has_pictures()
    }

    /// Refuses what the preset has otherwise.
    fn check(&self) -> Result<(), Failure> {
        let attempts = ("--attempts", self.run.attempts > 1);
        let beside: Vec<_> = self.shown.beside().into_iter().chain([attempts]).collect();
        self.preset.check(&self.ask, &beside)
    }

    /// Refuses a program whose user can read the truth, and warns of one that nothing keeps from it.
    pub async fn check_isolation(&self, settings: &Settings) -> Result<(), Failure> {
        check_isolation((self.agent, &self.isolation), self.instances.folder(), self.run.resume(), settings).await
    }

    fn answers(&self, budget: &Budget) -> Result<Answers, Failure> {
        let apart = (self.isolation.user_of_questions()?, self.instances.folder());
        Ok(match (self.ask.asker_apart(self.agent, &self.preset.model(), apart, budget)?, self.agent) {
            (Some(asker), _) => Answers::Asked(asker),
            (None, AgentName::Report) => Answers::Report,
            (None, AgentName::Noop) => Answers::Nothing,
            (None, _) => Answers::Oracle,
        })
    }
}

/// Explanations with who gives them, and the plan of their run.
pub fn asked(
    args: &ExplanationsArgs,
    budget: &Budget,
    players: Option<Players>,
) -> Result<(Explanations, Plan), Failure> {
    args.check()?;
    let (bench, ids) = args.instances.open()?;
    let agent = with_isolation(args.ask.options(args.agent, &args.preset.model()), &args.isolation);
    let options = json!({"agent": agent, "question": args.shown.options()});
    let common = plan(&bench, &ids)?;
    let explanations = Explanations::of(bench, &ids, (args.answers(budget)?, args.shown.manner(args.preset)), players)?;
    let plan = Plan {
        agent: args.ask.name(args.agent),
        name: format!("{}-explain", args.ask.readable(args.agent)),
        setting: args.preset.setting("zero-shot"),
        options: with_preset(options, args.preset.options(args.agent, &args.ask)),
        attempts: args.run.attempts,
        ..common
    };
    Ok((explanations, plan))
}

/// What all runs of explanations of these instances have in common.
pub fn plan(bench: &Bench, ids: &[String]) -> Result<Plan, Failure> {
    Ok(Plan { benchmark: Explanations::NAME, ..repairs::plan(bench, ids)? })
}

/// Explanations as an arm of an experiment.
pub async fn arm(args: &ExplanationsArgs, folder: &Path, house: &House) -> Result<RunArm<Explanations>, Failure> {
    args.check_isolation(&house.settings).await?;
    let players = args.has_pictures().then(|| repairs::players(house)).transpose()?;
    let (benchmark, plan) = asked(args, &Budget::default(), players)?;
    let dir = plan.open_in(folder)?;
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    dir.keep(ITEMS, &benchmark.chosen())?;
    dir.keep(BASELINE, &benchmark.baseline()?)?;
    Ok(RunArm { benchmark, dir, pricing })
}
