//! Composite mode: operations on blocks (paper, appendix E and prompt P.2).

use super::Entry;
use super::primitive::{Done, Failed};

/// The actions of this mode, in the paper's order.
pub const ENTRIES: &[Entry] = &[Entry::of::<Done<false>>(), Entry::of::<Failed<false>>()];
