//! Pools of projects and benchmarks of forged faults, as they lie on disk (ScratchEval, sections 7 and 11.3). How projects get into a
//! pool and faults into projects is not known here.
//!
//! `features` are what a project is measured by, `facts` is what a project can be given and what is worth watching in it, `record` what it is for; both are read by who plays projects and
//! by who judges answers about them.
//!
//! Every public file of a benchmark has the `canary`. `balance` says whether its patterns are as frequent as they should be. `curation` is what
//! reviewers say of a pool's projects.
//!
//! A benchmark has two halves. `public/<id>` is what a model or an agent may see: the buggy project, the report in words, the licence.
//! `truth/<id>` is what judges it: the gold project, the fault with its inverse, the suite; and beside them the suite's `adequacy`, once measured.

mod adequacy;
mod balance;
mod bench;
mod canary;
mod curation;
mod error;
mod facts;
mod features;
mod folds;
mod instance;
mod pool;
mod record;
mod report;
mod truth;

pub use adequacy::AdequacyMark;
pub use balance::{Unbalanced, most_of_pattern, unbalanced};
pub use bench::{BUGGY, Bench};
pub use canary::{CANARY, mark};
pub use curation::{CURATION, Curation, GENRES, Outdated, Review, Reviews, both_said};
pub use error::BugsError;
pub use facts::Facts;
pub use features::{Features, is_self_contained};
pub use folds::Folds;
pub use instance::{Difficulty, Instance, InstanceEntry};
pub use pool::{Licence, Pool, PoolEntry, RECORD, write};
pub use record::{Change, Doubt, Goal, Hook, RecordStatus, ReferenceRecord, Role, SeenChange};
pub use report::{BugPictures, BugReport};
pub use truth::{CausalChain, ChainOutcome, FaultDrift, Site, Truth, TruthHashes};
