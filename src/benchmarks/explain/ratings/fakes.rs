//! Explanations and a run to try ratings with.

use std::path::Path;

use super::{Key, Subject};
use crate::model::RunRecord;
use crate::store::RunDir;

/// An explanation of an instance.
pub fn subject(item: &str, attempt: u32, pattern: &str) -> Subject {
    let key = Key { item: item.parse().unwrap(), attempt };
    Subject { key, pattern: pattern.to_owned(), explanation: format!("{item} is not reset") }
}

/// A run of explanations without attempts.
pub fn run(folder: &Path) -> RunDir {
    let record = crate::store::fakes::run(&["a", "b", "c"]);
    RunDir::create(folder, RunRecord { benchmark: "explain".to_owned(), ..record }).unwrap()
}
