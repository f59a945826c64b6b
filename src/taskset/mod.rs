//! The bundled tasks on disk: finding, reading, checking and selecting them.
//!
//! A task is a folder `tasks/<category>/<id>/` with a `task.json`, its judge is
//! `eval-scripts/<evaluation>.js`. Nothing here opens a browser, builds a project or knows results.

mod check;
mod entry;
mod error;
mod read;
mod schema;
mod set;

pub use entry::{EvaluationSources, SourceFile, TaskEntry};
pub use error::{Problem, TasksetError};
pub use schema::task_schema;
pub use set::{Selection, TaskSet};
