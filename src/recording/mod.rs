//! Uses of recordings: logs and runs are replayed, compared, played back and made into demonstrations.
//!
//! Parts: `replay` carries out a log again, `compare` finds where two differ, `video` makes a film of one,
//! `demonstrations` makes training examples of a run, `playback` reads runs and attempts as pages show them. How logs
//! and runs are written is the `store` room's work.

mod compare;
pub mod demonstrations;
pub mod playback;
mod replay;
pub mod video;

pub use compare::{CallDifference, Comparison, compare};
pub use replay::{ReplayError, Replayed, replay};
