//! Checks the blocks of one target: known kinds, references that exist and agree in both directions, no cycles.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::view::{Block, Slot, TargetView};

use super::Problem;
use super::shape::EXTENSIONS;

/// Categories that are no extensions (scratch-vm 15.1.1, `serialization/sb3.js`, `CORE_EXTENSIONS`), and
/// `note`, `matrix` and `text`, which have no prefix.
const CORE: [&str; 12] = [
    "argument",
    "colour",
    "control",
    "data",
    "event",
    "looks",
    "math",
    "motion",
    "operator",
    "procedures",
    "sensing",
    "sound",
];

/// Inline values: 4 to 13 (scratch-vm, `serialization/sb3.js`).
const PRIMITIVES: std::ops::RangeInclusive<u64> = 4..=13;

/// Blocks inside of one another. People nest a dozen; the editor recurses, and its stack ends somewhere in the
/// thousands.
const MAX_NESTING: usize = 200;

pub(super) fn check(target: TargetView<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (id, json) in target.entries("blocks") {
        if let Some(problem) = check_kind(json) {
            problems.push(problem.at_block(id));
        }
    }
    let blocks: BTreeMap<&str, Block<'_>> = target.blocks().map(|block| (block.id, block)).collect();
    for block in target.blocks() {
        check_references(target, &block, &blocks, &mut problems);
    }
    check_places(target, &mut problems);
    check_nesting(target, &blocks, &mut problems);
    problems
}

/// A block is in one place: held twice, a small file could unfold to more blocks than any memory holds.
fn check_places(target: TargetView<'_>, problems: &mut Vec<Problem>) {
    let mut placed: BTreeSet<&str> = BTreeSet::new();
    for block in target.blocks() {
        for id in held(&block) {
            if !placed.insert(id) {
                problems.push(Problem::error("block_in_two_places", "more than one block holds this one").at_block(id));
                return;
            }
        }
    }
}

/// Whether blocks of this kind are in the editor or one of its extensions. Any other prefix makes the machine fetch an extension.
pub(super) fn is_of_the_editor(opcode: &str) -> bool {
    let prefix = opcode.split_once('_').map_or("", |(prefix, _)| prefix);
    prefix.is_empty() || CORE.contains(&prefix) || EXTENSIONS.contains(&prefix)
}

fn check_kind(json: &Value) -> Option<Problem> {
    let bad = |message: &str| Some(Problem::error("bad_block", message));
    match json {
        Value::Object(block) => {
            let Some(opcode) = block.get("opcode").and_then(Value::as_str) else {
                return bad("the block has no opcode");
            };
            let message = || format!("`{opcode}` belongs to no category or extension of the editor");
            (!is_of_the_editor(opcode)).then(|| Problem::error("unknown_opcode_prefix", message()))
        }
        Value::Array(items) => {
            let kind = items.first().and_then(Value::as_u64).is_some_and(|kind| PRIMITIVES.contains(&kind));
            if kind { None } else { bad("the inline value is of an unknown kind") }
        }
        _ => bad("a block is an object or a list"),
    }
}

/// Ids of the blocks that a block holds: below it, and in its slots.
fn held<'a>(block: &Block<'a>) -> Vec<&'a str> {
    let inner = block.inputs().flat_map(|input| {
        let id = |slot| match slot {
            Some(Slot::Block(id)) => Some(id),
            _ => None,
        };
        // Some files name the seen and the hidden block of a slot by the same id.
        let (seen, hidden) = (id(input.value), id(input.hidden));
        [seen, hidden.filter(|_| hidden != seen)]
    });
    block.next.into_iter().chain(inner.flatten()).collect()
}

fn check_references(
    target: TargetView<'_>,
    block: &Block<'_>,
    blocks: &BTreeMap<&str, Block<'_>>,
    problems: &mut Vec<Problem>,
) {
    let raw = target.get("blocks").and_then(|all| all.get(block.id));
    for (name, input) in raw.and_then(|raw| raw.get("inputs")).and_then(Value::as_object).into_iter().flatten() {
        if !input.get(0).and_then(Value::as_u64).is_some_and(|kind| (1..=3).contains(&kind)) {
            problems.push(
                Problem::error("bad_input", format!("the input {name} is not of the form [1, 2 or 3, …]"))
                    .at_block(block.id),
            );
            return;
        }
    }
    for id in held(block) {
        match blocks.get(id) {
            None => problems
                .push(Problem::warning("dangling_reference", format!("there is no block {id}")).at_block(block.id)),
            Some(inner) if inner.parent != Some(block.id) => {
                problems.push(
                    Problem::warning("wrong_parent", format!("{id} does not have this block as its parent"))
                        .at_block(block.id),
                );
            }
            Some(_) => {}
        }
    }
    if let Some(parent) = block.parent
        && !blocks.get(parent).is_some_and(|parent| held(parent).contains(&block.id))
    {
        problems.push(
            Problem::warning("wrong_parent", format!("the parent {parent} does not hold this block"))
                .at_block(block.id),
        );
    }
}

/// Walks all blocks from each one not yet seen; meeting a block on the way down to itself is a cycle.
fn check_nesting(target: TargetView<'_>, blocks: &BTreeMap<&str, Block<'_>>, problems: &mut Vec<Problem>) {
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for start in target.blocks().filter(|block| block.top_level).chain(target.blocks()) {
        if done.contains(start.id) {
            continue;
        }
        let mut path: BTreeSet<&str> = BTreeSet::new();
        // Each entry is a block, how deep it lies, and whether its content has been walked.
        let mut open = vec![(start.id, 0, false)];
        while let Some((id, depth, walked)) = open.pop() {
            if walked {
                path.remove(id);
                done.insert(id);
                continue;
            }
            if path.contains(id) {
                problems.push(Problem::error("block_cycle", "the block comes after or inside of itself").at_block(id));
                return;
            }
            let Some(block) = blocks.get(id).filter(|_| !done.contains(id)) else { continue };
            if depth > MAX_NESTING {
                problems.push(
                    Problem::error("nested_too_deep", format!("more than {MAX_NESTING} blocks inside of one another"))
                        .at_block(id),
                );
                return;
            }
            path.insert(id);
            open.push((id, depth, true));
            open.extend(
                held(block)
                    .into_iter()
                    .map(|inner| (inner, if block.next == Some(inner) { depth } else { depth + 1 }, false)),
            );
        }
    }
}
