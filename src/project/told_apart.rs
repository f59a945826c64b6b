//! Projects whose references say by their names alone what they mean, for readers that compare or show names: the project is `loaded`,
//! and a variable or list that shares its name is called as the project text calls it (docs/PROJECT-TEXT.md, "Names"), `Stage's score` or
//! `score #2`.
//!
//! Of two versions of a project each is given the names that only the other one has: a form depends on what else is declared, and the
//! same variable must be called the same in both.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::keys::entries;
use super::loaded::{DataSection, is_kept, loaded, name_of, stage, targets, targets_mut};
use super::references_found::rename;

/// What has forms: messages go by their names.
const DATA: [DataSection; 2] = [DataSection::Variables, DataSection::Lists];

/// A variable or list: what it is, its name, and its number among those of its target and kind with that name, from 1.
pub type Numbered<K> = (K, String, usize);

/// What scripts call what they can reach, of their own target and of the stage where that is another one: by form, and what no form is left
/// for. A name alone is the own one, then the stage's; what is really called like a form goes before it (docs/PROJECT-TEXT.md, "Names").
pub fn called<K: Ord + Clone>(own: &[Numbered<K>], stage: &[Numbered<K>]) -> (BTreeMap<String, K>, Vec<K>) {
    let mut forms = BTreeMap::new();
    for all in [stage, own] {
        let first = all.iter().filter(|(.., number)| *number == 1);
        forms.extend(first.map(|(what, name, _)| (name.clone(), what.clone())));
    }
    let named: BTreeSet<K> = forms.values().cloned().collect();
    let mut left = Vec::new();
    for (all, owner) in [(own, ""), (stage, "Stage's ")] {
        for (what, name, number) in all.iter().filter(|(what, ..)| !named.contains(what)) {
            let number = if *number == 1 { String::new() } else { format!(" #{number}") };
            match forms.entry(format!("{owner}{name}{number}")) {
                Entry::Vacant(place) => drop(place.insert(what.clone())),
                Entry::Occupied(_) => left.push(what.clone()),
            }
        }
    }
    (forms, left)
}

/// What scripts of a target call the variables or lists that they can reach, by id; no two are called the same. What no form is left for
/// is called by its id.
pub fn forms(json: &Value, target: usize, section: DataSection) -> BTreeMap<String, String> {
    let stage = stage(json).unwrap_or_default();
    let of = |owner: usize| -> Vec<Numbered<(usize, String)>> {
        let all = numbered(json, owner, section).into_iter();
        all.map(|(id, name, number)| ((owner, id), name, number)).collect()
    };
    let (mut forms, left) = called(&of(target), &if target == stage { Vec::new() } else { of(stage) });
    forms.extend(left.into_iter().map(|what| (what.1.clone(), what)));
    let mut by_id = BTreeMap::new();
    // Of one id on both the target's own is meant.
    for own in [false, true] {
        let of = forms.iter().filter(|(_, (owner, _))| (*owner == target) == own);
        by_id.extend(of.map(|(form, (_, id))| (id.clone(), form.clone())));
    }
    by_id
}

/// Ids and names of a target's variables or lists, each with its number among those of that name.
fn numbered(json: &Value, target: usize, section: DataSection) -> Vec<Numbered<String>> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let Some(target) = targets(json).get(target) else { return Vec::new() };
    let all = target.get(section.key()).map(entries).unwrap_or_default().into_iter();
    let kept = all.filter(|(id, _)| is_kept(target, section, id));
    kept.map(|(id, item)| {
        let name = name_of(item);
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        (id.clone(), name, *count)
    })
    .collect()
}

/// The project as it is loaded, with variables and lists of the names that only another version of it has.
pub fn beside(json: &Value, other: &Value) -> Value {
    let (mut json, other) = (loaded(json).json, loaded(other).json);
    for at in 0..targets(&json).len() {
        let Some(twin) = twin(&json, at, &other) else { continue };
        for section in DATA {
            let own: BTreeSet<(String, usize)> = names(&json, at, section).collect();
            let lacks: Vec<String> =
                names(&other, twin, section).filter(|named| !own.contains(named)).map(|(name, _)| name).collect();
            for name in lacks {
                declare(&mut json, at, section, &name);
            }
        }
    }
    json
}

/// The same with references that are called by their forms.
pub fn told_apart(json: &Value, other: &Value) -> Value {
    let mut json = beside(json, other);
    for at in 0..targets(&json).len() {
        let all = DATA.map(|section| forms(&json, at, section));
        // An id of the other kind says so.
        let form = |section: DataSection, id: &str| {
            let own = usize::from(section == DataSection::Lists);
            let other = || all[1 - own].get(id).map(|form| format!("{form} :: {}", DATA[1 - own].key()));
            (section != DataSection::Broadcasts).then(|| all[own].get(id).cloned().or_else(other)).flatten()
        };
        if let Some(target) = targets_mut(&mut json).get_mut(at) {
            rename(target, &form);
        }
    }
    json
}

fn names(json: &Value, target: usize, section: DataSection) -> impl Iterator<Item = (String, usize)> {
    numbered(json, target, section).into_iter().map(|(_, name, number)| (name, number))
}

/// The target of another version of a project that is the same as this one; of several sprites with one name that of the same number.
fn twin(json: &Value, at: usize, other: &Value) -> Option<usize> {
    let is_stage = |target: &Value| target["isStage"] == true;
    let own = targets(json).get(at)?;
    let same = |target: &Value| is_stage(target) == is_stage(own) && (is_stage(own) || target["name"] == own["name"]);
    let number = targets(json)[..at].iter().filter(|target| same(target)).count();
    targets(other).iter().enumerate().filter(|(_, target)| same(target)).nth(number).map(|(at, _)| at)
}

fn declare(json: &mut Value, at: usize, section: DataSection, name: &str) {
    let is_taken = |id: &str| {
        let mut sections =
            targets(json).iter().flat_map(|target| DataSection::ALL.map(|section| target.get(section.key())));
        sections.any(|section| section.is_some_and(|all| all.get(id).is_some()))
    };
    let mut number = 0;
    while is_taken(&format!("of the other {number}")) {
        number += 1;
    }
    let id = format!("of the other {number}");
    let Some(target) = targets_mut(json).get_mut(at).and_then(Value::as_object_mut) else { return };
    let item = if section == DataSection::Lists { json!([name, []]) } else { json!([name, 0]) };
    if let Some(all) = target.entry(section.key()).or_insert_with(|| json!({})).as_object_mut() {
        all.insert(id, item);
    }
}

#[cfg(test)]
#[path = "told_apart_tests.rs"]
mod tests;
