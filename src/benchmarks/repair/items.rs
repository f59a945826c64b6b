//! The instances of a run, with what tables group them by.

use serde::{Deserialize, Serialize};

use crate::bugs::{Bench, BugsError, Difficulty, InstanceEntry};
use crate::model::ItemId;

/// The file of a run that has its instances, which figures need.
pub const ITEMS: &str = "items.json";

/// An instance with what tables group it by. It is written beside a run once that is made, and never shown to who answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    pub id: ItemId,
    pub pattern: String,
    pub difficulty: Difficulty,
    /// Whether the baseline `search` repairs it; runs of older benchmarks do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<bool>,
}

impl Item {
    /// The instances of these names in the order of the benchmark, or all without any.
    ///
    /// # Errors
    /// When a name is none of an instance.
    pub fn chosen(bench: &Bench, ids: &[String]) -> Result<Vec<Self>, BugsError> {
        for id in ids {
            bench.entry(id)?;
        }
        let wanted = bench.entries().iter().filter(|entry| ids.is_empty() || ids.contains(&entry.id));
        let item = |entry: &InstanceEntry| {
            let id = entry
                .id
                .parse()
                .map_err(|_| BugsError::NoInstance { id: entry.id.clone(), bench: bench.folder().to_owned() })?;
            Ok(Self { id, pattern: entry.pattern.clone(), difficulty: entry.difficulty, search: entry.search })
        };
        wanted.map(item).collect()
    }
}
