//! `scratchbed task new`: a draft from the template of its category. Create and compute drafts are small tasks that
//! hold as they stand; debug and extend drafts have the text of their base, and a judge that fails until it is written.

use std::collections::BTreeMap;

use serde_json::json;

use super::place::{self, BASE_TEXT, Content, Draft, TASK_FILE};
use super::quote::in_single_quotes;
use super::templates::{OwnProject, TaskTemplate, template};
use super::{AuthorError, place::write};
use crate::agent::{TemplateError, fill};
use crate::files::Checkout;
use crate::model::{Category, Task, TaskId};
use crate::notation::{self, Document};

/// Names of a draft's own project texts.
pub(super) const INITIAL: &str = "initial.txt";
pub(super) const GOLDEN: &str = "golden.txt";
const SLOW: &str = "slow.txt";

/// What is to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTask {
    pub category: Category,
    pub id: TaskId,
    /// A few words for lists; made from the name when absent.
    pub title: Option<String>,
    /// The base project; needed for debug and extend.
    pub base: Option<TaskId>,
}

/// Writes a draft into a checkout.
///
/// # Errors
/// When the name is taken, the base is missing or does not suit the category, or a file can't be written.
pub fn scaffold(checkout: &Checkout, new: &NewTask) -> Result<Draft, AuthorError> {
    place::must_be_free(checkout, &new.id)?;
    let parts = Parts::of(checkout, new)?;
    write(checkout, new.category, &new.id, &content(new, parts)?)
}

/// The projects of a draft, before names are filled in.
struct Parts {
    files: BTreeMap<String, Vec<u8>>,
    /// Where the two projects are, if not where the template says.
    initial: Option<&'static str>,
    /// The sprite that the task is about.
    sprite: String,
}

impl Parts {
    fn of(checkout: &Checkout, new: &NewTask) -> Result<Self, AuthorError> {
        let own = template(new.category).project;
        match (own, &new.base) {
            (Some(own), None) => Ok(Self::own(new, &own)?),
            (Some(own), Some(base)) => Self::on_base(new, &own, base, &place::base_text(checkout, base)?),
            (None, Some(base)) => {
                let text = place::base_text(checkout, base)?;
                if new.category == Category::Debug && !has_code(&parsed(base, &text)?) {
                    let known = bases_with_code(checkout);
                    return Err(AuthorError::BaseWithoutCode { category: new.category, base: base.clone(), known });
                }
                Self::copy(new, base, &text)
            }
            (None, None) => Err(AuthorError::NoBase { category: new.category, known: place::bases(checkout) }),
        }
    }

    /// The template's own project with its pictures.
    fn own(new: &NewTask, own: &OwnProject) -> Result<Self, AuthorError> {
        let sprite = last_sprite(&own_document(new.category, own.golden, GOLDEN)?);
        let assets = own.assets.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        let mut files: BTreeMap<_, _> = assets.collect();
        files.insert(INITIAL.to_owned(), own.initial.as_bytes().to_vec());
        files.insert(GOLDEN.to_owned(), own.golden.as_bytes().to_vec());
        files.extend(own.slow.map(|slow| (SLOW.to_owned(), slow.as_bytes().to_vec())));
        Ok(Self { files, initial: None, sprite: sprite.unwrap_or_default() })
    }

    /// A base without code, whose last sprite gets the scripts of the template's.
    fn on_base(new: &NewTask, own: &OwnProject, base: &TaskId, text: &str) -> Result<Self, AuthorError> {
        let document = parsed(base, text)?;
        if has_code(&document) {
            return Err(AuthorError::BaseHasCode { category: new.category, base: base.clone() });
        }
        let sprite = last_sprite(&document).ok_or_else(|| AuthorError::NoSprite { base: base.clone() })?;
        let mut files = BTreeMap::new();
        for (name, solution) in [(GOLDEN, Some(own.golden)), (SLOW, own.slow)] {
            let Some(solution) = solution else { continue };
            let mut solved = document.clone();
            let scripts = own_document(new.category, solution, name)?.targets.pop().map(|target| target.scripts);
            if let Some((target, scripts)) = solved.targets.last_mut().zip(scripts) {
                target.scripts = scripts;
            }
            files.insert(name.to_owned(), notation::render(&solved).into_bytes());
        }
        Ok(Self { files, initial: Some(BASE_TEXT), sprite })
    }

    /// A copy of the base's text: for a debug task what the fault is put into, for an extend task what is extended.
    fn copy(new: &NewTask, base: &TaskId, text: &str) -> Result<Self, AuthorError> {
        let sprite = last_sprite(&parsed(base, text)?).ok_or_else(|| AuthorError::NoSprite { base: base.clone() })?;
        let name = if new.category == Category::Debug { INITIAL } else { GOLDEN };
        Ok(Self { files: BTreeMap::from([(name.to_owned(), text.into())]), initial: None, sprite })
    }
}

fn has_code(document: &Document) -> bool {
    document.targets.iter().any(|target| !target.scripts.is_empty())
}

/// The bases whose programs do something.
fn bases_with_code(checkout: &Checkout) -> Vec<String> {
    let mut names = place::bases(checkout);
    names.retain(|name| {
        let text = name.parse().ok().and_then(|base| place::base_text(checkout, &base).ok());
        text.is_some_and(|text| has_code(&notation::parse_all(&text).0))
    });
    names
}

fn parsed(base: &TaskId, text: &str) -> Result<Document, AuthorError> {
    notation::parse(text).map_err(|source| AuthorError::BadBase { base: base.clone(), source })
}

fn own_document(category: Category, text: &str, name: &str) -> Result<Document, AuthorError> {
    let failed = |error: notation::TextError| {
        AuthorError::Template(TemplateError { name: file(category, name), reason: error.to_string() })
    };
    notation::parse(text).map_err(failed)
}

fn last_sprite(document: &Document) -> Option<String> {
    document.targets.get(1..)?.last().map(|target| target.name.clone())
}

/// The name of a template's file, for messages.
fn file(category: Category, name: &str) -> String {
    format!("{category}/{name}")
}

/// The files of the draft.
fn content(new: &NewTask, parts: Parts) -> Result<Content, AuthorError> {
    let TaskTemplate { task, judge, oracle, .. } = template(new.category);
    let task = described(new, &parts, task)?;
    let values = json!({"id": new.id, "sprite": in_single_quotes(&parts.sprite)});
    let judge = fill(&file(new.category, "judge.js"), judge, values)?;
    let mut files = parts.files;
    if let Some(lists) = &task.oracle {
        files.insert(lists.composite.clone(), oracle.into());
    }
    files.insert(TASK_FILE.to_owned(), pretty(new.category, &task)?.into_bytes());
    Ok(Content { files, judge })
}

/// The template's `task.json` with what is known of this task.
fn described(new: &NewTask, parts: &Parts, template: &str) -> Result<Task, AuthorError> {
    let task: Task = serde_json::from_str(template).map_err(|error| broken(new.category, &error))?;
    let name = file(new.category, TASK_FILE);
    let instruction = fill(&name, &task.instruction, json!({"sprite": parts.sprite}))?;
    Ok(Task {
        id: new.id.clone(),
        evaluation: new.id.to_string(),
        title: new.title.clone().unwrap_or_else(|| title(&new.id)),
        base: new.base.clone(),
        initial: parts.initial.map_or(task.initial, str::to_owned),
        instruction,
        ..task
    })
}

/// A task as its file has it.
pub(super) fn pretty(category: Category, task: &Task) -> Result<String, AuthorError> {
    let text = serde_json::to_string_pretty(task).map_err(|error| broken(category, &error))?;
    Ok(text + "\n")
}

fn broken(category: Category, error: &serde_json::Error) -> AuthorError {
    AuthorError::Template(TemplateError { name: file(category, TASK_FILE), reason: error.to_string() })
}

/// `stuck_ferry` as `Stuck ferry`.
fn title(id: &TaskId) -> String {
    let words = id.as_str().replace('_', " ");
    let mut letters = words.trim().chars();
    let title: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    if title.is_empty() { id.to_string() } else { title }
}

#[cfg(test)]
#[path = "scaffold_tests.rs"]
mod tests;
