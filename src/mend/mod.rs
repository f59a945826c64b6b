//! What a model is asked for when it is to mend a forged fault, and examples to tune one with (ScratchEval, sections 5.1 and 7): the
//! project as a model reads it, the prompts, and what they are answered with.
//!
//! `representation` writes a project, `slice` leaves out what the report has nothing to do with, `question` puts both and the report into
//! the prompts. `examples` adds the answers and keeps what must not be exported back. Asking a model, and judging what it answers, is not
//! done here.

mod error;
mod examples;
mod question;
mod representation;
mod slice;

pub use error::MendError;
pub use examples::{CANARY, Example, ExampleMeta, Export, Fold, Left, Options, TOKENS, export};
pub use question::{Message, question};
pub use representation::{Scripts, ir};
pub use slice::slice;
