//! Variables that begin with what was left in them, comparisons that always come out the same, and stacks that nothing starts.

use super::Code;
use super::change::Mark;
use crate::patches::effects::{Line, Program};
use crate::project::catalogue::Catalogue;
use crate::project::reach::Start;
use crate::project::view::{Block, Slot, targets};
use crate::project::walk::{is_hat, places};

pub(super) fn marks(program: &Program<'_>) -> Vec<Mark> {
    let mut marks = uninitialized(program);
    program.live().for_each(|line| marks.extend(literals(line)));
    marks.extend(dead(program));
    marks
}

/// Variables and lists that live scripts change and read, and that none sets at its beginning. A clone may set its sprite's own.
fn uninitialized(program: &Program<'_>) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (id, uses) in &program.uses {
        let is_set = program.live().any(|line| sets(program, line, id));
        let first = program.live().find(|line| uses.reads.first() == Some(&line.statement.block.id));
        let holder =
            first.or_else(|| program.live().find(|line| uses.writes.first() == Some(&line.statement.block.id)));
        let Some(line) = holder.filter(|_| !is_set && !uses.reads.is_empty() && !uses.writes.is_empty()) else {
            continue;
        };
        let name = name(program, id);
        let said = format!("no script sets `{name}` at its beginning");
        marks.push(Mark::of_line(Code::MissingInitialization, line, &said).about(id));
    }
    marks
}

fn sets(program: &Program<'_>, line: &Line<'_>, id: &str) -> bool {
    let block = &line.statement.block;
    let set = match block.opcode {
        "data_setvariableto" => block.field("VARIABLE"),
        "data_deletealloflist" => block.field("LIST"),
        _ => None,
    };
    let starts = match program.start(line) {
        Start::GreenFlag | Start::Message(_) | Start::Backdrop(_) | Start::Call(..) => true,
        Start::Clone(_) => line.target.entries("variables").any(|(own, _)| own == id),
        _ => false,
    };
    line.is_prefix && starts && set.is_some_and(|field| field.id == Some(id))
}

fn name(program: &Program<'_>, id: &str) -> String {
    let all = targets(program.json)
        .flat_map(|target| target.entries("variables").chain(target.entries("lists")).collect::<Vec<_>>());
    let found = all.into_iter().find(|(known, _)| *known == id);
    found.and_then(|(_, value)| value.get(0)?.as_str()).unwrap_or(id).to_owned()
}

/// Comparisons of two values that are written there.
fn literals(line: &Line<'_>) -> Vec<Mark> {
    let written = |block: &Block<'_>, input: &str| matches!(block.input(input).and_then(|input| input.value), Some(Slot::Primitive(value)) if !value.is_reporter());
    let held = places(line.target, &line.statement).into_iter().filter_map(|place| match place.value {
        Slot::Block(id) => line.target.block(id),
        Slot::Primitive(_) => None,
    });
    let compares = held.filter(|block| matches!(block.opcode, "operator_lt" | "operator_gt" | "operator_equals"));
    let both = compares.filter(|block| written(block, "OPERAND1") && written(block, "OPERAND2"));
    both.map(|block| {
        let said = format!("two values that are written there are compared (block {} of {})", block.id, line.sprite);
        Mark::at(Code::ComparingLiterals, &line.sprite, block.id, said)
    })
    .collect()
}

/// Stacks without a hat.
fn dead(program: &Program<'_>) -> Vec<Mark> {
    let shape = |opcode: &str| Catalogue::pinned().blocks.get(opcode).map_or("", |entry| &*entry.shape);
    let mut marks = Vec::new();
    for target in targets(program.json) {
        let starts = target.scripts().into_iter().filter_map(|start| match start {
            Slot::Block(id) => target.block(id),
            Slot::Primitive(_) => None,
        });
        // A reporter that lies alone is a note.
        for block in
            starts.filter(|block| !is_hat(block.opcode) && !matches!(shape(block.opcode), "reporter" | "boolean"))
        {
            let said = format!("nothing starts the stack at block {} of {}", block.id, target.sprite_id());
            marks.push(Mark::at(Code::DeadCode, target.sprite_id(), block.id, said));
        }
    }
    marks
}
