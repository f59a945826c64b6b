//! Small changes of a project that leave it valid, each of a kind that real files have: two variables of one name, a stale
//! name or id, a value of another kind, another spelling, a slot without anything, a strange name, a comment, a monitor.

use scratchbed::project::Project;
use serde_json::{Map, Value, json};

use super::names::{name, stored, text};
use super::tape::Tape;

/// Changes of one project, at most.
const CHANGES: usize = 4;

/// One kind of change; it does nothing where there is nothing of its kind.
type Change = fn(&mut Value, &mut Tape);

const ALL: [Change; 15] = [
    rename_declared,
    change_reference,
    drop_reference_id,
    change_stored_value,
    change_literal,
    spell_warp_otherwise,
    drop_slot,
    rename_costume_or_sound,
    rename_sprite,
    rename_message,
    put_comment,
    turn_monitor,
    rename_argument_of_call,
    change_choice,
    reverse_keys,
];

/// The project with some changes.
pub fn mutated(mut project: Project, tape: &mut Tape) -> Project {
    for _ in 0..tape.between(1, CHANGES) {
        let change = *tape.pick(&ALL);
        change(&mut project.json, tape);
    }
    project
}

/// A part of any target.
fn any_part<'a>(json: &'a mut Value, tape: &mut Tape, part: &str) -> Option<&'a mut Map<String, Value>> {
    let targets = json["targets"].as_array_mut()?;
    let at = tape.below(targets.len());
    targets[at][part].as_object_mut()
}

/// One of several values, if there are any.
fn any_of<'a>(values: Vec<&'a mut Value>, tape: &mut Tape) -> Option<&'a mut Value> {
    let at = tape.below(values.len().max(1));
    values.into_iter().nth(at)
}

/// Any block of any target that is as wanted, as an object.
fn any_block<'a>(json: &'a mut Value, tape: &mut Tape, is_wanted: impl Fn(&Value) -> bool) -> Option<&'a mut Value> {
    let blocks = any_part(json, tape, "blocks")?;
    any_of(blocks.values_mut().filter(|block| block.is_object() && is_wanted(block)).collect(), tape)
}

/// A list in an input or field that is as wanted, of any block.
fn any_held<'a>(
    json: &'a mut Value,
    tape: &mut Tape,
    part: &'static str,
    is_wanted: impl Fn(&str, &Value) -> bool,
) -> Option<&'a mut Value> {
    let blocks = any_part(json, tape, "blocks")?;
    let held = blocks.values_mut().filter_map(|block| block.get_mut(part)?.as_object_mut()).flatten();
    any_of(held.filter(|(name, value)| is_wanted(name, value)).map(|(_, value)| value).collect(), tape)
}

fn is_reference(name: &str) -> bool {
    ["VARIABLE", "LIST", "BROADCAST_OPTION"].contains(&name)
}

/// The name and id of any variable or list of the project.
fn any_declared(json: &Value, tape: &mut Tape) -> Option<(String, String)> {
    let targets = json["targets"].as_array().into_iter().flatten();
    let parts = targets.flat_map(|target| [&target["variables"], &target["lists"]]);
    let all = parts.filter_map(Value::as_object).flatten();
    let all: Vec<_> = all.filter_map(|(id, one)| Some((one[0].as_str()?.to_owned(), id.clone()))).collect();
    let at = tape.below(all.len().max(1));
    all.into_iter().nth(at)
}

/// Gives a variable or list the name of another one, or a strange one.
fn rename_declared(json: &mut Value, tape: &mut Tape) {
    let other = any_declared(json, tape).map(|(name, _)| name).filter(|_| tape.chance(60));
    let other = other.unwrap_or_else(|| name(tape));
    let part = *tape.pick(&["variables", "lists"]);
    if let Some(one) = any_part(json, tape, part).and_then(|all| any_of(all.values_mut().collect(), tape)) {
        one[0] = json!(other);
    }
}

/// Has a field refer to another variable or list by id, by name or by both.
fn change_reference(json: &mut Value, tape: &mut Tape) {
    let Some((name, id)) = any_declared(json, tape) else { return };
    let way = tape.below(3);
    let Some(field) = any_held(json, tape, "fields", |name, _| is_reference(name)) else { return };
    if way != 0 {
        field[0] = json!(name);
    }
    if way != 1 && field[1].is_string() {
        field[1] = json!(id);
    }
}

/// Leaves out the id of a reference, or has it be one of nothing.
fn drop_reference_id(json: &mut Value, tape: &mut Tape) {
    let id = tape.pick(&[None, Some(Value::Null), Some(json!("an id of nothing"))]).clone();
    let Some(field) = any_held(json, tape, "fields", |name, _| is_reference(name)) else { return };
    let parts = [Some(field[0].clone()), id];
    *field = parts.into_iter().flatten().collect();
}

fn change_stored_value(json: &mut Value, tape: &mut Tape) {
    let value = stored(tape);
    let is_list = tape.chance(40);
    let part = any_part(json, tape, if is_list { "lists" } else { "variables" });
    let Some(one) = part.and_then(|all| any_of(all.values_mut().collect(), tape)) else { return };
    if !is_list {
        one[1] = value;
    } else if let Some(item) = one[1].as_array_mut().and_then(|items| any_of(items.iter_mut().collect(), tape)) {
        *item = value;
    }
}

/// Gives a slot's value another text or kind.
fn change_literal(json: &mut Value, tape: &mut Tape) {
    let is_plain = |slot: &Value| slot[1][0].as_u64().is_some_and(|kind| kind != 9 && (4..11).contains(&kind));
    let value = match tape.below(3) {
        0 => json!(tape.between(0, 50)),
        1 => json!(0.5),
        _ => json!(text(tape)),
    };
    let kind = tape.chance(30).then(|| tape.between(4, 10)).filter(|kind| *kind != 9);
    let Some(slot) = any_held(json, tape, "inputs", |_, slot| is_plain(slot)) else { return };
    slot[1][1] = value;
    if let Some(kind) = kind {
        slot[1][0] = json!(kind);
    }
}

fn spell_warp_otherwise(json: &mut Value, tape: &mut Tape) {
    let spelling = tape.pick(&[json!(true), json!("true"), json!(false), json!("false"), Value::Null]).clone();
    if let Some(block) = any_block(json, tape, |block| block["opcode"] == "procedures_prototype") {
        block["mutation"]["warp"] = spelling;
    }
}

/// Empties a slot that holds no block: blocks that nothing holds would be left.
fn drop_slot(json: &mut Value, tape: &mut Tape) {
    let holds_value = |slot: &Value| slot[0] == 1 && slot[1].is_array();
    let is_wanted = |block: &Value| {
        block["inputs"].as_object().is_some_and(|inputs| inputs.values().any(|slot| slot[0] == 1 && slot[1].is_array()))
    };
    let Some(block) = any_block(json, tape, is_wanted) else { return };
    let Some(inputs) = block["inputs"].as_object_mut() else { return };
    let names: Vec<String> =
        inputs.iter().filter(|(_, slot)| holds_value(slot)).map(|(name, _)| name.clone()).collect();
    inputs.shift_remove(tape.pick(&names));
}

/// Menus keep the name that was.
fn rename_costume_or_sound(json: &mut Value, tape: &mut Tape) {
    let (called, part) = (name(tape), *tape.pick(&["costumes", "sounds"]));
    let targets = json["targets"].as_array_mut().into_iter().flatten();
    let items = targets.filter_map(|target| target[part].as_array_mut()).flatten().collect();
    if let Some(item) = any_of(items, tape) {
        item["name"] = json!(called);
    }
}

fn rename_sprite(json: &mut Value, tape: &mut Tape) {
    let called = Some(name(tape)).filter(|name| name != "_stage_").unwrap_or_default();
    let sprites = json["targets"].as_array_mut().into_iter().flatten().skip(1).collect();
    if let Some(sprite) = any_of(sprites, tape) {
        sprite["name"] = json!(called);
    }
}

/// Senders and receivers keep the name that was, and the id.
fn rename_message(json: &mut Value, tape: &mut Tape) {
    let called = name(tape);
    let messages = json["targets"][0]["broadcasts"].as_object_mut();
    if let Some(message) = messages.and_then(|all| any_of(all.values_mut().collect(), tape)) {
        *message = json!(called);
    }
}

fn put_comment(json: &mut Value, tape: &mut Tape) {
    let words = text(tape);
    let Some(targets) = json["targets"].as_array_mut() else { return };
    let at = tape.below(targets.len());
    let target = &mut targets[at];
    let blocks = target["blocks"].as_object().into_iter().flatten();
    let bare = blocks.filter(|(_, block)| block.is_object() && block["comment"].is_null());
    let ids: Vec<String> = bare.map(|(id, _)| id.clone()).collect();
    let block = (!ids.is_empty()).then(|| tape.pick(&ids).clone());
    if let Some(id) = &block {
        target["blocks"][id]["comment"] = json!("a new comment");
    }
    if target["comments"].is_object() {
        target["comments"]["a new comment"] =
            json!({"blockId": block, "x": 10, "y": 10, "width": 100, "height": 100, "minimized": false, "text": words});
    }
}

fn turn_monitor(json: &mut Value, tape: &mut Tape) {
    let monitors = json["monitors"].as_array_mut().into_iter().flatten().collect();
    if let Some(monitor) = any_of(monitors, tape) {
        monitor["visible"] = json!(monitor["visible"] == false);
    }
}

/// Gives an argument of a call an id that its definition does not have, in the slot and in the mutation.
fn rename_argument_of_call(json: &mut Value, tape: &mut Tape) {
    let Some(call) = any_block(json, tape, |block| block["opcode"] == "procedures_call") else { return };
    let Some(inputs) = call["inputs"].as_object_mut().filter(|inputs| !inputs.is_empty()) else { return };
    let names: Vec<String> = inputs.keys().cloned().collect();
    let old = tape.pick(&names);
    let renamed = |name: &String| if name == old { "a foreign id".to_owned() } else { name.clone() };
    *inputs = std::mem::take(inputs).into_iter().map(|(name, slot)| (renamed(&name), slot)).collect();
    let ids: Vec<String> =
        serde_json::from_str(call["mutation"]["argumentids"].as_str().unwrap_or("[]")).unwrap_or_default();
    call["mutation"]["argumentids"] = json!(json!(ids.iter().map(renamed).collect::<Vec<String>>()).to_string());
}

/// Gives a choice a name that its menu does not have, or a kind that texts don't have.
fn change_choice(json: &mut Value, tape: &mut Tape) {
    let value = if tape.chance(80) { json!(name(tape)) } else { stored(tape) };
    let is_wanted = |name: &str, field: &Value| !is_reference(name) && name != "VALUE" && field[0].is_string();
    if let Some(field) = any_held(json, tape, "fields", is_wanted) {
        field[0] = value;
    }
}

/// What does not matter: the order of a block's own keys.
fn reverse_keys(json: &mut Value, tape: &mut Tape) {
    if let Some(block) = any_block(json, tape, |_| true).and_then(Value::as_object_mut) {
        *block = std::mem::take(block).into_iter().rev().collect();
    }
}
