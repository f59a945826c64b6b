//! Run directories: one folder a run, one folder a try at an attempt; written atomically, never changed afterwards.
//!
//! ```text
//! runs/<id>/run.json                          what the run set out to do
//! runs/<id>/shared/<sha256>                   what several attempts have, once; in their folders are hard links to it
//! runs/<id>/ratings/<name>.jsonl              what a person thinks of explanations, one line a score
//! runs/<id>/judges/<name>.json, .jsonl        how a model was asked to rate them, and one line a rating
//! runs/<id>/memory/<sha256>/                  what agents knew at one time, as text files, by the digest of them all
//! runs/<id>/attempts/<item>.<attempt>[.r<n>]/ the first try at an attempt, and its n-th retry
//!     calls.jsonl                             one line a call, appended as they happen
//!     project.sb3, verdict.json               the project as the agent left it, and the verdict
//!     turns.jsonl, messages.jsonl             what its model was asked and answered, if it asks one
//!     asked.json, answer.txt, *.png           what was shown and answered, as the benchmark keeps it
//!     memory.json                             which memory the agent began with and left
//!     taken_from.json                         where it was made, if for another experiment
//!     grades/<judge>.json                     what later judges found of the project, added by regrading; `verdicts` has
//!                                             what counts of it, below runs/verdicts
//!     attempt.json                            what became of it; written last, so its presence means complete
//!     session/                                the session's event log, its pictures and projects
//! ```
//! What the records mean is the model's; rates are computed in `grade`. `format1` reads what version 0.1 wrote,
//! `pack` puts runs into one file, `bundle` reads it through `unpacker`, and `foreign` says which runs come out of one.
//! `own_files` refuses links, which lead out of the folder of a run.

mod artefacts;
mod attempt_dir;
mod bundle;
mod by_digest;
mod discard;
mod disk;
#[cfg(test)]
mod durability_tests;
mod error;
#[cfg(test)]
pub(crate) mod fakes;
#[cfg(test)]
mod faults;
mod foreign;
mod format1;
mod grades;
mod last_tries;
mod lock;
mod log_dir;
mod log_read;
mod own_files;
mod own_lines;
mod pack;
mod parcel;
mod pictures;
mod run_dir;
mod runs;
mod session_dir;
mod taken;
mod tallies;
mod turns;
mod unpacker;
mod verdicts;

pub use artefacts::{Artefacts, ArtefactsError};
pub use attempt_dir::{AttemptDir, Lines, read_lines};
pub use bundle::{BUNDLE_FILE, BUNDLE_FORMAT, BundleRecord, OpenedRuns, open_runs, open_runs_within};
pub use by_digest::ByDigest;
pub use discard::bytes_in;
pub use error::StoreError;
pub use foreign::ANSWERS;
pub use last_tries::Try;
pub use log_dir::LogWriter;
pub use log_read::{Fault, SESSION, StoredLog};
pub use own_lines::OwnLines;
pub use pack::pack_runs;
pub use parcel::{pack_attempt, unpack_attempt};
pub use pictures::LoggedPicture;
pub use run_dir::RunDir;
pub use runs::{EXPERIMENTS, RecordedAttempt, Runs, arm_run};
pub use session_dir::{SessionDir, SessionDirs};
pub use taken::TakenFrom;
pub use tallies::Tally;
pub use turns::Progress;
pub use unpacker::UnpackLimits;
pub use verdicts::VerdictStore;
