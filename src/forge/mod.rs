//! The Bug Forge: gold projects in, instances of a debugging benchmark out, each with one fault that shows (ScratchEval, sections 3 and 4).
//!
//! `templates` and `choice` make the scenarios of a project, and `search` those that reach more; `gold` has their runs; `plays` runs
//! them. `ranking` says which faults are tried first, `trials` tries one that is `sound`, and `literal` the same by the letter of the paper; `synthesis`
//! and `choosing` make its suite, to which `harden` adds (what the report tells comes first), and `guards` what golden behaviour must survive: `invariants` of gold's runs that all keeps which does the same, played where it is `differing`. `companions` are assertions that others need. A `misfit` is not taken, since a linter finds it, no player notices it, or it is another thing than
//! its pattern says. `report` and `chain` have what is written about a `sighting` with few inputs, which `reported` makes a scenario of the suite.
//! `run` goes through a pool as `plan` has it, within a `budget` for each project, with an `outcome`; it `counts` what it has accepted, each by `finishing` it, and takes the best of `rivals` where suites must be adequate. `check` goes through a benchmark, by the runs of its suites (`suite_runs`, with what they write to the console; `verdict` says what a suite makes of them, and `drifts` how far they are from gold's), which `adequacy` tries on wrong repairs (`near_misses`,
//! `misplaced`), right ones (`right_repairs`) and damage elsewhere (`foreign`), and `kinds` on the kinds that people write (both by a `suite_trial`), with what `validators` make of them, and which `pack` makes into tasks; `text_search` is a repair
//! that a report may give away. No model is asked, and nothing is printed here; which faults there are, `inject` knows.

mod adequacy;
mod budget;
mod chain;
mod check;
mod choice;
mod choosing;
mod companions;
mod counts;
mod differing;
mod drifts;
mod error;
#[cfg(test)]
pub(crate) mod fakes;
mod finishing;
mod foreign;
mod gold;
mod guards;
mod harden;
mod invariants;
mod kinds;
mod literal;
mod misfit;
mod misplaced;
mod near_misses;
mod outcome;
mod pack;
mod plan;
mod plays;
mod ranking;
#[cfg(test)]
mod repairs_tests;
mod report;
mod reported;
mod right_repairs;
mod rivals;
mod rules;
mod run;
mod search;
mod sighting;
mod sound;
mod suite_runs;
mod suite_trial;
mod synthesis;
mod templates;
#[cfg(test)]
mod tests;
mod text_search;
mod trials;
mod validators;
mod verdict;

pub use crate::noticing::says;

pub use adequacy::{ADEQUATE, Adequacy, Fix, FixOutcome, adequacy};
pub use check::{Checked, check};
pub use drifts::Drifts;
pub use error::ForgeError;
pub use gold::Gold;
pub use kinds::{Kind, KindRow, Made, kind_rows, kinds};
pub use literal::{Literal, literal};
pub use outcome::{Forged, News, Step};
pub use pack::{JUDGE, PackError, Solved, pack, task_of};
pub use plays::{Part, Plays, Spent};
pub use ranking::{Turns, ranked};
pub use rules::Rules;
pub use run::Run;
pub use search::Searched;
pub use sound::Unsound;
pub use suite_runs::SuiteRuns;
pub use text_search::{is_repaired_by_search, text_search};
pub use trials::{Accepted, Discard, Tried, attempt};
pub use validators::{Validator, validators};
pub use verdict::SuiteOutcome;
