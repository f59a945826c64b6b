//! The actions of a mode as a text for models that act by words, written from the registry.

use std::fmt::Write as _;

use schemars::SchemaGenerator;
use serde_json::{Map, Value};

use super::schema::{alternatives, kind, resolve};
use super::{Entry, Kind, registry};
use crate::model::Mode;

/// Arguments that name elements of a list; `at` is only another way of writing flat ones.
pub(super) const BY_INDEX: [&str; 4] = ["index", "start_index", "end_index", "at"];

/// Arguments of a point, each with the description that takes its place and what that is of.
const POINTS: [(&str, &str, &str); 6] = [
    ("x", "description", "The place"),
    ("y", "", ""),
    ("start_x", "source_description", "What is taken"),
    ("start_y", "", ""),
    ("end_x", "target_description", "The place where it goes"),
    ("end_y", "", ""),
];

/// How places are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// By coordinates, or as elements of a list.
    Elements,
    /// By coordinates.
    Points,
    /// In words.
    Words,
}

/// The actions that an agent decides on, each with its arguments: not observing, and nothing of extended sessions. Without
/// `elements` arguments that name elements are left out in primitive mode.
pub fn actions_for_models(mode: Mode, elements: bool) -> String {
    let naming = if elements || mode == Mode::Composite { Naming::Elements } else { Naming::Points };
    described(mode, naming)
}

/// The same where each place is named in words: `description` instead of `x` and `y`, and `source_description` and
/// `target_description` instead of the ends of drags; with `save_to_knowledge`, which is no action of a session.
pub fn actions_by_description(mode: Mode) -> String {
    let note = "- `save_to_knowledge`: Keeps notes for later subtasks, such as what was read on the screen. It changes nothing in \
        the editor.\n  - `text` (array of texts, required): The notes.\n";
    described(mode, Naming::Words) + note
}

fn described(mode: Mode, naming: Naming) -> String {
    let mut text = String::new();
    let shown = |entry: &&Entry| entry.mode == mode && !entry.extended && entry.kind != Kind::Observe;
    for entry in registry().iter().filter(shown) {
        describe(&mut text, entry, naming);
    }
    text
}

fn describe(text: &mut String, entry: &Entry, naming: Naming) {
    let mut generator = SchemaGenerator::default();
    let schema = (entry.args_schema)(&mut generator);
    let definitions = generator.take_definitions(true);
    let arguments = resolve(schema.as_value(), &definitions);
    // Writing to a String can't fail.
    let _ = writeln!(text, "- `{}`: {}", entry.name, entry.doc);
    // Where places exclude each other, one is needed.
    let place = if ["oneOf", "anyOf"].iter().any(|choice| arguments[*choice].is_array()) { ", required" } else { "" };
    for (name, property) in arguments["properties"].as_object().into_iter().flatten() {
        let is_other_way = name == "at" || (naming != Naming::Elements && BY_INDEX.contains(&name.as_str()));
        let point = POINTS.iter().find(|(argument, ..)| argument == name).filter(|_| naming == Naming::Words);
        if let Some((_, words, what)) = point {
            if !words.is_empty() {
                // Writing to a String can't fail.
                let _ = writeln!(text, "  - `{words}` (string{place}): {what}, in words.");
            }
        } else if !is_other_way && property.get("x-extended").is_none() {
            argument(text, name, property, arguments, &definitions);
        }
    }
}

/// A line for an argument, followed by lines for what is in it.
fn argument(text: &mut String, name: &str, property: &Value, arguments: &Value, definitions: &Map<String, Value>) {
    let required = arguments["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name));
    let kind = kind(property, definitions).replace('`', "");
    let need = if required { ", required" } else { "" };
    let meaning = property["description"].as_str().unwrap_or_default().replace('\n', " ");
    // Writing to a String can't fail.
    let _ = writeln!(text, "  - `{name}` ({kind}{need}): {meaning}");
    for schema in alternatives(property, definitions) {
        if let Some(value) = schema["const"].as_str() {
            let meaning = schema["description"].as_str().unwrap_or_default().replace('\n', " ");
            let _ = writeln!(text, "    - `{value}`: {meaning}");
        }
        for (inner, property) in schema["properties"].as_object().into_iter().flatten() {
            let mut below = String::new();
            argument(&mut below, inner, property, schema, definitions);
            below.lines().for_each(|line| {
                let _ = writeln!(text, "  {line}");
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_offered_what_they_can_decide_on() {
        let names = |mode, elements| {
            let text = actions_for_models(mode, elements);
            let names = text.lines().filter_map(|line| line.strip_prefix("- `")?.split_once('`'));
            names.map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
        };
        let primitive = ["click", "double_click", "drag_and_drop", "scroll", "type", "key", "hotkey", "done", "failed"];
        assert_eq!(names(Mode::Primitive, true), primitive);
        assert_eq!(names(Mode::Composite, true).len(), 11, "the paper's nine, and two that end");
        let composite = actions_for_models(Mode::Composite, true);
        assert!(
            composite.contains("    - `inputName` (string): ") && composite.contains("      - `wrap`: "),
            "{composite}"
        );
    }

    #[test]
    fn without_elements_nothing_is_named_by_an_index() {
        assert!(actions_for_models(Mode::Primitive, true).contains("`start_index`"));
        let without = actions_for_models(Mode::Primitive, false);
        assert!(!without.contains("index` ("), "{without}");
        assert!(actions_for_models(Mode::Composite, false).contains("ndex` ("), "blocks keep their numbers");
    }

    #[test]
    fn places_may_be_named_in_words() {
        let text = actions_by_description(Mode::Primitive);
        let of = |action: &str| {
            let from = text.find(&format!("- `{action}`:")).unwrap();
            text[from..].lines().skip(1).take_while(|line| line.starts_with("  ")).collect::<Vec<_>>().join("\n")
        };
        assert!(of("click").starts_with("  - `description` (string, required): The place, in words."), "{text}");
        assert!(of("drag_and_drop").contains("`source_description` (string, required)"), "{text}");
        assert!(of("drag_and_drop").contains("`target_description` (string, required)"), "{text}");
        assert!(of("scroll").contains("`description` (string): "), "{text}");
        assert!(of("save_to_knowledge").contains("`text`") && !of("type").contains("description"), "{text}");
        for coordinate in ["index", "x", "y", "start_index", "start_x", "start_y", "end_index", "end_x", "end_y", "at"]
        {
            assert!(!text.contains(&format!("  - `{coordinate}` ")), "{coordinate} in\n{text}");
        }
    }
}
