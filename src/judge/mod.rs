//! Judging: a project file goes into a page that nobody used, an evaluation script plays it there, and
//! its report becomes a verdict.
//!
//! Parts: `page_run` drives the script in the page and watches over it; `report` decodes what it
//! returned; `hashes` says what the verdict depends on. Rates and policies on verdicts are not here.

mod error;
mod hashes;
mod page_run;
mod report;
mod verdict;

pub use error::JudgeError;
pub use report::ReportFault;
pub use verdict::judge;
