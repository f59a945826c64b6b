//! Whether what blocks name is declared: variables, lists and messages by id and name, within their scope, and My Blocks by their
//! signature. The machine runs a project in which they do not agree, but not as its author means it. References between blocks are
//! `validate`'s work.

use scratchbed_project::Problem;
use scratchbed_project::view::{Block, Slot, TargetView, targets};
use serde_json::Value;

use super::ids::Kind;

/// What a patch made disagree: problems that the project before did not have. Their codes begin with `binding:`.
pub fn bindings(before: &Value, patched: &Value) -> Vec<Problem> {
    let known = all(before);
    all(patched).into_iter().filter(|problem| !known.contains(problem)).collect()
}

fn all(project: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    for target in targets(project) {
        let at = |problem: Problem, block: &Block<'_>| problem.at_block(block.id).in_target(target.name());
        for block in target.blocks() {
            let named = names(&block).into_iter().filter_map(|named| unbound(project, target, &named));
            problems.extend(named.chain(misfit(target, &block)).map(|problem| at(problem, &block)));
        }
        let alone = target
            .scripts()
            .into_iter()
            .filter_map(|slot| name_of(&slot).map(|named| unbound(project, target, &named)));
        problems.extend(alone.flatten().map(|problem| problem.in_target(target.name())));
    }
    problems
}

/// A variable, list or message as a block names it.
struct Named<'a> {
    kind: Kind,
    name: String,
    id: Option<&'a str>,
}

/// What a block names in its fields and slots.
fn names<'a>(block: &Block<'a>) -> Vec<Named<'a>> {
    let fields = block
        .fields()
        .filter_map(|field| Some(Named { kind: Kind::of_field(field.name)?, name: field.value, id: field.id }));
    let slots = block.inputs().flat_map(|input| [input.value, input.hidden]).flatten();
    fields.chain(slots.filter_map(|slot| name_of(&slot))).collect()
}

fn name_of<'a>(slot: &Slot<'a>) -> Option<Named<'a>> {
    match slot {
        Slot::Primitive(one) => {
            Some(Named { kind: Kind::of_primitive(one.kind)?, name: one.value.clone(), id: one.id })
        }
        Slot::Block(_) => None,
    }
}

/// Names by id of what a target declares.
fn declared(target: TargetView<'_>, kind: Kind) -> impl Iterator<Item = (&str, &str)> {
    target.entries(kind.collection()).filter_map(|(id, one)| Some((id, one.as_str().or_else(|| one.get(0)?.as_str())?)))
}

fn unbound(project: &Value, target: TargetView<'_>, named: &Named<'_>) -> Option<Problem> {
    let kind = named.kind;
    let in_scope = || [Some(target), targets(project).find(TargetView::is_stage)].into_iter().flatten();
    let mut known = in_scope().flat_map(|target| declared(target, kind));
    let Some(id) = named.id else {
        // The machine looks for the name then.
        let is_known = known.any(|(_, name)| name == named.name);
        return (!is_known).then(|| undeclared(kind, &named.name));
    };
    if let Some((_, name)) = known.find(|(known, _)| *known == id) {
        let message = || format!("\"{}\" has the id of \"{name}\"", named.name);
        return (name != named.name).then(|| Problem::warning("binding:wrong_name", message()));
    }
    if targets(project).any(|target| declared(target, kind).any(|(known, _)| known == id)) {
        let message = format!("\"{}\" belongs to another sprite", named.name);
        return Some(Problem::warning("binding:out_of_scope", message));
    }
    Some(undeclared(kind, &named.name))
}

fn undeclared(kind: Kind, name: &str) -> Problem {
    let (code, what) = match kind {
        Kind::Broadcast => ("binding:no_such_message", "message"),
        Kind::List => ("binding:no_such_list", "list"),
        Kind::Variable | Kind::Block => ("binding:no_such_variable", "variable"),
    };
    Problem::warning(code, format!("there is no {what} \"{name}\" with this id"))
}

/// Whether a call or a definition of My Blocks fits its signature.
fn misfit(target: TargetView<'_>, block: &Block<'_>) -> Option<Problem> {
    if !matches!(block.opcode, "procedures_call" | "procedures_prototype") {
        return None;
    }
    let signature = block.attribute("proccode").unwrap_or_default();
    let arguments = argument_ids(block);
    let wrong =
        || Some(Problem::warning("binding:wrong_signature", format!("the arguments do not fit \"{signature}\"")));
    if block.opcode == "procedures_prototype" {
        let places = signature.split(' ').filter(|word| matches!(*word, "%s" | "%b" | "%n")).count();
        return if arguments.len() == places { None } else { wrong() };
    }
    let mut definitions = target.blocks().filter(|one| one.opcode == "procedures_prototype");
    let Some(definition) = definitions.find(|one| one.attribute("proccode") == Some(signature)) else {
        let message = format!("this sprite has no block \"{signature}\"");
        return Some(Problem::warning("binding:no_such_procedure", message));
    };
    let is_known = block.inputs().all(|input| arguments.iter().any(|id| id == input.name));
    if is_known && arguments == argument_ids(&definition) { None } else { wrong() }
}

/// Ids of arguments, which a mutation holds as JSON text.
fn argument_ids(block: &Block<'_>) -> Vec<String> {
    block.attribute("argumentids").and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

#[cfg(test)]
#[path = "binding_tests.rs"]
mod tests;
