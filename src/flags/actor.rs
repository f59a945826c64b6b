//! Who attempts tasks: the flags of `run` that say it.

use std::sync::{Arc, Mutex, PoisonError};

use clap::{Args, ValueEnum as _};
use serde_json::{Map, Value};

use super::agents::{AgentName, CommandArgs, among};
use super::budget::BudgetArgs;
use super::failure::{Failure, Status};
use super::isolation::{IsolationArgs, isolation};
use super::llm::LlmArgs;
use super::memory::MemoryArgs;
use super::named::named;
use super::planner::{Budgets, PlannerFlags, RolesArgs, budgets};
use scratchbed::agent::llm::{AnswerStore, Answered};
use scratchbed::agent::memory::MemoryUse;
use scratchbed::agent::model::ModelRole;
use scratchbed::benchmarks::tasks::{Actor, AwmActor, Via};
use scratchbed::model::Mode;
use scratchbed::store::{ANSWERS, RunDir};

/// Who acts.
#[derive(Debug, Args)]
pub struct ActorArgs {
    /// Who acts.
    #[arg(long, value_parser = among(&[AgentName::Oracle, AgentName::Llm, AgentName::Awm, AgentName::Planner, AgentName::Command, AgentName::Noop, AgentName::Random]))]
    agent: AgentName,
    #[command(flatten)]
    llm: LlmArgs,
    #[command(flatten)]
    roles: RolesArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    command: CommandArgs,
    /// How the program attempts tasks.
    #[arg(long, value_parser = named::<Via>(), default_value_t = Via::Lines, requires_if("http", "command"), requires_if("mcp", "command"))]
    via: Via,
    #[command(flatten)]
    isolation: IsolationArgs,
    /// What the program is shown before each decision: options of `observe` as a JSON object, or `off` for a program that
    /// calls `observe` itself.
    #[arg(long, value_name = "JSON|off", default_value = "{}", value_parser = look)]
    observe: Look,
    /// Leave this action out of the oracle's list, counted from 1, to see that the task then fails.
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    skip_step: Option<usize>,
    /// Of so many newest turns a model is sent the pictures, instead of the protocol's way; 0 sends none. With the mouse
    /// oracle: look at pictures too, so that `scratchbed demonstrations` has them.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1")]
    pictures: Option<u16>,
    /// Decides what chance decides, for `random`; and for `awm` the order of attempts and what workflows are made from; a
    /// program with --via http or mcp is told a number made from it.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Options of the observation before each decision, if there is one.
#[derive(Debug, Clone)]
struct Look(Option<Map<String, Value>>);

fn look(text: &str) -> Result<Look, String> {
    if text == "off" {
        return Ok(Look(None));
    }
    let options = serde_json::from_str(text);
    options
        .map(|options| Look(Some(options)))
        .map_err(|error| format!("neither `off` nor a JSON object such as {{\"picture\": \"off\"}}: {error}"))
}

impl ActorArgs {
    /// The model that is asked, if one is.
    pub fn model(&self) -> Option<String> {
        self.asks_a_model().then(|| self.llm.name())
    }

    const fn asks_a_model(&self) -> bool {
        matches!(self.agent, AgentName::Llm | AgentName::Awm | AgentName::Planner)
    }

    /// What attempts know of each other, so many at a time.
    pub fn memory(&self, jobs: usize) -> Result<MemoryUse, Failure> {
        self.memory.memory(self.agent, jobs)
    }

    /// What the run may spend, in each role where there are several models.
    pub fn budgets(&self, args: &BudgetArgs) -> Result<Budgets, Failure> {
        match self.agent {
            AgentName::Planner => budgets(&self.llm, &self.roles, args),
            _ if self.roles.is_given() => {
                let failure = Failure::new(Status::Usage, "agent_without_roles", "this agent asks no models in roles");
                Err(failure.hinted("leave --roles out, or give --agent planner"))
            }
            _ => Ok(args.budget(self.model().as_deref())?.into()),
        }
    }

    /// The actor for a mode, within these budgets, and with what its attempts know of each other.
    pub fn actor(&self, mode: Mode, budgets: &Budgets, memory: &MemoryUse) -> Result<Actor, Failure> {
        if !self.asks_a_model() {
            self.llm.refuse_for(self.agent.to_possible_value().as_ref().map_or("", |value| value.get_name()))?;
        }
        Ok(match self.agent {
            AgentName::Llm => Actor::Model(self.llm.actor(mode, self.pictures, budgets.of(ModelRole::Main))?),
            AgentName::Awm => {
                let (asked, prompts, style) = self.llm.awm(mode, self.pictures, budgets.of(ModelRole::Main))?;
                Actor::Awm(AwmActor { asked, prompts, style, memory: memory.clone(), seed: self.seed })
            }
            AgentName::Planner => {
                let flags = PlannerFlags { llm: &self.llm, roles: &self.roles, memory: memory.clone() };
                Actor::Planner(flags.actor(mode, self.pictures, budgets)?)
            }
            AgentName::Command => {
                let (program, Look(look)) = (self.command.command.as_deref().unwrap_or_default(), self.observe.clone());
                let running = &self.command.running;
                let user = self.isolation.user(self.via)?;
                Actor::Command {
                    isolation: isolation(user.as_ref()),
                    program: running.program(program)?.running_as(user),
                    limit: running.limit(),
                    look,
                    via: self.via,
                    seed: self.seed,
                }
            }
            AgentName::Noop => Actor::Noop,
            AgentName::Random => Actor::Random { seed: self.seed },
            _ => Actor::Oracle { skip_step: self.skip_step, pictures: self.pictures.is_some_and(|count| count > 0) },
        })
    }

    /// The name in records, and a word for the names of folders.
    pub fn names(&self) -> (String, String) {
        match self.agent {
            AgentName::Command => (self.command.name(), "command".to_owned()),
            AgentName::Llm => (self.llm.name(), self.llm.name().replace('-', "_")),
            AgentName::Awm => {
                (format!("AWM ({})", self.llm.name()), format!("awm_{}", self.llm.name().replace('-', "_")))
            }
            AgentName::Planner => {
                (format!("planner ({})", self.llm.name()), format!("planner-{}", self.llm.name().replace('-', "_")))
            }
            AgentName::Noop => ("noop".to_owned(), "noop".to_owned()),
            AgentName::Random => ("random".to_owned(), "random".to_owned()),
            _ => ("oracle".to_owned(), "oracle".to_owned()),
        }
    }

    /// Where the answers of models are kept: in the run's folder, with those of the run that is played again. Those that
    /// the run has already are part of its budget.
    pub fn answers(&self, dir: &RunDir, budgets: &Budgets) -> Result<Arc<AnswerStore>, Failure> {
        if !self.asks_a_model() {
            return Ok(AnswerStore::new([], |_| Ok(())));
        }
        let (mut known, lines) = dir.lines::<Answered>(ANSWERS)?;
        for answered in &known {
            budgets.of_request(&answered.request).add(answered.answer.usage);
        }
        known.extend(self.llm.replayed()?);
        let lines = Mutex::new(lines);
        Ok(AnswerStore::new(known, move |answered| {
            let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
            lines.append(answered).map_err(|error| error.to_string())
        }))
    }
}
