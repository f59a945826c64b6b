//! The options in a request's query, as an extractor, and decoding errors in plain words.
//!
//! Options of actions are read by their schema in `query`; bodies are read in `body`.

use std::sync::LazyLock;

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use regex::Regex;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::http::problem::Problem;
use crate::model::{parser_words, shown_name};

/// The options of a route, read from the query.
///
/// # Errors
/// The rejection is `bad_query`, with the option that does not fit and, as the hint, those that there are.
#[derive(Debug)]
pub struct Options<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + JsonSchema> FromRequestParts<S> for Options<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        options(&parts.uri).map(Self)
    }
}

/// For routes without options: a misspelt or misplaced option is refused, not ignored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

/// The options in the query of an address.
///
/// # Errors
/// As [`Options`].
pub fn options<T: DeserializeOwned + JsonSchema>(uri: &Uri) -> Result<T, Problem> {
    let Query(options) = Query::try_from_uri(uri).map_err(|error| {
        let said = error.body_text();
        let said = said.strip_prefix("Failed to deserialize query string: ").unwrap_or(&said);
        let words = match said.split_once(": ") {
            // serde has named the option already.
            Some((_, cause)) if cause.starts_with("unknown field") => in_words(cause),
            Some((name, cause)) if !name.contains(' ') => format!("`{name}` {}", in_words(cause)),
            _ => in_words(said),
        };
        Problem::new(StatusCode::BAD_REQUEST, "bad_query", words).hinted(known::<T>())
    })?;
    Ok(options)
}

/// The options of a type, for a hint.
fn known<T: JsonSchema>() -> String {
    let mut generator = SchemaGenerator::default();
    let schema = generator.root_schema_for::<T>().to_value();
    let names: Vec<&str> =
        schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys()).map(String::as_str).collect();
    if names.is_empty() { "this address takes no options".to_owned() } else { format!("options: {}", names.join(", ")) }
}

/// Serde's message on a value that does not fit, without the names of Rust's types and with little of the value.
pub fn in_words(said: &str) -> String {
    static PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r" at line \d+ column \d+$").ok());
    let said = PLACE.as_ref().map_or_else(|| said.to_owned(), |place| place.replace(said, "").into_owned());
    if said == "invalid digit found in string" || said == "invalid float literal" {
        return "must be a number".to_owned();
    }
    let parts = said.strip_prefix("invalid type: ").or_else(|| said.strip_prefix("invalid value: "));
    match parts.and_then(|parts| parts.rsplit_once(", expected ")) {
        Some((found, wanted)) => {
            format!("must be {}, not {}", wanted_in_words(wanted), shown_name(&found_in_words(found)))
        }
        None => parser_words(&said),
    }
}

fn wanted_in_words(wanted: &str) -> &str {
    match wanted {
        "f32" | "f64" => "a number",
        "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" => "a whole number",
        "a string" | "string" | "str" => "a text",
        "a boolean" => "true or false",
        "a map" => "an object",
        "a sequence" => "a list",
        wanted if wanted.starts_with("struct ") => "an object",
        wanted => wanted,
    }
}

fn found_in_words(found: &str) -> String {
    match found {
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        found => match found.strip_prefix("string ") {
            Some(text) => format!("the text {text}"),
            // A number or truth value, between back quotes.
            None => found.split('`').nth(1).unwrap_or(found).to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only decoded")]
    struct Wanted {
        #[serde(default)]
        after: Option<u64>,
        #[serde(default)]
        brief: bool,
    }

    fn refused(query: &str) -> (String, String) {
        let problem = options::<Wanted>(&format!("/?{query}").parse().unwrap()).unwrap_err();
        assert_eq!((problem.code.as_str(), problem.status), ("bad_query", 400));
        (problem.detail, problem.hint.unwrap())
    }

    #[test]
    fn an_option_that_does_not_fit_is_named_with_those_that_there_are() {
        assert_eq!(refused("after=abc"), ("`after` must be a number".to_owned(), "options: after, brief".to_owned()));
        let (detail, _) = refused("bogus=1");
        assert!(detail.starts_with("unknown field `bogus`"), "{detail}");
        let hint = options::<NoOptions>(&"/?scale=2".parse().unwrap()).unwrap_err().hint.unwrap();
        assert_eq!(hint, "this address takes no options");
        assert!(options::<Wanted>(&"/?after=3&brief=true".parse().unwrap()).is_ok());
    }

    #[test]
    fn types_are_named_as_json_has_them() {
        let cases = [
            (
                "invalid type: string \"long\", expected f64 at line 1 column 41",
                "must be a number, not the text \"long\"",
            ),
            ("invalid type: floating point `1.5`, expected u32", "must be a whole number, not 1.5"),
            ("invalid type: map, expected a string at line 1 column 9", "must be a text, not an object"),
            ("invalid type: sequence, expected struct Start", "must be an object, not a list"),
            ("missing field `api` at line 1 column 2", "missing field `api`"),
        ];
        for (said, words) in cases {
            assert_eq!(in_words(said), words);
        }
        let long = "long".repeat(1000);
        let told = in_words(&format!("invalid type: string \"{long}\", expected f64 at line 1 column 41"));
        assert!(told.starts_with("must be a number, not the text \"longlong") && told.len() < 130, "{told}");
    }
}
