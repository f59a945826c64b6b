//! Which statements of the golden project are not in the initial one.
//!
//! Ids do not help, because each build assigns new ones: a statement is compared by its whole text, except mouths,
//! and by how deep it lies.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::counterpart;
use crate::notation::diff::{Change, script_diffs};
use crate::project::view::{Block, Input, Slot, TargetView, targets};
use crate::project::walk::{Statement, is_mouth, scripts};
use crate::project::{Project, told_apart};

/// Reporters inside of one another that are compared.
const MAX_DEPTH: usize = 200;

/// Ids of the statements of each target of `golden` that `initial` lacks, in the order of the targets; all where there is no such target.
pub(super) fn changes<'a>(golden: &'a Project, initial: Option<&Project>) -> Vec<BTreeSet<&'a str>> {
    let own = |ids: BTreeSet<&str>, target: TargetView<'a>| -> BTreeSet<&'a str> {
        target.entries("blocks").map(|(id, _)| id).filter(|id| ids.contains(id)).collect()
    };
    let Some(initial) = initial else {
        return targets(&golden.json).map(|target| changed(target, None)).collect();
    };
    let (after, before) = (told_apart(&golden.json, &initial.json), told_apart(&initial.json, &golden.json));
    let before = Project { json: before, assets: BTreeMap::new() };
    let all = targets(&golden.json).zip(targets(&after));
    all.map(|(target, named)| own(changed(named, counterpart(named, &before)), target)).collect()
}

/// Ids of the statements of `golden` that `initial` lacks; all of them if there is no such target. Where
/// something was only taken away, the statements before and after the gap count.
fn changed<'a>(golden: TargetView<'a>, initial: Option<TargetView<'_>>) -> BTreeSet<&'a str> {
    let after = scripts(golden);
    let Some(initial) = initial else { return after.iter().flatten().map(|statement| statement.block.id).collect() };
    let says = |target, scripts: &[Vec<Statement<'_>>]| -> Vec<Vec<String>> {
        scripts.iter().map(|script| script.iter().map(|statement| signature(target, statement)).collect()).collect()
    };
    let diffs = script_diffs(&says(initial, &scripts(initial)), &says(golden, &after));
    let mut found = BTreeSet::new();
    for diff in diffs {
        let Some(script) = diff.after.and_then(|number| after.get(number)) else { continue };
        let changes: Vec<Change> = diff.lines.iter().map(|(change, _)| *change).collect();
        found.extend(touched(&changes).into_iter().filter_map(|at| script.get(at)).map(|found| found.block.id));
    }
    found
}

/// Places in the second list that were added, or that lie beside a gap.
fn touched(changes: &[Change]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut at = 0;
    for group in changes.chunk_by(|a, b| (*a == Change::Kept) == (*b == Change::Kept)) {
        let here = group.iter().filter(|change| **change != Change::Removed).count();
        if group.first() == Some(&Change::Kept) {
            at += here;
            continue;
        }
        if here == 0 {
            found.extend(at.checked_sub(1));
            found.insert(at);
        }
        found.extend(at..at + here);
        at += here;
    }
    found
}

fn signature(target: TargetView<'_>, statement: &Statement<'_>) -> String {
    let mut text = format!("{} ", statement.depth);
    append(target, &statement.block, 0, &mut text);
    text
}

/// Writes what a block says; writing to a String can't fail.
fn append(target: TargetView<'_>, block: &Block<'_>, depth: usize, text: &mut String) {
    let _ = write!(text, "{}", block.opcode);
    for field in block.fields() {
        let _ = write!(text, " {}={:?}", field.name, field.value);
    }
    // What else a mutation holds follows from the fields, and not every program writes it.
    for attribute in ["proccode", "warp", "argumentnames"] {
        let _ = write!(text, " {}", block.attribute(attribute).unwrap_or_default());
    }
    // Slots of My Blocks are named by ids, which differ between builds; their places in the definition do not.
    let arguments = arguments(target, block);
    let place = |input: &Input<'_>| arguments.iter().position(|id| id == input.name);
    let mut inputs: Vec<Input<'_>> = block.inputs().filter(|input| !is_mouth(input.name)).collect();
    if block.opcode.starts_with("procedures_") {
        inputs.sort_by_key(place);
    }
    for input in inputs {
        let name = match place(&input) {
            Some(place) => place.to_string(),
            None if block.opcode.starts_with("procedures_") => String::new(),
            None => input.name.to_owned(),
        };
        let _ = write!(text, " {name}(");
        match input.value {
            Some(Slot::Primitive(primitive)) => {
                let _ = write!(text, "{}{:?}", u8::from(primitive.is_reporter()), primitive.value);
            }
            Some(Slot::Block(id)) => match target.block(id) {
                Some(inner) if depth < MAX_DEPTH => append(target, &inner, depth + 1, text),
                _ => {}
            },
            None => {}
        }
        text.push(')');
    }
}

/// Ids of the arguments that a call passes, as its definition has them, or of those that a definition names.
fn arguments(target: TargetView<'_>, block: &Block<'_>) -> Vec<String> {
    let is_it = |other: &Block<'_>| {
        other.opcode == "procedures_prototype" && other.attribute("proccode") == block.attribute("proccode")
    };
    let defined = match block.opcode {
        "procedures_call" => target.blocks().find(is_it),
        "procedures_prototype" => Some(block.clone()),
        _ => return Vec::new(),
    };
    let ids = defined.as_ref().unwrap_or(block).attribute("argumentids");
    ids.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_counts_and_so_do_the_neighbours_of_a_gap() {
        use Change::{Added, Kept, Removed};
        assert_eq!(touched(&[Kept, Added, Kept, Removed, Added]), BTreeSet::from([1, 3]));
        assert_eq!(touched(&[Kept, Removed, Kept, Kept]), BTreeSet::from([0, 1]));
        assert_eq!(touched(&[Removed, Kept]), BTreeSet::from([0]));
        assert_eq!(touched(&[Kept, Kept]), BTreeSet::new());
    }

    #[test]
    fn arguments_of_a_call_have_the_places_of_the_definition() {
        let target = |arguments: serde_json::Value| {
            let mutation = |more: &str| serde_json::json!({"proccode": "jump %s %s", "argumentids": more});
            serde_json::json!({"name": "Moth", "isStage": false, "blocks": {
                "flag": {"opcode": "event_whenflagclicked", "next": "call", "parent": null, "topLevel": true, "inputs": {}, "fields": {}},
                "call": {"opcode": "procedures_call", "next": null, "parent": "flag", "inputs": arguments, "fields": {},
                    "mutation": mutation("[\"b\",\"a\"]")},
                "define": {"opcode": "procedures_definition", "next": null, "parent": null, "topLevel": true, "fields": {},
                    "inputs": {"custom_block": [1, "prototype"]}},
                "prototype": {"opcode": "procedures_prototype", "next": null, "parent": "define", "shadow": true, "inputs": {}, "fields": {},
                    "mutation": mutation("[\"a\",\"b\"]")}
            }})
        };
        let one = target(serde_json::json!({"a": [1, [10, "1"]], "b": [1, [10, "2"]]}));
        let found = |other: &serde_json::Value| changed(TargetView::of(&one), Some(TargetView::of(other)));
        assert_eq!(
            found(&target(serde_json::json!({"b": [1, [10, "1"]], "a": [1, [10, "2"]]}))),
            BTreeSet::from(["call"])
        );
        assert_eq!(found(&target(serde_json::json!({"b": [1, [10, "2"]], "a": [1, [10, "1"]]}))), BTreeSet::new());
    }
}
