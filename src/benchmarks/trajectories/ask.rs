//! Who answers in a trajectory: a model or program, or a floor that sees no more than a model does; the oracle sees gold.

use std::sync::Arc;

use serde_json::Value;

use crate::agent::Asker;
use crate::bugs::BugReport;
use crate::grade::Price;
use crate::json_patch::{Operation, difference, wire_form};
use crate::mend::mutated;
use crate::project::edit::apply;
use crate::trajectory::Case;

/// Who repairs.
pub enum Answers {
    /// A model or a program.
    Asked {
        asker: Arc<dyn Asker>,
        /// Its name, and what else decides its answers: dialect, decoding.
        name: String,
        options: Value,
        /// By which it is paid; absent where that is unknown.
        price: Option<Price>,
    },
    /// The difference of buggy project and gold. Its patches are exempt from the cap.
    Oracle,
    /// What needs no model.
    Floor(Floor),
    /// Answers of an earlier run alone: one that is not kept is a call that failed.
    Replayed { name: String, options: Value, price: Option<Price> },
}

/// A repair without a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Floor {
    /// No operation.
    Nothing,
    /// One operator near what the report names, by chance from this seed.
    Mutate(u64),
}

impl Answers {
    /// Whether patches may be longer than the plan allows.
    pub const fn is_exempt(&self) -> bool {
        matches!(self, Self::Oracle)
    }

    /// The answer of those that need not be asked; `None` where somebody must be. The seed of chance is another one for each attempt.
    pub fn built_in(&self, case: &Case, (replicate, attempt): (u32, u32)) -> Option<Result<String, String>> {
        let told = |operations: &[Operation]| wire_form(operations).to_string();
        match self {
            Self::Asked { .. } | Self::Replayed { .. } => None,
            Self::Oracle => Some(
                difference(&case.buggy.json, &case.golden.json)
                    .map(|operations| told(&operations))
                    .map_err(|error| error.to_string()),
            ),
            Self::Floor(Floor::Nothing) => Some(Ok(told(&[]))),
            Self::Floor(Floor::Mutate(seed)) => {
                let seed = seed.wrapping_mul(10_000).wrapping_add(u64::from(replicate * 100 + attempt));
                Some(Ok(told(&operations_of_chance(case, seed))))
            }
        }
    }
}

/// What an operator changes, as operations; none where it does not apply.
fn operations_of_chance(case: &Case, seed: u64) -> Vec<Operation> {
    let words = |text: &str| text.to_owned();
    let report = BugReport {
        symptom: format!("{} {}", case.report.title, case.report.symptom),
        expected: words(&case.report.expected),
        reproduce: case.report.trigger.clone(),
    };
    let edits = mutated(&case.buggy.json, &report, seed);
    let changed = apply(&case.buggy.json, &edits).ok();
    changed.and_then(|changed| difference(&case.buggy.json, &changed).ok()).unwrap_or_default()
}
