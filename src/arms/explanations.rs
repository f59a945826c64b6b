//! Explanations as an arm: the flags of `explain run`, and what they ask for.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::repairs::{self, InstancesArgs, ShownArgs};
use crate::flags::agents::{AgentName, AskArgs, among};
use crate::flags::budget::pricing;
use crate::flags::failure::Failure;
use crate::flags::model::Preset;
use crate::flags::run::RunFlags;
use scratchbed::agent::model::Budget;
use scratchbed::benchmarks::explain::{Answers, Explanations, ITEMS};
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

    fn answers(&self, preset: &Preset, budget: &Budget) -> Result<Answers, Failure> {
        Ok(match (self.ask.asker(self.agent, preset, None, budget)?, self.agent) {
            (Some(asker), _) => Answers::Asked(asker),
            (None, AgentName::Noop) => Answers::Nothing,
            (None, _) => Answers::Oracle,
        })
    }
}

/// Explanations with who gives them, and the plan of their run.
pub fn asked(args: &ExplanationsArgs, budget: &Budget) -> Result<(Explanations, Plan), Failure> {
    let (bench, ids) = args.instances.open()?;
    // The paper's: temperature 0, one answer.
    let preset = Preset { temperature: Some(0.0), ..Preset::default() };
    let options = json!({"agent": args.ask.options(args.agent, &preset), "question": args.shown.options()});
    let common = plan(&bench, &ids)?;
    let explanations = Explanations::of(bench, &ids, args.answers(&preset, budget)?, args.shown.manner())?;
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
pub fn arm(args: &ExplanationsArgs, folder: &Path) -> Result<RunArm<Explanations>, Failure> {
    let (benchmark, plan) = asked(args, &Budget::default())?;
    let dir = plan.open_in(folder)?;
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    dir.keep(ITEMS, &benchmark.chosen())?;
    Ok(RunArm { benchmark, dir, pricing })
}
