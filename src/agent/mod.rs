//! Who decides: the one trait that all agents share, agents that ask language models, askers of single questions, and the
//! client of language models.
//!
//! How agents are judged is not known here, and neither are the projects that solve a task.

mod ask;
mod asking;
pub mod awm;
mod drag_answer;
mod floors;
mod free_program;
mod http_client;
pub mod llm;
pub mod memory;
mod mind;
pub mod model;
mod observing;
pub mod planner;
mod process_agent;
mod program;
pub mod program_guard;
mod prompt;
mod run_as;
mod turn;

pub use ask::{
    AskError, Asker, ModelAsker, ProcessAsker, Question, QuestionFile, QuestionPrompts, Response, Templates, Wording,
    WordingError,
};
pub use asking::ACT;
pub use drag_answer::{DragAnswer, Spot, read_drag};
pub use floors::{NoopAgent, RandomAgent};
pub use free_program::FreeProgram;
pub use http_client::http_client;
pub use mind::{Agent, AgentError, Decision, Note, Share, Spent, Tally, View};
pub use observing::Observing;
pub use process_agent::ProcessAgent;
pub use program::Program;
pub use prompt::{Prompt, TemplateError, fill};
pub use run_as::{RunAs, RunAsError};
pub use turn::Turn;
