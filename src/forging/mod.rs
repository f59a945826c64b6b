//! The commands of the debugging benchmarks: projects are taken in, faults forged, instances listed, shown and checked, and answers scored.
//!
//! One thin file a subcommand, as in `cli`, which calls them.

mod answers;
mod applying;
mod budgeted;
pub mod bugs;
mod bugs_check;
mod bugs_export;
mod bugs_pack;
mod curating;
pub mod explain;
pub mod forge;
mod forge_told;
pub mod intake;
mod judging;
pub mod lint;
mod matrix;
mod probing;
mod rating;
pub mod repair;
mod simulating;
mod trajectories;
mod trajectory_pages;
mod ways;
