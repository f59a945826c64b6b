//! How single questions are worded: arguments of all commands that ask them.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use super::agents::AgentName;
use super::named::named;
use scratchbed::agent::{QuestionPrompts, Wording, WordingError};

/// How questions are worded.
#[derive(Debug, Args)]
pub struct PromptArgs {
    /// How questions are worded. Records have it, and `--resume` compares it.
    #[arg(long, value_name = "WORDING", value_parser = named::<Wording>(), default_value_t)]
    prompt: Wording,
    /// A folder with prompts of your own: <benchmark>-system.md and <benchmark>-user.md, such as drag-system.md, or one of
    /// them, with places such as {{ instruction }}. They take the places of ours.
    #[arg(long, value_name = "FOLDER")]
    prompts: Option<PathBuf>,
}

impl PromptArgs {
    /// The prompts, made by a benchmark.
    pub fn read(
        &self,
        make: fn(Wording, Option<&Path>) -> Result<QuestionPrompts, WordingError>,
    ) -> Result<QuestionPrompts, WordingError> {
        make(self.prompt, self.prompts.as_deref())
    }
}

/// Adds to a run's options what its questions are worded by, where the agent reads any.
pub fn note_prompts(options: &mut Value, agent: AgentName, prompts: &QuestionPrompts) {
    if matches!(agent, AgentName::Model | AgentName::Command) {
        options["prompt"] = prompts.described();
    }
}
