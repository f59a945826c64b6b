//! The ledger of experiments: cells, attempts, lanes, spend and orders. SQLite for one machine, Postgres for a fleet, one text of
//! SQL. The only room that names a database.
//!
//! An experiment has arms (agent, model, mode, setting); an arm has cells (an item in an epoch); a cell is tried until exactly
//! one attempt counts. [`plan`] enters them, [`release`] says what may be worked on, [`leases`] are the four calls of those who
//! work, [`orders`] are those of researchers, [`status`] answers questions; [`deliver`] is between the steward and the workers, and [`simulation`]
//! plays a fleet with attempts that only sleep. What an attempt does, and its files, live elsewhere.

mod archive;
mod database;
mod deliver;
mod disk;
mod error;
mod exposure;
mod grades;
mod grant;
mod hosted;
mod lane_status;
mod lanes;
mod leases;
mod orders;
mod places;
mod plan;
mod release;
mod reuse;
pub mod simulation;
mod spent;
mod states;
mod status;
mod watch;
mod workers;

pub use archive::ROWS_FORMAT;
pub use database::{Ledger, Terms};
pub use deliver::{Call, Delivered, Given, Inbox, Made, Pace, Queue, Served, Steward, Stop, Tended, Work, serve};
pub use error::LedgerError;
pub use exposure::Exposure;
pub use grades::{Grade, Judged};
pub use grant::grant;
pub use hosted::Hosted;
pub use lane_status::LaneStatus;
pub use leases::{
    Beat, Beaten, Begun, Ended, Files, Finish, KeptAttempt, LEASE, LaneReport, Lease, Orders, Pulse, Rebuilt, Share,
    Unended,
};
pub use orders::{Limit, Order, Requeue, Scope};
pub use places::Place;
pub use plan::{ArmPlan, Budget, CellPlan, Entered, JUDGE_SEEDS, LOCAL, LanePlan, Plan, Retry};
pub use release::{Bound, Released, STEWARD_TERM, TICKET_TERM, Ticket};
pub use reuse::{ELSEWHERE, Reused};
pub use spent::Usage;
pub use states::{AttemptState, CellState, Class, Gate};
pub use status::{ArmStatus, AttemptRow, CellRow, Counts, Spent, Status};
pub use watch::{CurvePoint, WatchedCell};
pub use workers::{Worker, WorkerRow};

#[cfg(test)]
mod tests;
