//! Pattern 5, incorrect conditional logic: another comparison, another number, another variable.

use super::edits::{Site, named, number, shown, text};
use super::loops;
use super::{Candidate, Pattern};
use crate::patches::effects::{Line, Program, condition};
use crate::project::view::{Block, Slot};
use crate::project::walk::{Place, places};

/// Other variables that one is mistaken for, at a place.
const VARIANTS: usize = 3;

pub(super) fn candidates(program: &Program<'_>, found: &mut Vec<Candidate>) {
    for line in program.live() {
        let site = Site { program, line, pattern: Pattern::IncorrectConditionalLogic };
        for block in condition_blocks(line) {
            compare(&site, &block, found);
            arithmetic(&site, &block, found);
            variables(&site, &block, found);
        }
        binding(&site, found);
    }
}

/// The blocks of the condition of a statement.
fn condition_blocks<'a>(line: &Line<'a>) -> Vec<Block<'a>> {
    let Some(first) = condition(line) else { return Vec::new() };
    let path = format!("{}.CONDITION", line.statement.path);
    let inner =
        places(line.target, &line.statement).into_iter().filter(|place: &Place<'_>| place.path.starts_with(&path));
    let held = inner.filter_map(|place| match place.value {
        Slot::Block(id) => line.target.block(id).filter(|block| !block.shadow),
        Slot::Primitive(_) => None,
    });
    let mut blocks = vec![first];
    blocks.extend(held.filter(|block| block.id != blocks[0].id).collect::<Vec<_>>());
    blocks
}

fn compare(site: &Site<'_, '_>, block: &Block<'_>, found: &mut Vec<Candidate>) {
    // Where a condition ends something, its opposite is a loop without an end: pattern 4.
    let is_ending =
        loops::is_site(site.program, site.line) && condition(site.line).is_some_and(|first| first.id == block.id);
    let others: &[&str] = match block.opcode {
        "operator_lt" => &["operator_gt"],
        "operator_gt" => &["operator_lt"],
        "operator_equals" => &["operator_lt", "operator_gt"],
        _ => &[],
    };
    for other in others.iter().filter(|_| !is_ending) {
        let patch = vec![site.modify(block.id, "opcode", text(other))];
        found.push(site.candidate("IC.compare", block.id, &format!("{} {other}", block.id), patch));
    }
    let logic = match block.opcode {
        "operator_and" => Some("operator_or"),
        "operator_or" => Some("operator_and"),
        _ => None,
    };
    if let Some(other) = logic {
        let patch = vec![site.modify(block.id, "opcode", text(other))];
        found.push(site.candidate("IC.logic", block.id, block.id, patch));
    }
}

fn arithmetic(site: &Site<'_, '_>, block: &Block<'_>, found: &mut Vec<Candidate>) {
    if matches!(block.opcode, "operator_lt" | "operator_gt" | "operator_equals") {
        for input in ["OPERAND1", "OPERAND2"] {
            let Some(value) = number(block, input).filter(|value| value.fract() == 0.0) else { continue };
            for (variant, other) in [("+1", value + 1.0), ("-1", value - 1.0)] {
                let patch = vec![site.modify(block.id, &format!("inputs/{input}"), text(&shown(other)))];
                found.push(site.candidate("IC.offbyone", block.id, &format!("{} {input}{variant}", block.id), patch));
            }
        }
    }
    if matches!(block.opcode, "operator_subtract" | "operator_divide" | "operator_mod")
        && let Some(patch) = exchanged(site, block)
    {
        found.push(site.candidate("IC.operands", block.id, block.id, patch));
    }
}

/// Both operands in each other's place, where both are written out, or both are variables.
fn exchanged(site: &Site<'_, '_>, block: &Block<'_>) -> Option<Vec<crate::project::edit::Edit>> {
    let of = |input: &str| match block.input(input)?.value? {
        Slot::Primitive(primitive) => Some(match primitive.id {
            Some(id) => named((id, &primitive.value)),
            None => text(&primitive.value),
        }),
        Slot::Block(_) => None,
    };
    let is_variable =
        |input: &str| matches!(block.input(input)?.value?, Slot::Primitive(primitive) if primitive.id.is_some()).into();
    let (one, two): (Option<bool>, Option<bool>) = (is_variable("NUM1"), is_variable("NUM2"));
    if one != two {
        return None;
    }
    let (first, second) = (of("NUM1")?, of("NUM2")?);
    Some(vec![site.modify(block.id, "inputs/NUM1", second), site.modify(block.id, "inputs/NUM2", first)])
}

/// Another variable that is read in a condition.
fn variables(site: &Site<'_, '_>, block: &Block<'_>, found: &mut Vec<Candidate>) {
    for input in block.inputs() {
        let Some(Slot::Primitive(primitive)) = input.value else { continue };
        let Some(id) = primitive.id.filter(|_| primitive.kind == 12) else { continue };
        let others = site.program.in_scope(site.line.target, "variables");
        for other in others.into_iter().filter(|(other, _)| *other != id).take(VARIANTS) {
            let patch = vec![site.modify(block.id, &format!("inputs/{}", input.name), named(other))];
            found.push(site.candidate(
                "IC.variable",
                block.id,
                &format!("{} {} {}", block.id, input.name, other.1),
                patch,
            ));
        }
    }
}

/// Another variable that is written (the paper's 1197377838).
fn binding(site: &Site<'_, '_>, found: &mut Vec<Candidate>) {
    let block = &site.line.statement.block;
    if !matches!(block.opcode, "data_setvariableto" | "data_changevariableby") {
        return;
    }
    let Some(id) = block.field("VARIABLE").and_then(|field| field.id) else { return };
    let is_written = |other: &str| site.program.uses.get(other).is_some_and(|uses| !uses.writes.is_empty());
    let others = site.program.in_scope(site.line.target, "variables");
    for other in others.into_iter().filter(|(other, _)| *other != id && is_written(other)).take(VARIANTS) {
        let patch = vec![site.modify(block.id, "fields/VARIABLE", named(other))];
        found.push(site.candidate("IC.binding", block.id, other.1, patch));
    }
}
