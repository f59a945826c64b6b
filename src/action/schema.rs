//! Reading the JSON Schemas of arguments: what a reference leads to, what a value may be. Writing them is the registry's.

use serde_json::{Map, Value};

/// The schemas that a value may have: one, or those of a choice.
pub(super) fn alternatives<'a>(property: &'a Value, definitions: &'a Map<String, Value>) -> Vec<&'a Value> {
    let schema = resolve(property, definitions);
    match options(schema) {
        Some(options) => options.iter().flat_map(|option| alternatives(option, definitions)).collect(),
        None => vec![schema],
    }
}

/// The options of a choice. An object may also say which of its fields exclude each other; that is not a choice of
/// schemas.
fn options(schema: &Value) -> Option<&Vec<Value>> {
    let choice = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array());
    choice.filter(|_| schema["properties"].is_null())
}

/// The schema that a reference leads to, or the schema itself.
pub(super) fn resolve<'a>(schema: &'a Value, definitions: &'a Map<String, Value>) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.and_then(|name| definitions.get(name)).unwrap_or(schema)
}

/// A property's type in a word or two; `null` only says that it may be left out.
pub(super) fn kind(property: &Value, definitions: &Map<String, Value>) -> String {
    let schema = resolve(property, definitions);
    if let Some(options) = options(schema) {
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
