//! Looking at the page: the picture, and the numbered elements that actions refer to.
//!
//! Parts: [`ObserveArgs`] is what to look at; [`observe()`] takes it; [`Observation`] is what was seen, with the size
//! of each part. The `perceive` room finds the elements.

mod args;
mod listing;
mod observe;
mod picture;
mod region;
mod reply;

pub use args::{ElementsMode, ObserveArgs, OcrMode, PictureFormat};
pub(in crate::action) use observe::read_words;
pub use observe::{Observe, observe};
pub use region::Region;
pub use reply::{ElementChanges, ListSize, Observation, Picture, Reading, Sizes};
