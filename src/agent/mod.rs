//! Who decides: the one trait that all agents share.
//!
//! How agents are judged is not known here, and neither are the projects that solve a task.

mod mind;

pub use mind::{Agent, AgentError, View};
