//! Running things: one attempt, a batch of them, and one thin file a benchmark.
//!
//! Parts: [`Testbed`] is where sessions live, in this process or behind a server; `play` is the loop of an
//! attempt; `attempt` judges and records it, `blame` says whose trouble a broken
//! session was, and `judging` whose a judgement without tests; [`Batch`] has many of them made, and made again after trouble.
//! No command line types and no HTML here.

mod attempt;
mod batch;
pub mod bench;
mod blame;
mod built;
pub mod chaos;
pub mod check;
mod compare;
pub mod demonstrations;
mod derive;
pub mod drag;
pub mod endurance;
#[cfg(test)]
mod fakes;
mod judging;
mod mouse_agent;
mod oracle_agent;
pub mod perception;
mod play;
pub mod playback;
pub mod predictions;
pub mod process_tree;
mod project_file;
mod projects;
mod remote;
mod replay;
pub mod retry;
pub mod soak;
mod stages;
pub mod stats;
mod testbed;
pub mod trials;
pub mod video;
mod workbench;

pub use attempt::{Judging, Parts, attempt};
pub use batch::{Batch, Event, Job, MakeAgent, succeeded, summary};
pub use built::BuiltProjects;
pub use compare::{CallDifference, Comparison, compare};
pub use derive::{SolutionError, solution};
pub use judging::LocalJudge;
pub use mouse_agent::MouseAgent;
pub use oracle_agent::OracleAgent;
pub use play::{Played, play};
pub use project_file::{build_file, build_file_with};
pub use projects::{InitialProjects, ProjectSource, ProjectSourceError};
pub use remote::RemoteTestbed;
pub use replay::{ReplayError, Replayed, replay};
pub use stages::{Stage, Stages};
pub use testbed::{LocalTestbed, TaskSession, Testbed, TestbedError};
pub use workbench::{Workbench, texts_of};
