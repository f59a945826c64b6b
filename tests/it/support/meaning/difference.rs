//! Where two meanings differ first, in words for a person.

use std::fmt;

use serde_json::Value;

/// How much of a value is told, in characters.
const SHOWN: usize = 300;

/// One difference.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    /// Keys and numbers on the way there.
    pub path: String,
    pub before: String,
    pub after: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, before, after } = self;
        write!(f, "at {path}\n  before: {before}\n  after:  {after}")
    }
}

/// The first difference of two values, as deep inside as it lies; none of equal ones.
pub fn first_difference(before: &Value, after: &Value) -> Option<Difference> {
    find(String::new(), Some(before), Some(after))
}

fn find(path: String, before: Option<&Value>, after: Option<&Value>) -> Option<Difference> {
    if before == after {
        return None;
    }
    match (before, after) {
        (Some(Value::Object(left)), Some(Value::Object(right))) => {
            let keys = left.keys().chain(right.keys().filter(|key| !left.contains_key(*key)));
            keys.into_iter().find_map(|key| find(format!("{path}/{key}"), left.get(key), right.get(key)))
        }
        (Some(Value::Array(left)), Some(Value::Array(right))) => {
            (0..left.len().max(right.len())).find_map(|at| find(format!("{path}/{at}"), left.get(at), right.get(at)))
        }
        _ => Some(Difference { path, before: told(before), after: told(after) }),
    }
}

fn told(value: Option<&Value>) -> String {
    let Some(value) = value else { return "nothing".to_owned() };
    let whole = value.to_string();
    let mut letters = whole.chars();
    let begin: String = letters.by_ref().take(SHOWN).collect();
    if letters.next().is_some() { format!("{begin}…") } else { begin }
}

#[test]
fn the_first_difference_is_told_with_the_way_to_it() {
    let before = serde_json::json!({"a": 1, "b": [1, {"c": "x", "d": 2}]});
    let after = serde_json::json!({"b": [1, {"d": 2, "c": "y"}], "a": 1});
    let found = first_difference(&before, &after).unwrap();
    assert_eq!((found.path.as_str(), found.before.as_str(), found.after.as_str()), ("/b/1/c", "\"x\"", "\"y\""));
    let longer = first_difference(&serde_json::json!([1]), &serde_json::json!([1, 2])).unwrap();
    assert_eq!((longer.path.as_str(), longer.before.as_str()), ("/1", "nothing"));
    assert_eq!(first_difference(&before, &before), None);
}
