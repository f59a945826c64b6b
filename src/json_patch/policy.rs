//! Where a patch may change a project (EcoScratch, section 5): blocks, variables, lists, messages, what a target's place and looks are,
//! and the built-in extensions. Whether the place is there is not looked at.

use scratchbed_project::BUILT_IN_EXTENSIONS;
use serde_json::Value;

use super::document::index;
use super::operation::Operation;

/// Members of a target that hold what has an id, and may be changed entry by entry.
pub(super) const COLLECTIONS: [&str; 4] = ["blocks", "variables", "lists", "broadcasts"];

/// Members of a target that can be set (EcoScratch, section 5).
pub(super) const PROPERTIES: [&str; 11] = [
    "x",
    "y",
    "size",
    "direction",
    "visible",
    "draggable",
    "rotationStyle",
    "currentCostume",
    "volume",
    "layerOrder",
    "tempo",
];

/// Keys that a pointer may have. With a value of 64 levels (`schema`) below it, a project can still be read again: `serde_json` reads
/// 127 levels.
const MOST_KEYS: usize = 63;

/// Whether an operation may be made at a place of a project; else why not.
pub(super) fn check(project: &Value, place: &[&str], operation: &Operation) -> Result<(), &'static str> {
    if place.len() > MOST_KEYS {
        return Err("nothing in a project lies so deep");
    }
    match place {
        ["targets", _, collection, _, ..] if COLLECTIONS.contains(collection) => Ok(()),
        ["targets", target, property] if PROPERTIES.contains(property) => {
            let target = index(target).and_then(|target| project.get("targets")?.get(target));
            match operation {
                Operation::Remove { .. } => Err("a property of a target can only be set"),
                Operation::Add { .. } if target.is_some_and(|target| target.get(property).is_none()) => {
                    Err("this target has no such property")
                }
                _ => Ok(()),
            }
        }
        ["extensions", place] => extension(project, place, operation),
        _ => {
            Err("only blocks, variables, lists and broadcasts by id, some properties of a target and extensions can be")
        }
    }
}

fn extension(project: &Value, place: &str, operation: &Operation) -> Result<(), &'static str> {
    let Operation::Add { value, .. } = operation else { return Err("an extension can only be added") };
    let known = project.get("extensions").and_then(Value::as_array).map_or(0, Vec::len);
    if place != "-" && index(place).is_none_or(|at| at < known) {
        return Err("an extension is added at the end, /extensions/-");
    }
    let is_built_in = value.as_str().is_some_and(|id| BUILT_IN_EXTENSIONS.contains(&id));
    if is_built_in { Ok(()) } else { Err("it is none of the editor's own extensions") }
}
