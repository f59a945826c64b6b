//! The parameters of a call, read as leniently as the reference reads them: a number may come as
//! text, unknown fields are ignored, and all faults are reported at once.

use axum::extract::{Query, Request};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use serde_json::{Map, Value, json};

use super::fault::Fault;
use crate::http::extract::bodies::Held;
use crate::http::extract::body::{JSON_LIMIT, read};

/// The headers and parameters of a call.
#[derive(Debug)]
pub struct Params {
    query: Map<String, Value>,
    headers: HeaderMap,
    body: Held,
}

impl Params {
    /// Reads a request to its end.
    ///
    /// # Errors
    /// A query or body that can't be read.
    pub async fn read(request: Request) -> Result<Self, Fault> {
        let pairs = Query::<Vec<(String, String)>>::try_from_uri(request.uri());
        let Query(pairs) =
            pairs.map_err(|_| Fault::Invalid(vec![fault("query_type", &["query"], "Unreadable query")]))?;
        let query = pairs.into_iter().map(|(name, value)| (name, Value::String(value))).collect();
        let headers = request.headers().clone();
        Ok(Self { query, headers, body: read(request, JSON_LIMIT).await? })
    }

    /// The parameters in the query.
    pub fn query(&self) -> Fields {
        Fields { place: "query", values: self.query.clone(), faults: Vec::new() }
    }

    /// The fields of the body, which must be a JSON object.
    ///
    /// # Errors
    /// No body, no JSON, or no object.
    pub fn body(&self) -> Result<Fields, Fault> {
        let invalid = |kind, message: &str| Fault::Invalid(vec![fault(kind, &["body"], message)]);
        if self.body.is_empty() {
            return Err(invalid("missing", "Field required"));
        }
        // Other types can be sent by a page of another origin without asking first.
        if !is_json(&self.headers) {
            return Err(invalid("model_attributes_type", "Input should be a JSON object, sent as application/json"));
        }
        match serde_json::from_slice(&self.body) {
            Ok(Value::Object(values)) => Ok(Fields { place: "body", values, faults: Vec::new() }),
            Ok(_) => Err(invalid("model_attributes_type", "Input should be a valid dictionary")),
            Err(error) => Err(invalid("json_invalid", &format!("JSON decode error: {error}"))),
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

fn fault(kind: &str, place: &[&str], message: &str) -> Value {
    json!({"type": kind, "loc": place, "msg": message})
}

/// Parameters being read; faults are gathered until [`Fields::done`].
#[derive(Debug)]
pub struct Fields {
    place: &'static str,
    values: Map<String, Value>,
    faults: Vec<Value>,
}

impl Fields {
    /// A text that must be there.
    pub fn text(&mut self, name: &str) -> String {
        self.required(name, "string", as_text).unwrap_or_default()
    }

    /// A text that may be left out.
    pub fn text_or(&mut self, name: &str, default: &str) -> String {
        self.optional(name, "string", as_text).unwrap_or_else(|| default.to_owned())
    }

    /// A whole number that must be there.
    pub fn int(&mut self, name: &str) -> i64 {
        self.required(name, "int", as_int).unwrap_or_default()
    }

    /// A whole number that may be left out.
    pub fn maybe_int(&mut self, name: &str) -> Option<i64> {
        self.optional(name, "int", as_int)
    }

    /// A number that may be left out.
    pub fn float_or(&mut self, name: &str, default: f64) -> f64 {
        self.optional(name, "float", as_float).unwrap_or(default)
    }

    /// A truth value that may be left out.
    pub fn flag_or(&mut self, name: &str, default: bool) -> bool {
        self.optional(name, "bool", as_flag).unwrap_or(default)
    }

    /// A list of texts that must be there.
    pub fn texts(&mut self, name: &str) -> Vec<String> {
        self.required(name, "list", as_texts).unwrap_or_default()
    }

    /// An object that may be left out.
    pub fn object(&mut self, name: &str) -> Map<String, Value> {
        self.optional(name, "dict", |value| value.as_object().cloned()).unwrap_or_default()
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// When something did not fit.
    pub fn done(self) -> Result<(), Fault> {
        if self.faults.is_empty() { Ok(()) } else { Err(Fault::Invalid(self.faults)) }
    }

    fn required<T>(&mut self, name: &str, kind: &str, read: fn(&Value) -> Option<T>) -> Option<T> {
        if !self.values.contains_key(name) {
            self.faults.push(fault("missing", &[self.place, name], "Field required"));
            return None;
        }
        self.given(name, kind, read)
    }

    fn optional<T>(&mut self, name: &str, kind: &str, read: fn(&Value) -> Option<T>) -> Option<T> {
        if self.values.get(name).is_none_or(Value::is_null) { None } else { self.given(name, kind, read) }
    }

    fn given<T>(&mut self, name: &str, kind: &str, read: fn(&Value) -> Option<T>) -> Option<T> {
        let value = self.values.get(name)?;
        let found = read(value);
        if found.is_none() {
            let mut invalid =
                fault(&format!("{kind}_type"), &[self.place, name], &format!("Input should be a valid {kind}"));
            invalid["input"] = value.clone();
            self.faults.push(invalid);
        }
        found
    }
}

fn as_text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn as_texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(as_text).collect()
}

fn as_float(value: &Value) -> Option<f64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        value => value.as_f64(),
    };
    number.filter(|number: &f64| number.is_finite())
}

/// No useful coordinate or amount is larger, and every whole number below has an exact `f64`.
const LARGEST: f64 = 1e9;

fn as_int(value: &Value) -> Option<i64> {
    let number = as_float(value).filter(|number| number.fract() == 0.0 && number.abs() <= LARGEST)?;
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and within bounds")]
    Some(number as i64)
}

fn as_flag(value: &Value) -> Option<bool> {
    let word = match value {
        Value::Bool(flag) => return Some(*flag),
        Value::String(text) => text.trim().to_ascii_lowercase(),
        value => value.to_string(),
    };
    match word.as_str() {
        "1" | "true" | "t" | "yes" | "y" | "on" | "1.0" => Some(true),
        "0" | "false" | "f" | "no" | "n" | "off" | "0.0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(values: &Value) -> Fields {
        Fields { place: "body", values: values.as_object().unwrap().clone(), faults: Vec::new() }
    }

    #[test]
    fn numbers_come_as_numbers_or_text_but_never_broken() {
        let mut some = fields(&json!({"a": "12", "b": 12.0, "c": -3, "d": null, "e": "0.5"}));
        assert_eq!((some.int("a"), some.int("b"), some.int("c"), some.maybe_int("d")), (12, 12, -3, None));
        assert!((some.float_or("e", 1.0) - 0.5).abs() < f64::EPSILON);
        some.done().unwrap();
        for wrong in [json!(12.5), json!("12.5"), json!("x"), json!([1]), json!(1e30), json!("NaN")] {
            let mut some = fields(&json!({"a": wrong}));
            some.int("a");
            let Err(Fault::Invalid(faults)) = some.done() else { panic!("{wrong} was taken") };
            assert_eq!((&faults[0]["loc"], &faults[0]["input"]), (&json!(["body", "a"]), &wrong));
        }
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let mut some = fields(&json!({"text": 5, "keys": ["a", 1], "flag": "maybe", "extra": {}}));
        some.text("text");
        some.texts("keys");
        some.flag_or("flag", true);
        some.int("absent");
        let Err(Fault::Invalid(faults)) = some.done() else { panic!("it was taken") };
        let kinds: Vec<&str> = faults.iter().filter_map(|fault| fault["type"].as_str()).collect();
        assert_eq!(kinds, ["string_type", "list_type", "bool_type", "missing"]);
    }
}
