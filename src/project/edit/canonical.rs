//! One way of writing blocks, so that a patch and its inverse give the same bytes. The order of blocks stays: scripts run in it.

use serde_json::{Map, Value};

use crate::links::complete_parents;

/// The keys of a block, in their order; others follow.
const KEYS: [&str; 11] =
    ["opcode", "next", "parent", "inputs", "fields", "shadow", "topLevel", "x", "y", "mutation", "comment"];

/// Writes all blocks of a project in one way: keys in one order, fields and slots by name, no slot that holds nothing, and what holds a
/// block as its parent. Messages are in the order of their ids.
pub fn canonical(project: &mut Value) {
    let targets = project.get_mut("targets").and_then(Value::as_array_mut);
    for target in targets.into_iter().flatten() {
        if let Some(messages) = target.get_mut("broadcasts").and_then(Value::as_object_mut) {
            messages.sort_keys();
        }
        let Some(blocks) = target.get_mut("blocks").and_then(Value::as_object_mut) else { continue };
        complete_parents(blocks);
        blocks.values_mut().filter_map(Value::as_object_mut).for_each(written);
    }
}

/// One block.
pub(super) fn written(block: &mut Map<String, Value>) {
    if let Some(inputs) = block.get_mut("inputs").and_then(Value::as_object_mut) {
        inputs.retain(|_, input| input.get(1).is_some_and(|seen| !seen.is_null()));
        inputs.sort_keys();
    }
    if let Some(fields) = block.get_mut("fields").and_then(Value::as_object_mut) {
        fields.sort_keys();
    }
    let mut rest = std::mem::take(block);
    for key in KEYS {
        if let Some(value) = rest.shift_remove(key) {
            block.insert(key.to_owned(), value);
        }
    }
    block.extend(rest);
}
