//! Browser sessions: a fleet of Chromium processes, a warm pool of ready pages, one actor per session.
//!
//! Parts: [`Fleet`] owns the browsers and lends pages; [`Sessions`] is the list of living sessions with
//! its limits; each session is an actor around [`Live`], which carries out one job after another and
//! moves to a new page when its own is lost; [`Turns`] keep so many sessions at once from slowing each other.
//! What a job does is not known here, and no transport is.

mod actor;
mod acts;
mod attempt;
mod browsers;
mod claims;
mod creation;
mod ended;
mod error;
#[cfg(test)]
pub mod error_kinds;
mod events;
mod expired;
mod figures;
mod filling;
mod fleet;
mod frames;
mod handle;
mod info;
mod lease;
mod live;
mod liveness;
mod memory;
mod passes;
mod places;
mod projects;
mod reading;
mod recent;
mod recognition;
mod recorder;
pub mod retry;
mod sessions;
mod streams;
mod turns;
mod viewer;

pub use acts::{OutsideAct, OutsideActs};
pub use attempt::{AttemptEnd, AttemptInfo, AttemptLimits, Over, Step};
pub use browsers::BrowserPool;
pub use error::SessionError;
pub use events::{Image, Line, Lines, SessionLog};
pub use figures::Figures;
pub use fleet::{Fleet, FleetOptions, FleetStatus};
pub use handle::{Activity, Job, Served, SessionHandle};
pub use info::{LogState, SessionInfo, SessionOptions, Start};
pub use lease::Lease;
pub use live::{Live, LoadReport, Snapshot};
pub use memory::{BlockIndex, Memory, Observed, Standing, observation_id};
pub use passes::{IssuedPass, Pass, Passes, Refusal};
pub use reading::{CheckedProject, read_project};
pub use recent::{AttemptSession, RECENT};
pub use recorder::Recorder;
pub use sessions::Sessions;
pub use streams::{HeldStream, OpenStream};
pub use turns::{Turn, TurnKind, Turns, TurnsStatus};
pub use viewer::{Reach, Viewer};
