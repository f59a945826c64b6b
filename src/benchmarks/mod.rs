//! The benchmarks besides tasks: their items, how they are made, what is asked and how an answer is measured.
//!
//! Parts: `drag` (one drag in a scene) and `perception` (one question about a picture). How a try is carried out again
//! after trouble, and how a run goes on, is the `experiment` room's work.

pub mod drag;
pub mod perception;
