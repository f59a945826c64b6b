//! The block catalogue as a text for models: one line for each block, choices listed once.
//!
//! What is in the catalogue is read from the editor, in `catalogue.rs`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::catalogue::{BlockShape, Catalogue, CatalogueBlock, CatalogueInput};

/// Choices with more characters than this are listed below, by name, if several blocks share them.
const LONGEST_IN_LINE: usize = 48;

/// Long lists of choices with the name that stands for each.
#[derive(Debug, Default)]
struct Lists {
    names: BTreeMap<String, String>,
    /// The other sprites, with which many lists end.
    sprites: Vec<String>,
    /// Whether [`SPRITES`] stands for them in a list.
    tells_sprites: bool,
}

/// What stands for the other sprites.
const SPRITES: &str = "@SPRITES";

impl Lists {
    /// For a catalogue, whose `sensing_of` knows the other sprites.
    fn of(catalogue: &Catalogue) -> Self {
        let mut blocks = catalogue.categories.iter().flat_map(|category| &category.blocks);
        let objects = blocks.find(|block| block.opcode == "sensing_of").and_then(|block| block.inputs.first());
        let sprites = objects.and_then(|input| input.choices.as_deref()).unwrap_or_default();
        let sprites = sprites.iter().filter(|name| *name != "Stage").cloned().collect();
        Self { sprites, ..Self::default() }
    }

    /// The choices in a line.
    fn joined(&mut self, choices: &[String]) -> String {
        match choices.strip_suffix(self.sprites.as_slice()) {
            Some(others) if self.sprites.len() > 1 => {
                self.tells_sprites = true;
                others.iter().map(String::as_str).chain([SPRITES]).collect::<Vec<_>>().join("|")
            }
            _ => ranges(choices).join("|"),
        }
    }

    /// The choices, or what stands for them.
    fn shown(&mut self, slot: &str, choices: &[String]) -> String {
        let list = self.joined(choices);
        if list.len() <= LONGEST_IN_LINE {
            return list;
        }
        let taken = self.names.values().filter(|name| name.trim_start_matches('@').starts_with(slot)).count();
        let fresh = if taken == 0 { format!("@{slot}") } else { format!("@{slot}{}", taken + 1) };
        self.names.entry(list).or_insert(fresh).clone()
    }
}

/// Single letters or digits in a row that are listed by the first and the last.
const SHORTEST_RANGE: usize = 4;

/// The choices with `a…z` for letters or digits that follow each other.
fn ranges(choices: &[String]) -> Vec<String> {
    let alone = |choice: &str| match choice.as_bytes() {
        [one] if one.is_ascii_alphanumeric() => Some(*one),
        _ => None,
    };
    let next = |a: &String, b: &String| alone(a).zip(alone(b)).is_some_and(|(a, b)| b == a + 1);
    let runs = choices.chunk_by(next);
    runs.flat_map(|run| match run {
        [first, .., last] if run.len() >= SHORTEST_RANGE => vec![format!("{first}…{last}")],
        _ => run.to_vec(),
    })
    .collect()
}

const LEGEND: &str = r#"NAME=1 number, ="" text, :a|b choice, <> boolean, {} stack, NAME a name; at the end: () reporter, <> boolean; a/b(…): alike"#;

/// The catalogue, a heading a category and a line a block: its type, what goes into it, and what it is unless it is a
/// plain stack block. Blocks side by side that take the same share a line.
pub(super) fn text(catalogue: &Catalogue) -> String {
    let (mut lists, mut out) = (Lists::of(catalogue), format!("{LEGEND}\n"));
    for category in &catalogue.categories {
        // Writing to a String can't fail.
        let _ = writeln!(out, "# {}", category.name);
        let listed: Vec<(&str, String)> =
            category.blocks.iter().map(|block| (block.opcode.as_str(), rest(block, &mut lists))).collect();
        for alike in listed.chunk_by(|a, b| a.1 == b.1 && !a.1.is_empty()) {
            let opcodes: Vec<&str> = alike.iter().map(|(opcode, _)| *opcode).collect();
            let rest = alike.first().map_or("", |(_, rest)| rest.as_str());
            let _ = writeln!(out, "{}{rest}", opcodes.join("/"));
        }
    }
    if lists.tells_sprites || !lists.names.is_empty() {
        out.push_str("# Choices\n");
        if lists.tells_sprites {
            let _ = writeln!(out, "{SPRITES}: {}", lists.sprites.join("|"));
        }
        for (list, name) in &lists.names {
            let _ = writeln!(out, "{name}: {list}");
        }
    }
    out
}

/// What stands after a block's type.
fn rest(block: &CatalogueBlock, lists: &mut Lists) -> String {
    let mut parts: Vec<String> = Vec::new();
    for field in &block.fields {
        let choices = field.choices.as_deref().map(|choices| format!(":{}", lists.shown(&field.name, choices)));
        // The palette's `variable` in VARIABLE is no default: there is no such variable.
        let default =
            field.default.as_deref().filter(|value| choices.is_none() && !field.name.eq_ignore_ascii_case(value));
        let default = default.filter(|value| !value.is_empty()).map(|value| format!("={value}"));
        parts.push(format!("{}{}{}", field.name, choices.unwrap_or_default(), default.unwrap_or_default()));
    }
    parts.extend(block.inputs.iter().map(|input| slot(input, lists)));
    let shape = match block.shape {
        // What a C block holds is among its inputs.
        BlockShape::Stack | BlockShape::C => "",
        BlockShape::Hat => " hat",
        BlockShape::Cap => " cap",
        BlockShape::Reporter => " ()",
        BlockShape::Boolean => " <>",
        BlockShape::Definition => " definition",
    };
    let arguments = if parts.is_empty() { String::new() } else { format!("({})", parts.join(",")) };
    let creation =
        if block.creation.is_empty() { String::new() } else { format!(" creation: {}", block.creation.join(", ")) };
    format!("{arguments}{shape}{creation}")
}

fn slot(input: &CatalogueInput, lists: &mut Lists) -> String {
    let (name, default) = (&input.name, input.default.as_deref().unwrap_or_default());
    match (&input.choices, input.kind.as_str()) {
        (Some(choices), _) => format!("{name}:{}", lists.shown(name, choices)),
        (None, "statement") => format!("{name}{{}}"),
        (None, "boolean") => format!("{name}<>"),
        (None, "text") => format!("{name}=\"{default}\""),
        (None, _) => format!("{name}={default}"),
    }
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
            "{LEGEND}\n# Motion\nmotion_gotoxy(X=0,Y=)\nmotion_setrotationstyle(STYLE:left-right|don't rotate)\n\
             # Events\nevent_whenkeypressed(KEY_OPTION:@KEY_OPTION) hat\nsensing_keypressed(KEY_OPTION:@KEY_OPTION) <>\n\
             control_if(CONDITION<>,SUBSTACK{{}}) creation: x\n# Choices\n@KEY_OPTION: {}\n",
            keys.join("|")
        );
        assert_eq!(text(&catalogue), expected);
    }

    #[test]
    fn the_other_sprites_are_told_once() {
        let of = |opcode: &str, choices: &[&str]| {
            json!({"opcode": opcode, "shape": "stack", "fields": [], "creation": [],
                "inputs": [{"name": "OBJECT", "type": "menu", "default": "", "choices": choices}]})
        };
        let sensing = json!({"target": "Ball", "isStage": false, "text": "", "categories": [{"id": "a", "name": "A", "blocks": [
            of("touching", &["edge", "Moth", "Midge"]), of("sensing_of", &["Stage", "Moth", "Midge"]), of("key", &["x", "Midge"])]}]});
        let expected = format!(
            "{LEGEND}\n# A\ntouching(OBJECT:edge|@SPRITES)\nsensing_of(OBJECT:Stage|@SPRITES)\nkey(OBJECT:x|Midge)\n\
             # Choices\n@SPRITES: Moth|Midge\n"
        );
        assert_eq!(text(&serde_json::from_value(sensing).unwrap()), expected);
    }

    #[test]
    fn blocks_that_take_the_same_share_a_line_and_letters_in_a_row_are_a_range() {
        let number = |name: &str| json!({"name": name, "type": "math_number", "default": "1", "choices": null});
        let block = |opcode: &str, name: &str| json!({"opcode": opcode, "shape": "stack", "fields": [], "creation": [], "inputs": [number(name)]});
        let bare =
            |opcode: &str| json!({"opcode": opcode, "shape": "stack", "fields": [], "creation": [], "inputs": []});
        let catalogue: Catalogue = serde_json::from_value(json!({"target": "Ball", "isStage": false, "text": "", "categories": [
            {"id": "a", "name": "A", "blocks": [block("one", "N"), block("two", "N"), block("three", "M"), bare("four"), bare("five"),
                {"opcode": "show", "shape": "stack", "inputs": [], "creation": [],
                    "fields": [{"name": "VARIABLE", "default": "variable", "choices": null}]}]},
        ]}))
        .unwrap();
        let expected = format!("{LEGEND}\n# A\none/two(N=1)\nthree(M=1)\nfour\nfive\nshow(VARIABLE)\n");
        assert_eq!(text(&catalogue), expected);
        let choices = ["space", "a", "b", "c", "d", "0", "1", "x", "any"].map(str::to_owned);
        assert_eq!(ranges(&choices), ["space", "a…d", "0", "1", "x", "any"]);
    }
}
