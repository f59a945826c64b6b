//! Experiments: cells of several arms are worked on until each is decided or given up. The ledger says which and what counts;
//! the files of an attempt lie in the folder of its arm, which is that of a run, so that reports and exports read it as one.
//!
//! Parts: [`Arm`] makes one attempt, whatever the benchmark; [`Journal`] watches over an attempt's requests; [`local`] has this
//! process work on an experiment, as its steward and its only worker; [`FleetWork`] is for one of many workers; [`entry`] says
//! what arms and cells are in the ledger, and [`KeptExperiment`] tells the same from folders; [`bring`] is for attempts that count
//! in several experiments, [`Estimate`] for what one will need.

mod arm;
mod attend;
pub mod entry;
mod error;
mod estimate;
mod journal;
pub(super) mod kept;
mod local;
mod paces;
mod reused;
mod worker;

pub use arm::{Arm, CellRef, Made, RunArm};
pub use attend::attend;
pub use error::EngineError;
pub use estimate::{Estimate, Measured, MeasuredArm, Need};
pub use journal::{Caps, Journal, LaneNotes, Lanes};
pub use kept::{KeptArm, KeptExperiment};
pub use local::{Local, Noted, Stop, work};
pub use paces::Paces;
pub use reused::{Brought, bring};
pub use worker::{FleetWork, Machine, Prepared};
