//! Primitive mode: mouse and keyboard on pixels (paper, appendix D).

mod drag;
mod end;
mod keyboard;
mod pointer;
mod scroll;
mod settle;
mod target;

pub use drag::{DRAG_THRESHOLD, drag_path, move_count};
pub use end::{Done, Failed};
pub use settle::{SETTLE_DEADLINE, settle};

use super::Entry;

/// The actions of this mode, in the paper's order.
pub const ENTRIES: &[Entry] = &[
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
