//! What a model answered, read as a patch (ScratchEval, section 5.1): JSON with or without prose around it. How it is applied is in
//! `patching`.

use serde::Deserialize;
use serde_json::Value;

use crate::project::edit::Edit;

/// Edits that an answer may have.
pub const MOST_EDITS: usize = 64;
/// Places of an answer at which JSON is looked for.
const MOST_PLACES: usize = 1_000;

/// An answer that could be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// What the model says is wrong; empty where it says nothing.
    pub explanation: String,
    pub patch: Vec<Edit>,
}

/// Why there is no patch in an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("there is no patch in the answer")]
    NoPatch,
    #[error("the answer has a patch that is none: {0}")]
    Shape(String),
    #[error("the answer has {0} different patches")]
    Several(usize),
    #[error("the patch has {0} edits, at most {MOST_EDITS}")]
    TooLong(usize),
}

/// The object that the prompt asks for. What else a model puts into it does not count.
#[derive(Debug, Deserialize)]
struct Given {
    #[serde(default)]
    explanation: Value,
    patch: Value,
}

/// Reads an answer. The same patch twice counts once.
///
/// # Errors
/// When there is no patch in it, one of another shape or length, or two that differ.
pub fn read_answer(text: &str) -> Result<Answer, Unreadable> {
    let mut answers: Vec<Answer> = Vec::new();
    let mut misshapen = None;
    let (values, is_whole) = json_values(text);
    for value in values {
        // In prose, an empty list is no patch.
        if !is_whole && value == Value::Array(Vec::new()) {
            continue;
        }
        match answer(&value) {
            Ok(Some(answer)) if answers.iter().all(|known| known.patch != answer.patch) => answers.push(answer),
            Ok(_) => {}
            Err(why) => misshapen = misshapen.or(Some(why)),
        }
    }
    match (answers.len(), misshapen) {
        (_, Some(why)) => Err(why),
        (0, None) => Err(Unreadable::NoPatch),
        (1, None) => Ok(answers.remove(0)),
        (several, None) => Err(Unreadable::Several(several)),
    }
}

/// The JSON objects and lists of a text, none within another, and whether it is one as a whole.
pub fn json_values(text: &str) -> (Vec<Value>, bool) {
    if let Ok(whole) = serde_json::from_str(text.trim()) {
        return (vec![whole], true);
    }
    let (mut found, mut from) = (Vec::new(), 0);
    for _ in 0..MOST_PLACES {
        let Some(at) = text[from..].find(['{', '[']).map(|at| from + at) else { break };
        let mut stream = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        from = match stream.next() {
            Some(Ok(value)) => {
                found.push(value);
                at + stream.byte_offset()
            }
            _ => at + 1,
        };
    }
    (found, false)
}

/// A patch, if a value is meant as one.
fn answer(value: &Value) -> Result<Option<Answer>, Unreadable> {
    let is_list = |value: &Value| {
        let edits = value.as_array();
        edits.is_some_and(|edits| edits.iter().all(|edit| edit.get("op").is_some()))
    };
    let given = match value {
        Value::Object(object) if object.contains_key("patch") => {
            Given::deserialize(value).map_err(|error| Unreadable::Shape(error.to_string()))?
        }
        // An edit alone is no list of edits, and an example in prose may look like one.
        Value::Array(_) if is_list(value) => Given { explanation: Value::Null, patch: value.clone() },
        _ => return Ok(None),
    };
    let edits = given.patch.as_array().map(Vec::as_slice);
    let edits = edits.ok_or_else(|| Unreadable::Shape("`patch` is no list".to_owned()))?;
    if edits.len() > MOST_EDITS {
        return Err(Unreadable::TooLong(edits.len()));
    }
    let mut patch = Vec::new();
    for (at, edit) in edits.iter().enumerate() {
        let read = Edit::deserialize(edit).map_err(|error| misshapen(at, &error.to_string()))?;
        patch.push(read);
    }
    Ok(Some(Answer { explanation: given.explanation.as_str().unwrap_or_default().to_owned(), patch }))
}

/// What is wrong with an edit, in words for who wrote it.
fn misshapen(at: usize, error: &str) -> Unreadable {
    let why = if error.contains("untagged") {
        "a value is a text, a number, [name, id] or {\"block\": id}; a reporter is an edit of its own, whose id is named there"
    } else {
        error
    };
    Unreadable::Shape(format!("edit {}: {why}", at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDIT: &str = r#"{"op":"modify","sprite_id":"Moth","block_id":"b1","path":"inputs/VALUE","value":"0"}"#;

    #[test]
    fn prose_and_fences_around_a_patch_do_not_matter() {
        let whole = format!(r#"{{"explanation":"Never set.","patch":[{EDIT}]}}"#);
        let bare = format!("[{EDIT}]");
        for text in [
            whole.clone(),
            bare.clone(),
            format!("The fault {{here}} is [old].\n```json\n{whole}\n```\nThat is all."),
            format!("First {whole} and again {bare}, of a list []"),
            format!("{} {whole}", r#"{"op":"remove"}"#),
        ] {
            let answer = read_answer(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((answer.patch.len(), answer.patch[0].block_id()), (1, "b1"), "{text}");
        }
        assert_eq!(read_answer(&whole).unwrap().explanation, "Never set.");
        assert_eq!(read_answer(r#"{"patch": [], "confidence": 1}"#).unwrap().patch, []);
        assert_eq!(read_answer("[]").unwrap().patch, []);
    }

    #[test]
    fn what_is_no_patch_is_unreadable_and_says_why() {
        let other = EDIT.replace("b1", "b2");
        let long = format!("[{}]", vec![EDIT; 65].join(","));
        for (text, wanted) in [
            (String::new(), "no patch"),
            ("I can't tell.".to_owned(), "no patch"),
            (format!(r#"{{"patch":[{EDIT}"#), "no patch"),
            (r#"{"patch":{"op":"remove"}}"#.to_owned(), "no list"),
            (r#"{"patch":[{"op":"move","sprite_id":"Moth"}]}"#.to_owned(), "edit 1"),
            (format!("[{EDIT}] or [{other}]"), "2 different patches"),
            (format!("[{}]", EDIT.replace("\"0\"", r#"{"op":"operator_add"}"#)), "of its own"),
            (long, "65 edits"),
            ("[".repeat(20_000), "no patch"),
        ] {
            let error = read_answer(&text).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}: {text:.80}");
        }
    }
}
