//! What an agent is shown of the page, combined from the page's elements and text recognition.
//!
//! Pure functions only: [`Seen`] elements come in from the page and [`Word`]s from text recognition;
//! [`ElementList::fuse`] makes the numbered list of the paper's appendices M and Q out of them; [`Numbering`]
//! carries the numbers of one list over to the next and reports changes; [`Scale`]
//! maps coordinates between a model's picture and the page, and [`Convention`] says which picture a model has in mind. Taking pictures and remembering lists is
//! done elsewhere.

mod changes;
mod convention;
mod fuse;
mod list;
mod runs;
mod scale;
mod seen;

pub use changes::{Changes, Numbering};
pub use convention::{Convention, Family, smart_resize};
pub use fuse::explained;
pub use list::{ElementList, IndexError, table};
pub use scale::Scale;
pub use seen::{Seen, Word};
