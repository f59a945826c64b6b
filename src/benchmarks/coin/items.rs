//! Two items, and what is answered to each try at an attempt.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::json;

use crate::ledger::{ArmPlan, Budget, CellPlan, LanePlan, Plan, Retry};
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

/// An experiment of these arms, two attempts at a time, where so many tries may be spoiled.
pub(super) fn experiment(id: &str, (arms, cells): (Vec<ArmPlan>, Vec<CellPlan>), tries: u32) -> Plan {
    Plan {
        id: id.to_owned(),
        name: id.to_owned(),
        file: String::new(),
        run: None,
        pins: json!({}),
        budget: Budget::default(),
        retry: Retry { infra: tries, provider: tries },
        lanes: vec![LanePlan { in_flight: 2, ..LanePlan::local() }],
        arms,
        cells,
    }
}
