//! Creating tasks: drafts from templates, and with the help of a language model. A draft counts for nothing until
//! `scratchbed check` certifies it, and how that is done is not known here.

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
