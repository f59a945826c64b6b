//! The instances of a benchmark: what its index says of each, and all that belongs to one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ReferenceRecord;
use super::pool::Licence;
use super::report::{BugPictures, BugReport};
use super::truth::Truth;
use crate::model::{Suite, pluralise};

/// One in so many instances may be trivial.
const TRIVIAL_SHARE: usize = 10;

/// An instance in the index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceEntry {
    pub id: String,
    /// The project of the pool that it was made of.
    pub project: String,
    /// Projects of one group stay in the same fold.
    pub group: String,
    pub pattern: String,
    pub operator: String,
    pub difficulty: Difficulty,
    /// Whether the baseline `search` repairs it, as tried when it was forged; older benchmarks do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<bool>,
    /// The share of damage elsewhere that its suite rejects, 0 to 1, where that was asked for when it was forged (`--adequate`): below what
    /// was asked for, it is the best that there was of its project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adequacy: Option<f64>,
    /// SHA-256 of the buggy project and of the suite.
    pub buggy: String,
    pub suite: String,
}

/// How hard a fault is to find (section 3.6): 0 to 3 points, 4 to 6, 7 to 11. Without any point to count, one that a text search repairs:
/// its report gives the repair away.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::EnumIter,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Difficulty {
    Trivial,
    Easy,
    Medium,
    Hard,
}

/// One instance with all that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    pub entry: InstanceEntry,
    pub buggy: Vec<u8>,
    pub golden: Vec<u8>,
    pub report: BugReport,
    /// The stage at the moment that the report tells of, where it was drawn.
    pub pictures: Option<BugPictures>,
    pub truth: Truth,
    pub suite: Suite,
    /// What the project is for, if its pool has a record of it: summaries are scored with it.
    pub record: Option<ReferenceRecord>,
    pub licence: Licence,
    /// How it was forged: what was tried before, and why it was discarded.
    pub forge: Value,
}

impl InstanceEntry {
    /// Whether its suite rejects less damage elsewhere than these figures, those of its benchmark, ask for.
    pub fn is_inadequate(&self, rules: &Value) -> bool {
        self.adequacy.zip(rules["adequate"].as_f64()).is_some_and(|(share, wanted)| share < wanted)
    }

    /// What is said of a set of which a text search repairs more than a tenth, given how many it repairs: that part of it measures nothing.
    pub fn too_easy(repaired: usize, all: usize) -> Option<String> {
        let says = || {
            format!(
                "a text search repairs {repaired} of {}, wanted at most a tenth: their reports give the repair away",
                pluralise(all, "instance")
            )
        };
        (repaired * TRIVIAL_SHARE > all).then(says)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_instance_is_inadequate_below_what_its_benchmark_asks_for() {
        let of = |adequacy: Option<f64>| -> InstanceEntry {
            serde_json::from_value(json!({
                "id": "moth", "project": "moth", "group": "moth", "pattern": "desynchronization", "operator": "DS.nowait",
                "difficulty": "easy", "adequacy": adequacy, "buggy": "", "suite": "",
            }))
            .unwrap()
        };
        let asked = json!({"adequate": 0.9});
        assert_eq!([0.5, 0.9, 1.0].map(|share| of(Some(share)).is_inadequate(&asked)), [true, false, false]);
        assert!(!of(None).is_inadequate(&asked) && !of(Some(0.5)).is_inadequate(&json!({})));
    }
}
