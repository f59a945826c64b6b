//! Right repairs that look otherwise than the true one (ScratchEval, section 10.3): one place beside where that makes no difference, a
//! message with another name at both ends, statements that commute exchanged. Rewrites of all of gold, such as mirrored comparisons, are
//! made by the room `mutants`.

use serde_json::Value;

use super::misplaced::{add, message, renamed};
use super::near_misses::Repair;
use crate::bugs::Site;
use crate::patches::effects::{Line, Program, commute};
use crate::project::edit::{Edit, NewBlock};
use crate::project::normalise::new_id;

/// Pairs of statements that are exchanged.
const MOST_PAIRS: usize = 2;

/// Repairs that do what the inverse does.
pub fn right_repairs(buggy: &Value, gold: &Value, inverse: &[Edit], site: &Site) -> Vec<Repair> {
    let program = Program::of(gold);
    let mut found = Vec::new();
    for (at, edit) in inverse.iter().enumerate() {
        for (name, other) in beside(&program, edit) {
            let mut patch = inverse.to_vec();
            patch[at] = other;
            found.push((name, patch));
        }
    }
    found.extend(renamed_at_both_ends(&program, inverse));
    found.extend(exchanged(&program, inverse, site));
    found.into_iter().filter_map(|(name, patch)| Repair::of(name, patch, buggy)).collect()
}

/// A statement that is put back, above the one above it or below the one below it, where they commute.
fn beside(program: &Program<'_>, edit: &Edit) -> Vec<(String, Edit)> {
    let Edit::Add { sprite_id, parent: Some(_), input: None, block, .. } = edit else { return Vec::new() };
    let line = |id: &str| program.lines.iter().find(|line| line.sprite == *sprite_id && line.statement.block.id == id);
    let Some(own) = line(&block.id) else { return Vec::new() };
    let mut found = Vec::new();
    let below = own.statement.block.next.and_then(line);
    if let Some(below) = below.filter(|below| commute(program, own, below)) {
        found.push(("one place further down".to_owned(), below.statement.block.id));
    }
    let above = own.statement.block.parent.and_then(line);
    if let Some(above) =
        above.filter(|above| above.statement.block.next == Some(&block.id) && commute(program, own, above))
    {
        let head = above.statement.block.parent.and_then(line);
        let is_stack = |head: &&Line<'_>| head.statement.block.next == Some(above.statement.block.id);
        found.extend(head.filter(is_stack).map(|head| ("one place further up".to_owned(), head.statement.block.id)));
    }
    found.into_iter().map(|(name, parent)| (name, add(sprite_id, parent, None, (**block).clone()))).collect()
}

/// The message that the inverse names, under a new name there and wherever else it is sent or heard.
fn renamed_at_both_ends(program: &Program<'_>, inverse: &[Edit]) -> Option<(String, Vec<Edit>)> {
    let (_, old) = inverse.iter().find_map(message)?;
    let new = format!("{old} renamed");
    let id = new_id("message", "Stage", &new);
    let mut patch: Vec<Edit> = inverse
        .iter()
        .map(|edit| match message(edit) {
            Some((field, name)) if name.eq_ignore_ascii_case(old) => renamed(edit, field, &new, &id),
            _ => edit.clone(),
        })
        .collect();
    for line in &program.lines {
        let block = &line.statement.block;
        let is_done = inverse.iter().any(|edit| edit.sprite_id() == line.sprite && edit.block_id() == block.id);
        let Some(path) = names(line, old).filter(|_| !is_done) else { continue };
        patch.push(Edit::Modify {
            sprite_id: line.sprite.clone(),
            block_id: block.id.to_owned(),
            path: path.to_owned(),
            value: crate::project::edit::Operand::Named(new.clone(), id.clone()),
        });
    }
    Some((format!("`{old}` renamed at both ends"), patch))
}

/// Where a statement or hat names a message.
fn names(line: &Line<'_>, message: &str) -> Option<&'static str> {
    let block = &line.statement.block;
    let sent = crate::project::reach::chosen(line.target, block, "BROADCAST_INPUT");
    if sent.is_some_and(|sent| sent.eq_ignore_ascii_case(message)) {
        return Some("inputs/BROADCAST_INPUT");
    }
    let heard = block.field("BROADCAST_OPTION").is_some_and(|field| field.value.eq_ignore_ascii_case(message));
    heard.then_some("fields/BROADCAST_OPTION")
}

/// A statement put below the one below it. None of one that holds others, whose copy would lose them.
pub(super) fn exchange(upper: &Line<'_>, lower: &str) -> Option<[Edit; 2]> {
    let id = new_id("exchanged", &upper.sprite, upper.statement.block.id);
    let copy = NewBlock::copy(upper.target, &upper.statement.block, id)?;
    let block_id = upper.statement.block.id.to_owned();
    let away = Edit::Remove { sprite_id: upper.sprite.clone(), block_id, splice: false };
    Some([away, add(&upper.sprite, lower, None, copy)])
}

/// The true repair, and two statements of the same script that commute in each other's place.
fn exchanged(program: &Program<'_>, inverse: &[Edit], site: &Site) -> Vec<(String, Vec<Edit>)> {
    let edited = |line: &Line<'_>| inverse.iter().any(|edit| edit.block_id() == line.statement.block.id);
    let here = program.lines.iter().filter(|line| {
        line.sprite == site.sprite_id && program.scripts[line.script].root == site.script && !program.is_hat(line)
    });
    let here: Vec<&Line<'_>> = here.filter(|line| !edited(line)).collect();
    let mut found = Vec::new();
    for one in &here {
        let below = here.iter().find(|other| one.statement.block.next == Some(other.statement.block.id));
        let Some(below) = below.filter(|below| commute(program, one, below)) else { continue };
        let (upper, lower) = (one.statement.block.id, below.statement.block.id);
        let Some(exchange) = exchange(one, lower) else { continue };
        let patch = inverse.iter().cloned().chain(exchange).collect();
        found.push((format!("{upper} and {lower} exchanged"), patch));
    }
    found.truncate(MOST_PAIRS);
    found
}
