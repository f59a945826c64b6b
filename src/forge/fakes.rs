//! Blocks of projects that are made up for tests.

use serde_json::{Value, json};

/// A block below or in its parent; without one it begins a script.
pub(super) fn block(opcode: &str, parent: Option<&str>, next: Option<&str>, inputs: Value, fields: Value) -> Value {
    let mut block = json!({"opcode": opcode, "next": next, "parent": parent, "inputs": null, "fields": null, "shadow": false,
        "topLevel": parent.is_none()});
    (block["inputs"], block["fields"]) = (inputs, fields);
    if parent.is_none() {
        (block["x"], block["y"]) = (json!(0), json!(0));
    }
    block
}
