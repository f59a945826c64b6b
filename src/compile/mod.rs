//! Project text to `.sb3` and back. The header and the archive are made here in Rust;
//! the scripts are built in a page with the editor's own blocks, so that the editor decides what fits together
//! (docs/adr/0020).
//!
//! Parts: `project_text` compiles one text in a page; `project_file` does so in a page of its own, [`Workbench`] in one
//! page for many, and caches by content (`built`, `fingerprint`); `projects` is what others
//! ask for a task's initial project, `stages` for a picture of it; `picture` draws a project, [`DrawingPage`] scripts of
//! many in one page. How a project is used is not known here.

mod built;
mod drawing_page;
mod error;
mod fingerprint;
mod picture;
mod project_file;
mod project_text;
mod projects;
mod stages;
mod workbench;

pub use built::{BuiltProjects, build_kept, kept};
pub use drawing_page::DrawingPage;

pub use error::{BuildError, Faults};
pub use fingerprint::fingerprint;
pub use picture::{Gap, Mark, MarkedPicture, MarkedScript, Pictures, ScriptPicture, draw};
pub use project_file::{build_file, build_file_with};
pub use project_text::{
    BUILD_SCRIPTS, BuildRequest, Compiled, NOTATION_CATALOGUE, Outcome, Source, compile, compile_in_editor,
    compile_noting, decompile,
};
pub use projects::{InitialProjects, ProjectSource, ProjectSourceError};
pub use stages::{Stage, Stages};
pub use workbench::{Workbench, texts_of};
