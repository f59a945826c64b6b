//! Options in a query as the arguments of an entry: each value is read according to its schema.

use axum::extract::Query;
use axum::http::{StatusCode, Uri};
use schemars::SchemaGenerator;
use serde_json::{Map, Value};

use crate::action::Entry;
use crate::http::problem::Problem;

/// The properties of an entry's arguments, with references to named types resolved one level deep.
pub fn properties(schema: &Value, definitions: &Map<String, Value>) -> Map<String, Value> {
    let object = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| definitions.get(reference.rsplit('/').next()?))
        .unwrap_or(schema);
    object.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Reads a query such as `elements=off&ocr=off`; a list has commas between its values, or names its option several times.
///
/// # Errors
/// `bad_query` when it is not a query, or repeats an option that is not a list. What the options mean is checked by the
/// entry.
pub fn arguments(entry: &Entry, uri: &Uri) -> Result<Map<String, Value>, Problem> {
    let bad = |detail: String| Problem::new(StatusCode::BAD_REQUEST, "bad_query", detail);
    let Query(pairs) =
        Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(|_| bad("the query can't be read".to_owned()))?;
    let mut generator = SchemaGenerator::default();
    let schema = (entry.args_schema)(&mut generator).to_value();
    let known = properties(&schema, generator.definitions());
    let mut args = Map::new();
    for (name, value) in pairs {
        let schema = known.get(&name);
        if wants(schema, "array") {
            let place = args.entry(name).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(values) = place {
                values.extend(value.split(',').map(|value| Value::String(value.to_owned())));
            }
        } else if args.insert(name.clone(), read(schema, value)).is_some() {
            return Err(bad(format!("`{name}` is given twice")));
        }
    }
    Ok(args)
}

/// Whether a schema allows a JSON type.
fn wants(schema: Option<&Value>, kind: &str) -> bool {
    match schema.and_then(|schema| schema.get("type")) {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(several)) => several.iter().any(|one| one == kind),
        _ => false,
    }
}

/// A number or truth value where the schema has one, else text.
fn read(schema: Option<&Value>, text: String) -> Value {
    let plain = ["boolean", "integer", "number"].into_iter().any(|kind| wants(schema, kind));
    if plain && let Ok(value @ (Value::Bool(_) | Value::Number(_))) = serde_json::from_str(&text) {
        return value;
    }
    Value::String(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_read_as_the_schema_says() {
        assert_eq!(read(Some(&json!({"type": ["boolean", "null"]})), "true".into()), json!(true));
        assert_eq!(read(Some(&json!({"type": "string"})), "1".into()), json!("1"));
        assert_eq!(read(Some(&json!({"type": "integer"})), "many".into()), json!("many"));
        assert_eq!(read(None, "1".into()), json!("1"));
    }

    #[test]
    fn lists_have_commas_or_name_their_option_several_times() {
        let arguments = |entry, query: &str| arguments(entry, &format!("/?{query}").parse().unwrap());
        let entry = crate::action::find(crate::model::Mode::Composite, "block_catalogue").unwrap();
        let args = arguments(entry, "extensions=pen&extensions=music").unwrap();
        assert_eq!(Value::Object(args), json!({"extensions": ["pen", "music"]}));
        let entry = crate::action::find(crate::model::Mode::Primitive, "observe").unwrap();
        let args = arguments(entry, "types=blocks,inputs&types=text&region=0,0,9,9").unwrap();
        assert_eq!(Value::Object(args), json!({"types": ["blocks", "inputs", "text"], "region": "0,0,9,9"}));
        assert_eq!(arguments(entry, "other=1&other=2").unwrap_err().code, "bad_query");
    }

    #[test]
    fn properties_of_a_named_type_are_found() {
        let definitions = json!({"Options": {"properties": {"ocr": {"type": "boolean"}}}});
        let found = properties(&json!({"$ref": "#/$defs/Options"}), definitions.as_object().unwrap());
        assert!(found.contains_key("ocr"));
    }
}
