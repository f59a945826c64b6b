//! Budgeted repair (EcoScratch): what a trajectory is made of, without the loop that makes it.
//!
//! `plans` are the figures that are fixed before a run, `controller` chooses among them and says when to stop, `budget` reckons what an
//! attempt may cost. `case` is what is to be repaired; `oracle` says what probes and verifies it, by a suite (`suite_oracle`, in `suite_stages`, in runs that `shrink` makes short) or by the
//! script of a task (`script_oracle`). `view`, `hints`, `evidence` and `frames` are what a model is shown, `localise` finds the blocks that traces speak against, `prompt` puts it all into words. `simulate` says what a controller with other cutoffs would have done, `worth` whether another attempt is worth its price.
//! Nobody is asked here, and nothing is written to disk.

mod budget;
mod case;
mod controller;
mod evidence;
mod frames;
mod hints;
mod localise;
mod oracle;
mod plans;
mod prompt;
mod script_oracle;
mod shrink;
mod simulate;
mod suite_oracle;
mod suite_stages;
mod view;
mod worth;

pub use budget::{Allowance, Spent, dollars};
pub use case::{Case, CaseReport};
pub use controller::{Before, Retry, Rules, Situation, plan, stop};
pub use evidence::{Evidence, Leak, Source, feedback};
pub use frames::{Moment, moments, ticks};
pub use hints::Hints;
pub use localise::{Localised, Rank, Suspect, rank, suspects};
pub use oracle::{CaseOracle, OracleError, Probe, Seen, Verified};
pub use plans::{BudgetLimits, Plan, Plans, PlansError, Precheck, ProbeSchedule, Profile};
pub use prompt::{Ids, Prompts, prompts, prompts_digest};
pub use script_oracle::ScriptOracle;
pub use simulate::{Outcome, Tried, best, calibrated, disagreements, planned, simulated};
pub use suite_oracle::SuiteOracle;
pub use view::{Wanted, view};
pub use worth::{Prospect, Transition, Worth};
