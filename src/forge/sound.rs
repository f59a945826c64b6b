//! Whether a fault is sound by its blocks alone, which needs no browser: a project that loads, an inverse that gives gold back to the
//! byte, and nothing else touched (ScratchEval, section 3.3).

use std::fmt;

use serde_json::Value;

use super::check::same_bytes;
use super::gold::Gold;
use crate::inject::Candidate;
use crate::model::Coded as _;
use crate::project::edit::{Edit, EditError, apply, inverse};
use crate::project::view::TargetView;
use crate::project::{Project, ProjectError};

/// Edits of a repair at most (section 3.3).
const MOST_EDITS: usize = 3;

/// Why a fault is not sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsound {
    /// A stable name: `edit_refused`, `unchanged`, `no_inverse`, `inverse_differs`, `touches_more`, or what the project fails at.
    pub code: String,
    pub message: String,
}

/// A fault that is sound by its blocks.
pub(super) struct Sound {
    pub(super) inverse: Vec<Edit>,
    pub(super) buggy: Project,
    pub(super) sb3: Vec<u8>,
}

/// The single-fault proof, with the file that is played.
pub(super) fn sound(gold: &Gold, candidate: &Candidate) -> Result<Sound, Unsound> {
    let (buggy, inverse) = proven(&gold.project, candidate)?;
    let sb3 = buggy.pack()?;
    Ok(Sound { inverse, buggy, sb3 })
}

/// The single-fault proof: the buggy project, and what undoes the fault.
pub(super) fn proven(gold: &Project, candidate: &Candidate) -> Result<(Project, Vec<Edit>), Unsound> {
    let json = &gold.json;
    let buggy = apply(json, &candidate.patch)?;
    if buggy == *json {
        return Err(Unsound::new("unchanged", "it changes nothing"));
    }
    let back = inverse(json, &candidate.patch)?.filter(|back| back.len() <= MOST_EDITS);
    let back = back.ok_or_else(|| Unsound::new("no_inverse", "it has no small inverse"))?;
    if !same_bytes(&apply(&buggy, &back)?, json) {
        return Err(Unsound::new("inverse_differs", "its inverse does not give gold back"));
    }
    if let Some(target) = touched_elsewhere(json, &buggy, &candidate.sprite_id) {
        return Err(Unsound::new("touches_more", format!("it touches {target} as well")));
    }
    let buggy = Project { json: buggy, assets: gold.assets.clone() };
    buggy.check()?;
    Ok((buggy, back))
}

/// A target other than the site's of which more differs than the messages that the stage declares.
fn touched_elsewhere<'a>(gold: &'a Value, buggy: &'a Value, site: &str) -> Option<&'a str> {
    let rest = |target: &'a Value| target.as_object().into_iter().flatten().filter(|(name, _)| *name != "broadcasts");
    let all = |json: &'a Value| json["targets"].as_array().into_iter().flatten();
    let name = |target: &'a Value| TargetView::of(target).sprite_id();
    let mut others = all(gold).zip(all(buggy)).filter(|(golden, _)| name(golden) != site);
    others.find(|(golden, buggy)| rest(golden).ne(rest(buggy))).map(|(golden, _)| name(golden))
}

impl Unsound {
    fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }
}

impl From<EditError> for Unsound {
    fn from(error: EditError) -> Self {
        Self::new("edit_refused", error.to_string())
    }
}

impl From<ProjectError> for Unsound {
    fn from(error: ProjectError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

impl fmt::Display for Unsound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

#[cfg(test)]
#[path = "sound_tests.rs"]
mod tests;
