//! Explanations as an arm: the flags of `explain run`, and what they ask for.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::house::House;
use super::repairs::{self, InstancesArgs, ShownArgs};
use crate::flags::agents::{AgentName, AskArgs, among};
use crate::flags::budget::pricing;
use crate::flags::failure::Failure;
use crate::flags::model::Preset;
use crate::flags::run::RunFlags;
use scratchbed::agent::model::Budget;
use scratchbed::benchmarks::explain::{Answers, Explanations, ITEMS, Players};
use scratchbed::bugs::Bench;
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, Plan};

/// Who can explain a fault.
const AGENTS: &[AgentName] = &[AgentName::Oracle, AgentName::Noop, AgentName::Model, AgentName::Command];

/// The exit code is 0 when all attempts ended with an answer, right or wrong, and 1 when some did not.
#[derive(Debug, Args)]
pub struct ExplanationsArgs {
    #[command(flatten)]
    pub instances: InstancesArgs,
    /// Who explains. The oracle tells the truth, `noop` (or `none`) nothing.
    #[arg(long, value_parser = among(AGENTS))]
    agent: AgentName,
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    shown: ShownArgs,
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

    fn answers(&self, preset: &Preset, budget: &Budget) -> Result<Answers, Failure> {
        Ok(match (self.ask.asker(self.agent, preset, None, budget)?, self.agent) {
            (Some(asker), _) => Answers::Asked(asker),
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
    let (bench, ids) = args.instances.open()?;
    // The paper's: temperature 0, one answer.
    let preset = Preset { temperature: Some(0.0), ..Preset::default() };
    let options = json!({"agent": args.ask.options(args.agent, &preset), "question": args.shown.options()});
    let common = plan(&bench, &ids)?;
    let explanations = Explanations::of(bench, &ids, (args.answers(&preset, budget)?, args.shown.manner()), players)?;
    let plan = Plan {
        agent: args.ask.name(args.agent),
        name: format!("{}-explain", args.ask.readable(args.agent)),
        setting: "zero-shot".to_owned(),
        options,
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
pub fn arm(args: &ExplanationsArgs, folder: &Path, house: &House) -> Result<RunArm<Explanations>, Failure> {
    let players = args.has_pictures().then(|| repairs::players(house)).transpose()?;
    let (benchmark, plan) = asked(args, &Budget::default(), players)?;
    let dir = plan.open_in(folder)?;
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    dir.keep(ITEMS, &benchmark.chosen())?;
    Ok(RunArm { benchmark, dir, pricing })
}
