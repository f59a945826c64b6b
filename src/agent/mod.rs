//! Who decides: the one trait that all agents share, and the client of language models.
//!
//! How agents are judged is not known here, and neither are the projects that solve a task.

mod mind;
pub mod model;

pub use mind::{Agent, AgentError, View};
