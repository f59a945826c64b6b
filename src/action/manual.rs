//! docs/API.md: every action with its arguments, written from the registry.

use std::fmt::Write as _;

use schemars::SchemaGenerator;
use serde_json::{Map, Value};

use super::schema::{alternatives, kind, resolve};
use super::{Entry, registry};
use crate::model::Mode;

/// What stands above the actions of extended sessions.
const EXTENDED: &str = "\n## Extended composite mode\n\nFor sessions that are created with `extended` (docs/COMPOSITE.md); elsewhere these \
    are refused with `not_extended`. `observe` takes `stage` too: whether to take a picture of the stage.\n";

/// The manual of all actions as Markdown.
pub fn manual() -> String {
    let mut text = String::from(
        "# Actions\n\nMade from the action registry by `make gen`; not edited by hand. docs/HTTP.md describes how to call \
         them, docs/COMPOSITE.md has the rules of composite mode. `/openapi.json` of a server has the full schemas.\n",
    );
    for mode in [Mode::Primitive, Mode::Composite] {
        // Writing to a String can't fail.
        let _ = write!(text, "\n## {mode} mode\n");
        for entry in registry().iter().filter(|entry| entry.mode == mode && !entry.extended) {
            describe(&mut text, entry);
        }
    }
    text.push_str(EXTENDED);
    for entry in registry().iter().filter(|entry| entry.extended) {
        describe(&mut text, entry);
    }
    text
}

fn describe(text: &mut String, entry: &Entry) {
    let _ = write!(text, "\n### `{}`\n\n{}\n", entry.name, entry.doc);
    let mut generator = SchemaGenerator::default();
    let schema = (entry.args_schema)(&mut generator);
    let definitions = generator.take_definitions(true);
    let arguments = resolve(schema.as_value(), &definitions);
    let properties = arguments["properties"].as_object();
    if properties.is_none_or(|all| all.values().all(|property| property.get("x-extended").is_some())) {
        text.push_str("\nNo arguments.\n");
        return;
    }
    text.push_str("\n| argument | type | meaning |\n|---|---|---|\n");
    rows(text, "", arguments, &definitions);
}

/// A row for each property of an object, followed by rows for what is in it.
fn rows(text: &mut String, prefix: &str, object: &Value, definitions: &Map<String, Value>) {
    let plain = |(_, property): &(&String, &Value)| property.get("x-extended").is_none();
    for (name, property) in object["properties"].as_object().into_iter().flatten().filter(plain) {
        let required = object["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name));
        let kind = format!("{}{}", kind(property, definitions), if required { ", required" } else { "" });
        let said = property["description"].as_str().unwrap_or_default();
        let meaning =
            std::iter::once(said.to_owned()).chain(choices(property, definitions)).collect::<Vec<_>>().join(" ");
        let meaning = meaning.replace('\n', " ").replace('|', "\\|");
        // Writing to a String can't fail.
        let _ = writeln!(text, "| `{prefix}{name}` | {kind} | {meaning} |");
        for schema in alternatives(property, definitions) {
            rows(text, &format!("{prefix}{name}."), schema, definitions);
        }
    }
}

/// What each value of a choice means, where the schema says it.
fn choices(property: &Value, definitions: &Map<String, Value>) -> Vec<String> {
    let described =
        |option: &&Value| Some(format!("`{}`: {}", option["const"].as_str()?, option["description"].as_str()?));
    let schemas = alternatives(property, definitions);
    schemas.iter().filter_map(described).collect()
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
