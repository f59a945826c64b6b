//! The Bug Forge: gold projects in, instances of a debugging benchmark out, each with one fault that shows (ScratchEval, sections 3 and 4).
//!
//! `templates` and `choice` make the scenarios of a project, and `search` those that reach more; `gold` has their runs; `plays` runs
//! them. `ranking` says which faults are tried first, `trials` tries one, and `literal` the same by the letter of the paper; `synthesis`
//! and `choosing` make its suite, to which `harden` adds, `report` and `says` what is written about it, after `shrink` has left out inputs that are not needed, by `delta` debugging.
//! `run` goes through a pool, and `check` through a benchmark, by the runs of its suites (`suite_runs`), which `adequacy` tries on wrong repairs (`near_misses`,
//! `misplaced`) and right ones (`right_repairs`), with what `validators` make of them, and which `pack` makes into tasks. No model is
//! asked, and nothing is printed here; which faults there are, `inject` knows.

mod adequacy;
mod check;
mod choice;
mod choosing;
mod deed;
mod delta;
mod error;
mod gold;
mod harden;
mod literal;
mod misplaced;
mod near_misses;
mod pack;
mod plays;
mod ranking;
#[cfg(test)]
mod repairs_tests;
mod report;
mod right_repairs;
mod rules;
mod run;
pub mod says;
mod search;
mod shrink;
mod suite_runs;
mod synthesis;
mod templates;
#[cfg(test)]
mod tests;
mod trials;
mod validators;

pub use adequacy::{Adequacy, Fix, FixOutcome, adequacy};
pub use check::{Checked, check, rate};
pub use delta::Delta;
pub use error::ForgeError;
pub use gold::Gold;
pub use literal::{Literal, literal};
pub use pack::{JUDGE, PackError, Solved, pack, task_of};
pub use plays::{Part, Plays, Spent};
pub use ranking::{Turns, ranked};
pub use rules::Rules;
pub use run::{Forged, News, Run};
pub use search::Searched;
pub use shrink::Apart;
pub use suite_runs::SuiteRuns;
pub use trials::{Accepted, Discard, Tried, attempt};
pub use validators::{Validator, validators};
