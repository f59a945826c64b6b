//! The importer of foreign tasks: it turns a checkout laid out like the ScratchWorld reference repository into a task
//! pack.
//!
//! Parts: `checkout` finds the folders; `source` reads the foreign task files; `golden` knows which project
//! solves which task; `lists` are its task lists; `import` puts a task together; `write` makes the folder; `report` says what was found and
//! what was not. Nothing is guessed: what is missing or ambiguous is in the report.

mod checkout;
mod error;
mod golden;
mod import;
mod lists;
mod report;
mod source;
mod write;

pub use error::ImportError;
pub use import::{Import, import};
pub use report::{Gap, Golden, ImportReport, ImportedTask, Kind};

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
