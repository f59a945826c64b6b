//! Mends references to variables, lists and messages of a target as the VM does when a project is loaded
//! (`engine/target.js`, `reconcileVariableReferences`):
//!
//! - A reference whose id is found, in the target or on the stage, takes the name that it finds.
//! - Another one takes the first of its name and kind on the stage, not one of the sprite's own.
//! - If there is none, one is made on the stage, under another name if any target has that name.
//!
//! All references of a target that have no id have the same one to the VM, so the first of them decides for all.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde_json::Value;

use super::javascript::{shown, sort_by_key};
use super::program::{Block, Kind, Target, by_id, stage_of};
use super::variables::{made, unused_name};

/// References with one id.
struct References {
    id: String,
    /// The blocks that have them.
    blocks: Vec<String>,
    /// What the first of them says.
    kind: Kind,
    name: String,
}

/// What is changed when all references were looked at.
#[derive(Default)]
struct Changes {
    ids: BTreeMap<String, String>,
    names: BTreeMap<String, String>,
}

pub fn reconcile(targets: &mut [Target], at: usize) {
    let Some(stage) = stage_of(targets) else { return };
    let all = references(&targets[at].blocks);
    let mut changes = Changes::default();
    // Ids and names of what is made, by what it was called.
    let mut makings: BTreeMap<(Kind, &str), (String, String)> = BTreeMap::new();
    let mut taken: BTreeMap<Kind, Vec<String>> = BTreeMap::new();
    for References { id, kind, name, .. } in &all {
        if let Some((_, found)) = by_id(targets, at, id) {
            changes.names.insert(id.clone(), found.name.clone());
        } else if let Some(found) = targets[stage].named(name, *kind) {
            changes.ids.insert(id.clone(), found.id.clone());
        } else if let Some((made_id, made_name)) = makings.get(&(*kind, name.as_str())) {
            changes.ids.insert(id.clone(), made_id.clone());
            changes.names.insert(id.clone(), made_name.clone());
        } else {
            let taken = taken.entry(*kind).or_insert_with(|| names_of(targets, *kind));
            let fresh = unused_name(name, taken);
            taken.push(fresh.clone());
            targets[stage].variables.push(made(id, &fresh, *kind));
            sort_by_key(&mut targets[stage].variables, |variable| &variable.id);
            makings.insert((*kind, name.as_str()), (id.clone(), fresh.clone()));
            changes.names.insert(id.clone(), fresh);
        }
    }
    for References { id, blocks, .. } in &all {
        apply(&changes, id, blocks, &mut targets[at].blocks);
    }
}

fn apply(changes: &Changes, id: &str, blocks: &[String], all: &mut IndexMap<String, Block>) {
    for block in blocks {
        let Some((field, _)) = all.get_mut(block).and_then(Block::reference_mut) else { continue };
        if let Some(other) = changes.ids.get(id) {
            field.id.clone_from(other);
            field.has_id = !other.is_empty();
        }
        if let Some(name) = changes.names.get(id) {
            field.value = Value::String(name.clone());
        }
    }
}

/// All references of a target by their ids, in the order in which the VM goes through them.
fn references(blocks: &IndexMap<String, Block>) -> Vec<References> {
    let mut found: IndexMap<&str, References> = IndexMap::new();
    for (block_id, block) in blocks {
        let Some((field, kind)) = block.reference() else { continue };
        let name = shown(&field.value);
        let references = found.entry(&field.id).or_insert_with(|| References {
            id: field.id.clone(),
            blocks: Vec::new(),
            kind,
            name,
        });
        references.blocks.push(block_id.clone());
    }
    let mut found: Vec<References> = found.into_values().collect();
    sort_by_key(&mut found, |references| &references.id);
    found
}

/// The names that things of a kind have in any target.
fn names_of(targets: &[Target], kind: Kind) -> Vec<String> {
    let all = targets.iter().flat_map(|target| &target.variables);
    all.filter(|variable| variable.kind == kind).map(|variable| variable.name.clone()).collect()
}
