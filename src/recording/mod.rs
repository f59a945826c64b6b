//! Uses of recordings: logs and runs are replayed, compared, played back and made into demonstrations.
//!
//! Parts: `replay` carries out a log again, `compare` finds where two differ, `video` renders one,
//! `demonstrations` makes training examples of a run, `playback` reads runs and attempts as pages show them;
//! `provenance` says whether a log shows work through the user interface, `trace` where two judged runs part. How logs and
//! runs are written is the `store` room's work.

mod compare;
pub mod demonstrations;
pub mod playback;
mod provenance;
mod replay;
pub mod video;

pub use compare::{CallDifference, Comparison, compare};
pub use provenance::{Breach, Provenance, Why, provenance};
pub use replay::{ReplayError, Replayed, editor_of, replay};
