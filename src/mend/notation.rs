//! A project as text for a model: the notation of docs/PROJECT-TEXT.md, with what edits need behind `//`: opcodes and ids of the blocks of a
//! line, and ids of what blocks name. It is one way only; `representation` has the other form.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use super::representation::{ITEMS, Scripts, stack};
use crate::notation::{Script, TargetState, TextTarget, block_lines, from_project};
use crate::project::view::{Block, Slot, TargetView, targets};
use crate::project::walk::is_mouth;
use crate::project::{DataSection, Project, forms, loaded};

/// How far the notation is indented in a text of a project.
const INDENT: &str = "    ";

/// The project as text.
pub fn text(project: &Value, scripts: &Scripts) -> String {
    let project = &loaded(project).json;
    let bare = Project { json: project.clone(), assets: BTreeMap::new() };
    let document = from_project(&bare).document;
    let mut text = String::new();
    for (at, (target, shown)) in targets(project).zip(&document.targets).enumerate() {
        let named = [DataSection::Variables, DataSection::Lists].map(|section| forms(project, at, section));
        head(&mut text, target, shown, &named);
        for (slot, script) in target.scripts().into_iter().zip(&shown.scripts) {
            let Slot::Block(root) = slot else { continue };
            if scripts.has(target.sprite_id(), root)
                && let Some(root) = target.block(root)
            {
                let _ = writeln!(text, "{}", written(target, &root, script));
            }
        }
    }
    text
}

/// What the blocks of a target may name.
fn head(
    text: &mut String,
    target: TargetView<'_>,
    shown: &TextTarget,
    [variables, lists]: &[BTreeMap<String, String>; 2],
) {
    let _ = match &shown.state {
        TargetState::Stage(_) => writeln!(text, "stage"),
        TargetState::Sprite(_) => writeln!(text, "sprite {}", Value::from(target.sprite_id())),
    };
    // As the scripts write it, where a name is another one's too.
    let named = |forms: &BTreeMap<String, String>, id: &str| forms.get(id).map(|form| Value::from(form.as_str()));
    for (id, value) in target.entries("variables") {
        let Some(name) = named(variables, id) else { continue };
        let _ = writeln!(text, "  variable {name} = {} // #{id}", value[1]);
    }
    for (id, value) in target.entries("lists") {
        let Some(name) = named(lists, id) else { continue };
        let items = value[1].as_array().map(Vec::as_slice).unwrap_or_default();
        let first: Vec<String> = items.iter().take(ITEMS).map(ToString::to_string).collect();
        let more = if items.len() > ITEMS { ", …" } else { "" };
        let _ = writeln!(text, "  list {name} = {} items: {}{more} // #{id}", items.len(), first.join(", "));
    }
    for (id, name) in target.entries("broadcasts") {
        let _ = writeln!(text, "  message {name} // #{id}");
    }
    for (word, key) in [("costumes", "costumes"), ("sounds", "sounds")] {
        let names: Vec<String> = target.items(key).iter().map(|one| one["name"].to_string()).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "  {word} {}", names.join(", "));
        }
    }
}

/// A script with the ids of its blocks. One whose lines can't be told to be these blocks is written as JSON, in which nothing is guessed.
fn written(target: TargetView<'_>, root: &Block<'_>, script: &Script) -> String {
    let indented: Vec<String> = script.text.trim_end().lines().map(|line| format!("{INDENT}{line}")).collect();
    let starts = block_lines(&indented.join("\n"), 1);
    let blocks = in_order(target, root);
    if starts.len() != blocks.len() {
        return format!("  script as JSON\n{INDENT}{}", Value::Array(stack(target, root)));
    }
    let mut lines = indented;
    for (line, block) in starts.iter().zip(&blocks) {
        let line = &mut lines[line - 1];
        let ids = ids(target, block);
        let sep = if line.contains(" //") { ";" } else { " //" };
        let _ = write!(line, "{sep} {ids}");
    }
    let note = if script.without_refresh { " without-refresh" } else { "" };
    format!("  script{note}\n{}", lines.join("\n"))
}

/// The blocks of a stack with those in their mouths, as their lines follow each other.
fn in_order<'a>(target: TargetView<'a>, first: &Block<'a>) -> Vec<Block<'a>> {
    let (mut found, mut open, mut seen) = (Vec::new(), vec![first.clone()], BTreeSet::new());
    while let Some(block) = open.pop() {
        if !seen.insert(block.id) {
            continue;
        }
        open.extend(block.next.and_then(|id| target.block(id)));
        let held = block.inputs().filter(|input| is_mouth(input.name)).filter_map(|input| match input.value {
            Some(Slot::Block(id)) => Some((input.name, target.block(id)?)),
            _ => None,
        });
        let mut mouths: Vec<(&str, Block<'a>)> = held.collect();
        mouths.sort_by_key(|(name, _)| std::cmp::Reverse(*name));
        open.extend(mouths.into_iter().map(|(_, block)| block));
        found.push(block);
    }
    found
}

/// Opcode and id of a block, and of the reporters in its slots from left to right.
fn ids(target: TargetView<'_>, block: &Block<'_>) -> String {
    let mut text = format!("{} #{}", block.opcode, block.id);
    for input in block.inputs().filter(|input| !is_mouth(input.name)) {
        let Some(Slot::Block(held)) = input.value else { continue };
        if let Some(held) = target.block(held).filter(|held| !held.shadow && held.opcode != "procedures_prototype") {
            let _ = write!(text, ", {}: {}", input.name, ids(target, &held));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn project() -> Value {
        json!({"targets": [
            {"isStage": true, "name": "Stage", "variables": {"v1": ["score", 0]}, "broadcasts": {"m1": "go"}, "blocks": {}},
            {"isStage": false, "name": "Moth", "variables": {}, "lists": {"l1": ["path", [1, "a"]]}, "blocks": {
                "h": {"opcode": "event_whenflagclicked", "next": "i", "parent": null, "topLevel": true, "inputs": {}, "fields": {}},
                "i": {"opcode": "control_if_else", "next": "w", "parent": "h", "topLevel": false, "fields": {}, "inputs": {
                    "CONDITION": [2, "c"], "SUBSTACK": [2, "s"], "SUBSTACK2": [2, "t"]}},
                "c": {"opcode": "operator_gt", "next": null, "parent": "i", "topLevel": false, "fields": {}, "inputs": {
                    "OPERAND1": [3, [12, "score", "v1"], [10, ""]], "OPERAND2": [1, [10, "50"]]}},
                "s": {"opcode": "looks_say", "next": null, "parent": "i", "topLevel": false, "fields": {}, "inputs": {
                    "MESSAGE": [1, [10, "two\nlines"]]}},
                "t": {"opcode": "looks_show", "next": null, "parent": "i", "topLevel": false, "fields": {}, "inputs": {}},
                "w": {"opcode": "control_wait", "next": null, "parent": "i", "topLevel": false, "fields": {}, "inputs": {
                    "DURATION": [1, [5, "1"]]}},
                "o": {"opcode": "looks_hide", "next": null, "parent": null, "topLevel": true, "inputs": {}, "fields": {}}
            }}
        ]})
    }

    #[test]
    fn each_block_has_its_opcode_and_id_on_its_line() {
        let text = text(&project(), &Scripts::all());
        for line in [
            "  variable \"score\" = 0 // #v1",
            "  message \"go\" // #m1",
            "  list \"path\" = 2 items: 1, \"a\" // #l1",
            "    when green flag clicked // event_whenflagclicked #h",
            "control_if_else #i, CONDITION: operator_gt #c",
            "show // looks_show #t",
            "    wait (1) seconds // control_wait #w",
            "    hide // looks_hide #o",
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
        assert!(!text.contains("as JSON"), "{text}");
        let places = ["#i", "#s", "#t", "#w"].map(|id| text.find(id).unwrap());
        assert!(places.is_sorted(), "{text}");
    }

    #[test]
    fn variables_of_one_name_are_declared_as_scripts_write_them() {
        let mut project = project();
        project["targets"][0]["variables"]["v2"] = json!(["score", 5]);
        project["targets"][1]["blocks"]["c"]["inputs"]["OPERAND1"] = json!([3, [12, "score", "v2"], [10, ""]]);
        let text = text(&project, &Scripts::all());
        for line in
            ["variable \"score\" = 0 // #v1", "variable \"score #2\" = 5 // #v2", "if <(Stage's score #2) > [50]> then"]
        {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
    }

    #[test]
    fn what_is_left_out_is_not_written() {
        let left_out = [("Moth".to_owned(), "h".to_owned())].into_iter().collect();
        let text = text(&project(), &Scripts::without(left_out));
        assert!(text.contains("#o") && !text.contains("#h"), "{text}");
    }
}
