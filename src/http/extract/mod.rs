//! What handlers take from a request: the caller, the options in the query, the body within its bounds.

pub mod bodies;
pub mod body;
mod caller;
pub mod options;
pub mod query;

pub use body::JsonBody;
pub use caller::{CreateAccess, JudgeAccess, OrderAccess, Researcher, authorization};
pub use options::{NoOptions, Options};
