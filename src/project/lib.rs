//! Scratch projects as files: the `.sb3` archive, `project.json` with its key order kept, validation, the text
//! form, differences and edits of blocks.
//!
//! Everything here is a pure function over bytes and JSON: no browser, no network, no files. Building blocks
//! from notation needs the editor and is the `compile` room's work; this room reads and writes the header around
//! the scripts and prints scripts as notation.

mod archive;
mod budget;
pub mod diff;
pub mod edit;
mod entry_name;
mod error;
mod fingerprint;
mod links;
pub mod normalise;
pub mod program;
pub mod reach;
pub mod shape;
pub mod text;
mod validate;
pub mod view;
pub mod walk;

pub use archive::{Limits, Project};
pub use entry_name::asset_name;
pub use error::ProjectError;
pub use fingerprint::Fingerprint;
pub use validate::{BUILT_IN_EXTENSIONS, INHERITED_PROPERTIES, Problem, Severity, validate};
