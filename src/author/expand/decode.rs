//! Extracts JSON from a model's answer, which may have fences and words around it.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Places at which a value may begin that are tried.
const STARTS: usize = 40;

/// The first value in a text that is of a type. A bare list is taken for the field `list` of an object.
///
/// # Errors
/// What is wrong with the first value, in words for the model.
pub(super) fn decode<T: DeserializeOwned>(text: &str, list: &str) -> Result<T, String> {
    let mut fault = None;
    let starts = text.char_indices().filter(|(_, letter)| matches!(letter, '{' | '[')).take(STARTS);
    for (start, _) in starts {
        match first_value(&text[start..]) {
            Ok(Value::Array(items)) if items.iter().all(|item| !item.is_object()) => {}
            Ok(value) => match of_type(value, list) {
                Ok(found) => return Ok(found),
                Err(error) => fault = fault.or(Some(error)),
            },
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    Err(fault.unwrap_or_else(|| "there is no JSON in it".to_owned()))
}

/// The value at the beginning of a text, whatever follows.
fn first_value(text: &str) -> Result<Value, String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) => Err(format!("it is no JSON: {error}")),
        None => Err("there is no JSON in it".to_owned()),
    }
}

fn of_type<T: DeserializeOwned>(value: Value, list: &str) -> Result<T, String> {
    let value = if value.is_array() { serde_json::json!({ list: value }) } else { value };
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        format!("`{path}`: {}", error.into_inner())
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Found {
        names: Vec<Name>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Name {
        name: String,
    }

    fn found(text: &str) -> Result<Vec<String>, String> {
        decode::<Found>(text, "names").map(|found| found.names.into_iter().map(|name| name.name).collect())
    }

    #[test]
    fn words_and_fences_around_json_do_no_harm() {
        let json = r#"{"names": [{"name": "a {b}"}]}"#;
        for text in [
            json.to_owned(),
            format!("Here you are:\n```json\n{json}\n```\nIs it [fine]?"),
            format!("I thought {{hard}} about [this] list. {json}"),
            r#"```
[{"name": "a {b}"}]
```"#
                .to_owned(),
        ] {
            assert_eq!(found(&text).unwrap(), ["a {b}"], "{text}");
        }
    }

    #[test]
    fn faults_name_the_field() {
        assert!(found(r#"{"names": [{"nam": "a"}]}"#).unwrap_err().contains("names[0]"));
        assert!(found(r#"{"names": [{"name": "a"}"#).unwrap_err().contains("no JSON"));
        assert_eq!(found("Sorry.").unwrap_err(), "there is no JSON in it");
    }
}
