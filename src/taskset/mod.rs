//! Tasks on disk, the bundled ones and those of packs: finding, reading, checking, selecting them. What makes packs of foreign tasks is in `benchmarks`.
//!
//! A task is a folder `tasks/<category>/<id>/` with a `task.json`, its judge is
//! `eval-scripts/<evaluation>.js`. Nothing here opens a browser, builds a project or knows results.

mod base;
mod chance;
mod check;
mod digest;
mod entry;
mod error;
mod import_report;
mod mouse_record;
mod nearest;
mod pack;
mod read;
mod schema;
mod set;
mod sight;
mod sources;
mod split;

pub use base::asset_folders;
pub use digest::{REASONS_FILE, project_digest};
pub use entry::TaskEntry;
pub use error::{Problem, TasksetError};
pub use import_report::{Gap, GapKind, Golden, ImportReport, ImportedTask};
pub use mouse_record::{MOUSE_RECORD_FILE, MouseRecord, RecordedProjects};
pub use nearest::nearest;
pub use pack::{Contract, ORACLE_FILE, PACK_FILE, PACK_FORMAT, Pack, is_inside, is_plain_name, is_sb3};
pub use schema::task_schema;
pub use set::{Selection, TaskSet};
pub use sources::{EvaluationSources, SourceFile, player, with_helpers};
pub use split::{SPLITS_FILE, is_common};
