//! Patches in words, an edit a sentence, with blocks as lines of notation.

use serde::Serialize;
use serde_json::Value;

use crate::notation::line_of;
use crate::project::Project;
use crate::project::edit::{Edit, EditError, apply};
use crate::project::view::target;

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Piece {
    text: String,
    /// Whether it is a line of notation.
    code: bool,
}

fn say(text: impl Into<String>) -> Piece {
    Piece { text: text.into(), code: false }
}

fn code(text: impl Into<String>) -> Piece {
    Piece { text: text.into(), code: true }
}

/// What a patch does to a project, in words: a sentence for each edit, in pieces.
///
/// # Errors
/// When an edit can't be made.
pub(super) fn in_words(project: &Project, patch: &[Edit]) -> Result<Vec<Vec<Piece>>, EditError> {
    let mut before = project.json.clone();
    let mut said = Vec::new();
    for (number, edit) in patch.iter().enumerate() {
        let after = apply(&project.json, &patch[..=number])?;
        said.push(sentence(edit, &before, &after));
        before = after;
    }
    Ok(said)
}

fn sentence(edit: &Edit, before: &Value, after: &Value) -> Vec<Piece> {
    let name = edit.sprite_id();
    let (old, new) = (line(before, name, edit.block_id()), line(after, name, edit.block_id()));
    let mut said = vec![say(format!("{name}: "))];
    match edit {
        Edit::Remove { splice: true, .. } => {
            said.extend([say("take away "), code(old), say(" around what is inside, which stays.")]);
        }
        Edit::Remove { .. } => {
            said.extend([say("remove "), code(old), say(holds(before, name, edit.block_id())), say(".")]);
        }
        Edit::Add { parent, input, next, .. } => {
            said.extend([say("add "), code(new)]);
            said.extend(place(after, name, [parent, next], input.as_deref()));
            said.push(say("."));
        }
        Edit::Modify { path, .. } if old == new => {
            said.extend([say(format!("change {path} of ")), code(old), say(".")]);
        }
        Edit::Modify { .. } => said.extend([say("change "), code(old), say(" to "), code(new), say(".")]),
    }
    said
}

/// Where a block is put: at its parent, or before what comes next.
fn place(project: &Value, name: &str, [parent, next]: [&Option<String>; 2], input: Option<&str>) -> Vec<Piece> {
    let of = |id: &Option<String>| id.as_ref().map(|id| line(project, name, id)).filter(|line| !line.is_empty());
    match (of(parent), input, of(next)) {
        (Some(parent), Some(mouth), _) if mouth.starts_with("SUBSTACK") => vec![say(" first in "), code(parent)],
        (Some(parent), Some(_), _) => vec![say(" so that it reads "), code(parent)],
        (Some(parent), None, _) => vec![say(" below "), code(parent)],
        (None, _, Some(next)) => vec![say(" above "), code(next)],
        (None, ..) => vec![say(" as a script of its own")],
    }
}

fn line(project: &Value, name: &str, block: &str) -> String {
    target(project, name).map(|target| line_of(target, block)).unwrap_or_default()
}

/// Words for blocks in the mouths of one that is removed with them.
fn holds(project: &Value, name: &str, block: &str) -> &'static str {
    let block = target(project, name).and_then(|target| target.block(block));
    let is_full = block
        .is_some_and(|block| block.inputs().any(|input| input.name.starts_with("SUBSTACK") && input.value.is_some()));
    if is_full { " with all that is inside" } else { "" }
}
