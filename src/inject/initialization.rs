//! Pattern 1, missing initialization: a variable or list begins with what an earlier round left.

use super::edits::{Site, is_small, number, shown, text};
use super::{Candidate, Pattern};
use crate::patches::effects::{Line, Program, is_yield};
use crate::project::reach::Start;

pub(super) fn candidates(program: &Program<'_>, found: &mut Vec<Candidate>) {
    for line in program.live().filter(|line| is_site(program, line)) {
        let site = Site { program, line, pattern: Pattern::MissingInitialization };
        let block = &line.statement.block;
        found.push(site.candidate("MI.delete", block.id, "", vec![site.remove(block.id)]));
        for (variant, value) in number(block, "VALUE").into_iter().flat_map(others) {
            let patch = vec![site.modify(block.id, "inputs/VALUE", text(&shown(value)))];
            found.push(site.candidate("MI.literal", block.id, variant, patch));
        }
        if let Some(below) = program.below(line).into_iter().find(|below| is_yield(&below.statement.block))
            && let Some(copy) = site.copy(block, site.id("moved"))
        {
            let patch = vec![site.remove(block.id), site.below(below.statement.block.id, copy)];
            found.push(site.candidate("MI.move", block.id, "", patch));
        }
    }
}

/// A literal is set, or a list emptied, at the beginning of a script that may run again, and others write and read it.
fn is_site(program: &Program<'_>, line: &Line<'_>) -> bool {
    let block = &line.statement.block;
    let id = match block.opcode {
        "data_setvariableto" => block.field("VARIABLE").and_then(|field| field.id),
        "data_deletealloflist" => block.field("LIST").and_then(|field| field.id),
        _ => None,
    };
    let starts = matches!(program.start(line), Start::GreenFlag | Start::Message(_) | Start::Backdrop(_));
    let Some(uses) = id.and_then(|id| program.uses.get(id)).filter(|_| starts && line.is_prefix) else { return false };
    let is_literal = block.opcode == "data_deletealloflist" || is_small(line.target, block) && has_literal(line);
    is_literal && uses.writes.iter().any(|write| *write != block.id) && !uses.reads.is_empty()
}

fn has_literal(line: &Line<'_>) -> bool {
    use crate::project::view::Slot;
    let value = line.statement.block.input("VALUE").and_then(|input| input.value);
    matches!(value, Some(Slot::Primitive(primitive)) if primitive.id.is_none())
}

/// Other values for a literal.
fn others(value: f64) -> Vec<(&'static str, f64)> {
    let tenfold = if value == 0.0 { 10.0 } else { value * 10.0 };
    vec![("+1", value + 1.0), ("-1", value - 1.0), ("x10", tenfold)]
}
