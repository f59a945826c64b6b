//! How JavaScript has keys, numbers and texts, as far as it decides what the VM reads in a project.

use serde_json::{Map, Value};

/// The number that a key of an object is to JavaScript (ECMA-262, "array index"); none for all other keys.
fn array_index(key: &str) -> Option<u32> {
    let number: u32 = key.parse().ok()?;
    (number < u32::MAX && number.to_string() == key).then_some(number)
}

/// Sorts what an object holds as JavaScript does: keys that are numbers by size, then the others as they came.
pub fn sort_by_key<T>(items: &mut [T], key: impl Fn(&T) -> &str) {
    items.sort_by_key(|item| array_index(key(item)).unwrap_or(u32::MAX));
}

/// What an object holds, in the order in which a loop over it finds it; nothing of what is no object.
pub fn entries(object: &Value) -> Vec<(&String, &Value)> {
    let mut entries: Vec<(&String, &Value)> = object.as_object().into_iter().flatten().collect();
    entries.sort_by_key(|(key, _)| array_index(key).unwrap_or(u32::MAX));
    entries
}

/// The same JSON without the character "backspace", which is taken out of each project before it is read
/// (scratch-parser, `lib/parse.js`).
pub fn without_backspaces(json: &Value) -> Value {
    let clean = |text: &str| text.replace('\u{8}', "");
    match json {
        Value::String(text) => Value::String(clean(text)),
        Value::Array(items) => items.iter().map(without_backspaces).collect(),
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| (clean(key), without_backspaces(value)));
            Value::Object(entries.collect::<Map<String, Value>>())
        }
        other => other.clone(),
    }
}

/// A value as `String(value)` writes it.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number_text(number.as_f64().unwrap_or_default()),
        other => other.to_string(),
    }
}

/// A number as JavaScript writes it (ECMA-262, `Number::toString`).
pub fn number_text(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{:e}", number.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap();
    let digits = mantissa.replace('.', "");
    let body = place_point(&digits, exponent.parse::<i32>().unwrap() + 1);
    if number < 0.0 { format!("-{body}") } else { body }
}

/// Digits with the decimal point after so many of them, which may be before the first or behind the last.
fn place_point(digits: &str, point: i32) -> String {
    let count = i32::try_from(digits.len()).unwrap();
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap());
    if (count..=21).contains(&point) {
        format!("{digits}{}", zeros(point - count))
    } else if (1..=21).contains(&point) {
        let (whole, part) = digits.split_at(usize::try_from(point).unwrap());
        format!("{whole}.{part}")
    } else if (-5..=0).contains(&point) {
        format!("0.{}{digits}", zeros(-point))
    } else {
        let (first, others) = digits.split_at(1);
        let dot = if others.is_empty() { "" } else { "." };
        let exponent = point - 1;
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{first}{dot}{others}e{sign}{}", exponent.abs())
    }
}

#[test]
fn numbers_are_written_as_javascript_writes_them() {
    for (number, text) in [
        (0.0, "0"),
        (-0.0, "0"),
        (5.0, "5"),
        (-12.5, "-12.5"),
        (0.1, "0.1"),
        (0.000_001, "0.000001"),
        (0.000_000_1, "1e-7"),
        (-0.000_000_25, "-2.5e-7"),
        (100_000_000_000_000_000_000.0, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (123_456_789.0, "123456789"),
    ] {
        assert_eq!(number_text(number), text);
    }
}

#[test]
fn keys_that_are_numbers_come_first() {
    let object = serde_json::json!({"b": 0, "10": 0, "-1": 0, "2": 0, "02": 0, "4294967295": 0});
    let keys: Vec<&str> = entries(&object).into_iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["2", "10", "b", "-1", "02", "4294967295"]);
}
