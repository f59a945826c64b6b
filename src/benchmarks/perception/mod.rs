//! Questions about pictures of the editor: what hangs together, what is to be seen, what fields show.
//!
//! Parts: an [`Item`] is one question with its kind; a [`PerceptionSet`] is a folder of them; `import` reads the
//! published layout; `scoring` tells right from wrong. Items of our own are made by [`build()`]: `casting` finds scripts,
//! `plan` says what is done to them, `studio` does it in a page, `canvas` is what then lies there, `sight` how well each
//! block can be seen; `connection`, `existence` and `field` derive questions with their answers from that. `trials` asks
//! them.

mod build;
mod canvas;
mod casting;
mod chooser;
mod connection;
mod error;
mod existence;
#[cfg(test)]
mod fakes;
mod field;
mod import;
mod item;
mod names;
mod plan;
mod question;
mod reference;
mod scoring;
mod set;
mod sight;
mod studio;
mod trials;

pub use build::{BuildOptions, Built, build};
pub use error::PerceptionError;
pub use import::{Imported, import};
pub use item::{AnswerForm, Item, Tag, TaskType};
pub use scoring::{Group, Reply, Score, YesNo, is_right, reference_score, reference_score_trials, score, score_trials};
pub use set::{Origin, PerceptionSet, SET_FORMAT, SetHead, lines};
pub use trials::{Answered, Answers, PerceptionTrials};
