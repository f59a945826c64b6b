//! Operations from the JSON of an answer: envelope, form, cap and size. Whether they can be carried out is not looked at here.

use serde_json::{Map, Value};

use super::counts::Counts;
use super::error::AnswerError;
use super::operation::Operation;

/// Bytes that a patch may have (EcoScratch, section 5).
pub(super) const LARGEST: usize = 64 * 1024;
/// Levels to which a value may be nested (EcoScratch, section 5).
const DEEPEST: usize = 64;
/// Characters of a rationale (EcoScratch, section 5).
pub(super) const LONGEST_RATIONALE: usize = 300;

/// What is asked of a model: as the paper does, or with this testbed's own additions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Profile {
    /// Operations only.
    #[default]
    Paper,
    /// A rationale besides them.
    Own,
}

/// What an answer may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// The cap of operations; none for patches that are exempt from it.
    pub operations: Option<usize>,
    /// Which members the answer has.
    pub profile: Profile,
}

/// A patch as an answer has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The operations; none when the model proposes nothing.
    pub operations: Vec<Operation>,
    /// What the model says about them, at most 300 characters.
    pub rationale: Option<String>,
    /// How many the answer had, and what was put right in them.
    pub counts: Counts,
}

/// Whether a value is meant as a patch: it has a list under `operations` or `patch`, or is a list of what has an `op`.
pub(super) fn is_patch(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.contains_key("operations") || members.contains_key("patch"),
        Value::Array(items) => items.iter().all(|item| item.get("op").is_some()),
        _ => false,
    }
}

/// The list of operations in an envelope.
pub(super) fn operation_list(value: &Value) -> Option<&Value> {
    match value {
        Value::Object(members) => members.get("operations").or_else(|| members.get("patch")),
        Value::Array(_) => Some(value),
        _ => None,
    }
}

/// Reads JSON as a patch. Its size in bytes is not known here.
///
/// # Errors
/// When it is of another form, has operations that are none, or more or larger ones than allowed.
pub fn read_value(value: &Value, limits: &Limits) -> Result<Read, AnswerError> {
    let mut counts = Counts { normalised: usize::from(value.get("operations").is_none()), ..Counts::default() };
    let list = operation_list(value).ok_or_else(|| shape("there is no list `operations`"))?;
    let list = list.as_array().ok_or_else(|| shape("`operations` is no list"))?;
    let rationale = rationale(value, limits.profile)?;
    if let Some(most) = limits.operations.filter(|most| list.len() > *most) {
        return Err(AnswerError::TooManyOps { count: list.len(), most });
    }
    let mut operations = Vec::new();
    for (number, item) in list.iter().enumerate() {
        operations.push(operation(item, number, &mut counts)?);
    }
    Ok(Read { operations, rationale, counts })
}

/// The members of the envelope besides the operations.
fn rationale(value: &Value, profile: Profile) -> Result<Option<String>, AnswerError> {
    let mut rationale = None;
    let envelope = if value.get("operations").is_some() { "operations" } else { "patch" };
    for (name, member) in value.as_object().into_iter().flatten().filter(|(name, _)| *name != envelope) {
        if name != "rationale" || profile == Profile::Paper {
            return Err(shape(&format!("`{}` is no member of the answer", name.escape_debug())));
        }
        let text = member.as_str().filter(|text| text.chars().count() <= LONGEST_RATIONALE);
        let text =
            text.ok_or_else(|| shape(&format!("`rationale` is no text of at most {LONGEST_RATIONALE} characters")))?;
        rationale = Some(text.to_owned());
    }
    Ok(rationale)
}

fn operation(item: &Value, number: usize, counts: &mut Counts) -> Result<Operation, AnswerError> {
    let wrong = |message: &str| AnswerError::Shape { operation: Some(number), message: message.to_owned() };
    let members = item.as_object().ok_or_else(|| wrong("it is no object"))?;
    let given = members.get("op").and_then(Value::as_str).ok_or_else(|| wrong("`op` is missing or no text"))?;
    let op = given.trim().to_lowercase();
    if !["add", "remove", "replace"].contains(&op.as_str()) {
        return Err(AnswerError::Op { operation: number, name: given.escape_debug().to_string() });
    }
    if let Some(other) = members.keys().find(|key| !["op", "path", "value"].contains(&key.as_str())) {
        return Err(wrong(&format!("`{}` is no member of an operation", other.escape_debug())));
    }
    let written = members.get("path").and_then(Value::as_str).ok_or_else(|| wrong("`path` is missing or no text"))?;
    let path = normal_path(written);
    counts.normalised += usize::from(op != given || path != written);
    if op == "remove" {
        counts.normalised += usize::from(members.get("value").is_some_and(|value| !value.is_null()));
        return Ok(Operation::Remove { path });
    }
    let value = value(members, number, counts)?;
    Ok(if op == "add" { Operation::Add { path, value } } else { Operation::Replace { path, value } })
}

/// A pointer from the root of `project.json`: a leading `#` or `project.json` goes, a missing slash comes.
fn normal_path(written: &str) -> String {
    let path = written.trim_start();
    let path = path.strip_prefix('#').unwrap_or(path);
    let bare = path.strip_prefix('/').unwrap_or(path).strip_prefix("project.json");
    let path = bare
        .map(|rest| rest.strip_prefix('#').unwrap_or(rest))
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
        .unwrap_or(path);
    if path.is_empty() || path.starts_with('/') { path.to_owned() } else { format!("/{path}") }
}

/// The value of an addition or replacement: JSON text, plain JSON, or a text that is taken as it stands.
fn value(members: &Map<String, Value>, number: usize, counts: &mut Counts) -> Result<Value, AnswerError> {
    let wrong = |message: &str| AnswerError::Shape { operation: Some(number), message: message.to_owned() };
    let deep =
        || AnswerError::TooLarge(format!("the value of operation {} is nested deeper than {DEEPEST}", number + 1));
    match members.get("value") {
        None => Err(wrong("`value` is missing")),
        Some(Value::Null) => Err(wrong("`value` is null, which only a removal has; JSON's null is the text \"null\"")),
        Some(Value::String(text)) => match serde_json::from_str(text) {
            Ok(value) if depth(&value) <= DEEPEST => Ok(value),
            Ok(_) => Err(deep()),
            Err(_) if nesting(text) > DEEPEST => Err(deep()),
            Err(_) => {
                counts.coerced += 1;
                Ok(Value::String(text.clone()))
            }
        },
        Some(plain) if depth(plain) > DEEPEST => Err(deep()),
        Some(plain) => Ok(plain.clone()),
    }
}

fn shape(message: &str) -> AnswerError {
    AnswerError::Shape { operation: None, message: message.to_owned() }
}

/// Levels of lists and objects inside of one another; 0 for a plain value. The parser does not read more than 127.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

/// The same for text that may be too deep to be parsed; brackets within strings do not count.
pub(super) fn nesting(text: &str) -> usize {
    let (mut level, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => level += 1,
            b']' | b'}' if !quoted => level = level.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(level);
    }
    deepest
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
