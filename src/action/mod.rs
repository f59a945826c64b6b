//! What agents can do: one registry of actions, from which routes, tools, schemas and prompts are made.
//!
//! Parts: [`Action`] is what each of them is, [`registry()`] the table; each call is looked up there once
//! ([`Resolved`]), and [`perform()`] carries it out with one envelope for the answer; `primitive/` and `composite/` hold one
//! file an action; `scratchworld/` is what clients of the reference server have besides. No transport is known here.

mod arguments;
pub mod composite;
mod contract;
mod end;
mod error;
mod manual;
mod perform;
pub mod primitive;
mod prompt;
mod registry;
mod report;
mod schema;
pub mod scratchworld;
mod settle;
pub mod tool_schema;
mod tools;

pub use contract::{Action, Context, Done, Entry, Kind, NoArgs, NoData};
pub use error::ActionError;
pub use manual::manual;
pub(crate) use perform::perform_on;
pub use perform::{ACTION_LIMIT, perform};
pub use prompt::{actions_by_description, actions_for_models};
pub use registry::{Resolved, find, registry, unknown_action};
pub use report::Report;
pub use settle::{SETTLE_DEADLINE, settle};
pub use tools::{ActionTool, tools_for_models};
