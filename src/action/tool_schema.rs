//! JSON Schemas of tools as models and MCP hosts can use them: without references, and objects at the top without
//! alternatives, because model providers refuse either.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// What a schema at the top may not have; what it would say stands in the descriptions.
const ALTERNATIVES: [&str; 3] = ["oneOf", "anyOf", "allOf"];

/// Marks a field that repeats what others say.
const SECOND_FORM: &str = "x-second-form";

/// Marks a field that only extended sessions have.
const EXTENDED: &str = "x-extended";

/// Removes what is only for extended sessions, or just its mark.
pub fn offer_extended(schema: &mut Map<String, Value>, extended: bool) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    properties.retain(|_, property| extended || property.get(EXTENDED).is_none());
    for property in properties.values_mut().filter_map(Value::as_object_mut) {
        property.shift_remove(EXTENDED);
    }
}

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

/// Makes a field required, with this description; returns whether the field exists.
pub fn require(schema: &mut Map<String, Value>, name: &str, description: &str) -> bool {
    let Some(field) = schema.get_mut("properties").and_then(|properties| properties.get_mut(name)) else {
        return false;
    };
    field["description"] = description.into();
    if let Value::Array(required) = schema.entry("required").or_insert_with(|| json!([])) {
        required.push(name.into());
    }
    true
}

/// Shortens a schema to what every model provider accepts: choices as `enum`, what may be left out
/// without `null`, numbers without formats.
pub fn lean(schema: &mut Map<String, Value>) {
    without_null(schema);
    as_enum(schema);
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
    schema.shift_remove("format");
    // The server refuses what it does not know; `note` and `report` are taken without being listed.
    schema.shift_remove("additionalProperties");
    if schema.get("minimum").is_some_and(|minimum| minimum == 0) {
        schema.shift_remove("minimum");
    }
    // Alternatives that mean the same are offered in one form.
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|_, property| property.get(SECOND_FORM).is_none());
        properties.values_mut().filter_map(Value::as_object_mut).for_each(lean);
    }
    for (_, below) in schema.iter_mut().filter(|(name, _)| ["items", "anyOf", "oneOf"].contains(&name.as_str())) {
        match below {
            Value::Object(items) => lean(items),
            Value::Array(schemas) => schemas.iter_mut().filter_map(Value::as_object_mut).for_each(lean),
            _ => {}
        }
    }
}

/// An optional argument is left out; the schema does not say that it can be `null`.
fn without_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|one| one != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.shift_remove("default");
    }
    let Some(Value::Array(mut either)) = schema.shift_remove("anyOf") else { return };
    either.retain(|one| one["type"] != "null");
    match either.as_slice() {
        [Value::Object(only)] => {
            for (name, value) in only {
                schema.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        _ => drop(schema.insert("anyOf".to_owned(), either.into())),
    }
}

/// Turns alternatives that are words into a list of the words, explained in the description.
fn as_enum(schema: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = schema.get("oneOf") else { return };
    if !choices.iter().all(|choice| choice["const"].is_string() || choice["enum"].is_array()) {
        return;
    }
    let (mut words, mut lines) = (Vec::new(), Vec::new());
    for choice in choices {
        words.extend(choice.get("const").cloned());
        words.extend(choice["enum"].as_array().into_iter().flatten().cloned());
        if let (Some(word), Some(line)) = (choice["const"].as_str(), choice["description"].as_str()) {
            lines.push(format!("{word}: {}", line.trim_end_matches('.')));
        }
    }
    schema.shift_remove("oneOf");
    schema.insert("type".to_owned(), json!("string"));
    schema.insert("enum".to_owned(), words.into());
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let described = [description.to_owned(), lines.join("; ")].into_iter().filter(|part| !part.is_empty());
    let described = described.collect::<Vec<String>>().join(" ");
    if !described.is_empty() {
        schema.insert("description".to_owned(), described.into());
    }
}

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
    fn choices_are_an_enum_and_nothing_speaks_of_null() {
        let mut schema = json!({"properties": {
            "button": {
                "oneOf": [{"type": "string", "const": "left", "description": "The main button."},
                    {"type": "string", "const": "right", "description": "Opens menus."}],
                "description": "Which button.", "default": "left",
            },
            "x": {"type": ["number", "null"], "format": "double", "minimum": 0, "default": null},
            "place": {"anyOf": [{"type": "object", "properties": {"x": {"type": "integer", "format": "uint32"}}},
                {"type": "null"}], "description": "Where."},
            "either": {"anyOf": [{"type": "string"}, {"type": "number"}]},
            "at": {"type": "object", "x-second-form": true},
        }});
        lean(schema.as_object_mut().unwrap());
        assert_eq!(
            schema,
            json!({"properties": {
                "button": {
                    "type": "string", "enum": ["left", "right"], "default": "left",
                    "description": "Which button. left: The main button; right: Opens menus",
                },
                "x": {"type": "number"},
                "place": {
                    "type": "object", "properties": {"x": {"type": "integer"}}, "description": "Where.",
                },
                "either": {"anyOf": [{"type": "string"}, {"type": "number"}]},
            }})
        );
    }

    #[test]
    fn a_field_that_is_taken_away_is_not_required_any_more() {
        let mut schema = json!({"properties": {"a": {}, "b": {}}, "required": ["a", "b"]});
        remove(schema.as_object_mut().unwrap(), &["a"]);
        assert_eq!(schema, json!({"properties": {"b": {}}, "required": ["b"]}));
    }
}
