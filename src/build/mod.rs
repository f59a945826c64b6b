//! Project text to `.sb3` and back (design decision 2.12). The header and the archive are made here in Rust;
//! the scripts are built in a page with the editor's own blocks, so that what fits together is for the editor to say
//! (docs/adr/0020).
//!
//! Which project a task wants built, and what is done with it, is not known here.

mod compile;
mod error;
mod fingerprint;
mod picture;

pub use compile::{
    BUILD_SCRIPTS, BuildRequest, Compiled, NOTATION_CATALOGUE, Outcome, Source, compile, compile_in_editor,
    compile_noting, decompile,
};
pub use error::{BuildError, Faults};
pub use fingerprint::fingerprint;
pub use picture::{Pictures, ScriptPicture, draw};
