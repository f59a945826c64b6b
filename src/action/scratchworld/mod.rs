//! What clients of the ScratchWorld reference server can do beyond the registry: its own numbering of blocks and its
//! own element lists, held keys, the green flag, the palette, page scripts.
//!
//! Agents of this testbed have the registry instead; nothing here is in its catalogue. `published` lets an agent in this
//! process see and act as those of the reference do: `look` and `table` make what it is shown, `operation` puts its numbers
//! of blocks into the registry's. How the reference's requests and replies look is `http::scratchworld`'s business.

mod block_args;
mod blocks;
mod control;
mod elements;
mod hold;
mod look;
mod operation;
mod published;
mod table;

pub use block_args::{ArgsFault, OPERATIONS, known};
pub use blocks::{BlocksText, Located, NumberingFault, locate, read_blocks};
pub use control::{SmallStage, page_html, page_script, run_project, select_category, small_stage};
pub use elements::{ElementRow, ElementSelector, list_elements};
pub use hold::{hold_key, move_to, release_key};
pub use operation::{OperationFault, operate};
pub use published::perform_as_published;
