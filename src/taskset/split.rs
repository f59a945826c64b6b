//! Splits: named parts of a task set that results are reported for.
//!
//! `all` and each category are splits of every set; further ones are lists of names in `tasks/splits.json`, so that
//! they stay the same when tasks are added.

use std::collections::BTreeMap;
use std::path::Path;

use strum::VariantNames as _;

use super::{Problem, TaskEntry, TasksetError, read};
use crate::model::{Category, TaskId};

/// Beside the folders of the categories.
pub const SPLITS_FILE: &str = "splits.json";
/// The split that every task belongs to.
const ALL: &str = "all";

/// The splits of a set that are listed, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Splits {
    listed: BTreeMap<String, Vec<TaskId>>,
}

impl Splits {
    /// Reads the lists of a set with these tasks; a set without a file has none.
    pub(super) fn read(tasks: &Path, entries: &[TaskEntry]) -> Result<Self, Vec<Problem>> {
        let file = tasks.join(SPLITS_FILE);
        if !file.exists() {
            return Ok(Self::default());
        }
        let unreadable =
            |error: TasksetError| Problem { file: file.clone(), field: String::new(), message: error.to_string() };
        let listed: BTreeMap<String, Vec<TaskId>> =
            read::json(&file).map_err(|error| vec![unreadable(error)])?.map_err(|problem| vec![problem])?;
        let mut problems = Vec::new();
        for (name, ids) in &listed {
            for (at, id) in ids.iter().enumerate() {
                if let Some(message) = fault(name, id, &ids[..at], entries) {
                    problems.push(Problem { file: file.clone(), field: format!("{name}[{at}]"), message });
                }
            }
        }
        if problems.is_empty() { Ok(Self { listed }) } else { Err(problems) }
    }

    pub(super) fn names(&self) -> Vec<String> {
        let common = std::iter::once(ALL).chain(Category::VARIANTS.iter().copied()).map(str::to_owned);
        common.chain(self.listed.keys().cloned()).collect()
    }

    /// Whether a task belongs to a split; none if there is no such split.
    pub(super) fn has(&self, name: &str, entry: &TaskEntry) -> Option<bool> {
        match self.listed.get(name) {
            Some(ids) => Some(ids.contains(&entry.task.id)),
            None if name == ALL => Some(true),
            None => name.parse().ok().map(|category: Category| entry.task.category == category),
        }
    }
}

/// Whether every set has a split of this name, so that none can be listed under it.
pub fn is_common(name: &str) -> bool {
    name == ALL || name.parse::<Category>().is_ok()
}

/// What is wrong with one name in the list of a split, after those before it.
fn fault(split: &str, id: &TaskId, before: &[TaskId], entries: &[TaskEntry]) -> Option<String> {
    if is_common(split) {
        Some(format!("`{split}` is a split of every set and can't be listed"))
    } else if !entries.iter().any(|entry| entry.task.id == *id) {
        Some(format!("there is no task `{id}`"))
    } else {
        before.contains(id).then(|| format!("`{id}` is listed twice"))
    }
}
