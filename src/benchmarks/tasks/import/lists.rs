//! The lists of tasks in the reference's `tasks` folder. Each becomes a split of the pack, under the name of its file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::model::{Category, TaskId};

/// One list: `{type: [file, …]}`.
#[derive(Debug)]
pub(super) struct TaskList {
    /// The name of its file without the extension.
    pub split: String,
    /// Types with names of files, in the order of the types.
    names: Vec<(String, String)>,
}

impl TaskList {
    /// Reads the content of a list's file.
    pub fn read(file: &Path, content: &[u8]) -> Result<Self, serde_json::Error> {
        let by_type: BTreeMap<String, Vec<String>> = serde_json::from_slice(content)?;
        let split = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let names =
            by_type.into_iter().flat_map(|(kind, names)| names.into_iter().map(move |name| (kind.clone(), name)));
        Ok(Self { split, names: names.collect() })
    }

    /// Types with names of files that are not among those that are there, `type/file`.
    pub fn missing<'a>(&'a self, there: &BTreeSet<String>) -> impl Iterator<Item = &'a (String, String)> {
        self.names.iter().filter(move |(kind, name)| !there.contains(&format!("{kind}/{name}")))
    }

    /// How many names it has.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Those of its tasks that a pack has, each once.
    pub fn tasks<'a>(&self, pack: &(impl Iterator<Item = &'a (Category, TaskId)> + Clone)) -> Vec<TaskId> {
        let mut ids: Vec<TaskId> = Vec::new();
        for (kind, name) in &self.names {
            let is_it = |task: &&(Category, TaskId)| {
                task.0.name() == kind && name.strip_suffix(".json") == Some(task.1.as_str())
            };
            if let Some((_, id)) = pack.clone().find(is_it)
                && !ids.contains(id)
            {
                ids.push(id.clone());
            }
        }
        ids
    }
}
