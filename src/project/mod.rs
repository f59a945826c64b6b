//! Scratch projects as files: the .sb3 archive, its project.json with key order kept, checks.
//!
//! No browser and no network: what needs the editor is in the `build` room.

mod archive;

pub use archive::{Project, ProjectError};
