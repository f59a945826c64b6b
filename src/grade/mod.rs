//! From judged attempts to rates: success rate and partial success rate (paper, equations 3 and 4); and where
//! the traces of two judged runs differ; and whether a session's program was made through the user interface.
//! `reference` has the tables, with our denominators and with those of the reference.
//!
//! Pure functions: no files, no agents, no policy on retries. A rate is never given without its
//! denominator, and attempts that the testbed or a judge spoiled are shown but never counted against
//! an agent.

mod proportion;
mod provenance;
mod rates;
mod reference;
mod summary;
mod trace;

pub use proportion::{Proportion, mean_interval, wilson};
pub use provenance::{Breach, Provenance, Why, provenance};
pub use rates::{Graded, Rates};
pub use reference::{
    Count, FOUND_RUNS, LeftOut, TaskRow, TaskTables, found_runs, has_result_file, has_trial_file, left_out, task_table,
};
pub use summary::{CategoryRates, OutcomeCount, Summary};
pub use trace::{Column, Difference, Run, Trace, TraceError, first_difference};
