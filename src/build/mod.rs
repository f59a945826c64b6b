//! Project text to `.sb3` and back (design decision 2.12). The header and the archive are made here in Rust;
//! the scripts are built in the editor's page, so that what fits together is for the editor to say.
//!
//! Which project a task wants built, and what is done with it, is not known here.

mod compile;
mod error;
mod fingerprint;
mod picture;

pub use compile::{BUILD_SCRIPTS, BuildRequest, NOTATION_CATALOGUE, Source, compile, decompile};
pub use error::BuildError;
pub use fingerprint::fingerprint;
pub use picture::{Pictures, ScriptPicture, draw};
