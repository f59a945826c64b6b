//! What clients of the ScratchWorld reference server can do beyond the registry: its own numbering of blocks and its
//! own element lists, held keys, the green flag, the palette, page scripts.
//!
//! Agents of this testbed have the registry instead; nothing here is in its catalogue. How the reference's requests
//! and replies look is `http::scratchworld`'s business.

mod blocks;
mod control;
mod elements;
mod hold;

pub use blocks::{BlocksText, Located, NumberingFault, locate, read_blocks};
pub use control::{SmallStage, page_html, page_script, run_project, select_category, small_stage};
pub use elements::{ElementRow, ElementSelector, list_elements};
pub use hold::{hold_key, move_to, release_key};
