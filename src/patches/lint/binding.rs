//! Names and ids: each reference to a variable, list or message has a name and an id that belong together, of the right kind, and in
//! scope: of the target itself, or of the stage.

use std::collections::BTreeSet;

use serde_json::Value;

use super::change::{Change, Mark};
use super::messages::Messages;
use super::{Code, Finding};
use crate::patches::effects::{Line, Program, Thing, Touches};
use crate::project::edit::{Edit, Operand};
use crate::project::view::{Block, Slot, TargetView, target, targets};

/// Kinds of what is named, as targets declare them.
const KINDS: [&str; 3] = ["variables", "lists", "broadcasts"];

/// A name with its id at a block.
struct Reference {
    kind: &'static str,
    name: String,
    id: String,
}

pub(super) fn marks(change: &Change<'_>) -> Vec<Mark> {
    let known: BTreeSet<Mark> = references(change.before.json).into_iter().collect();
    let mut marks: Vec<Mark> = references(change.after.json).into_iter().filter(|mark| !known.contains(mark)).collect();
    marks.extend(split(change));
    marks.extend(orphans(change));
    marks
}

/// References of a project that do not fit.
pub(super) fn references(project: &Value) -> Vec<Mark> {
    let mut marks = Vec::new();
    for target in targets(project) {
        for block in target.blocks() {
            for reference in of_block(&block) {
                let Some((code, said)) = judged(project, target, &reference) else { continue };
                let said = format!("{said} (block {} of {})", block.id, target.sprite_id());
                let about = format!("{} {}", block.id, reference.name);
                marks.push(Mark::at(code, target.sprite_id(), block.id, said).about(&about));
            }
        }
    }
    marks
}

/// What edits name that does not fit, whether or not they can be made.
pub(super) fn named(project: &Value, patch: &[Edit]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, edit) in patch.iter().enumerate() {
        let Some(target) = target(project, edit.sprite_id()) else { continue };
        for (slot, name, id) in operands(edit) {
            let reference =
                Reference { kind: kind(slot, target, project, id), name: name.to_owned(), id: id.to_owned() };
            if let Some((code, message)) = judged(project, target, &reference) {
                findings.push(Finding { code, edit: Some(number), message });
            }
        }
    }
    findings
}

/// A variable, list or message in a field or slot.
fn operand<'a>(slot: &'a str, value: &'a Operand) -> Option<(&'a str, &'a str, &'a str)> {
    match value {
        Operand::Named(name, id) => Some((slot, name, id)),
        _ => None,
    }
}

/// Names with ids in an edit, with the field or slot they are for.
fn operands(edit: &Edit) -> Vec<(&str, &str, &str)> {
    match edit {
        Edit::Modify { path, value, .. } => {
            let slot = path.split_once('/').map_or("", |(_, slot)| slot);
            operand(slot, value).into_iter().collect()
        }
        Edit::Add { block, .. } => {
            let all = block.fields.iter().chain(&block.inputs);
            all.filter_map(|(slot, value)| operand(slot.as_str(), value)).collect()
        }
        Edit::Remove { .. } => Vec::new(),
    }
}

/// What a field or slot takes. A list's contents lie in the same slots as variables do.
fn kind(slot: &str, target: TargetView<'_>, project: &Value, id: &str) -> &'static str {
    let is_list = || seen(project, target).any(|holder| declared(holder, "lists", id).is_some());
    match slot {
        "BROADCAST_OPTION" | "BROADCAST_INPUT" => "broadcasts",
        "LIST" => "lists",
        "VARIABLE" => "variables",
        _ if is_list() => "lists",
        _ => "variables",
    }
}

/// The references of a block, those that lie in its slots included.
fn of_block(block: &Block<'_>) -> Vec<Reference> {
    let kind = |field: &str| match field {
        "VARIABLE" => Some("variables"),
        "LIST" => Some("lists"),
        "BROADCAST_OPTION" => Some("broadcasts"),
        _ => None,
    };
    let mut found: Vec<Reference> = Vec::new();
    for field in block.fields() {
        if let (Some(kind), Some(id)) = (kind(field.name), field.id) {
            found.push(Reference { kind, name: field.value, id: id.to_owned() });
        }
    }
    for slot in block.inputs().flat_map(|input| [input.value, input.hidden]).flatten() {
        let Slot::Primitive(primitive) = slot else { continue };
        let kind = match primitive.kind {
            11 => "broadcasts",
            12 => "variables",
            13 => "lists",
            _ => continue,
        };
        if let Some(id) = primitive.id {
            found.push(Reference { kind, name: primitive.value, id: id.to_owned() });
        }
    }
    found
}

/// The targets whose things one sees: itself and the stage.
fn seen<'a>(project: &'a Value, target: TargetView<'a>) -> impl Iterator<Item = TargetView<'a>> {
    std::iter::once(target).chain(targets(project).filter(move |other| other.is_stage() && !target.is_stage()))
}

/// The name that something is declared by.
fn declared<'a>(holder: TargetView<'a>, kind: &str, id: &str) -> Option<&'a str> {
    let (_, value) = holder.entries(kind).find(|(known, _)| *known == id)?;
    value.get(0).unwrap_or(value).as_str()
}

/// What does not fit about a reference.
fn judged(project: &Value, target: TargetView<'_>, reference: &Reference) -> Option<(Code, String)> {
    let Reference { kind, name, id } = reference;
    let is_message = *kind == "broadcasts";
    // Messages are compared without case.
    let same = |known: &str| known == name || is_message && known.eq_ignore_ascii_case(name);
    let of_name = |holder: TargetView<'_>| {
        holder.entries(kind).any(|(_, value)| value.get(0).unwrap_or(value).as_str().is_some_and(same))
    };
    if let Some((holder, known)) = seen(project, target).find_map(|holder| Some((holder, declared(holder, kind, id)?)))
    {
        if !same(known) {
            return Some((Code::LabelOnly, format!("the id of `{known}` stands beside the name `{name}`")));
        }
        let is_hidden = holder.is_stage() && !target.is_stage() && !is_message && of_name(target);
        return is_hidden.then(|| {
            let owner = target.name();
            (Code::WrongScope, format!("`{name}` of the stage is meant, and {owner} has one of its own"))
        });
    }
    if let Some(other) = targets(project).find(|other| declared(*other, kind, id).is_some()) {
        return Some((Code::WrongScope, format!("`{name}` belongs to {} alone", other.sprite_id())));
    }
    if seen(project, target).any(of_name) {
        return Some((Code::LabelOnly, format!("the name `{name}` stands beside an id that is not its own")));
    }
    let other_kind =
        KINDS.into_iter().any(|other| seen(project, target).any(|holder| declared(holder, other, id).is_some()));
    // A message that an edit names first is declared by it.
    (!is_message || other_kind)
        .then(|| (Code::WrongScope, format!("there is no `{name}` of this kind and id in scope")))
}

/// Writes that are of another variable now, of which nobody reads what is written.
fn split(change: &Change<'_>) -> Vec<Mark> {
    let mut marks = Vec::new();
    for line in change.after.live().filter(|line| change.is_touched(line)) {
        let Some((id, name)) = written(line) else { continue };
        let Some(was) = was(change, line).filter(|was| was != id) else { continue };
        if is_read(&change.after, &was) && !is_read(&change.after, id) {
            let said = format!("`{name}` is written now and read nowhere; what was written before is still read");
            marks.push(Mark::of_line(Code::SplitBinding, line, &said));
        }
    }
    marks
}

/// What a statement writes: the id and name of a variable or list.
fn written<'a>(line: &Line<'a>) -> Option<(&'a str, String)> {
    let block = &line.statement.block;
    let field = block.field("VARIABLE").or_else(|| block.field("LIST"))?;
    let writes = block.opcode.starts_with("data_") && !block.opcode.contains("show") && !block.opcode.contains("hide");
    Some((field.id.filter(|_| writes)?, field.value))
}

/// What a statement wrote before, or one of the same kind that is gone from its script.
fn was(change: &Change<'_>, line: &Line<'_>) -> Option<String> {
    let before = |other: &&Line<'_>| other.sprite == line.sprite;
    let same =
        change.before.lines.iter().filter(before).find(|other| other.statement.block.id == line.statement.block.id);
    if let Some(same) = same {
        return written(same).map(|(id, _)| id.to_owned());
    }
    let root = change.after.scripts[line.script].root;
    let is_gone = |other: &&Line<'_>| {
        let block = &other.statement.block;
        let lost = target(change.after.json, &other.sprite).is_none_or(|target| target.block(block.id).is_none());
        lost && block.opcode == line.statement.block.opcode && change.before.scripts[other.script].root == root
    };
    let gone = change.before.lines.iter().filter(before).find(is_gone)?;
    written(gone).map(|(id, _)| id.to_owned())
}

/// Whether a script other than for changing it, or a person at the stage, reads a variable or list.
fn is_read(program: &Program<'_>, id: &str) -> bool {
    let value = Thing::Value(id.to_owned());
    let by_script = program.lines.iter().map(|line| Touches::of(program.json, line));
    let shown = |monitor: &Value| monitor["id"].as_str() == Some(id) && monitor["visible"] == true;
    by_script.into_iter().any(|touches| touches.reads.contains(&value) && !touches.writes.contains(&value))
        || program.json["monitors"].as_array().is_some_and(|monitors| monitors.iter().any(shown))
}

/// Messages that were not there before, with only one end.
fn orphans(change: &Change<'_>) -> Vec<Mark> {
    let (known, now) = (Messages::of(&change.before), Messages::of(&change.after));
    let mut marks = now.unheard(Code::OrphanMessage);
    marks.extend(now.unsent(Code::OrphanMessage));
    marks.retain(|(message, _)| !known.has(message));
    marks.into_iter().map(|(_, mark)| mark).collect()
}
