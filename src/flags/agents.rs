//! Who acts or answers: arguments that all commands with an agent share.

use std::path::Path;
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::failure::{Failure, Status};
use super::model::{Beside, ModelArgs, ModelName, Preset};
use super::program::ProgramArgs;
use scratchbed::agent::model::Budget;
use scratchbed::agent::{Asker, ModelAsker, ProcessAsker, Program, RunAs};
use scratchbed::model::Coded as _;

/// Who acts or answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AgentName {
    /// Knows the solution: shows that all items can be done. At tasks it plays the list of calls that comes with each in
    /// composite mode, and works with mouse and keyboard in primitive mode.
    Oracle,
    /// Guesses.
    Random,
    /// Names blocks by the middles of their boxes.
    Centre,
    /// A model behind an endpoint: see --endpoint and --model.
    Model,
    /// A language model behind an endpoint: see --endpoint, --model and --protocol.
    Llm,
    /// A language model that writes down how it solved earlier tasks, after the published agent with workflow memory: see
    /// --endpoint, --model and --memory.
    Awm,
    /// Language models, one of which plans, works subtask by subtask and learns, after the published Agent S2: see --endpoint,
    /// --model, --roles and --memory. Primitive mode only.
    Planner,
    /// Does nothing: what it passes, the initial project passes.
    #[value(alias = "none")]
    Noop,
    /// Applies one operator that faults are made with, by chance.
    Mutate,
    /// Searches the project for the wrong value of the report and writes the expected one.
    Search,
    /// Answers with what the report says, and never looks at the project.
    Report,
    /// A program of yours: see --command.
    Command,
}

impl AgentName {
    /// Whether attempts of its know what earlier ones have learned.
    pub const fn remembers(self) -> bool {
        matches!(self, Self::Awm | Self::Planner)
    }
}

/// The names of agents that a command knows.
pub fn among(names: &'static [AgentName]) -> impl TypedValueParser<Value = AgentName> {
    let values = names.iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(values).try_map(|name| AgentName::from_str(&name, false))
}

/// The program of `--agent command`.
#[derive(Debug, Args)]
pub struct CommandArgs {
    /// The program, as `sh` reads it. For a task it is started once an attempt, gets `{"instruction", "step", "steps",
    /// "observation", "last", …}` by the line on standard input and prints `{"api", "args", "note"}` for each; `done` or
    /// `failed` ends the attempt; with --via http or mcp of `run` it calls by itself. For a single question it gets a JSON object and prints its answer.
    #[arg(long, value_name = "COMMAND", required_if_eq("agent", "command"))]
    pub command: Option<String>,
    #[command(flatten)]
    pub running: ProgramArgs,
    /// What records and reports call the program, instead of its command line.
    #[arg(long, value_name = "NAME", requires = "command", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub name: Option<String>,
}

impl CommandArgs {
    /// The program's name in records.
    pub fn name(&self) -> String {
        self.name.as_deref().or(self.command.as_deref()).unwrap_or_default().to_owned()
    }
}

/// Who answers single questions.
#[derive(Debug, Args)]
pub struct AskArgs {
    /// Base address of the model's endpoint, such as http://localhost:8000/v1.
    #[arg(long, value_name = "URL", required_if_eq("agent", "model"))]
    endpoint: Option<String>,
    /// The model's name at the endpoint.
    #[arg(long, value_name = "NAME", required_if_eq("agent", "model"))]
    model: Option<String>,
    #[command(flatten)]
    manner: ModelArgs,
    #[command(flatten)]
    command: CommandArgs,
    /// Decides what chance decides.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl AskArgs {
    /// Who is asked where only a model or a program can be: the program if there is one.
    pub const fn asked(&self) -> AgentName {
        if self.command.command.is_some() { AgentName::Command } else { AgentName::Model }
    }

    /// The agent's name in records.
    pub fn name(&self, agent: AgentName) -> String {
        match agent {
            AgentName::Model => self.model.clone().unwrap_or_default(),
            AgentName::Command => self.command.name(),
            built_in => built_in.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default(),
        }
    }

    /// What stands for it in the name of a folder, of which a command line says too much.
    pub fn readable(&self, agent: AgentName) -> String {
        match agent {
            AgentName::Command if self.command.name.is_none() => "command".to_owned(),
            _ => self.name(agent).replace('-', "_"),
        }
    }

    /// The model, if it is one that answers.
    pub fn model(&self, agent: AgentName) -> Option<ModelName> {
        let (endpoint, model) = self.endpoint.clone().zip(self.model.clone())?;
        (agent == AgentName::Model).then_some(ModelName { endpoint, model })
    }

    /// The model or program that is asked; none for built-in agents. Where the user says nothing about the way of
    /// answering, `preset` holds. `url` is where programs find the sessions of attempts; a model spends of the budget.
    pub fn asker(
        &self,
        agent: AgentName,
        preset: &Preset,
        url: Option<&str>,
        budget: &Budget,
    ) -> Result<Option<Arc<dyn Asker>>, Failure> {
        self.asker_of(agent, preset, budget, |program| match url {
            Some(url) => program.with("SCRATCHBED_URL", url),
            None => program,
        })
    }

    /// The same where the truth is on this machine: a program runs as this user, if there is one, and is told of no folder that is within
    /// `hidden`.
    pub fn asker_apart(
        &self,
        agent: AgentName,
        preset: &Preset,
        (user, hidden): (Option<RunAs>, Option<&Path>),
        budget: &Budget,
    ) -> Result<Option<Arc<dyn Asker>>, Failure> {
        self.asker_of(agent, preset, budget, |program| program.running_as(user).hiding(hidden))
    }

    fn asker_of(
        &self,
        agent: AgentName,
        preset: &Preset,
        budget: &Budget,
        prepared: impl FnOnce(Program) -> Program,
    ) -> Result<Option<Arc<dyn Asker>>, Failure> {
        if let Some(name) = self.model(agent) {
            let client = self.manner.client(&name, preset, budget.clone());
            let client =
                client.map_err(|error| Failure::of(Status::Input, error.code(), &error).hinted_by(error.hint()))?;
            return Ok(Some(Arc::new(ModelAsker::new(client))));
        }
        let Some(command) = self.command.command.as_deref().filter(|_| agent == AgentName::Command) else {
            return Ok(None);
        };
        let running = &self.command.running;
        let program = prepared(running.program(command)?);
        Ok(Some(Arc::new(ProcessAsker::new(program, running.limit()))))
    }

    /// What the user says of a model's way of answering beside a preset.
    pub fn beside(&self, preset: &Preset) -> Beside {
        self.manner.beside(preset)
    }

    /// What records say of the agent beside its name.
    pub fn options(&self, agent: AgentName, preset: &Preset) -> Value {
        match agent {
            AgentName::Model => self.model(agent).map_or(Value::Null, |name| self.manner.options(&name, preset)),
            AgentName::Random | AgentName::Mutate => json!({"seed": self.seed}),
            AgentName::Command => json!({"command": self.command.command}),
            AgentName::Oracle
            | AgentName::Centre
            | AgentName::Llm
            | AgentName::Awm
            | AgentName::Planner
            | AgentName::Search
            | AgentName::Report
            | AgentName::Noop => Value::Null,
        }
    }
}
