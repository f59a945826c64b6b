//! What an agent is shown of the page, made from what the page says and what text recognition reads.
//!
//! Pure functions only: [`Seen`] elements come in from the page and [`Word`]s from text recognition;
//! [`ElementList::fuse`] makes the numbered list of the paper's appendices M and Q out of them; [`Scale`]
//! maps coordinates between a model's picture and the page. Taking pictures and remembering lists is
//! done elsewhere.

mod fuse;
mod list;
mod runs;
mod scale;
mod seen;

pub use fuse::explained;
pub use list::{ElementList, IndexError};
pub use scale::Scale;
pub use seen::{Seen, Word};
