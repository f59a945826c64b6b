//! From attempts to rates: success rate and partial success rate (paper, equations 3 and 4), Pass@k, shares and their
//! intervals. `reference` has the tables, with our denominators and with those of the reference; `prices` and `spending` say
//! what attempts cost, `per_solved` what a solved task does, `failures` what went wrong in them;
//! `bootstrap` and `paired` how far chance may have moved a figure or a difference, `comparison` how two arms differ at the same
//! tasks; `detection` how often flags are right; `agreement` how far two raters agree; `drift` how far a run lies from another; `signals` what a short probe of a buggy project tells; `budgeted` has the figures
//! of budgeted repair; `owed` which attempts are still to be made.
//!
//! Pure functions: no files, no agents, no policy on retries. A rate is never given without its denominator, and
//! attempts that the testbed or a judge spoiled are shown but never counted against an agent.

mod agreement;
mod bootstrap;
pub mod budgeted;
mod comparison;
pub mod course;
mod detection;
mod drift;
mod failures;
#[cfg(test)]
mod fakes;
mod owed;
mod paired;
mod passes;
mod per_solved;
mod prices;
mod proportion;
mod rates;
mod reference;
pub mod signals;
mod spending;
#[cfg(test)]
mod statistics_tests;
pub mod suite;
mod summary;
mod trace;

pub use agreement::{Agreement, kappa, weighted_kappa};
pub use bootstrap::{Bootstrapped, Tested, bootstrap_mean, bootstrap_ratio, bootstrap_test, quantile, rate_interval};
pub use comparison::{ArmGrades, Compared, Difference, Test, compared, correct};
pub use detection::Detection;
pub use drift::{Pair, drift, drift_by_signal, is_behaviour, telling};
pub use failures::{CodeCount, DragEnds, FailedTest, FailureCounter, Failures};
pub use owed::{Lacking, MOST_BROKEN, lacking};
pub use paired::{Paired, holm, mcnemar, paired};
pub use passes::{Interval, Passes, missing, pass_at, pass_hat, passes, share_of, unbiased_pass_at};
pub use per_solved::{PerSolved, Taken};
pub use prices::{Bill, DatedPrice, Price, PriceTable, PricesError, Pricing};
pub use proportion::{Proportion, mean_interval, wilson};
pub use rates::{Graded, Rates};
pub use reference::{
    Count, FOUND_RUNS, LeftOut, TaskRow, TaskTables, found_runs, has_result_file, left_out, task_table,
};
pub use spending::{RunCosts, Spending, dollars};
pub use summary::{ANSWERS, CategoryRates, OutcomeCount, Summary, outcomes};
pub use trace::{TraceDifference, alike, first_difference};
