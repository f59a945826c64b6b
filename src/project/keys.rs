//! The order in which JavaScript has the keys of an object: those that are numbers by size, then the others as they came.

use serde_json::Value;

/// The number that a key of an object is to JavaScript: written without leading zeros, and below 2^32 - 1 (ECMA-262, "array index").
pub(super) fn array_index(key: &str) -> Option<u32> {
    let number: u32 = key.parse().ok().filter(|number| *number < u32::MAX)?;
    (number.to_string() == key).then_some(number)
}

/// Sorts as JavaScript does.
pub(super) fn sort_by_key<T>(items: &mut [T], key: impl Fn(&T) -> &str) {
    items.sort_by_key(|item| array_index(key(item)).unwrap_or(u32::MAX));
}

/// What an object holds; nothing of what is no object.
pub(super) fn entries(object: &Value) -> Vec<(&String, &Value)> {
    let mut entries: Vec<(&String, &Value)> = object.as_object().into_iter().flatten().collect();
    sort_by_key(&mut entries, |(key, _)| key);
    entries
}
