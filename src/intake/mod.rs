//! Intake: files of any version of Scratch in, a pool of normalised gold projects out (ScratchEval, section 2).
//!
//! `sources` finds files and `licence` what may be done with them; `reading` takes a file apart; `examine` puts it through the gates that
//! need no run, `smoke` through the run; `thresholds` are the profiles; `duplicates` and `tags` compare and describe; `kept` has what was
//! found of a file before. `scan` does all of it, and `deciding` ends it; `draft` writes reference records by rules, `hooks` from runs, and `written` takes those
//! that a person has written.
//! Faults are put into the projects elsewhere, and nothing is printed here.

mod deciding;
mod draft;
mod duplicates;
mod error;
mod examine;
mod hooks;
mod kept;
mod licence;
mod reading;
mod scan;
mod smoke;
mod sources;
mod tags;
mod thresholds;
mod written;

pub use deciding::{Duplicate, Outcome, Standing};
pub use duplicates::Likeness;
pub use error::IntakeError;
pub use kept::{Fault, Row};
pub use licence::LicenceFlags;
pub use scan::{News, Report, Scan};
pub use smoke::Smoke;
pub use sources::{Source, SourceKind, find};
pub use thresholds::Profile;
