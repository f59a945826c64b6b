//! Language models behind HTTP endpoints: one client for the dialects that the `genai` crate speaks, with a key that
//! is never shown, a time limit, and retries that wait as long as the server asks for.

mod client;
mod error;
mod key;
mod retry;

pub use client::{Answer, Dialect, Message, ModelClient, ModelSettings, Role, Usage};
pub use error::ModelError;
pub use key::ApiKey;
pub use retry::Retries;
