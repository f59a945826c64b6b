//! The model that attempts tasks: flags of `run --agent llm` and `run --agent awm`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde_json::json;

use super::failure::{Failure, Status};
use super::model::{ModelArgs, ModelName, Preset};
use super::named::named;
use scratchbed::agent::Observing;
use scratchbed::agent::awm::AwmPrompts;
use scratchbed::agent::llm::{Answered, Answers, History, Model, Prompts, Protocol, Style};
use scratchbed::agent::model::{Budget, Retries};
use scratchbed::benchmarks::tasks::{AskedModel, ModelActor};
use scratchbed::model::Mode;
use scratchbed::perceive::{Convention, Family};
use scratchbed::store::{ANSWERS, read_lines};

/// A switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Switch {
    On,
    Off,
}

/// How a model attempts tasks.
#[derive(Debug, Args)]
pub struct LlmArgs {
    /// Base address of the model's endpoint, such as http://localhost:8000/v1.
    #[arg(long, value_name = "URL")]
    pub endpoint: Option<String>,
    /// The model's name at the endpoint.
    #[arg(long, value_name = "NAME", required_if_eq_any([("agent", "llm"), ("agent", "awm"), ("agent", "planner")]))]
    model: Option<String>,
    /// How `llm` talks to the model; `scratchbed-1` by default.
    #[arg(long, value_parser = named::<Protocol>())]
    protocol: Option<Protocol>,
    /// How the model says what it does; `text` by default.
    #[arg(long, value_parser = named::<Answers>())]
    answers: Option<Answers>,
    /// What a model is shown, and what its numbers refer to, instead of the protocol's way.
    #[arg(long, value_parser = named::<Observing>())]
    pub observation: Option<Observing>,
    /// Whether a model in primitive mode gets the element list, instead of the protocol's way.
    #[arg(long, value_name = "WHETHER")]
    elements: Option<Switch>,
    /// Whether it is told what came of its last action, instead of the protocol's way.
    #[arg(long, value_name = "WHETHER")]
    feedback: Option<Switch>,
    /// Send the system message and so many of the last messages, instead of the protocol's way.
    #[arg(long, value_name = "MESSAGES", value_parser = clap::value_parser!(u16).range(1..))]
    history: Option<u16>,
    /// Whether the provider is asked to keep the beginning of a request for the next one, where the dialect has a way to ask;
    /// on in scratchbed-1. It changes costs alone.
    #[arg(long, value_name = "WHETHER")]
    cache: Option<Switch>,
    /// A folder with system messages of your own, primitive.md and composite.md, with places such as {{ instruction }}; for
    /// `awm` also turn.md, judge.md and induce.md, each if you have one; for `planner` any of its texts, which
    /// assets/prompts/agent/planner has.
    #[arg(long, value_name = "FOLDER")]
    pub prompts: Option<PathBuf>,
    /// Play the attempts of an earlier run again, by the answers that it has kept; no model is asked.
    #[arg(long, value_name = "RUN", conflicts_with = "endpoint")]
    pub replay: Option<PathBuf>,
    #[command(flatten)]
    pub manner: ModelArgs,
}

/// What `awm` is put together from.
pub type AwmParts = (AskedModel, AwmPrompts, Style);

/// What the published agent asks thinking models for, by their names.
const GEMINI: &str =
    r#"{"extra_body": {"google": {"thinking_config": {"thinking_budget": "low", "include_thoughts": true}}}}"#;
const CLAUDE: &str = r#"{"thinking": {"type": "enabled", "budget_tokens": 1000}}"#;

impl LlmArgs {
    /// The model's name in records.
    pub fn name(&self) -> String {
        self.model.clone().unwrap_or_default()
    }

    const fn protocol(&self) -> Protocol {
        match self.protocol {
            Some(protocol) => protocol,
            None => Protocol::Scratchbed1,
        }
    }

    /// The model as `llm` asks it, within a budget.
    pub fn actor(&self, mode: Mode, pictures: Option<u16>, budget: &Budget) -> Result<ModelActor, Failure> {
        let style = self.style(&self.name(), pictures);
        let prompts = match &self.prompts {
            None => Prompts::bundled(),
            Some(folder) => Prompts::read(folder, mode, &style)?,
        };
        Ok(ModelActor { asked: self.asked(self.protocol(), budget)?, prompts, style })
    }

    /// The flags of `llm` alone that were given: they say how its talk with the model goes.
    pub fn of_its_talk(&self) -> impl Iterator<Item = &'static str> {
        let flags = [
            ("--protocol", self.protocol.is_some()),
            ("--answers", self.answers.is_some()),
            ("--cache", self.cache.is_some()),
            ("--feedback", self.feedback.is_some()),
            ("--history", self.history.is_some()),
        ];
        flags.into_iter().filter_map(|(flag, is_given)| is_given.then_some(flag))
    }

    /// Refuses all of these flags for an agent that asks no model.
    pub fn refuse_for(&self, agent: &str) -> Result<(), Failure> {
        let others = [
            ("--endpoint", self.endpoint.is_some()),
            ("--model", self.model.is_some()),
            ("--observation", self.observation.is_some()),
            ("--elements", self.elements.is_some()),
            ("--prompts", self.prompts.is_some()),
            ("--replay", self.replay.is_some()),
        ];
        let others = others.into_iter().filter_map(|(flag, is_given)| is_given.then_some(flag));
        match self.of_its_talk().chain(others).next() {
            None => Ok(()),
            Some(flag) => {
                let message = format!("{flag} is of no use with `{agent}`, which asks no model here");
                Err(Failure::new(Status::Usage, "agent_without_model", message)
                    .hinted("leave it out, or give --agent llm"))
            }
        }
    }

    /// The model as `awm` asks it, within a budget: in one way, the published one.
    pub fn awm(&self, mode: Mode, pictures: Option<u16>, budget: &Budget) -> Result<AwmParts, Failure> {
        let others = [("--elements", self.elements.is_some()), ("--pictures", pictures.is_some())];
        let others = others.into_iter().filter_map(|(switch, is_given)| is_given.then_some(switch));
        if let Some(switch) = self.of_its_talk().chain(others).next() {
            let message = format!("{switch} is of no use with `awm`, which asks in one way only");
            return Err(Failure::new(Status::Usage, "awm_has_one_way", message).hinted("leave it out"));
        }
        let style = Style::of(Protocol::Paper1, Convention::Pixels);
        let style = style.observing(self.observation.unwrap_or(style.observing));
        let prompts = match &self.prompts {
            None => AwmPrompts::bundled(),
            Some(folder) => AwmPrompts::read(folder, mode, &style)?,
        };
        Ok((self.asked(Protocol::Paper1, budget)?, prompts, style))
    }

    /// The model, ready to be asked.
    fn asked(&self, protocol: Protocol, budget: &Budget) -> Result<AskedModel, Failure> {
        let name = self.name();
        let (model, options) = match (&self.endpoint, &self.replay) {
            (Some(endpoint), _) => {
                let name = ModelName { endpoint: endpoint.clone(), model: name };
                let preset = preset(protocol, &name.model);
                let client = self.manner.client(&name, &preset, budget.clone())?;
                (Some(Arc::new(client) as Arc<dyn Model>), self.manner.options(&name, &preset))
            }
            (None, Some(_)) => (None, json!({"model": name})),
            (None, None) => return Err(Self::no_endpoint()),
        };
        Ok(AskedModel { model, options, replays: self.replay.clone() })
    }

    /// There is nothing to ask.
    pub fn no_endpoint() -> Failure {
        let failure = Failure::new(Status::Usage, "no_endpoint", "a model needs an endpoint");
        failure.hinted("give --endpoint, or --replay with a run whose answers are to be used again")
    }

    /// Whether a model gets the element list, where `usual` is its agent's way.
    pub fn is_with_elements(&self, usual: bool) -> bool {
        self.elements.map_or(usual, |switch| switch == Switch::On)
    }

    fn style(&self, model: &str, pictures: Option<u16>) -> Style {
        let style = Style::of(self.protocol(), Convention::of_model(model, Family::Main));
        let is_on = |switch: Option<Switch>, usual| switch.map_or(usual, |switch| switch == Switch::On);
        let style = style.observing(self.observation.unwrap_or(style.observing));
        Style {
            answers: self.answers.unwrap_or(style.answers),
            cache: is_on(self.cache, style.cache),
            elements: self.is_with_elements(style.elements),
            feedback: is_on(self.feedback, style.feedback),
            history: self.history.map_or(style.history, |messages| History::Last { messages: messages.into() }),
            pictures: pictures.map_or(style.pictures, usize::from),
            ..style
        }
    }

    /// The answers of the run that is played again.
    pub fn replayed(&self) -> Result<Vec<Answered>, Failure> {
        let Some(run) = &self.replay else { return Ok(Vec::new()) };
        answers(run)
    }
}

fn answers(run: &Path) -> Result<Vec<Answered>, Failure> {
    let file = run.join(ANSWERS);
    if !file.is_file() {
        let message = format!("{} has no answers of a model", run.display());
        return Err(Failure::new(Status::Input, "no_answers", message)
            .hinted("name the folder of a run by `--agent llm` or `--agent awm`"));
    }
    Ok(read_lines(&file)?.0)
}

/// How a protocol asks where the user says nothing: the paper's agent tries four times, waits up to ten seconds between, and
/// lets some models think.
fn preset(protocol: Protocol, model: &str) -> Preset {
    let model = model.to_lowercase();
    match protocol {
        Protocol::Scratchbed1 => Preset { takes_empty: true, ..Preset::default() },
        Protocol::Paper1 => Preset {
            retries: Some(Retries {
                most: 3,
                first_wait: Duration::from_millis(500),
                growth: 1.8,
                longest_wait: Duration::from_secs(10),
            }),
            timeout: Some(Duration::from_secs(600)),
            extra_body: [("gemini", GEMINI), ("claude", CLAUDE)]
                .into_iter()
                .find_map(|(part, body)| model.contains(part).then_some(body)),
            takes_empty: true,
            ..Preset::default()
        },
    }
}

#[cfg(test)]
#[path = "llm_tests.rs"]
mod tests;
