//! Rewrites reporters: operands swapped, a comparison mirrored, a condition negated twice.

use crate::mutants::edit::Step;
use crate::mutants::operators::{Candidate, candidate};
use crate::project::view::{Block, Slot, TargetView};
use crate::project::walk::{Statement, places};

/// Reporters inside of one another that are looked at.
const MAX_DEPTH: usize = 200;

/// Reporters whose operands may change places, with the names of these.
const COMMUTATIVE: [(&str, &str, &str); 5] = [
    ("operator_add", "NUM1", "NUM2"),
    ("operator_multiply", "NUM1", "NUM2"),
    ("operator_equals", "OPERAND1", "OPERAND2"),
    ("operator_and", "OPERAND1", "OPERAND2"),
    ("operator_or", "OPERAND1", "OPERAND2"),
];

/// All candidates of the slots of one statement.
pub(super) fn candidates(target: TargetView<'_>, statement: &Statement<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for place in places(target, statement) {
        let Slot::Block(id) = place.value else { continue };
        let Some(inner) = target.block(id) else { continue };
        let make = |operator, variant: &str, block: &str, steps| {
            candidate(operator, &place.path, variant, block.to_owned(), steps)
        };
        if place.input == "CONDITION" {
            let step = || Step::Negate { block: place.holder.id.to_owned(), input: place.input.to_owned() };
            found.push(make("benign:denial", "twice", place.holder.id, vec![step(), step()]));
        }
        // Whichever operand draws first would get another number of the same stream.
        if draws(target, &inner, 0) {
            continue;
        }
        let swap = |a: &str, b: &str| Step::Swap { block: id.to_owned(), inputs: [a.to_owned(), b.to_owned()] };
        if let Some((_, a, b)) = COMMUTATIVE.iter().find(|(opcode, ..)| *opcode == inner.opcode) {
            found.push(make("benign:swap", "operands", id, vec![swap(a, b)]));
        }
        for (from, to) in [("operator_lt", "operator_gt"), ("operator_gt", "operator_lt")] {
            if inner.opcode == from {
                let steps = vec![swap("OPERAND1", "OPERAND2"), Step::Opcode { block: id.to_owned(), to }];
                found.push(make("benign:mirror", "comparison", id, steps));
            }
        }
    }
    found
}

/// Whether a number is drawn in it.
fn draws(target: TargetView<'_>, block: &Block<'_>, depth: usize) -> bool {
    let inner = |slot| match slot {
        Some(Slot::Block(id)) => target.block(id),
        _ => None,
    };
    block.opcode == "operator_random"
        || depth >= MAX_DEPTH
        || block.inputs().filter_map(|input| inner(input.value)).any(|inner| draws(target, &inner, depth + 1))
}
