//! Making tasks: drafts from templates. A draft counts for nothing until `scratchbed check` certifies it, and how
//! that is done is not known here.

mod error;
mod place;
mod scaffold;
mod template;
mod templates;

pub use error::AuthorError;
pub use place::Draft;
pub use scaffold::{NewTask, scaffold};
