//! Judging: a project file is loaded into a separate VM, an evaluation script plays it there in virtual time, and its
//! report becomes a verdict.
//!
//! Parts: `judges` has the pages, and after trouble of the testbed has all work done again `alone`; `start` and `page_run` drive the script in one of them and watch over it, within the `limits`; `broken_script`
//! locates syntax errors; `report` decodes what it returned; `hashes` has what the verdict depends on; `verdict` puts
//! it together, and `two_seeds` makes one verdict of two judgements. `console` tells errors that programs write. `play` is a run without a task and without a verdict: inputs go in, a trace comes out; `original` loads a project of any version of Scratch. The clock itself, and the trace, are the page's (`page/js/judge`). Rates and policies on verdicts are
//! not here.

mod alone;
mod broken_script;
mod conditions;
pub mod console;
mod error;
mod hashes;
mod judges;
mod limits;
mod original;
mod page_run;
mod play;
mod report;
mod start;
mod two_seeds;
mod verdict;

pub use conditions::Conditions;
pub use error::JudgeError;
pub use hashes::{editor, engine};
pub use judges::Judges;
pub use limits::{SLOW_TICK, SLOWEST_TICK};
pub use original::Original;
pub use play::{Play, PlayError, Played};
pub use report::{Report, ReportFault, decode as decode_report};
pub use two_seeds::under_both_seeds;

use std::time::Duration;

use crate::model::Verdict;

/// A verdict with its by-products.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub verdict: Verdict,
    /// The trace, if requested: docs/JUDGING.md, "Clock and trace", has its format.
    pub trace: Option<serde_json::Value>,
    /// Why there is no result, for an error outcome.
    pub trouble: Option<Trouble>,
    /// Processor time that the page used for it.
    pub processor: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// No page was available: the project was not judged.
    NoPage,
    /// A clock of ours ended the work, or the browser broke, each time, or one page alone was lost for its own sake: nothing is known of
    /// the project.
    Testbed,
    /// Two pages were lost for their own sake, or broke, while they had the project.
    Page,
    /// The evaluation script broke on the project, or its report makes no sense.
    Script,
    /// The processor time for judging the project was used up, by the program or by the script.
    Spent,
}
