//! Pools of projects and benchmarks of forged faults, as they lie on disk (ScratchEval, sections 7 and 11.3). How projects get into a
//! pool and faults into projects is not known here.
//!
//! `features` are what a project is measured by, `facts` is what a project can be given and what is worth watching in it, `record` what it is for; both are read by who plays projects and
//! by who judges answers about them.
//!
//! A benchmark has two halves. `public/<id>` is what a model or an agent may see: the buggy project, the report in words, the licence.
//! `truth/<id>` is what judges it: the gold project, the fault with its inverse, the suite.

mod bench;
mod error;
mod facts;
mod features;
mod folds;
mod pool;
mod record;

pub use bench::{Bench, BugReport, Constraints, Difficulty, Instance, InstanceEntry, Site, Truth, TruthHashes};
pub use error::BugsError;
pub use facts::Facts;
pub use features::{Features, is_self_contained};
pub use folds::Folds;
pub use pool::{Licence, Pool, PoolEntry, RECORD, write};
pub use record::{Change, Goal, Hook, RecordStatus, ReferenceRecord, Role, SeenChange};
