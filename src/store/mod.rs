//! Run directories: one folder a run, one folder an attempt; written atomically, never changed afterwards.
//!
//! ```text
//! runs/<id>/run.json                          what the run set out to do
//! runs/<id>/attempts/<task>.<mode>.<n>/
//!     calls.jsonl                             one line a call, appended as they happen
//!     project.sb3                             the project as the agent left it
//!     verdict.json                            what the judge said
//!     attempt.json                            what became of it; written last, so its presence means complete
//!     session/                                the session's event log, its pictures and projects
//! ```
//! What the records mean is the model's; rates are reckoned elsewhere.

mod attempt_dir;
mod disk;
#[cfg(test)]
mod durability_tests;
mod error;
#[cfg(test)]
mod faults;
mod lock;
mod log_dir;
mod log_read;
mod pictures;
mod run_dir;
mod runs;
mod session_dir;
mod tallies;
mod trial_dir;

pub use attempt_dir::AttemptDir;
pub use error::StoreError;
pub use log_dir::LogWriter;
pub use log_read::{Fault, SESSION, StoredLog};
pub use pictures::LoggedPicture;
pub use run_dir::RunDir;
pub use runs::{RecordedAttempt, Runs};
pub use session_dir::{SessionDir, SessionDirs};
pub use tallies::Tally;
pub use trial_dir::{TrialDir, TrialFolder};
