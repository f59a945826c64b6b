//! Primitive mode: mouse and keyboard on pixels (paper, appendix D).

mod drag;
mod keyboard;
mod observation;
mod pointer;
mod scroll;
mod still_there;
mod target;

pub use drag::{DRAG_THRESHOLD, PATH_RULES, PathRules, drag_path, move_count};
pub(super) use observation::read_words;
pub use observation::{
    ElementChanges, ElementsMode, ListSize, Observation, Observe, ObserveArgs, OcrMode, Picture, PictureFormat,
    Reading, Region, Sizes, observe,
};
pub(super) use target::outside_viewport;
#[cfg(test)]
pub(super) use {keyboard::Type, pointer::Click, scroll::Scroll};

use super::{Entry, end};

/// The actions of this mode, in the paper's order, and the look at the page that they are chosen from.
pub const ENTRIES: &[Entry] = &[
    Entry::of::<Observe>(),
    Entry::of::<pointer::Click>(),
    Entry::of::<pointer::DoubleClick>(),
    Entry::of::<drag::DragAndDrop>(),
    Entry::of::<scroll::Scroll>(),
    Entry::of::<keyboard::Type>(),
    Entry::of::<keyboard::Key>(),
    Entry::of::<keyboard::Hotkey>(),
    Entry::of::<end::Done<true>>(),
    Entry::of::<end::Failed<true>>(),
];
