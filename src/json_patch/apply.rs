//! A patch carried out on a project: all operations in order, or none. On the way each is written in the one way in which patches are
//! stored and compared, which depends on what the project has at that moment.

use serde_json::Value;

use super::counts::Counts;
use super::document::{Refusal, carry_out, find};
use super::error::PatchError;
use super::operation::Operation;
use super::pointer::Pointer;
use super::policy;

/// A patch that was carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// The changed `project.json`.
    pub project: Value,
    /// What was done, written in one way.
    pub operations: Vec<Operation>,
    /// What was put right for that.
    pub counts: Counts,
}

/// A patch written in one way.
#[derive(Debug, Clone, PartialEq)]
pub struct Normalised {
    /// The operations that change something.
    pub operations: Vec<Operation>,
    /// What was put right.
    pub counts: Counts,
}

/// Carries operations out on `project.json`, within the policy; the project given stays as it is.
///
/// An operation that sets what is there already is dropped, and an addition of a member that is there becomes a replacement. A pointer
/// that fails is tried once more with the id of a block as it stands, if exactly one fits.
///
/// # Errors
/// With the first operation that the policy refuses, else the first one that can't be made.
pub fn apply(project: &Value, operations: &[Operation]) -> Result<Applied, PatchError> {
    for (number, operation) in operations.iter().enumerate() {
        // What is no pointer may become one, to a block, by the lenient rule.
        let Some(place) = Pointer::parse(operation.path()) else { continue };
        policy::check(project, &place.parts(), operation).map_err(|why| PatchError::PathDenied {
            operation: number,
            pointer: operation.path().to_owned(),
            why,
        })?;
    }
    let mut work = Work::on(project);
    for (number, operation) in operations.iter().enumerate() {
        work.step(operation).map_err(|refusal| refused(refusal, number, operation))?;
    }
    Ok(Applied { project: work.project, operations: work.operations, counts: work.counts })
}

/// Writes operations in one way, for comparison with other patches. From the first one on that can't be made, they stay as they are.
pub fn normalise(project: &Value, operations: &[Operation]) -> Normalised {
    let mut work = Work::on(project);
    let made = operations.iter().take_while(|operation| work.step(operation).is_ok()).count();
    work.operations.extend_from_slice(&operations[made..]);
    Normalised { operations: work.operations, counts: work.counts }
}

/// Carries operations out on any JSON as RFC 6902 has them, without policy and tolerance.
///
/// # Errors
/// With the first operation that can't be made.
pub fn apply_unrestricted(document: &Value, operations: &[Operation]) -> Result<Value, PatchError> {
    let mut document = document.clone();
    for (number, operation) in operations.iter().enumerate() {
        let made = match Pointer::parse(operation.path()) {
            Some(place) => carry_out(&mut document, &place, operation),
            None => Err(Refusal::BadPointer),
        };
        made.map_err(|refusal| refused(refusal, number, operation))?;
    }
    Ok(document)
}

fn refused(refusal: Refusal, operation: usize, given: &Operation) -> PatchError {
    let pointer = given.path().to_owned();
    match refusal {
        Refusal::NoSuchPath(nearest) => PatchError::NoSuchPath { operation, pointer, nearest },
        Refusal::BadIndex(length) => PatchError::BadIndex { operation, pointer, length },
        Refusal::BadPointer => PatchError::BadPointer { operation, pointer },
    }
}

/// A project that is being changed, and how.
struct Work {
    project: Value,
    operations: Vec<Operation>,
    counts: Counts,
}

impl Work {
    fn on(project: &Value) -> Self {
        Self { project: project.clone(), operations: Vec::new(), counts: Counts::default() }
    }

    fn step(&mut self, operation: &Operation) -> Result<(), Refusal> {
        let made = match Pointer::parse(operation.path()) {
            Some(place) => self.make(&place, operation.clone()),
            None => Err(Refusal::BadPointer),
        };
        let Err(refusal) = made else { return Ok(()) };
        let Some(place) = with_literal_id(&self.project, operation.path()) else { return Err(refusal) };
        self.make(&place, operation.clone().at(place.text())).map_err(|_| refusal)?;
        self.counts.unescaped += 1;
        Ok(())
    }

    fn make(&mut self, place: &Pointer, operation: Operation) -> Result<(), Refusal> {
        let present = find(&self.project, &place.keys).ok();
        let operation = match operation {
            Operation::Replace { value, .. } if present == Some(&value) => {
                self.counts.normalised += 1;
                return Ok(());
            }
            Operation::Add { path, value } if present.is_some() && is_member(&self.project, place) => {
                self.counts.normalised += 1;
                if present == Some(&value) {
                    return Ok(());
                }
                Operation::Replace { path, value }
            }
            other => other,
        };
        carry_out(&mut self.project, place, &operation)?;
        self.operations.push(operation);
        Ok(())
    }
}

/// Whether a place is a member of an object, and not an item of a list.
fn is_member(project: &Value, place: &Pointer) -> bool {
    place.keys.split_last().is_some_and(|(_, above)| find(project, above).is_ok_and(Value::is_object))
}

/// A pointer to a block or below it, with the block's id as it stands. Ids that need no escapes were found already, if they fit.
fn with_literal_id(project: &Value, path: &str) -> Option<Pointer> {
    let (target, rest) = path.strip_prefix("/targets/")?.split_once("/blocks/")?;
    let keys = ["targets", target, "blocks"].map(str::to_owned);
    let blocks = find(project, &keys).ok()?.as_object()?;
    let fitting = blocks.keys().filter(|id| id.contains(['/', '~'])).filter_map(|id| {
        let below = rest.strip_prefix(id.as_str())?;
        let below = Pointer::parse(below)?;
        Some(keys.iter().cloned().chain([id.clone()]).chain(below.keys).collect())
    });
    let fitting: Vec<Vec<String>> = fitting.collect();
    match <[_; 1]>::try_from(fitting) {
        Ok([keys]) => Some(Pointer { keys }),
        Err(_) => None,
    }
}

#[cfg(test)]
#[path = "apply_tests.rs"]
mod tests;
