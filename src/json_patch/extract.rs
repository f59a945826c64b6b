//! The JSON in a model's answer: the whole of it, what the only fence holds, or the only JSON in prose (EcoScratch, section 5). How a
//! patch is read from it is `schema`'s work.

use serde_json::Value;

use super::error::AnswerError;
use super::schema::{LARGEST, Limits, Read, is_patch, nesting, operation_list, read_value};

/// Places of an answer at which JSON is looked for.
const MOST_PLACES: usize = 1_000;
/// Levels of nesting that `serde_json` reads.
const READABLE: usize = 127;

/// How an answer ended, as the endpoint tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum End {
    /// The model had said what it wanted.
    #[default]
    Complete,
    /// The token limit was reached.
    Cut,
    /// The model, or a filter, declined.
    Refused,
}

/// JSON of an answer, and the bytes that it takes there.
struct Found {
    value: Value,
    bytes: usize,
}

impl Found {
    /// What counts of it: of a patch the operations, whatever they are wrapped in.
    fn meant(&self) -> &Value {
        operation_list(&self.value).unwrap_or(&self.value)
    }
}

/// Reads a model's answer as operations. One patch said twice counts once.
///
/// # Errors
/// When there is not exactly one patch in the answer, or it is of another form or size than `limits` allow.
pub fn read(answer: &str, end: End, limits: &Limits) -> Result<Read, AnswerError> {
    if end == End::Refused {
        return Err(AnswerError::Refused);
    }
    let found = extract(answer.trim_start_matches('\u{feff}').trim(), end)?;
    if found.bytes > LARGEST {
        return Err(AnswerError::TooLarge(format!("{} bytes, at most {LARGEST} are allowed", found.bytes)));
    }
    read_value(&found.value, limits)
}

/// The only JSON that can be meant.
fn extract(answer: &str, end: End) -> Result<Found, AnswerError> {
    if let Ok(value) = serde_json::from_str::<Value>(answer)
        && (value.is_object() || value.is_array())
    {
        return Ok(Found { value, bytes: answer.len() });
    }
    let fenced = fences(answer).into_iter().filter_map(whole).filter(|found| is_patch(&found.value)).collect();
    if let Some(found) = only(fenced)? {
        return Ok(found);
    }
    let (found, breaks_off) = in_prose(answer);
    let is_cut = breaks_off || end == End::Cut;
    // What is whole in an answer that breaks off may be a part of what is not.
    let found = if is_cut { found.into_iter().filter(|found| is_patch(&found.value)).collect() } else { found };
    match only(found)? {
        Some(found) => Ok(found),
        None if is_cut => Err(AnswerError::Cut),
        None if nesting(answer) > READABLE => Err(AnswerError::TooLarge(format!("nested deeper than {READABLE}"))),
        None => Err(AnswerError::NoJson),
    }
}

/// The one patch among values. Where none is a patch, the one value is meant as one, and its form is wrong.
fn only(found: Vec<Found>) -> Result<Option<Found>, AnswerError> {
    let (patches, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|found| is_patch(&found.value));
    let mut different: Vec<Found> = Vec::new();
    for found in if patches.is_empty() { others } else { patches } {
        if different.iter().all(|known| known.meant() != found.meant()) {
            different.push(found);
        }
    }
    match different.len() {
        0 | 1 => Ok(different.pop()),
        several => Err(AnswerError::SeveralJson(several)),
    }
}

/// What stands in closed fences of three backticks, without the word after the first ones.
fn fences(answer: &str) -> Vec<&str> {
    let parts: Vec<&str> = answer.split("```").collect();
    // The last part is outside of fences, or in one that is not closed.
    let inside = parts[..parts.len() - 1].iter().skip(1).step_by(2);
    inside.map(|part| part.trim_start_matches(|c: char| c.is_alphanumeric()).trim()).collect()
}

fn whole(text: &str) -> Option<Found> {
    let value: Value = serde_json::from_str(text).ok()?;
    (value.is_object() || value.is_array()).then_some(Found { value, bytes: text.len() })
}

/// The JSON objects and lists in prose, none within another, and whether the last one has no end. An empty list is prose.
fn in_prose(answer: &str) -> (Vec<Found>, bool) {
    let (mut found, mut from) = (Vec::new(), 0);
    for _ in 0..MOST_PLACES {
        let Some(at) = answer[from..].find(['{', '[']).map(|at| from + at) else { break };
        let mut stream = serde_json::Deserializer::from_str(&answer[at..]).into_iter::<Value>();
        from = match stream.next() {
            Some(Ok(value)) => {
                let bytes = stream.byte_offset();
                if value != Value::Array(Vec::new()) {
                    found.push(Found { value, bytes });
                }
                at + bytes
            }
            Some(Err(error)) if error.is_eof() => return (found, true),
            _ => at + 1,
        };
    }
    (found, false)
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod tests;
