//! Files of experiments: what they say, the arms that their matrix makes, and each arm as the flags of a run.
//!
//! Nothing is prepared or begun here; the rooms `arms` and `cli` do that.

mod arms;
mod faults;
mod file;
mod kept;
mod limits;
mod matrix;
mod posted;
mod prices;

#[cfg(test)]
pub use arms::OURS as SET_BY_EXPERIMENTS;
pub use arms::{ArmFlags, arm_flags, duration, model_flags, needs};
pub use faults::{refused, wrong};
pub use file::{Amount, BenchmarkName, ExperimentFile, LaneTable};
pub use kept::kept_file;
pub use limits::change;
pub use posted::check_posted;
#[cfg(test)]
pub use posted::{Posted, posted};
