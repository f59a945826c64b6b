//! The last try at each attempt of a run: earlier ones did not count.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::de::DeserializeOwned;

use super::run_dir::ATTEMPTS;
use super::{RunDir, StoreError};
use crate::model::{AttemptRecord, ItemId};

/// The last try at an attempt.
#[derive(Debug, Clone)]
pub struct Try<D> {
    /// The name of its folder in the run.
    pub name: String,
    pub record: AttemptRecord<D>,
    pub path: PathBuf,
}

impl RunDir {
    /// The last try at each attempt, in the order of the run's items; attempts at other items, if there are any, come last.
    ///
    /// # Errors
    /// When one can't be read or is of a newer format.
    pub fn last_tries<D: DeserializeOwned>(&self) -> Result<Vec<Try<D>>, StoreError> {
        let items = &self.record().items;
        let mut last: BTreeMap<(usize, ItemId, u32), Try<D>> = BTreeMap::new();
        for (name, record) in self.attempts::<D>()? {
            let place = items.iter().position(|item| *item == record.item).unwrap_or(usize::MAX);
            let key = (place, record.item.clone(), record.attempt);
            if last.get(&key).is_none_or(|earlier| earlier.record.retry <= record.retry) {
                let path = self.path().join(ATTEMPTS).join(&name);
                last.insert(key, Try { name, record, path });
            }
        }
        Ok(last.into_values().collect())
    }
}
