//! A project as the editor's machine holds it once it has been loaded, as far as names, references, comments and monitors go: what was
//! left open in the file is decided as the machine decides it, so that whoever reads the result need not.
//!
//! - Backspaces are taken out of all texts (scratch-parser, `lib/parse.js`).
//! - Characters of ids that XML does not take are replaced (scratch-vm, `util/string-util.js`, `replaceUnsafeChars`).
//! - Each reference to a variable, list or message gets the id and name of what it means (`engine/target.js`,
//!   `reconcileVariableReferences`): what has its id, in the target or on the stage, else the first of its name and kind on the stage, else a
//!   new one there. References of a target without an id are one to the machine, and the first of them decides for all.
//! - Of several comments on one block the last one is left; one whose block does not say that it has one lies free (`serialization/sb3.js`).
//! - Of several monitors of one id the last one is left, and each of a variable or list names what it shows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value, json};

use super::keys::{entries, sort_by_key};
use super::monitors_shown::settle_monitors;
use super::references_found::{Reference, references, rewrite};

/// Kinds of what scripts refer to, as sections of a target in a project file. Of several with one id the last kind counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataSection {
    /// `variables`
    Variables,
    /// `lists`
    Lists,
    /// `broadcasts`
    Broadcasts,
}

impl DataSection {
    pub(super) const ALL: [Self; 3] = [Self::Variables, Self::Lists, Self::Broadcasts];

    /// Its key in the file.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Variables => "variables",
            Self::Lists => "lists",
            Self::Broadcasts => "broadcasts",
        }
    }

    /// What the machine makes for a reference to nothing.
    fn made(self, name: &str) -> Value {
        match self {
            Self::Variables => json!([name, 0]),
            Self::Lists => json!([name, []]),
            Self::Broadcasts => json!(name),
        }
    }
}

/// A loaded project.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// `project.json` in which nothing of the above is left open.
    pub json: Value,
    /// What the machine has made on the stage for references to nothing: section and id.
    pub made: BTreeSet<(DataSection, String)>,
}

/// The project of this `project.json` as the machine holds it; malformed parts stay as they are.
pub fn loaded(json: &Value) -> Loaded {
    let mut loaded = Loaded { json: json.clone(), made: BTreeSet::new() };
    drop_backspaces(&mut loaded.json);
    for target in targets_mut(&mut loaded.json) {
        make_ids_safe(target);
        settle_comments(target);
    }
    settle_all_references(&mut loaded);
    // A message that was made for a field without an id is named by none, and gone again (`virtual-machine.js`, `emitWorkspaceUpdate`).
    for id in NO_ID {
        if loaded.made.remove(&(DataSection::Broadcasts, id.to_owned())) {
            remove_from_stage(&mut loaded.json, DataSection::Broadcasts, id);
        }
    }
    settle_monitors(&mut loaded.json);
    loaded
}

/// The project of this `project.json` with its references alone as the machine holds them: ids of what they mean, and its name.
pub fn settled(json: &Value) -> Value {
    let mut loaded = Loaded { json: json.clone(), made: BTreeSet::new() };
    targets_mut(&mut loaded.json).iter_mut().for_each(make_ids_safe);
    settle_all_references(&mut loaded);
    loaded.json
}

fn settle_all_references(loaded: &mut Loaded) {
    for at in 0..targets(&loaded.json).len() {
        settle_references(loaded, at);
    }
}

/// What an absent id, and one that is `null`, is as a key in JavaScript.
const NO_ID: [&str; 2] = ["undefined", "null"];

/// The targets of a project.
pub(super) fn targets(json: &Value) -> &[Value] {
    json.get("targets").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn targets_mut(json: &mut Value) -> &mut [Value] {
    json.get_mut("targets").and_then(Value::as_array_mut).map(Vec::as_mut_slice).unwrap_or_default()
}

/// The number of the stage among the targets.
pub(super) fn stage(json: &Value) -> Option<usize> {
    targets(json).iter().position(|target| target["isStage"] == true)
}

fn drop_backspaces(json: &mut Value) {
    const BACKSPACE: char = '\u{8}';
    match json {
        Value::String(text) => text.retain(|letter| letter != BACKSPACE),
        Value::Array(items) => items.iter_mut().for_each(drop_backspaces),
        Value::Object(map) => {
            map.values_mut().for_each(drop_backspaces);
            if map.keys().any(|key| key.contains(BACKSPACE)) {
                *map =
                    std::mem::take(map).into_iter().map(|(key, value)| (key.replace(BACKSPACE, ""), value)).collect();
            }
        }
        _ => {}
    }
}

/// An id as the machine keeps it.
pub(super) fn safe_id(id: &str) -> String {
    let mut safe = String::with_capacity(id.len());
    for letter in id.chars() {
        match letter {
            '<' => safe.push_str("lt"),
            '>' => safe.push_str("gt"),
            '&' => safe.push_str("amp"),
            '\'' => safe.push_str("apos"),
            '"' => safe.push_str("quot"),
            other => safe.push(other),
        }
    }
    safe
}

/// What gets another id goes behind all others.
fn make_ids_safe(target: &mut Value) {
    for section in DataSection::ALL {
        let Some(map) = target.get_mut(section.key()).and_then(Value::as_object_mut) else { continue };
        let unsafe_ids: Vec<String> = map.keys().filter(|id| safe_id(id) != **id).cloned().collect();
        for id in unsafe_ids {
            if let Some(value) = map.shift_remove(&id) {
                map.insert(safe_id(&id), value);
            }
        }
    }
}

/// Leaves each block the comment that it has in the machine, and makes those free that no block says it has.
fn settle_comments(target: &mut Value) {
    let mut last: BTreeMap<String, String> = BTreeMap::new();
    for (id, comment) in entries(&target["comments"]) {
        if let Some(block) = comment["blockId"].as_str().filter(|block| !block.is_empty()) {
            last.insert(block.to_owned(), id.clone());
        }
    }
    if let Some(comments) = target.get_mut("comments").and_then(Value::as_object_mut) {
        comments.retain(|id, comment| {
            let block = comment["blockId"].as_str().filter(|block| !block.is_empty());
            block.is_none_or(|block| last.get(block) == Some(id))
        });
    }
    let mut said = BTreeSet::new();
    for (id, block) in target.get_mut("blocks").and_then(Value::as_object_mut).into_iter().flatten() {
        let Some(block) = block.as_object_mut() else { continue };
        if block.get("comment").and_then(Value::as_str).is_none_or(str::is_empty) {
            continue;
        }
        match last.get(id) {
            Some(comment) => {
                said.insert(id.clone());
                block.insert("comment".to_owned(), json!(comment));
            }
            None => drop(block.shift_remove("comment")),
        }
    }
    for comment in target.get_mut("comments").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
        if comment["blockId"].as_str().is_some_and(|block| !said.contains(block)) {
            comment["blockId"] = Value::Null;
        }
    }
}

/// What becomes of the references with one id.
#[derive(Debug, Clone, Default)]
pub(super) struct Settled {
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
}

/// Gives the references of a target the id and name of what they mean.
fn settle_references(loaded: &mut Loaded, at: usize) {
    let Some(stage) = stage(&loaded.json) else { return };
    let mut groups: Vec<(String, Reference)> = Vec::new();
    let mut known = BTreeSet::new();
    for reference in references(&targets(&loaded.json)[at]) {
        if known.insert(reference.id.clone()) {
            groups.push((reference.id.clone(), reference));
        }
    }
    sort_by_key(&mut groups, |(id, _)| id);
    let mut settled: HashMap<String, Settled> = HashMap::new();
    let mut makings: BTreeMap<(DataSection, String), (String, String)> = BTreeMap::new();
    let mut names: BTreeMap<DataSection, Vec<String>> = BTreeMap::new();
    for (id, Reference { section, name, .. }) in groups {
        let found = by_id(&loaded.json, [at, stage], &id);
        let became = if let Some((.., name)) = found {
            Settled { id: None, name: Some(name) }
        } else if let Some(same) = by_name(&targets(&loaded.json)[stage], section, &name) {
            Settled { id: Some(same), name: None }
        } else if let Some((id, name)) = makings.get(&(section, name.clone())).cloned() {
            Settled { id: Some(id), name: Some(name) }
        } else {
            let taken = names.entry(section).or_insert_with(|| all_names(&loaded.json, section));
            let fresh = unused_name(&name, taken);
            taken.push(fresh.clone());
            put_on_stage(&mut loaded.json, stage, (section, &id), section.made(&fresh));
            loaded.made.insert((section, id.clone()));
            makings.insert((section, name), (id.clone(), fresh.clone()));
            Settled { id: None, name: Some(fresh) }
        };
        settled.insert(id, became);
    }
    if let Some(target) = targets_mut(&mut loaded.json).get_mut(at) {
        rewrite(target, &settled);
    }
}

/// What has an id, in the first of these targets that has it: number of the target, section and name.
pub(super) fn by_id(json: &Value, among: [usize; 2], id: &str) -> Option<(usize, DataSection, String)> {
    among.into_iter().find_map(|at| {
        let target = targets(json).get(at)?;
        // Of several kinds with one id the machine keeps the last.
        let found =
            DataSection::ALL.into_iter().rev().find_map(|section| Some((section, target.get(section.key())?.get(id)?)));
        found.map(|(section, item)| (at, section, name_of(item)))
    })
}

/// The id of the first variable, list or message of this name in a target.
pub(super) fn by_name(target: &Value, section: DataSection, name: &str) -> Option<String> {
    let map = target.get(section.key())?;
    let found = entries(map).into_iter().find(|(id, item)| name_of(item) == name && is_kept(target, section, id));
    found.map(|(id, _)| id.clone())
}

/// Whether no later kind has the same id.
pub(super) fn is_kept(target: &Value, section: DataSection, id: &str) -> bool {
    let later = DataSection::ALL.into_iter().filter(|other| *other > section);
    later.into_iter().all(|other| target.get(other.key()).is_none_or(|map| map.get(id).is_none()))
}

/// The name of a variable or list, or of a message, which is nothing else.
pub(super) fn name_of(item: &Value) -> String {
    item.as_str().or_else(|| item.get(0)?.as_str()).unwrap_or_default().to_owned()
}

fn all_names(json: &Value, section: DataSection) -> Vec<String> {
    let maps = targets(json).iter().filter_map(|target| target.get(section.key())?.as_object());
    maps.flat_map(Map::values).map(name_of).collect()
}

/// The name itself, or the first with another number at its end that is not taken (`util/string-util.js`, `unusedName`).
fn unused_name(name: &str, taken: &[String]) -> String {
    let is_free = |name: &String| !taken.contains(name);
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let mut names = std::iter::once(name.to_owned()).chain((2_u64..).map(|number| format!("{stem}{number}")));
    names.find(is_free).unwrap_or_default()
}

fn put_on_stage(json: &mut Value, stage: usize, (section, id): (DataSection, &str), item: Value) {
    let Some(target) = targets_mut(json).get_mut(stage).and_then(Value::as_object_mut) else { return };
    let map = target.entry(section.key()).or_insert_with(|| json!({}));
    if let Some(map) = map.as_object_mut() {
        map.insert(id.to_owned(), item);
    }
}

fn remove_from_stage(json: &mut Value, section: DataSection, id: &str) {
    let stage = stage(json).unwrap_or_default();
    let target = targets_mut(json).get_mut(stage);
    if let Some(map) = target.and_then(|target| target.get_mut(section.key())?.as_object_mut()) {
        map.shift_remove(id);
    }
}

#[cfg(test)]
#[path = "loaded_tests.rs"]
mod tests;
