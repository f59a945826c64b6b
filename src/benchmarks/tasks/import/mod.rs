//! The importer of foreign tasks: it turns a checkout laid out like the reference repository of ScratchWorld
//! into a task pack.
//!
//! Parts: `checkout` finds the folders; `source` reads the foreign task files; `golden` knows which project
//! solves which task; `lists` are its task lists; `task_files` puts a task together; `write` makes the folder; the report says what was
//! found and what was not. Nothing is guessed: what is missing or ambiguous is in the report.

mod checkout;
mod error;
mod golden;
mod lists;
mod source;
mod task_files;
mod write;

pub use error::ImportError;
pub use task_files::{Import, import};

use crate::taskset::{Gap, GapKind, Golden, ImportReport, ImportedTask};

#[cfg(test)]
mod tests;
