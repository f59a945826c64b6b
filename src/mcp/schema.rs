//! JSON Schemas as MCP hosts can use them: without references, and objects at the top without alternatives, because
//! model providers refuse either.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// What a schema at the top may not have; what it would say stands in the descriptions.
const ALTERNATIVES: [&str; 3] = ["oneOf", "anyOf", "allOf"];

/// Writes a schema with everything in its place.
pub fn inline(write: impl FnOnce(&mut SchemaGenerator) -> Schema) -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = match write(&mut settings.into_generator()).to_value() {
        Value::Object(schema) => schema,
        _ => Map::new(),
    };
    schema.shift_remove("title");
    schema.entry("type").or_insert_with(|| json!("object"));
    schema.entry("properties").or_insert_with(|| json!({}));
    schema
}

/// The schema of a type.
pub fn of<T: JsonSchema>() -> Map<String, Value> {
    inline(SchemaGenerator::subschema_for::<T>)
}

/// Takes the alternatives off the top and returns the sets of fields of which exactly one is to be given.
pub fn flatten(schema: &mut Map<String, Value>) -> Vec<Vec<String>> {
    let mut sets = Vec::new();
    for alternatives in ALTERNATIVES.iter().filter_map(|name| schema.shift_remove(*name)) {
        for one in alternatives.as_array().into_iter().flatten() {
            let fields = one["required"].as_array().into_iter().flatten();
            sets.push(fields.filter_map(Value::as_str).map(str::to_owned).collect());
        }
    }
    sets
}

/// Adds an optional field.
pub fn add(schema: &mut Map<String, Value>, name: &str, field: Value) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert(name.to_owned(), field);
    }
}

/// Takes fields away.
pub fn remove(schema: &mut Map<String, Value>, names: &[&str]) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, _| !names.contains(&name.as_str()));
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| !names.iter().any(|one| name == one));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_at_the_top_become_sets_of_fields() {
        let mut schema = json!({"oneOf": [{"required": ["x", "y"]}, {"required": ["index"]}], "type": "object"});
        let sets = flatten(schema.as_object_mut().unwrap());
        assert_eq!(sets, [vec!["x".to_owned(), "y".to_owned()], vec!["index".to_owned()]]);
        assert_eq!(schema, json!({"type": "object"}));
    }

    #[test]
    fn a_field_that_is_taken_away_is_not_required_any_more() {
        let mut schema = json!({"properties": {"a": {}, "b": {}}, "required": ["a", "b"]});
        remove(schema.as_object_mut().unwrap(), &["a"]);
        assert_eq!(schema, json!({"properties": {"b": {}}, "required": ["b"]}));
    }
}
