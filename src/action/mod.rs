//! What agents can do: one registry of actions, from which routes, tools, schemas and prompts are made.
//!
//! Parts: [`registry()`] is the table; [`perform()`] carries out a call by name with one envelope for the
//! answer; `primitive/` and `composite/` hold one file an action; `reference/` is what clients of the
//! reference server have besides. No transport is known here.

mod arguments;
pub mod composite;
mod error;
mod manual;
mod perform;
pub mod primitive;
mod registry;
mod report;
mod schema;
pub mod scratchworld;

pub use error::ActionError;
pub use manual::manual;
pub(crate) use perform::perform_on;
pub use perform::{ACTION_LIMIT, perform};
pub use registry::{Action, Context, Done, Entry, Kind, NoArgs, NoData, find, registry};
pub use report::Report;
