//! Agents: the trait that all share, askers of single questions, and the client of language models.
//!
//! How agents are judged is not known here, and neither are the projects that solve a task.

mod ask;
mod drag_answer;
mod http_client;
mod mind;
pub mod model;
mod process_agent;
mod program;
mod prompt;

pub use ask::{AskError, Asker, ModelAsker, ProcessAsker, Question, Response};
pub use drag_answer::{DragAnswer, Spot, read_drag};
pub use http_client::http_client;
pub use mind::{Agent, AgentError, Tally, View};
pub use process_agent::ProcessAgent;
pub use program::Program;
pub use prompt::{Prompt, TemplateError, fill};
