//! Forms of operations, right and wrong ones.

use scratchbed_model::{Coded, Layer};
use serde_json::json;

use super::*;

fn read(operations: &Value) -> Result<Read, AnswerError> {
    read_value(&json!({"operations": operations}), &Limits { operations: Some(3), profile: Profile::Paper })
}

fn code(answer: &Value, profile: Profile) -> String {
    let read = read_value(answer, &Limits { operations: Some(3), profile });
    read.map_or_else(|error| error.code().to_owned(), |_| "read".to_owned())
}

#[test]
fn a_value_is_json_text_or_plain_json_or_else_a_text() {
    for (given, value, coerced) in [
        (json!("[1,[10,\"0\"]]"), json!([1, [10, "0"]]), 0),
        (json!("null"), Value::Null, 0),
        (json!("\"10\""), json!("10"), 0),
        (json!("10"), json!(10), 0),
        (json!({"a": []}), json!({"a": []}), 0),
        (json!(false), json!(false), 0),
        (json!("b17"), json!("b17"), 1),
        (json!(""), json!(""), 1),
        (json!("[1,"), json!("[1,"), 1),
    ] {
        let read = read(&json!([{"op": "add", "path": "/a", "value": given}])).unwrap();
        assert_eq!((read.operations[0].value(), read.counts.coerced), (Some(&value), coerced), "{given}");
    }
}

#[test]
fn op_and_path_are_written_in_one_way() {
    for (op, path, wanted, normalised) in [
        ("replace", "/a", "/a", 0),
        ("REPLACE", "#/a", "/a", 1),
        ("replace", "a", "/a", 1),
        ("replace", "project.json/a", "/a", 1),
        ("replace", "/project.json#/a", "/a", 1),
        ("replace", "/project.json", "", 1),
        ("replace", "project.jsonx", "/project.jsonx", 1),
        ("replace", "", "", 0),
    ] {
        let read = read(&json!([{"op": op, "path": path, "value": "1"}])).unwrap();
        assert_eq!(read.operations, [Operation::Replace { path: wanted.to_owned(), value: json!(1) }], "{path}");
        assert_eq!(read.counts.normalised, normalised, "{path}");
    }
}

#[test]
fn another_form_has_its_code_and_the_number_of_the_operation() {
    let good = json!({"op": "remove", "path": "/a", "value": null});
    for (operation, wanted) in [
        (json!({"op": "test", "path": "/a", "value": "1"}), "op"),
        (json!({"op": "move", "from": "/a", "path": "/b"}), "op"),
        (json!({"op": "copy", "from": "/a", "path": "/b"}), "op"),
        (json!({"op": "spam", "path": "/a"}), "op"),
        (json!({"op": 3, "path": "/a"}), "shape"),
        (json!({"path": "/a"}), "shape"),
        (json!({"op": "add", "value": "1"}), "shape"),
        (json!({"op": "add", "path": 3, "value": "1"}), "shape"),
        (json!({"op": "add", "path": "/a"}), "shape"),
        (json!({"op": "add", "path": "/a", "value": null}), "shape"),
        (json!({"op": "add", "path": "/a", "value": "1", "why": ""}), "shape"),
        (json!("add"), "shape"),
    ] {
        let error = read(&json!([good, operation])).unwrap_err();
        assert_eq!((error.code(), error.layer(), error.operation()), (wanted, Layer::Schema, Some(1)), "{operation}");
        assert!(error.to_string().starts_with("operation 2: "), "{error}");
    }
}

#[test]
fn over_the_cap_a_patch_is_refused_as_a_whole() {
    let good = json!({"op": "remove", "path": "/a"});
    assert_eq!(read(&json!([good, good, good])).unwrap().operations.len(), 3);
    assert_eq!(read(&json!([good, good, good, good])).unwrap_err(), AnswerError::TooManyOps { count: 4, most: 3 });
    assert_eq!(read(&json!([])).unwrap().operations, []);
}

#[test]
fn a_value_is_nested_64_levels_at_most_in_either_form() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let of =
        |value: Value| read(&json!([{"op": "add", "path": "/a", "value": value}])).map_err(|e| e.code().to_owned());
    assert!(of(json!(nested(64))).is_ok());
    assert_eq!(of(json!(nested(65))).unwrap_err(), "too_large");
    assert_eq!(of(json!(nested(5_000))).unwrap_err(), "too_large");
    assert!(of(serde_json::from_str(&nested(64)).unwrap()).is_ok());
    assert_eq!(of(serde_json::from_str(&nested(65)).unwrap()).unwrap_err(), "too_large");
    assert!(of(json!(format!("\"{}\"", "[".repeat(65)))).is_ok());
}

#[test]
fn a_rationale_is_for_the_own_profile_and_short() {
    let with = |text: Value| json!({"operations": [], "rationale": text});
    let short = with(json!("ü".repeat(300)));
    assert_eq!(code(&short, Profile::Own), "read");
    assert_eq!(code(&short, Profile::Paper), "shape");
    assert_eq!(code(&with(json!("ü".repeat(301))), Profile::Own), "shape");
    assert_eq!(code(&with(json!(3)), Profile::Own), "shape");
    assert_eq!(code(&json!({"operations": [], "patch": []}), Profile::Own), "shape");
    assert_eq!(code(&json!({"operations": {}}), Profile::Own), "shape");
    assert_eq!(code(&json!({"patch": [], "rationale": ""}), Profile::Own), "read");
}
