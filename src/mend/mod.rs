//! What a model is asked for when it is to mend a forged fault, and examples to tune one with (ScratchEval, sections 5.1 and 7): the
//! project as a model reads it, the prompts, and what they are answered with.
//!
//! `representation` and `notation` write a project, `slice` leaves out what the report has nothing to do with, `question` puts both and the report into
//! the prompts, with the picture that `sheet` draws of the stage and `costumes`. `examples` adds the answers, those of `repair_examples` or of another task, and keeps what must not be exported back. `answer` reads what came back, `patching` applies it,
//! and `score` has it played and compared with gold, with `touched` for where it edits. `floor` repairs without a model. Asking a model is not done here.

mod answer;
mod costumes;
mod error;
mod examples;
mod floor;
mod notation;
mod patching;
mod question;
mod repair_examples;
mod representation;
mod score;
mod sheet;
mod shots;
mod slice;
mod touched;

pub use answer::{Answer, MOST_EDITS, Unreadable, json_values, read_answer};
pub use costumes::{CostumePicture, costumes, png};
pub use error::MendError;
pub use examples::{Example, ExampleMeta, Export, Fold, Left, Options, Right, TOKENS, Task, Taught, export};
pub use floor::mutated;
pub use notation::text;
pub use patching::{Refused, Stage, broken, patched};
pub use question::{Asked, Manner, Message, Pictures, Representation, picture, question, shown};
pub use repair_examples::{RepairTask, explanation};
pub use representation::{Scripts, ir};
pub use score::{Held, Reference, Repair, score};
pub use sheet::Sheet;
pub use shots::{Shot, Shots};
pub use slice::slice;
pub use touched::{Compared, Mode};
