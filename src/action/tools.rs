//! The actions of a mode as tools: what MCP offers to hosts and what models that call tools are given.

use serde_json::{Map, Value, json};

use super::prompt::BY_INDEX;
use super::{Entry, Kind, registry, tool_schema};
use crate::model::Mode;

/// An action as a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionTool {
    /// The action's name.
    pub name: &'static str,
    /// What it does, and which of its arguments exclude each other.
    pub doc: String,
    /// JSON Schema of its arguments, without references and without alternatives at the top.
    pub input: Map<String, Value>,
}

impl ActionTool {
    /// The tool of an action, with what extended sessions have if asked for.
    pub fn of(entry: &Entry, extended: bool) -> Self {
        Self::with(entry, extended, &[])
    }

    /// The same without some of the arguments.
    fn with(entry: &Entry, extended: bool, hidden: &[&str]) -> Self {
        let mut input = tool_schema::inline(entry.args_schema);
        tool_schema::offer_extended(&mut input, extended);
        let mut sets = tool_schema::flatten(&mut input);
        input.shift_remove("description");
        tool_schema::remove(&mut input, hidden);
        let is_hidden = |field: &String| hidden.iter().any(|name| name == field);
        sets.retain(|fields| !fields.iter().any(is_hidden));
        let mut doc = entry.doc.to_owned();
        match sets.as_slice() {
            [] => {}
            // What is left of a choice must be given.
            [only] if !hidden.is_empty() => require(&mut input, only),
            _ => {
                let sets: Vec<String> = sets.iter().map(|fields| fields.join(", ")).collect();
                doc = format!("{doc} Give either {}.", sets.join("; or "));
            }
        }
        tool_schema::lean(&mut input);
        Self { name: entry.name, doc, input }
    }
}

fn require(input: &mut Map<String, Value>, fields: &[String]) {
    if let Value::Array(required) = input.entry("required").or_insert_with(|| json!([])) {
        required.extend(
            fields
                .iter()
                .filter(|field| !required.iter().any(|one| one == *field))
                .map(|one| json!(one))
                .collect::<Vec<_>>(),
        );
    }
}

/// The actions that a model decides on, as [`actions_for_models`](super::actions_for_models) lists them: not observing, and
/// nothing of extended sessions. Without `elements` arguments that name elements are left out in primitive mode.
pub fn tools_for_models(mode: Mode, elements: bool) -> Vec<ActionTool> {
    let hidden: &[&str] = if elements || mode == Mode::Composite { &[] } else { &BY_INDEX };
    let offered =
        registry().iter().filter(|entry| entry.mode == mode && !entry.extended && entry.kind != Kind::Observe);
    offered.map(|entry| ActionTool::with(entry, false, hidden)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::actions_for_models;

    #[test]
    fn tools_are_the_actions_that_texts_list() {
        for mode in [Mode::Primitive, Mode::Composite] {
            for elements in [true, false] {
                let tools = tools_for_models(mode, elements);
                let text = actions_for_models(mode, elements);
                let listed = text.lines().filter_map(|line| line.strip_prefix("- `")?.split_once('`'));
                assert!(listed.map(|(name, _)| name).eq(tools.iter().map(|tool| tool.name)));
                for tool in tools {
                    let input = serde_json::to_string(&tool.input).unwrap();
                    for word in ["$ref", "\"null\"", "\"session\"", "\"observation\"", "x-extended"] {
                        assert!(!input.contains(word), "{}: {input}", tool.name);
                    }
                    assert!(tool.input["type"] == "object" && !tool.input.contains_key("oneOf"), "{input}");
                }
            }
        }
    }

    #[test]
    fn without_elements_points_must_be_given() {
        let click =
            |elements| tools_for_models(Mode::Primitive, elements).into_iter().find(|tool| tool.name == "click");
        let (with, without) = (click(true).unwrap(), click(false).unwrap());
        assert!(with.doc.contains("Give either") && with.input["properties"]["index"].is_object());
        assert!(!without.doc.contains("Give either") && without.input["properties"]["index"].is_null());
        assert_eq!(without.input["required"], json!(["x", "y"]));
    }
}
