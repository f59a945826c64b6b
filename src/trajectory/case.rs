//! What is to be repaired: a buggy project, its gold reference, what says whether it is right, and what is told of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::oracle::CaseOracle;
use crate::project::Project;

/// What anybody may know of a case (EcoScratch, section 3, E2): leak level 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseReport {
    /// What is to be done, for a task; empty for a forged fault.
    pub title: String,
    pub symptom: String,
    pub expected: String,
    /// The inputs that lead there, in their order.
    pub trigger: Vec<String>,
}

impl CaseReport {
    /// All of it as one text, which names are looked for in.
    pub fn words(&self) -> String {
        [&[self.title.clone(), self.symptom.clone(), self.expected.clone()], self.trigger.as_slice()]
            .concat()
            .join("\n")
    }
}

/// A case: buggy project, gold, what checks them, and a report.
#[derive(Clone)]
pub struct Case {
    pub id: String,
    /// The pattern of the fault, or `debug` for a task.
    pub mechanism: String,
    pub report: CaseReport,
    pub buggy: Project,
    pub golden: Project,
    pub oracle: Arc<dyn CaseOracle>,
    /// Digests of what the record depends on.
    pub hashes: BTreeMap<String, String>,
}
