//! Questions about pictures of the editor: what hangs together, what is to be seen, what fields show.
//!
//! Parts: an [`Item`] is one question with its kind; a [`PerceptionSet`] is a folder of them; `import` reads the
//! published layout; `scoring` tells right from wrong.

mod error;
mod import;
mod item;
mod scoring;
mod set;

pub use error::PerceptionError;
pub use import::{Imported, import};
pub use item::{AnswerForm, Item, Tag, TaskType};
pub use scoring::{Group, Reply, Score, is_right, score};
pub use set::{Origin, PerceptionSet, SET_FORMAT, SetHead, lines};
