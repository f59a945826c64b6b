//! Two items, and what is answered to each try at an attempt.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::model::ItemId;

/// The items with their scripts: `broken`, `stop`, `failed` or `silent` for each try; `passed` when there is no more.
pub(super) struct Coins {
    pub(super) script: Mutex<BTreeMap<(String, u32), Vec<&'static str>>>,
    pub(super) tries: Mutex<Vec<(String, u32)>>,
}

pub(super) fn names() -> Vec<ItemId> {
    ["b", "a"].map(|name| name.parse().unwrap()).to_vec()
}

impl Coins {
    pub(super) fn new(script: &[(&str, u32, &[&'static str])]) -> Self {
        let script = script.iter().map(|(item, attempt, ends)| (((*item).to_owned(), *attempt), ends.to_vec()));
        Self { script: Mutex::new(script.collect()), tries: Mutex::default() }
    }

    pub(super) fn tries(&self) -> usize {
        self.tries.lock().unwrap().len()
    }
}
