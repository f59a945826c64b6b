//! The operations that lead from one project to another, as few and short as a comparison member by member gives. Comments, monitors and
//! metadata are passed over: they are no part of what a program does, and no patch may change them.

use scratchbed_project::BUILT_IN_EXTENSIONS;
use scratchbed_project::walk::is_hat;
use serde_json::{Map, Value};

use super::operation::{Operation, wire_form};
use super::pointer::join;
use super::policy::{COLLECTIONS, PROPERTIES};

/// Why no operations lead from one project to another.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DifferenceError {
    /// They differ at these places, where no patch may change anything.
    #[error("the projects differ where no patch reaches: {}", .0.join(", "))]
    OutOfReach(Vec<String>),
}

/// The operations that give a buggy project the blocks, variables, lists, broadcasts, properties and extensions of another, and the
/// order in which its scripts run.
///
/// # Errors
/// With the pointers of what differs besides, such as costumes.
pub fn difference(buggy: &Value, gold: &Value) -> Result<Vec<Operation>, DifferenceError> {
    let mut found = Found::default();
    let (before, after) = (list(buggy, "targets"), list(gold, "targets"));
    if before.len() != after.len() {
        found.out_of_reach.push("/targets".to_owned());
    }
    for (number, (before, after)) in before.iter().zip(after).enumerate() {
        found.target(&format!("/targets/{number}"), before, after);
    }
    found.extensions(list(buggy, "extensions"), list(gold, "extensions"));
    if found.out_of_reach.is_empty() {
        Ok(found.operations)
    } else {
        Err(DifferenceError::OutOfReach(found.out_of_reach))
    }
}

#[derive(Default)]
struct Found {
    operations: Vec<Operation>,
    out_of_reach: Vec<String>,
}

impl Found {
    fn target(&mut self, place: &str, before: &Value, after: &Value) {
        let keys = |value: &Value| value.as_object().map(|members| members.keys().cloned().collect::<Vec<_>>());
        let mut all = keys(before).unwrap_or_default();
        all.extend(keys(after).unwrap_or_default().into_iter().filter(|key| before.get(key).is_none()));
        for key in all.iter().filter(|key| *key != "comments") {
            let pointer = join(place, key);
            match (before.get(key), after.get(key)) {
                (Some(before), Some(after)) if before == after && key != "blocks" => {}
                (before, after) if COLLECTIONS.contains(&key.as_str()) => self.collection(pointer, before, after),
                (Some(_), Some(value)) if PROPERTIES.contains(&key.as_str()) => {
                    self.operations.push(Operation::Replace { path: pointer, value: value.clone() });
                }
                _ => self.out_of_reach.push(pointer),
            }
        }
    }

    /// Blocks, or what else has an id. Absent counts as empty.
    fn collection(&mut self, pointer: String, before: Option<&Value>, after: Option<&Value>) {
        let empty = Map::new();
        let entries = |value: Option<&Value>| value.map_or(Some(empty.clone()), |value| value.as_object().cloned());
        let (Some(old), Some(new)) = (entries(before), entries(after)) else {
            return self.out_of_reach.push(pointer);
        };
        if before.is_none() && !new.is_empty() {
            return self.out_of_reach.push(pointer);
        }
        let moved = late_scripts(&old, &new);
        let mut kept = old;
        for id in &moved {
            kept.shift_remove(id);
            self.operations.push(Operation::Remove { path: join(&pointer, id) });
        }
        self.operations.extend(member_changes(&pointer, &kept, &new));
    }

    fn extensions(&mut self, before: &[Value], after: &[Value]) {
        let is_built_in = |value: &Value| value.as_str().is_some_and(|id| BUILT_IN_EXTENSIONS.contains(&id));
        let new: Vec<&Value> = after.iter().filter(|id| !before.contains(id)).collect();
        if before.iter().any(|id| !after.contains(id)) || new.iter().any(|id| !is_built_in(id)) {
            return self.out_of_reach.push("/extensions".to_owned());
        }
        let add = |id: &Value| Operation::Add { path: "/extensions/-".to_owned(), value: id.clone() };
        self.operations.extend(new.into_iter().map(add));
    }
}

fn list<'v>(project: &'v Value, key: &str) -> &'v [Value] {
    project.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// First blocks of scripts that must be taken away and added again, so that scripts run in the order of `new`: what is added stands
/// behind all that stays.
fn late_scripts(old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<String> {
    let starts = |block: &Value| {
        block.get("topLevel") == Some(&Value::Bool(true))
            && block.get("opcode").and_then(Value::as_str).is_some_and(is_hat)
    };
    let place = |id: &String| old.keys().position(|known| known == id);
    let places: Vec<(&String, Option<usize>)> =
        new.iter().filter(|(_, block)| starts(block)).map(|(id, _)| (id, place(id))).collect();
    let in_order = |pair: &[(&String, Option<usize>)]| pair[0].1.is_some() && pair[0].1 < pair[1].1;
    let added_last = places.iter().position(|(_, place)| place.is_none()).unwrap_or(places.len());
    if places[..added_last].windows(2).all(in_order) && places[added_last..].iter().all(|(_, place)| place.is_none()) {
        return Vec::new();
    }
    let ordered = places[..added_last].windows(2).take_while(|pair| in_order(pair)).count();
    let staying = if added_last == 0 { 0 } else { ordered + 1 };
    places[staying..].iter().filter(|(_, place)| place.is_some()).map(|(id, _)| (*id).clone()).collect()
}

/// What makes one value of another: the whole of it, or its parts where that is shorter.
fn changes(pointer: &str, before: &Value, after: &Value) -> Vec<Operation> {
    if before == after {
        return Vec::new();
    }
    let whole = vec![Operation::Replace { path: pointer.to_owned(), value: after.clone() }];
    let parts = match (before, after) {
        (Value::Object(before), Value::Object(after)) => member_changes(pointer, before, after),
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            let items = before.iter().zip(after).enumerate();
            items.flat_map(|(at, (before, after))| changes(&join(pointer, &at.to_string()), before, after)).collect()
        }
        _ => return whole,
    };
    let length = |operations: &[Operation]| wire_form(operations).to_string().len();
    if length(&parts) < length(&whole) { parts } else { whole }
}

fn member_changes(pointer: &str, before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<Operation> {
    let gone = before.keys().filter(|key| !after.contains_key(*key));
    let mut operations: Vec<Operation> = gone.map(|key| Operation::Remove { path: join(pointer, key) }).collect();
    for (key, value) in after {
        let path = join(pointer, key);
        match before.get(key) {
            Some(old) => operations.extend(changes(&path, old, value)),
            None => operations.push(Operation::Add { path, value: value.clone() }),
        }
    }
    operations
}

#[cfg(test)]
#[path = "difference_tests.rs"]
mod tests;
