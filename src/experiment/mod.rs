//! Having agents attempt tasks: one attempt, a batch of them, trials of the other benchmarks, and what outsiders
//! predicted.
//!
//! Parts: [`Testbed`] is where sessions live, in this process or, as `remote`, behind a server; `play` is the loop of an
//! attempt; `attempt` judges and records it, `blame` says whose trouble a broken session was, and `judging` whose a
//! judgement without tests; [`Batch`] has many of them made, and made again after trouble; `trials` does so for
//! benchmarks that are one answer a scene; `predictions` judges projects and answers that were made elsewhere.
//! `fakes` stands in for testbed, agent and judge in unit tests. No command line types and no HTML here.

mod attempt;
mod batch;
mod blame;
#[cfg(test)]
mod fakes;
mod judging;
mod play;
pub mod predictions;
mod remote;
mod testbed;
pub mod trials;

pub use attempt::{Judging, Parts, attempt};
pub use batch::{Batch, Event, Job, MakeAgent, succeeded, summary};
pub use judging::LocalJudge;
pub use play::{Played, play};
pub use remote::RemoteTestbed;
pub use testbed::{LocalTestbed, TaskSession, Testbed, TestbedError};
