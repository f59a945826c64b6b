//! Creating tasks: drafts from templates, and with the help of a language model. A draft is not used until
//! `scratchbed check` certifies it, which is done elsewhere.

mod error;
pub mod expand;
mod place;
mod prompts;
mod quote;
mod scaffold;
mod templates;

pub use error::AuthorError;
pub use place::Draft;
pub use scaffold::{NewTask, scaffold};
