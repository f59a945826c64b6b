//! Language models behind HTTP endpoints: one client for the dialects that the `genai` crate speaks, with a key that
//! is never shown, a time limit, retries that wait as long as the server asks for, and a budget that a run's requests share.

mod budget;
mod client;
mod error;
mod key;
mod meter;
mod origin;
mod retry;
mod role;
mod talk;
mod tools;
mod unreadable_calls;
mod vectors;
mod wire;

pub use budget::Budget;
pub use client::ModelClient;
pub use error::{BUDGET_EXHAUSTED, ModelError};
pub use key::ApiKey;
pub use meter::{Meter, NotAdmitted, Refusal, held, metered};
pub use origin::Origin;
pub use retry::Retries;
pub use role::ModelRole;
pub use talk::{Answer, Dialect, Effort, Message, ModelSettings, Role, Usage};
pub use tools::{AnswerForm, Cache, Part, Request, Tool, ToolCall, ToolResult};
pub use vectors::VectorModel;
