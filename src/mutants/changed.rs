//! Which statements of the golden project are not in the initial one.
//!
//! Ids do not help, because each build assigns new ones: a statement is compared by its whole text, except mouths,
//! and by how deep it lies.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::notation::diff::{Change, script_diffs};
use crate::project::view::{Block, Slot, TargetView};
use crate::project::walk::{Statement, is_mouth, scripts};

/// Reporters inside of one another that are compared.
const MAX_DEPTH: usize = 200;

/// Ids of the statements of `golden` that `initial` lacks; all of them if there is no such target. Where
/// something was only taken away, the statements before and after the gap count.
pub(super) fn changed<'a>(golden: TargetView<'a>, initial: Option<TargetView<'_>>) -> BTreeSet<&'a str> {
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
    for input in block.inputs().filter(|input| !is_mouth(input.name)) {
        // Slots of My Blocks are named by ids, which differ between builds; their order does not.
        let name = if block.opcode.starts_with("procedures_") { "" } else { input.name };
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
}
