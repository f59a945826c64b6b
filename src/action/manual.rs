//! docs/API.md: every action with its arguments, written from the registry.

use std::fmt::Write as _;

use schemars::SchemaGenerator;
use serde_json::Value;

use super::registry::{Entry, registry};
use crate::model::Mode;

/// The manual of all actions as Markdown.
#[must_use]
pub fn manual() -> String {
    let mut text = String::from(
        "# Actions\n\nMade from the action registry by `make gen`; not edited by hand. docs/HTTP.md tells how to call \
         them, docs/COMPOSITE.md has the rules of composite mode. `/openapi.json` of a server has the full schemas.\n",
    );
    for mode in [Mode::Primitive, Mode::Composite] {
        // Writing to a String can't fail.
        let _ = write!(text, "\n## {mode} mode\n");
        for entry in registry().iter().filter(|entry| entry.mode == mode) {
            describe(&mut text, entry);
        }
    }
    text
}

fn describe(text: &mut String, entry: &Entry) {
    let _ = write!(text, "\n### `{}`\n\n{}\n", entry.name, entry.doc);
    let mut generator = SchemaGenerator::default();
    let schema = (entry.args_schema)(&mut generator);
    let definitions = generator.take_definitions(true);
    let arguments = resolve(schema.as_value(), &definitions);
    let Some(properties) = arguments["properties"].as_object().filter(|properties| !properties.is_empty()) else {
        text.push_str("\nNo arguments.\n");
        return;
    };
    text.push_str("\n| argument | type | meaning |\n|---|---|---|\n");
    for (name, property) in properties {
        let required = arguments["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name));
        let kind = format!("{}{}", kind(property, &definitions), if required { ", required" } else { "" });
        let meaning = property["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|");
        let _ = writeln!(text, "| `{name}` | {kind} | {meaning} |");
    }
}

/// The schema that a reference leads to, or the schema itself.
fn resolve<'a>(schema: &'a Value, definitions: &'a serde_json::Map<String, Value>) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.and_then(|name| definitions.get(name)).unwrap_or(schema)
}

/// A property's type in a word or two; `null` only says that it may be left out.
fn kind(property: &Value, definitions: &serde_json::Map<String, Value>) -> String {
    let schema = resolve(property, definitions);
    if let Some(options) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
        let mut kinds: Vec<String> = options.iter().map(|option| kind(option, definitions)).collect();
        kinds.retain(|kind| kind != "null");
        kinds.dedup();
        return kinds.join(" or ");
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(" or ");
    }
    match (&schema["const"], &schema["type"]) {
        (Value::Null, Value::String(name)) => name.clone(),
        (Value::Null, Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect::<Vec<_>>().join(" or ")
        }
        (Value::Null, _) => "any".to_owned(),
        (value, _) => format!("`{value}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_manual_is_fresh() {
        let committed = include_str!("../../docs/API.md");
        assert_eq!(committed, manual(), "docs/API.md is stale: run `make gen`");
    }
}
