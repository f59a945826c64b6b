//! Edits of stacks: statements are inserted, copied, moved out of a mouth, or replace what surrounds them.
//!
//! New ids are made of those that are there, so that each build of a mutant is the same.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// The blocks of a target.
pub(super) type Blocks = Map<String, Value>;

/// New statements in the order in which they run, with their ids; how they are joined is found here.
pub(super) type Stack = Vec<(String, Value)>;

/// The id of a statement's copy.
pub(super) fn copy_id(id: &str) -> String {
    format!("{id}.again")
}

fn text(blocks: &Blocks, id: &str, key: &str) -> Option<String> {
    blocks.get(id)?.get(key)?.as_str().map(str::to_owned)
}

fn put(blocks: &mut Blocks, id: &str, key: &str, value: Value) -> Option<()> {
    blocks.get_mut(id)?.as_object_mut()?.insert(key.to_owned(), value);
    Some(())
}

/// Makes what points to `old`, from above or from around, point to `new`; a mouth that nothing is left for goes.
fn repoint(blocks: &mut Blocks, above: &str, old: &str, new: Option<&str>) -> Option<()> {
    let above = blocks.get_mut(above)?.as_object_mut()?;
    if above.get("next").and_then(Value::as_str) == Some(old) {
        above.insert("next".to_owned(), json!(new));
        return Some(());
    }
    let inputs = above.get_mut("inputs")?.as_object_mut()?;
    let name = inputs.iter().find(|(_, input)| input.get(1).and_then(Value::as_str) == Some(old))?.0.clone();
    match new {
        Some(new) => *inputs.get_mut(&name)?.get_mut(1)? = json!(new),
        None => drop(inputs.shift_remove(&name)),
    }
    Some(())
}

/// Takes a statement out of its stack, which closes; the block stays among the blocks.
fn detach(blocks: &mut Blocks, id: &str) -> Option<()> {
    let (above, next) = (text(blocks, id, "parent")?, text(blocks, id, "next"));
    repoint(blocks, &above, id, next.as_deref())?;
    if let Some(next) = next {
        put(blocks, &next, "parent", json!(above))?;
    }
    put(blocks, id, "next", Value::Null)
}

/// Joins the stack from `first` to `last` below a statement.
fn join_below(blocks: &mut Blocks, above: &str, first: &str, last: &str) -> Option<()> {
    let next = text(blocks, above, "next");
    put(blocks, above, "next", json!(first))?;
    put(blocks, first, "parent", json!(above))?;
    put(blocks, last, "next", json!(next))?;
    next.map_or(Some(()), |next| put(blocks, &next, "parent", json!(last)))
}

/// Adds statements that are joined to each other; the ids of the first and the last one.
fn add(blocks: &mut Blocks, stack: &[(String, Value)]) -> Option<(String, String)> {
    for (at, (id, block)) in stack.iter().enumerate() {
        if blocks.contains_key(id) {
            return None;
        }
        blocks.insert(id.clone(), block.clone());
        put(blocks, id, "next", json!(stack.get(at + 1).map(|(next, _)| next)))?;
        put(blocks, id, "parent", json!(at.checked_sub(1).and_then(|above| stack.get(above)).map(|(above, _)| above)))?;
    }
    Some((stack.first()?.0.clone(), stack.last()?.0.clone()))
}

/// Puts new statements below one.
pub(super) fn insert(blocks: &mut Blocks, below: &str, stack: &[(String, Value)]) -> Option<()> {
    let (first, last) = add(blocks, stack)?;
    join_below(blocks, below, &first, &last)
}

/// Adds a script of its own.
pub(super) fn add_script(blocks: &mut Blocks, stack: &[(String, Value)]) -> Option<()> {
    let (first, _) = add(blocks, stack)?;
    put(blocks, &first, "topLevel", json!(true))?;
    put(blocks, &first, "x", json!(0))?;
    put(blocks, &first, "y", json!(0))
}

/// Copies a statement with all that it holds below itself.
pub(super) fn double(blocks: &mut Blocks, id: &str) -> Option<()> {
    let copy = copy(blocks, id)?;
    join_below(blocks, id, &copy, &copy)
}

/// Copies a statement below itself, to be run only where `condition` holds: a reporter with its id.
pub(super) fn double_if(blocks: &mut Blocks, id: &str, condition: &(String, Value)) -> Option<()> {
    let (copy, guard) = (copy(blocks, id)?, format!("{id}.if"));
    let (test, reporter) = condition;
    if blocks.contains_key(&guard) || blocks.contains_key(test) {
        return None;
    }
    blocks.insert(
        guard.clone(),
        json!({"opcode": "control_if", "next": null, "parent": null, "fields": {}, "shadow": false, "topLevel": false,
            "inputs": {"CONDITION": [2, test], "SUBSTACK": [2, copy]}}),
    );
    blocks.insert(test.clone(), reporter.clone());
    put(blocks, test, "parent", json!(guard))?;
    put(blocks, &copy, "parent", json!(guard))?;
    join_below(blocks, id, &guard, &guard)
}

/// A copy of a block, of what it holds, and of what follows inside of it, joined to nothing.
fn copy(blocks: &mut Blocks, id: &str) -> Option<String> {
    let mut ids = vec![id.to_owned()];
    let mut at = 0;
    while let Some(here) = ids.get(at).cloned() {
        let block = blocks.get(&here)?;
        let inputs = block.get("inputs").and_then(Value::as_object).into_iter().flat_map(Map::values);
        let held = inputs.flat_map(|input| input.as_array().into_iter().flatten().skip(1)).filter_map(Value::as_str);
        let next = block.get("next").and_then(Value::as_str).filter(|_| at > 0);
        let found: Vec<String> = held.chain(next).map(str::to_owned).collect();
        ids.extend(found);
        at += 1;
    }
    let names: BTreeMap<String, String> = ids.iter().map(|id| (id.clone(), copy_id(id))).collect();
    if names.values().any(|name| blocks.contains_key(name)) {
        return None;
    }
    for (old, new) in &names {
        let mut block = blocks.get(old)?.clone();
        rename(&mut block, &names);
        blocks.insert(new.clone(), block);
    }
    let copied = copy_id(id);
    put(blocks, &copied, "next", Value::Null)?;
    Some(copied)
}

/// Points a copied block to copies; it has no comment, since comments are not copied.
fn rename(block: &mut Value, names: &BTreeMap<String, String>) {
    let renamed = |id: &mut Value| {
        if let Some(name) = id.as_str().and_then(|id| names.get(id)) {
            *id = json!(name);
        }
    };
    let Some(block) = block.as_object_mut() else { return };
    block.shift_remove("comment");
    for key in ["next", "parent"] {
        block.get_mut(key).into_iter().for_each(renamed);
    }
    let inputs = block.get_mut("inputs").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut);
    inputs.flat_map(|input| input.as_array_mut().into_iter().flatten().skip(1)).for_each(renamed);
}

/// The block whose mouth a statement lies in.
fn around(blocks: &Blocks, id: &str) -> Option<String> {
    let mut here = id.to_owned();
    loop {
        let above = text(blocks, &here, "parent")?;
        if text(blocks, &above, "next").as_deref() != Some(here.as_str()) {
            return Some(above);
        }
        here = above;
    }
}

/// Moves a statement out of the mouth that it lies in, to below what has the mouth, or to above it.
pub(super) fn move_out(blocks: &mut Blocks, id: &str, below: bool) -> Option<()> {
    let holder = around(blocks, id)?;
    detach(blocks, id)?;
    if below {
        return join_below(blocks, &holder, id, id);
    }
    let above = text(blocks, &holder, "parent")?;
    repoint(blocks, &above, &holder, Some(id))?;
    put(blocks, id, "parent", json!(above))?;
    put(blocks, id, "next", json!(holder))?;
    put(blocks, &holder, "parent", json!(id))
}

/// Puts the stack in the first mouth of a statement in its place. What else the statement held is left over, and joined to nothing.
pub(super) fn open(blocks: &mut Blocks, id: &str) -> Option<()> {
    let first = blocks.get(id)?.get("inputs")?.get("SUBSTACK")?.get(1)?.as_str()?.to_owned();
    let mut last = first.clone();
    while let Some(next) = text(blocks, &last, "next") {
        last = next;
    }
    let (above, next) = (text(blocks, id, "parent")?, text(blocks, id, "next"));
    repoint(blocks, &above, id, Some(&first))?;
    put(blocks, &first, "parent", json!(above))?;
    put(blocks, &last, "next", json!(next))?;
    if let Some(next) = next {
        put(blocks, &next, "parent", json!(last))?;
    }
    blocks.get_mut(id)?.get_mut("inputs")?.as_object_mut()?.shift_remove("SUBSTACK").map(drop)
}
