//! Ratings of the explanations of a run, by people and by models as judges (ScratchEval, sections 6.5 and 6.6).
//!
//! Parts: `subjects` are the explanations that can be rated, `sample` chooses those that people rate, `sheet` is what one person has
//! scored, `judge` has a model rate, `compare` tells how far two agree, `distribution` counts scores. The scale, and what whoever
//! rates reads, the room `explain` knows; pages and prompts for people are not made here.

mod compare;
mod distribution;
mod error;
#[cfg(test)]
mod fakes;
mod judge;
mod sample;
mod sheet;
mod subjects;

pub use compare::{Compared, Ratings, compare, ratings};
pub use distribution::Distribution;
pub use error::RatingError;
pub use judge::{Book, Judgement};
pub use sample::sample;
pub use sheet::{Scored, Sheet};
pub use subjects::{Key, Subject, Subjects};

use serde::{Deserialize, Deserializer};

/// The folder of a run with what people have scored, and that of what judges have.
const RATINGS: &str = "ratings";
const JUDGES: &str = "judges";
/// Ending of files with a record a line.
const LINES: &str = ".jsonl";

/// A score on the scale, or none.
fn on_scale<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    let score = Option::<u8>::deserialize(deserializer)?;
    match score {
        Some(score) if !(1..=5).contains(&score) => {
            Err(serde::de::Error::custom(format!("a score is 1 to 5, not {score}")))
        }
        score => Ok(score),
    }
}
