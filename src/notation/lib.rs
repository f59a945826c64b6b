//! Projects as text (docs/PROJECT-TEXT.md): `parse` and `render` for the text itself, `from_project` and the
//! printer of scripts for the way out of a project file, `markdown` for models, `skeleton` and `with_scripts` for the way into one.
//!
//! The step between those two, from scripts to blocks, happens in the editor (`compile` room).

mod block_lines;
mod check;
mod content;
pub mod diff;
mod document;
mod error;
mod escape;
mod fault;
mod from_project;
mod line;
mod lines;
mod loss;
mod markdown;
mod monitors;
mod monitors_of;
mod names;
mod parse;
mod procedure;
pub mod program;
mod references;
mod render;
mod script;
mod script_slots;
mod sound;
mod to_project;

#[cfg(test)]
mod tests;

pub use block_lines::block_lines;
pub use document::{
    Comment, Costume, Document, Listed, Monitor, MonitorKind, Script, Sound, SpriteState, StageState, TargetState,
    TextTarget, Variable, automatic_places,
};
pub use error::{LineError, TextError};
pub use fault::Fault;
pub use from_project::{Decompiled, from_project};
pub use loss::{Loss, LossKind};
pub use markdown::{Bounds, markdown};
pub use parse::{parse, parse_all};
pub use render::render;
pub use script::line_of;
pub use to_project::{BuiltComment, BuiltScripts, BuiltTarget, names_in_scope, skeleton, skeleton_all, with_scripts};
