//! The normalised form of a project (ScratchEval, section 2.7): names agree with ids as the editor's loader would have it, blocks hang
//! together as the editor draws them (`links`), messages that nobody names are gone, comments are gone, all ids are made anew, so that a
//! block which is injected later does not show by its id, and scripts lie in a row, so that a block which is taken away leaves no gap.
//!
//! A patch without edits leaves a normalised project as it is, to the byte.
//!
//! What only a loader can complete, such as missing defaults of slots, is not done here.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::edit::{apply, canonical, undeclare};
use crate::links::mend;
use crate::loaded::loaded;
use crate::view::TargetView;
use scratchbed_model::sha256_hex;

/// Letters of ids.
const BASE_62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Letters of an id.
const ID_LENGTH: usize = 8;
/// Kinds of values in slots that are written out: numbers, colours and texts.
const PLAIN: std::ops::RangeInclusive<u64> = 4..=10;
/// Where the first script lies, and how much room each has to its right.
const EDGE: u64 = 40;
const COLUMN: u64 = 600;

/// An id that tells nothing: made of the salt, the target's name and what is to be named.
pub fn new_id(salt: &str, target: &str, old: &str) -> String {
    let digest = sha256_hex(json!([salt, target, old]).to_string().as_bytes());
    let byte = |at: usize| usize::from_str_radix(&digest[2 * at..2 * at + 2], 16).unwrap_or_default();
    (0..ID_LENGTH).map(|at| char::from(BASE_62[byte(at) % BASE_62.len()])).collect()
}

/// Normalises a project. The same salt gives the same ids again.
pub fn normalise(project: &mut Value, salt: &str) {
    // What a reference means is read before anything has another id, or none.
    *project = loaded(project).json;
    name_sprites(project);
    project["targets"].as_array_mut().into_iter().flatten().for_each(whole);
    let mut taken = BTreeSet::new();
    rename(project, |target, old| free(salt, target, old, &mut taken));
    undeclare(project);
    project["targets"].as_array_mut().into_iter().flatten().for_each(lay_out);
    project["meta"] = json!({"semver": "3.0.0", "vm": "0.0.0", "agent": ""});
    canonical(project);
}

/// Numbers all ids by their places. A conversion draws them at random, in the order in which pictures and sounds happen to arrive, and what
/// is normalised must not depend on that.
pub fn number_ids(project: &mut Value) {
    let mut numbers = 1..;
    rename(project, |_, _| format!("converted {}", numbers.next().unwrap_or_default()));
    canonical(project);
}

/// Makes all ids anew, each by its target and what it was: those of declarations in the order of their names, then those of blocks and
/// comments as they stand.
fn rename(project: &mut Value, mut new: impl FnMut(&str, &str) -> String) {
    let declared = declarations(project);
    let stage = project["targets"].as_array().into_iter().flatten().position(|target| target["isStage"] == true);
    let mut named: BTreeMap<usize, Named> = BTreeMap::new();
    for one in declared {
        let id = new(&one.target, &one.id);
        named.entry(one.at).or_default().insert(one.id, (id, one.name));
    }
    let of_stage = stage.and_then(|stage| named.get(&stage)).cloned().unwrap_or_default();
    // A target's own goes before the stage's. Of one id in two sprites each means its own.
    let reached = |at: usize| {
        let mut all = of_stage.clone();
        all.extend(named.get(&at).cloned().unwrap_or_default());
        all
    };
    for (at, target) in project["targets"].as_array_mut().into_iter().flatten().enumerate() {
        Renaming::new(target, &mut new).carry_out(target, &reached(at));
    }
    rename_monitors(project, reached);
}

/// Whether a patch without edits leaves a project as it is, to the byte. In any other project nothing that is injected can be taken back
/// exactly.
pub fn is_left_alone(project: &Value) -> bool {
    // The order of keys counts as well.
    let text = |json: &Value| json.to_string();
    apply(project, &[]).is_ok_and(|same| text(&same) == text(project))
}

/// The place of a target's script: they lie side by side, whatever their length.
pub fn column(number: usize) -> (u64, u64) {
    (EDGE + COLUMN * number as u64, EDGE)
}

/// Scripts side by side, in the order of their ids, which tells nothing.
fn lay_out(target: &mut Value) {
    let Some(blocks) = target.get_mut("blocks").and_then(Value::as_object_mut) else { return };
    let mut tops: Vec<&String> = blocks.iter().filter(|(_, block)| is_placed(block)).map(|(id, _)| id).collect();
    tops.sort_unstable();
    let places: BTreeMap<String, (u64, u64)> =
        tops.into_iter().cloned().zip(0..).map(|(id, number)| (id, column(number))).collect();
    for (id, (x, y)) in places {
        match &mut blocks[&id] {
            Value::Array(parts) => (parts[3], parts[4]) = (json!(x), json!(y)),
            block => (block["x"], block["y"]) = (json!(x), json!(y)),
        }
    }
}

/// Whether a block has a place of its own.
fn is_placed(block: &Value) -> bool {
    match block {
        Value::Array(parts) => parts.len() >= 5,
        block => block["topLevel"] == true && block["shadow"] != true,
    }
}

/// An id that nothing has yet.
fn free(salt: &str, target: &str, old: &str, taken: &mut BTreeSet<String>) -> String {
    let mut id = new_id(salt, target, old);
    let mut turn = 1;
    while !taken.insert(id.clone()) {
        turn += 1;
        id = new_id(salt, target, &format!("{old} {turn}"));
    }
    id
}

/// Gives a target what older files leave out, takes its comments away, and has its blocks hang together.
fn whole(target: &mut Value) {
    for key in ["variables", "lists", "broadcasts", "blocks"] {
        if !target[key].is_object() {
            target[key] = json!({});
        }
    }
    // Of several kinds with one id the machine keeps the last.
    for (kind, later) in [("lists", ["broadcasts"].as_slice()), ("variables", ["lists", "broadcasts"].as_slice())] {
        let is_lost = |id: &str| later.iter().any(|later| target[*later].get(id).is_some());
        let lost: Vec<String> =
            target[kind].as_object().into_iter().flat_map(Map::keys).filter(|id| is_lost(id)).cloned().collect();
        for id in lost {
            if let Some(all) = target[kind].as_object_mut() {
                all.shift_remove(&id);
            }
        }
    }
    without_comments(target);
    target["blocks"].as_object_mut().into_iter().for_each(mend);
}

/// Takes comments away: what an author says of a block tells what it should do.
fn without_comments(target: &mut Value) {
    target["comments"] = json!({});
    for block in target["blocks"].as_object_mut().into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut)
    {
        block.shift_remove("comment");
    }
}

/// Gives each sprite a name of its own, as the loader does.
fn name_sprites(project: &mut Value) {
    let mut taken = BTreeSet::from(["Stage".to_owned()]);
    for target in project["targets"].as_array_mut().into_iter().flatten().filter(|target| target["isStage"] != true) {
        let name = target["name"].as_str().unwrap_or_default().to_owned();
        let plain = name.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_owned();
        let mut own = name;
        let mut number = 2;
        while !taken.insert(own.clone()) {
            own = format!("{plain}{number}");
            number += 1;
        }
        target["name"] = json!(own);
    }
}

/// New ids, and names, of what a target can refer to, by the old ids.
type Named = BTreeMap<String, (String, String)>;

/// A variable, list or message: its id, where it is declared, and its name.
struct Declared {
    /// The number of its target.
    at: usize,
    id: String,
    target: String,
    name: String,
}

/// Variables, lists and messages of each target, in the order of their names; what a target declares twice counts once.
fn declarations(project: &Value) -> Vec<Declared> {
    let (mut all, mut known) = (Vec::new(), BTreeSet::new());
    for (at, target) in project["targets"].as_array().into_iter().flatten().enumerate() {
        for key in ["variables", "lists", "broadcasts"] {
            let mut held: Vec<(&str, &String)> = target[key]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(id, value)| (value.get(0).unwrap_or(value).as_str().unwrap_or_default(), id))
                .collect();
            held.sort_by_key(|(name, _)| *name);
            for (name, id) in held.into_iter().filter(|(_, id)| known.insert((at, (*id).clone()))) {
                let target = TargetView::of(target).sprite_id().to_owned();
                all.push(Declared { at, id: id.clone(), target, name: name.to_owned() });
            }
        }
    }
    all
}

/// New ids of the blocks and comments of one target.
struct Renaming(BTreeMap<String, String>);

impl Renaming {
    fn new(target: &Value, mut new: impl FnMut(&str, &str) -> String) -> Self {
        let name = TargetView::of(target).sprite_id().to_owned();
        let keys =
            ["blocks", "comments"].into_iter().flat_map(|key| target[key].as_object().into_iter().flat_map(Map::keys));
        Self(keys.map(|old| (old.clone(), new(&name, old))).collect())
    }

    fn of(&self, old: &str) -> Value {
        self.0.get(old).map_or(Value::Null, |new| json!(new))
    }

    fn carry_out(&self, target: &mut Value, named: &Named) {
        for key in ["blocks", "comments"] {
            if let Some(held) = target.get_mut(key).and_then(Value::as_object_mut) {
                *held = std::mem::take(held)
                    .into_iter()
                    .filter_map(|(id, value)| Some((self.0.get(&id)?.clone(), value)))
                    .collect();
            }
        }
        for key in ["variables", "lists", "broadcasts"] {
            if let Some(held) = target.get_mut(key).and_then(Value::as_object_mut) {
                *held = std::mem::take(held)
                    .into_iter()
                    .filter_map(|(id, value)| Some((named.get(&id)?.0.clone(), value)))
                    .collect();
            }
        }
        for block in target["blocks"].as_object_mut().into_iter().flat_map(Map::values_mut) {
            self.block(block, named);
        }
        for comment in target["comments"].as_object_mut().into_iter().flat_map(Map::values_mut) {
            if let Some(block) = comment["blockId"].as_str().map(|block| self.of(block)) {
                comment["blockId"] = block;
            }
        }
    }

    fn block(&self, block: &mut Value, named: &Named) {
        if block.is_array() {
            return write(block, 1, named);
        }
        for key in ["next", "parent", "comment"] {
            if let Some(new) = block.get(key).and_then(Value::as_str).map(|old| self.of(old)) {
                block[key] = new;
            }
        }
        for input in block["inputs"].as_object_mut().into_iter().flat_map(Map::values_mut) {
            for part in input.as_array_mut().into_iter().flatten().skip(1) {
                match part {
                    Value::String(old) => *part = self.of(old),
                    Value::Array(_) => {
                        literal(part);
                        write(part, 1, named);
                    }
                    _ => {}
                }
            }
        }
        for field in block["fields"].as_object_mut().into_iter().flat_map(Map::values_mut) {
            // Older versions left the id out where there is none.
            if let Some(parts) = field.as_array_mut().filter(|parts| parts.len() == 1) {
                parts.push(Value::Null);
            }
            write(field, 0, named);
        }
    }
}

/// Writes a number in a slot as text, as the editor does: converted projects have numbers there, among which a value that was edited
/// would be known by its type.
fn literal(part: &mut Value) {
    let is_plain = part[0].as_u64().is_some_and(|kind| PLAIN.contains(&kind));
    if is_plain && (part[1].is_number() || part[1].is_boolean()) {
        part[1] = json!(part[1].to_string());
    }
}

/// Gives what is named by an id the id's name and its new id: the name is at this place, and the id follows it.
fn write(value: &mut Value, at: usize, named: &Named) {
    let Some(old) = value.get(at + 1).and_then(Value::as_str).map(str::to_owned) else { return };
    if let Some((new, name)) = named.get(&old) {
        value[at] = json!(name);
        value[at + 1] = json!(new);
    }
}

/// Monitors of variables and lists bear their ids, and name the sprite that has them.
fn rename_monitors(project: &mut Value, reached: impl Fn(usize) -> Named) {
    let owner = |of: &Value| {
        let is_it = |target: &Value| if of.is_null() { target["isStage"] == true } else { target["name"] == *of };
        project["targets"].as_array().into_iter().flatten().position(is_it)
    };
    let mut monitors = project["monitors"].clone();
    for monitor in monitors.as_array_mut().into_iter().flatten() {
        let known = owner(&monitor["spriteName"]).map(&reached).unwrap_or_default();
        if let Some((new, _)) = monitor["id"].as_str().and_then(|old| known.get(old)) {
            monitor["id"] = json!(new);
        }
    }
    if monitors.is_array() {
        project["monitors"] = monitors;
    }
}

#[cfg(test)]
#[path = "normalise_tests.rs"]
mod tests;
