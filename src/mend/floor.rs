//! The floor of the repair track: a repair without a model (ScratchEval, section 5). Of the operators that faults are made with, one is
//! applied at random, in scripts that the report has to do with, first of all of sprites that it names. It sees what a model sees.

use serde_json::Value;

use super::slice::slice;
use crate::bugs::BugReport;
use crate::inject::{Candidate, sites};
use crate::model::sha256_hex;
use crate::project::edit::Edit;

/// A patch by chance; the same for the same seed. Empty where no operator applies.
pub fn mutated(buggy: &Value, report: &BugReport, seed: u64) -> Vec<Edit> {
    let shown = slice(buggy, report);
    let words = [&report.symptom, &report.expected].map(|text| text.to_lowercase()).join(" ");
    let near: Vec<Candidate> = sites(buggy).into_iter().filter(|one| shown.has(&one.sprite_id, &one.script)).collect();
    let is_named = |one: &&Candidate| words.contains(&one.sprite_id.to_lowercase());
    let (named, others): (Vec<&Candidate>, Vec<_>) = near.iter().partition(is_named);
    let mut choice = if named.is_empty() { others } else { named };
    choice.retain(|one| one.applies_to(buggy));
    choice.sort_by_cached_key(|one| sha256_hex(format!("{seed} {}", one.id()).as_bytes()));
    choice.first().map(|one| one.patch.clone()).unwrap_or_default()
}
