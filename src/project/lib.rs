//! Scratch projects as files: the `.sb3` archive, `project.json` with its key order kept, validation, edits of blocks, and the
//! table of all blocks.
//!
//! Everything here is a pure function over bytes and JSON: no browser, no network, no files. Projects as text are the
//! `notation` room's.

mod archive;
mod budget;
pub mod catalogue;
pub mod edit;
mod entry_name;
mod error;
mod fingerprint;
mod keys;
mod links;
mod loaded;
mod monitors_shown;
pub mod near;
pub mod normalise;
pub mod reach;
mod references_found;
pub mod shape;
mod told_apart;
mod validate;
pub mod view;
pub mod walk;

pub use archive::{Limits, Project};
pub use entry_name::asset_name;
pub use error::ProjectError;
pub use fingerprint::Fingerprint;
pub use loaded::{DataSection, Loaded, loaded, settled};
pub use told_apart::{Numbered, beside, called, forms, told_apart};
pub use validate::{BUILT_IN_EXTENSIONS, INHERITED_PROPERTIES, Problem, Severity, validate};
