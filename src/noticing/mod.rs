//! What people notice of runs, and how it is told: a room of words and looks, in which nothing is played.
//!
//! `noticed` finds where two runs first look or sound different to a player, `player_words` tells it, and `stated` says it as a suite asserts it; `says` has the sentences of
//! assertions and inputs, with `deed` for what happens at a moment. `delta` debugging finds the fewest inputs in which it still is. `label` looks whether runs show what a fault's pattern says.

mod deed;
mod delta;
mod label;
mod noticed;
mod player_words;
pub mod says;
mod stated;

pub use delta::Delta;
pub use label::mislabelled;
pub use noticed::{LATER, Noticed, Sense, Watch, monitors};
pub use player_words::{moment, told};
pub use stated::statements;
