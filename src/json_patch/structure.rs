//! What a patch made of a project, compared with the project before: faults that are new, and whether the program changed at all. The
//! faults themselves are found by `validate` and `binding`.

use scratchbed_project::view::{TargetView, targets};
use scratchbed_project::{Fingerprint, Problem, Project, Severity, validate};
use serde_json::Value;

use super::error::PatchError;
use super::policy::PROPERTIES;

/// Checks a patched project against the one before; returns what is newly odd about it, which the machine runs all the same.
///
/// # Errors
/// When there are errors that were not there before, or when nothing has changed but where blocks lie in the script area.
pub fn check(before: &Project, patched: &Project) -> Result<Vec<Problem>, PatchError> {
    let known = validate(before);
    let new = validate(patched).into_iter().filter(|problem| !known.contains(problem));
    let (errors, warnings): (Vec<_>, Vec<_>) = new.partition(|problem| problem.severity == Severity::Error);
    refuse(errors)?;
    if is_same_program(before, patched) { Err(PatchError::NoChange) } else { Ok(warnings) }
}

/// Makes an error of problems, for callers that take none of them.
///
/// # Errors
/// When there is a problem.
pub fn refuse(problems: Vec<Problem>) -> Result<(), PatchError> {
    let Some(first) = problems.first() else { return Ok(()) };
    let code = if first.code.contains(':') { first.code.to_owned() } else { format!("invalid:{}", first.code) };
    Err(PatchError::Invalid { code, problems })
}

/// Whether two projects have one fingerprint and one state at the start. The fingerprint alone leaves out values and places on stage,
/// which a patch may rightly change.
fn is_same_program(before: &Project, patched: &Project) -> bool {
    before.json.get("extensions") == patched.json.get("extensions")
        && targets(&before.json).map(start).eq(targets(&patched.json).map(start))
        && Fingerprint::of(before) == Fingerprint::of(patched)
}

/// What a target is at the start: its properties, and the values of its variables and lists.
fn start(target: TargetView<'_>) -> Vec<Option<&Value>> {
    let collections = ["variables", "lists"].iter();
    PROPERTIES.iter().chain(collections).map(|key| target.get(key)).collect()
}

#[cfg(test)]
#[path = "structure_tests.rs"]
mod tests;
