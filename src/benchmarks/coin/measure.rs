//! Measuring: the answer is the outcome, and the detail counts the tries before.

use crate::experiment::{Cell, Ended, RunError};
use crate::model::{Cost, Outcome};

pub(super) fn measured(answer: &str, cell: &Cell<'_, u32>) -> Result<Ended<u32>, RunError> {
    let outcome = match answer {
        "stop" => return Err(RunError::Item { item: cell.item.to_string(), reason: "no picture".to_owned() }),
        "spent" => return Err(RunError::spent("the budget is spent".to_owned())),
        "broken" => Outcome::InfraError,
        "failed" => Outcome::Failed,
        "silent" => Outcome::CallFailed,
        _ => Outcome::Passed,
    };
    let detail = u32::try_from(cell.earlier.len()).unwrap();
    Ok(Ended { outcome, error: None, cost: Cost::default(), detail })
}
