//! Edits that preserve behaviour: slots swapped, a value wrapped in a reporter, a script cut in two, everything moved
//! elsewhere.

use serde_json::{Value, json};

use super::stack::Blocks;

/// How far scripts are moved, in workspace units.
const MOVED: (f64, f64) = (37.0, 53.0);

/// Two slots of a block change places with all that is in them.
pub(super) fn swap(blocks: &mut Blocks, id: &str, [a, b]: &[String; 2]) -> Option<()> {
    let inputs = blocks.get_mut(id)?.get_mut("inputs")?.as_object_mut()?;
    let (first, second) = (inputs.get(a)?.clone(), inputs.get(b)?.clone());
    inputs.insert(a.clone(), second);
    inputs.insert(b.clone(), first);
    Some(())
}

/// What is in a slot goes into a slot of a new reporter, and this takes its place.
pub(super) fn wrap(
    blocks: &mut Blocks,
    id: &str,
    input: &str,
    (name, reporter): &(String, Value),
    slot: &str,
) -> Option<()> {
    if blocks.contains_key(name) {
        return None;
    }
    let held = blocks.get(id)?.get("inputs")?.get(input)?.clone();
    for inner in held.as_array().into_iter().flatten().skip(1).filter_map(Value::as_str) {
        blocks.get_mut(inner)?.as_object_mut()?.insert("parent".to_owned(), json!(name));
    }
    let mut reporter = reporter.clone();
    reporter.get_mut("inputs")?.as_object_mut()?.insert(slot.to_owned(), held);
    blocks.insert(name.clone(), reporter);
    *blocks.get_mut(id)?.get_mut("inputs")?.get_mut(input)? = json!([3, name, [10, "0"]]);
    Some(())
}

/// The first statement of a script gets a hat of its own like that of the rest, which runs right after it.
pub(super) fn split_script(blocks: &mut Blocks, hat: &str) -> Option<()> {
    let own = format!("{hat}.own");
    if blocks.contains_key(&own) {
        return None;
    }
    let first = blocks.get(hat)?.get("next")?.as_str()?.to_owned();
    let second = blocks.get(&first)?.get("next")?.as_str()?.to_owned();
    let mut copy = blocks.get(hat)?.clone();
    copy.as_object_mut()?.shift_remove("comment");
    blocks.get_mut(hat)?.as_object_mut()?.insert("next".to_owned(), json!(second));
    blocks.get_mut(&second)?.as_object_mut()?.insert("parent".to_owned(), json!(hat));
    blocks.get_mut(&first)?.as_object_mut()?.insert("next".to_owned(), Value::Null);
    blocks.get_mut(&first)?.as_object_mut()?.insert("parent".to_owned(), json!(own));
    // Scripts run in the order of their keys: the first part before the second, and both where the whole was.
    let place = blocks.keys().position(|key| key == hat)?;
    blocks.shift_insert(place, own, copy);
    Some(())
}

/// All scripts lie elsewhere, and there is a comment.
pub(super) fn layout(target: &mut Value) -> Option<()> {
    let shift = |value: Option<&Value>, by: f64| json!(value.and_then(Value::as_f64).unwrap_or_default() + by);
    for (_, block) in target.get_mut("blocks")?.as_object_mut()? {
        if block.get("topLevel").and_then(Value::as_bool) == Some(true) {
            let (x, y) = (shift(block.get("x"), MOVED.0), shift(block.get("y"), MOVED.1));
            let block = block.as_object_mut()?;
            block.insert("x".to_owned(), x);
            block.insert("y".to_owned(), y);
        }
    }
    let comment = json!({"blockId": null, "x": 400, "y": 40, "width": 200, "height": 120, "minimized": false,
        "text": "does the same"});
    target.get_mut("comments")?.as_object_mut()?.insert("benign-comment".to_owned(), comment);
    Some(())
}
