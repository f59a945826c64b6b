//! Ideas and drafts from a language model.
//!
//! A model's output is untrusted. It never names a file that is written: names are checked against a short list,
//! pictures are checked, texts are parsed, and everything lands among the drafts, which are not used until they
//! are certified. All that was asked and answered is kept in a folder of the run.

mod context;
mod conversation;
mod decode;
mod drafting;
mod files;
mod ideas;
mod judging;
mod record;
mod similar;
mod svg;
mod validate;

pub use drafting::{Drafted, Drafting};
pub use ideas::{Idea, Ideas, IdeasRequest, Rejected, propose};
pub use judging::{DraftedJudge, JudgeDrafting};
pub use record::Record;
