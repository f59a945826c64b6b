//! The oracle: it knows a task's solution as a list of actions and carries it out, one action a step.
//!
//! It sees no page and no judge. A task that it can't solve is broken, and leaving a step out must make it fail.

mod derive;
mod mouse;
mod mouse_agent;
mod oracle_agent;
mod plan;

pub use derive::{Counted, DeriveError, block_types, changed_blocks, derive};
pub use mouse::{Mouse, MousePlan};
pub use mouse_agent::MouseAgent;
pub use oracle_agent::OracleAgent;
pub use plan::{Oracle, OracleError};
