//! One operation on one document, as RFC 6902 has it. The order of an object's members is kept: that of blocks decides the order in
//! which scripts run. Which documents may be changed, and where, is not known here.

use scratchbed_project::near::nearest;
use serde_json::{Map, Value};

use super::operation::Operation;
use super::pointer::{Pointer, join};

/// Members that an error names (EcoScratch, section 5).
const NEAREST: usize = 5;

/// Why an operation can't be made; the document is as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// There is no such member; these are like it.
    NoSuchPath(Vec<String>),
    /// A list of this length has no such index.
    BadIndex(usize),
    /// The text is no pointer, or nothing can be done at it.
    BadPointer,
}

/// What stands at a place.
pub(super) fn find<'v>(document: &'v Value, keys: &[String]) -> Result<&'v Value, Refusal> {
    let (mut value, mut above) = (document, String::new());
    for key in keys {
        value = match value {
            Value::Object(members) => members.get(key).ok_or_else(|| missing(members, &above, key))?,
            Value::Array(items) => index(key).and_then(|at| items.get(at)).ok_or(Refusal::BadIndex(items.len()))?,
            _ => return Err(Refusal::NoSuchPath(Vec::new())),
        };
        above = join(&above, key);
    }
    Ok(value)
}

/// Makes the change of an operation at a place; its own path is not looked at.
pub(super) fn carry_out(document: &mut Value, place: &Pointer, operation: &Operation) -> Result<(), Refusal> {
    let Some((key, above)) = place.keys.split_last() else {
        *document = operation.value().ok_or(Refusal::BadPointer)?.clone();
        return Ok(());
    };
    find(document, above)?;
    let above = Pointer { keys: above.to_vec() }.text();
    match document.pointer_mut(&above) {
        Some(Value::Object(members)) => change_member(members, &above, key, operation),
        Some(Value::Array(items)) => change_item(items, key, operation),
        _ => Err(Refusal::NoSuchPath(Vec::new())),
    }
}

fn change_member(
    members: &mut Map<String, Value>,
    above: &str,
    key: &str,
    operation: &Operation,
) -> Result<(), Refusal> {
    if !members.contains_key(key) && !matches!(operation, Operation::Add { .. }) {
        return Err(missing(members, above, key));
    }
    match operation.value() {
        Some(value) => members.insert(key.to_owned(), value.clone()),
        // `remove` would put the last member into the gap.
        None => members.shift_remove(key),
    };
    Ok(())
}

fn change_item(items: &mut Vec<Value>, key: &str, operation: &Operation) -> Result<(), Refusal> {
    let length = items.len();
    let is_added = matches!(operation, Operation::Add { .. });
    let at = if key == "-" && is_added { Some(length) } else { index(key) };
    let at = at.filter(|at| *at < length || is_added && *at == length).ok_or(Refusal::BadIndex(length))?;
    match operation {
        Operation::Add { value, .. } => items.insert(at, value.clone()),
        Operation::Replace { value, .. } => items[at].clone_from(value),
        Operation::Remove { .. } => drop(items.remove(at)),
    }
    Ok(())
}

/// An index of RFC 6901: digits without a leading zero.
pub(super) fn index(key: &str) -> Option<usize> {
    let is_index = key == "0" || !key.starts_with('0') && key.bytes().all(|byte| byte.is_ascii_digit());
    key.parse().ok().filter(|_| is_index)
}

fn missing(members: &Map<String, Value>, above: &str, key: &str) -> Refusal {
    let near = nearest(key, members.keys().map(String::as_str), NEAREST);
    Refusal::NoSuchPath(near.into_iter().map(|key| join(above, key)).collect())
}
