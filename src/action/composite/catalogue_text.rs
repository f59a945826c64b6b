//! The block catalogue as a text for models: a line a block, choices told once.
//!
//! What is in the catalogue is read from the editor, in `catalogue.rs`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::catalogue::{BlockShape, Catalogue, CatalogueBlock, CatalogueInput};

/// Choices that take more characters than this are told below, by name, where several blocks share them.
const LONGEST_IN_LINE: usize = 48;

/// Long lists of choices with the name that stands for each.
#[derive(Debug, Default)]
struct Lists {
    names: BTreeMap<String, String>,
}

impl Lists {
    /// The choices, or what stands for them.
    fn shown(&mut self, slot: &str, choices: &[String]) -> String {
        let list = choices.join("|");
        if list.len() <= LONGEST_IN_LINE {
            return list;
        }
        let taken = self.names.values().filter(|name| name.trim_start_matches('@').starts_with(slot)).count();
        let fresh = if taken == 0 { format!("@{slot}") } else { format!("@{slot}{}", taken + 1) };
        self.names.entry(list).or_insert(fresh).clone()
    }
}

/// The catalogue, a heading a category and a line a block: its type, what goes into it, and what it is unless it is a
/// plain stack block.
pub(super) fn text(catalogue: &Catalogue) -> String {
    let (mut lists, mut out) = (Lists::default(), String::new());
    for category in &catalogue.categories {
        // Writing to a String can't fail.
        let _ = writeln!(out, "# {}", category.name);
        for block in &category.blocks {
            let _ = writeln!(out, "{}", line(block, &mut lists));
        }
    }
    if !lists.names.is_empty() {
        out.push_str("# Choices\n");
        for (list, name) in &lists.names {
            let _ = writeln!(out, "{name}: {list}");
        }
    }
    out
}

fn line(block: &CatalogueBlock, lists: &mut Lists) -> String {
    let mut parts: Vec<String> = Vec::new();
    for field in &block.fields {
        let choices = field.choices.as_deref().map(|choices| format!(":{}", lists.shown(&field.name, choices)));
        let default = field.default.as_deref().filter(|_| choices.is_none()).map(|value| format!("={value}"));
        parts.push(format!("{}{}{}", field.name, choices.unwrap_or_default(), default.unwrap_or_default()));
    }
    parts.extend(block.inputs.iter().map(|input| slot(input, lists)));
    let shape = match block.shape {
        BlockShape::Stack => "",
        BlockShape::Hat => " hat",
        BlockShape::C => " C",
        BlockShape::Cap => " cap",
        BlockShape::Reporter => " reporter",
        BlockShape::Boolean => " boolean",
        BlockShape::Definition => " definition",
    };
    let arguments = if parts.is_empty() { String::new() } else { format!("({})", parts.join(", ")) };
    let creation =
        if block.creation.is_empty() { String::new() } else { format!(" creation: {}", block.creation.join(", ")) };
    format!("{}{arguments}{shape}{creation}", block.opcode)
}

fn slot(input: &CatalogueInput, lists: &mut Lists) -> String {
    let kind = match (&input.choices, input.kind.as_str()) {
        (Some(choices), _) => return format!("{}:{}", input.name, lists.shown(&input.name, choices)),
        (None, kind) if kind.starts_with("math_") => "number",
        (None, "colour_picker") => "colour",
        (None, kind) => kind,
    };
    let default = input.default.as_deref().filter(|value| !value.is_empty());
    let default = default.map(|value| format!("={value}")).unwrap_or_default();
    format!("{}:{kind}{default}", input.name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_block_is_a_line_and_long_choices_are_told_once() {
        let keys: Vec<String> = (0..30).map(|key| format!("key{key}")).collect();
        let catalogue: Catalogue = serde_json::from_value(json!({"target": "Ball", "isStage": false, "text": "", "categories": [
            {"id": "motion", "name": "Motion", "blocks": [
                {"opcode": "motion_gotoxy", "shape": "stack", "fields": [], "creation": [], "inputs": [
                    {"name": "X", "type": "math_number", "default": "0", "choices": null},
                    {"name": "Y", "type": "math_number", "default": "", "choices": null}]},
                {"opcode": "motion_setrotationstyle", "shape": "stack", "inputs": [], "creation": [],
                    "fields": [{"name": "STYLE", "default": "left-right", "choices": ["left-right", "don't rotate"]}]}]},
            {"id": "events", "name": "Events", "blocks": [
                {"opcode": "event_whenkeypressed", "shape": "hat", "inputs": [], "creation": [],
                    "fields": [{"name": "KEY_OPTION", "default": "key0", "choices": keys}]},
                {"opcode": "sensing_keypressed", "shape": "boolean", "fields": [], "creation": [], "inputs": [
                    {"name": "KEY_OPTION", "type": "sensing_keyoptions", "default": "key0", "choices": keys}]},
                {"opcode": "control_if", "shape": "c", "fields": [], "creation": ["x"], "inputs": [
                    {"name": "CONDITION", "type": "boolean", "default": null, "choices": null},
                    {"name": "SUBSTACK", "type": "statement", "default": null, "choices": null}]}]},
        ]}))
        .unwrap();
        let expected = format!(
            "# Motion\nmotion_gotoxy(X:number=0, Y:number)\nmotion_setrotationstyle(STYLE:left-right|don't rotate)\n\
             # Events\nevent_whenkeypressed(KEY_OPTION:@KEY_OPTION) hat\nsensing_keypressed(KEY_OPTION:@KEY_OPTION) boolean\n\
             control_if(CONDITION:boolean, SUBSTACK:statement) C creation: x\n# Choices\n@KEY_OPTION: {}\n",
            keys.join("|")
        );
        assert_eq!(text(&catalogue), expected);
    }
}
