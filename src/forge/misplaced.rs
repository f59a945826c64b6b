//! Wrong repairs for which one must know the program: a poll in place of a barrier, a reset in another script or of another variable, a
//! message that is renamed at one end or in its name only, the picture beside, a wait in place of a gate.

use serde_json::{Value, json};

use super::near_misses::{Repair, waits};
use crate::patches::effects::{Line, Program};
use crate::project::edit::{Adopted, Edit, Literal, NewBlock, Operand};
use crate::project::normalise::new_id;
use crate::project::reach::{Start, chosen};
use crate::project::view::{Slot, target, targets};

/// Repairs of one kind at a place.
const MOST: usize = 2;
/// Statements that set what is seen, whatever it was.
const LOOKS: [&str; 8] = [
    "looks_show",
    "looks_hide",
    "looks_switchcostumeto",
    "looks_setsizeto",
    "motion_gotoxy",
    "motion_pointindirection",
    "motion_setx",
    "motion_sety",
];
/// A wait in place of a gate, in seconds.
const GATE: &str = "0.5";

/// What could be done in the place of an inverse.
pub(super) fn misplaced(buggy: &Value, inverse: &[Edit]) -> Vec<Repair> {
    let misses = Misses { program: Program::of(buggy) };
    let mut found = Vec::new();
    for (at, edit) in inverse.iter().enumerate() {
        let mut others = misses.resets(edit);
        others.extend(misses.variables(edit));
        others.extend(misses.pictures(edit));
        others.extend(one_end(edit));
        let whole = others.into_iter().map(|(name, other)| {
            let mut patch = inverse.to_vec();
            patch[at] = other;
            (name, patch)
        });
        // A poll or a wait stands for all of the repair.
        let instead = misses.poll(edit).into_iter().chain(gate(edit));
        found.extend(instead.chain(whole).filter_map(|(name, patch)| Repair::of(name, patch, buggy)));
        found.extend(label(buggy, edit));
    }
    found
}

struct Misses<'a> {
    program: Program<'a>,
}

impl<'a> Misses<'a> {
    fn line(&self, sprite: &str, block: &str) -> Option<&Line<'a>> {
        self.program.lines.iter().find(|line| line.sprite == sprite && line.statement.block.id == block)
    }

    /// For a barrier: a wait until a variable is what those who hear the message make it.
    fn poll(&self, edit: &Edit) -> Option<(String, Vec<Edit>)> {
        let Edit::Modify { sprite_id, block_id, path, value: Operand::Literal(Literal::Text(to)) } = edit else {
            return None;
        };
        let send = self.line(sprite_id, block_id).filter(|_| path == "opcode" && to == "event_broadcastandwait")?;
        let message = chosen(send.target, &send.statement.block, "BROADCAST_INPUT")?;
        let in_scope = self.program.in_scope(send.target, "variables");
        let heard = self.program.receivers(&message).into_iter().flat_map(|script| self.program.body(script));
        let asked = heard.filter_map(|line| {
            let (id, name) = line.statement.block.field("VARIABLE").and_then(|field| Some((field.id?, field.value)))?;
            let (opcode, value) = outcome(line)?;
            in_scope.iter().any(|(known, _)| *known == id).then(|| (Operand::Named(name, id.to_owned()), opcode, value))
        });
        let (variable, opcode, value) = asked.last()?;
        let (wait, test) = (new_id("near miss", sprite_id, "poll"), new_id("near miss", sprite_id, "poll test"));
        let inputs = [("OPERAND1".to_owned(), variable), ("OPERAND2".to_owned(), text(&value))];
        let test = NewBlock { id: test, opcode: opcode.to_owned(), inputs: inputs.into(), ..NewBlock::default() };
        let poll = NewBlock { id: wait.clone(), opcode: "control_wait_until".to_owned(), ..NewBlock::default() };
        let patch = vec![add(sprite_id, block_id, None, poll), add(sprite_id, &wait, Some("CONDITION"), test)];
        Some(("wait until below".to_owned(), patch))
    }

    /// The same setting in scripts that something else starts: of a variable anywhere, of what is seen in the same sprite.
    fn resets(&self, edit: &Edit) -> Vec<(String, Edit)> {
        let Edit::Add { sprite_id, parent: Some(parent), block, .. } = edit else { return Vec::new() };
        let is_value = matches!(&*block.opcode, "data_setvariableto" | "data_deletealloflist");
        let is_reset = is_value || LOOKS.contains(&&*block.opcode);
        let Some(home) = self.line(sprite_id, parent).filter(|_| is_reset) else { return Vec::new() };
        let other = |hat: &&Line<'_>| {
            let start = self.program.start(hat);
            let is_near = is_value || hat.sprite == *sprite_id;
            is_near && *start != *self.program.start(home) && !matches!(start, Start::Call(..) | Start::Clone(_))
        };
        let mut hats: Vec<&Line<'_>> = self.program.hats().filter(other).collect();
        hats.sort_by_key(|hat| hat.sprite != *sprite_id);
        let moved = |hat: &&Line<'_>| {
            let (id, sprite) = (hat.statement.block.id, &hat.sprite);
            (format!("reset in the script at {id} of {sprite}"), add(sprite, id, None, (**block).clone()))
        };
        hats.iter().take(MOST).map(moved).collect()
    }

    /// Another variable or list that scripts write, in the place of the one that is named.
    fn variables(&self, edit: &Edit) -> Vec<(String, Edit)> {
        let (field, right) = match edit {
            Edit::Modify { path, value: Operand::Named(_, id), .. } if !path.contains("BROADCAST") => {
                (path.as_str(), id)
            }
            Edit::Add { block, .. } => match block.fields.iter().find_map(|(field, value)| match value {
                Operand::Named(_, id) if matches!(&**field, "VARIABLE" | "LIST") => Some((field.as_str(), id)),
                _ => None,
            }) {
                Some(found) => found,
                None => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let Some(target) = target(self.program.json, edit.sprite_id()) else { return Vec::new() };
        let kinds = ["variables", "lists"].map(|kind| self.program.in_scope(target, kind));
        let same = kinds.into_iter().find(|all| all.iter().any(|(id, _)| id == right)).unwrap_or_default();
        let is_written = |id: &str| self.program.uses.get(id).is_some_and(|uses| !uses.writes.is_empty());
        let others = same.into_iter().filter(|(id, _)| id != right && is_written(id)).take(MOST);
        others.map(|(id, name)| (format!("`{name}` instead"), renamed(edit, field, name, id))).collect()
    }

    /// The costumes or backdrops before and after the right one.
    fn pictures(&self, edit: &Edit) -> Vec<(String, Edit)> {
        let (input, right) = match edit {
            Edit::Modify { path, value: Operand::Literal(Literal::Text(right)), .. } => (path.as_str(), right),
            Edit::Add { block, .. } => match block.inputs.iter().next() {
                Some((input, Operand::Literal(Literal::Text(right)))) => (input.as_str(), right),
                _ => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let holder = match input.trim_start_matches("inputs/") {
            "COSTUME" => edit.sprite_id(),
            "BACKDROP" => "Stage",
            _ => return Vec::new(),
        };
        let Some(target) = target(self.program.json, holder) else { return Vec::new() };
        let names: Vec<&str> = target.items("costumes").iter().filter_map(|costume| costume["name"].as_str()).collect();
        let Some(at) = names.iter().position(|name| name == right) else { return Vec::new() };
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| names.get(at));
        beside.map(|name| (format!("the picture `{name}`"), with(edit, input, text(name)))).collect()
    }
}

/// The comparison that holds once a statement has written its variable, and the value.
fn outcome(line: &Line<'_>) -> Option<(&'static str, String)> {
    let block = &line.statement.block;
    match (block.opcode, block.input("VALUE")?.value?) {
        ("data_setvariableto", Slot::Primitive(value)) if !value.is_reporter() => {
            Some(("operator_equals", value.value))
        }
        ("data_changevariableby", _) => Some(("operator_gt", "0".to_owned())),
        _ => None,
    }
}

/// For a gate around what is there: a wait before it.
fn gate(edit: &Edit) -> Option<(String, Vec<Edit>)> {
    let Edit::Add { sprite_id, parent: Some(parent), block, .. } = edit else { return None };
    let adopts = matches!(block.inputs.get("SUBSTACK"), Some(Operand::Block(Adopted { .. })));
    (block.opcode == "control_if" && adopts)
        .then(|| (format!("wait {GATE} s for the gate"), vec![waits(sprite_id, parent, GATE)]))
}

/// For a message: a name that the other end does not have.
fn one_end(edit: &Edit) -> Option<(String, Edit)> {
    let (field, name) = message(edit)?;
    let new = format!("{name} again");
    let id = new_id("message", "Stage", &new);
    Some((format!("the new message `{new}` at one end"), renamed(edit, field, &new, &id)))
}

/// For a message: its name with the id that the buggy project has there. No atomic edit does that; a file may be written so, and the
/// editor's loader undoes it.
fn label(buggy: &Value, edit: &Edit) -> Option<Repair> {
    let Edit::Modify { sprite_id, block_id, path, .. } = edit else { return None };
    let (_, name) = message(edit)?;
    let mut project = buggy.clone();
    let place = targets(buggy).position(|target| target.sprite_id() == sprite_id)?;
    let (kind, slot) = path.split_once('/')?;
    let written = &mut project["targets"][place]["blocks"][block_id][kind][slot];
    let pair = if kind == "fields" { written.as_array_mut()? } else { written.get_mut(1)?.as_array_mut()? };
    let at = pair.len().checked_sub(2)?;
    let id = pair[at + 1].as_str()?.to_owned();
    pair[at] = json!(name);
    let patch = vec![renamed(edit, path, name, &id)];
    Some(Repair { name: format!("`{name}` by its name only"), patch, project })
}

/// The message that an edit names, and where: path, field or input.
pub(super) fn message(edit: &Edit) -> Option<(&str, &str)> {
    match edit {
        Edit::Modify { path, value: Operand::Named(name, _), .. } if path.contains("BROADCAST") => Some((path, name)),
        Edit::Add { block, .. } => block.fields.iter().chain(&block.inputs).find_map(|(field, value)| match value {
            Operand::Named(name, _) if field.contains("BROADCAST") => Some((field.as_str(), name.as_str())),
            _ => None,
        }),
        _ => None,
    }
}

/// The same edit with another name and id at a path, field or input.
pub(super) fn renamed(edit: &Edit, field: &str, name: &str, id: &str) -> Edit {
    with(edit, field, Operand::Named(name.to_owned(), id.to_owned()))
}

fn with(edit: &Edit, field: &str, to: Operand) -> Edit {
    let mut edit = edit.clone();
    match &mut edit {
        Edit::Modify { value, .. } => *value = to,
        Edit::Add { block, .. } => {
            let slots = if block.fields.contains_key(field) { &mut block.fields } else { &mut block.inputs };
            slots.insert(field.to_owned(), to);
        }
        Edit::Remove { .. } => {}
    }
    edit
}

fn text(value: &str) -> Operand {
    Operand::Literal(Literal::Text(value.to_owned()))
}

/// A new block below another, or in a slot of it.
pub(super) fn add(sprite: &str, parent: &str, input: Option<&str>, block: NewBlock) -> Edit {
    Edit::Add {
        sprite_id: sprite.to_owned(),
        parent: Some(parent.to_owned()),
        input: input.map(str::to_owned),
        at: None,
        next: None,
        block: Box::new(block),
        order: indexmap::IndexMap::new(),
    }
}
