//! Renames variables, lists and messages that the solution itself has introduced.

use serde_json::{Value, json};

use crate::mutants::operators::{Candidate, candidate};
use crate::project::Project;
use crate::project::view::{Slot, TargetView, targets};

/// Another name for a variable, list or message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::mutants) struct Rename {
    id: String,
    pub(in crate::mutants) from: String,
    pub(in crate::mutants) to: String,
}

/// All candidates of what one target declares.
pub(super) fn candidates(
    golden: &Project,
    initial: &Project,
    target: TargetView<'_>,
    instruction: &str,
) -> Vec<Candidate> {
    let instruction = instruction.to_lowercase();
    let is_free = |name: &str| {
        !name.is_empty()
            && !instruction.contains(&name.to_lowercase())
            && !declared(initial).any(|known| known == name)
            && !is_spoken_of(golden, name)
    };
    let mut found = Vec::new();
    for (kind, variant) in [("variables", "variable"), ("lists", "list"), ("broadcasts", "message")] {
        if kind == "broadcasts" && computes_messages(golden) {
            continue;
        }
        for (id, item) in target.entries(kind) {
            let Some(from) = name_of(item).filter(|name| is_free(name)) else { continue };
            let to = format!("{from} by another name");
            let rename = Rename { id: id.to_owned(), from: from.to_owned(), to };
            let one = candidate("benign:rename", &format!("{variant}.{from}"), "other", String::new(), Vec::new());
            found.push(Candidate { renames: Some(rename), ..one });
        }
    }
    found
}

fn name_of(item: &Value) -> Option<&str> {
    item.as_str().or_else(|| item.get(0)?.as_str())
}

/// The names of all variables, lists and messages.
fn declared(project: &Project) -> impl Iterator<Item = &str> {
    let kinds = ["variables", "lists", "broadcasts"];
    targets(&project.json).flat_map(move |target| {
        kinds.into_iter().flat_map(move |kind| target.entries(kind).filter_map(|(_, item)| name_of(item)))
    })
}

/// Whether a block refers to the name by text, and would need to be changed too: `[score v] of (Stage v)`.
fn is_spoken_of(project: &Project, name: &str) -> bool {
    let blocks = targets(&project.json).flat_map(|target| target.blocks());
    blocks.into_iter().any(|block| {
        let field = block.fields().any(|field| field.id.is_none() && field.value == name);
        let text = block.inputs().any(
            |input| matches!(&input.value, Some(Slot::Primitive(text)) if text.id.is_none() && text.value == name),
        );
        field || text
    })
}

/// Whether a message with a computed name is sent.
fn computes_messages(project: &Project) -> bool {
    let computed = |target: TargetView<'_>| {
        target.blocks().any(|block| {
            let sent = block.input("BROADCAST_INPUT").and_then(|input| input.value);
            matches!(sent, Some(Slot::Block(id)) if target.block(id).is_none_or(|inner| !inner.shadow))
                || matches!(sent, Some(Slot::Primitive(value)) if value.is_reporter())
        })
    };
    targets(&project.json).any(computed)
}

/// Renames it where it is declared, in this target, and in every block and monitor that refers to it. Another sprite may have something of
/// its own with the same id.
pub(in crate::mutants) fn rename(project: &mut Value, owner: usize, rename: &Rename) {
    let Rename { id, to, .. } = rename;
    let name = project["targets"][owner]["name"].clone();
    let is_stage = project["targets"][owner]["isStage"] == true;
    for (at, target) in project["targets"].as_array_mut().into_iter().flatten().enumerate() {
        let has_own = ["variables", "lists", "broadcasts"].iter().any(|kind| target[kind].get(id).is_some());
        if at != owner && (!is_stage || has_own) {
            continue;
        }
        for kind in ["variables", "lists"] {
            if let Some(item) = target.get_mut(kind).and_then(|all| all.get_mut(id)).and_then(|item| item.get_mut(0)) {
                *item = json!(to);
            }
        }
        if let Some(name) = target.get_mut("broadcasts").and_then(|all| all.get_mut(id)) {
            *name = json!(to);
        }
        if let Some(blocks) = target.get_mut("blocks") {
            mean(blocks, rename);
        }
    }
    for monitor in project["monitors"].as_array_mut().into_iter().flatten() {
        let of = monitor.get("spriteName").filter(|of| !of.is_null());
        if monitor.get("id").and_then(Value::as_str) == Some(id) && of.is_none_or(|of| *of == name) {
            for (_, name) in monitor.get_mut("params").and_then(Value::as_object_mut).into_iter().flatten() {
                *name = json!(to);
            }
        }
    }
}

/// Names that stand before their id, in fields and inline values.
fn mean(value: &mut Value, rename: &Rename) {
    match value {
        Value::Array(items) => {
            for at in 1..items.len() {
                let is_it = items[at].as_str() == Some(&rename.id)
                    && items[at - 1].as_str().is_some_and(|name| name.eq_ignore_ascii_case(&rename.from));
                if is_it {
                    items[at - 1] = json!(rename.to);
                }
            }
            for item in items {
                mean(item, rename);
            }
        }
        Value::Object(entries) => {
            for (_, entry) in entries {
                mean(entry, rename);
            }
        }
        _ => {}
    }
}
