//! The only room that knows Chromium: launching it, a page's input, screenshots and typed page functions.
//!
//! Parts: [`guard`] keeps Chromium from outliving us; [`Chromium`] is one browser process; [`Page`] is one
//! page in a context of its own; [`scripts`] is the table of page functions. What an action means is not
//! decided here; `js/` has the scripts of all rooms, by room.

mod call;
mod chords;
mod chromium;
pub mod code_cache;
mod error;
pub mod guard;
mod input;
mod interrupt;
mod keys;
mod launch;
mod picture;
mod pipe;
mod processor;
pub mod results;
pub mod scripts;
mod syntax;
mod tab;

pub use chromium::Chromium;
pub use code_cache::CodeCache;
pub use error::{Loss, PageError};
pub use input::{Button, MouseInput};
pub use keys::{KeyError, KeyStroke};
pub use launch::LaunchOptions;
pub use picture::{Capture, Encoding};
pub use processor::Idleness;
pub use scripts::PageFn;
pub use syntax::SyntaxFault;
pub use tab::{ContextId, DialogRecord, Page};

/// Log directives that silence the DevTools client: it reports every event that it does not know,
/// which helps no one.
pub const QUIET_LOG: &str = "chromiumoxide=error,chromiumoxide::conn=off,chromiumoxide::handler=off";
