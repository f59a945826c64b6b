//! Ideas for tasks: requested until there are enough, each one checked against the existing tasks.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::context::Context;
use super::conversation::Conversation;
use super::record::Record;
use super::similar::{Known, duplicate};
use crate::agent::model::{ModelClient, Usage};
use crate::author::{AuthorError, place, prompts};
use crate::files::Checkout;
use crate::model::{Category, TaskId};

/// How often a model is asked for more.
const ROUNDS: u32 = 3;
/// Name of the file in the folder of the run.
const FILE: &str = "ideas.json";
const FORMAT: u32 = 1;

/// An idea for a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Idea {
    /// A new name of two or three words: lower-case letters, digits and underscores.
    pub id: String,
    /// A few words for lists.
    pub title: String,
    /// What the agent is told: everything that is judged, and nothing about how.
    pub instruction: String,
    /// 1 (easy) to 5 (hard).
    pub difficulty: u8,
    /// The programming ideas that it exercises, in a few words each.
    pub concepts: Vec<String>,
    /// How it is made, for its author.
    pub sketch: String,
    /// What each of at least three tests plays and looks at.
    pub tests: Vec<String>,
}

/// What a model answers.
#[derive(Debug, Deserialize, JsonSchema)]
struct Proposed {
    /// The ideas.
    ideas: Vec<Idea>,
}

/// An idea that is not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// The name that it has.
    pub id: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ideas {
    /// Version of this format; 1.
    pub format: u32,
    pub category: Category,
    /// The base that they change or play in.
    pub base: Option<TaskId>,
    /// The ideas that are taken.
    pub ideas: Vec<Idea>,
    /// Those that are not.
    pub rejected: Vec<Rejected>,
    pub usage: Usage,
}

impl Ideas {
    /// Reads a file of ideas.
    ///
    /// # Errors
    /// When it can't be read, or is not a file of ideas.
    pub fn read(path: &Path) -> Result<Self, AuthorError> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|source| AuthorError::Unreadable { path: path.to_owned(), source })?;
        let bad = |reason: String| AuthorError::BadIdeas { path: path.to_owned(), reason };
        let ideas: Self = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if ideas.format == FORMAT { Ok(ideas) } else { Err(bad(format!("format {} is unknown", ideas.format))) }
    }
}

#[derive(Debug, Clone)]
pub struct IdeasRequest {
    pub category: Category,
    pub n: usize,
    /// The base; needed for debug and extend.
    pub base: Option<TaskId>,
}

/// Asks for ideas and keeps them in the folder of the run. There may be fewer than wanted.
///
/// # Errors
/// When a base is missing, the model gives no answer that can be read, or a file can't be written.
pub async fn propose(
    checkout: &Checkout,
    request: &IdeasRequest,
    client: &ModelClient,
    record: &mut Record,
    progress: impl Fn(usize),
) -> Result<Ideas, AuthorError> {
    let context = Context::read(checkout)?;
    let first = first_question(checkout, request, &context)?;
    let mut found = Ideas {
        format: FORMAT,
        category: request.category,
        base: request.base.clone(),
        ideas: Vec::new(),
        rejected: Vec::new(),
        usage: Usage::default(),
    };
    let mut conversation = Conversation::new(client, record)?;
    let mut question = first;
    for round in 1..=ROUNDS {
        let proposed: Proposed = match conversation.ask_json(question, "ideas").await {
            Ok(proposed) => proposed,
            // A few ideas are better than none.
            Err(AuthorError::Undecodable { reason }) if !found.ideas.is_empty() => {
                tracing::warn!(reason, "the model gives no more ideas");
                break;
            }
            Err(error) => return Err(error),
        };
        let (before, rejected) = (found.ideas.len(), found.rejected.len());
        sift(checkout, request.n, proposed.ideas, &context.known, &mut found);
        found.usage = conversation.usage;
        // Ideas that were paid for are kept, whatever happens next.
        conversation.record().write(FILE, &found)?;
        progress(found.ideas.len());
        if found.ideas.len() >= request.n || round == ROUNDS {
            break;
        }
        let values = json!({
            "taken": found.ideas.len() - before,
            "rejected": found.rejected[rejected..],
            "n": request.n - found.ideas.len(),
        });
        question = prompts::MORE_IDEAS.fill(values)?;
    }
    Ok(found)
}

fn first_question(checkout: &Checkout, request: &IdeasRequest, context: &Context) -> Result<String, AuthorError> {
    let needs_base = matches!(request.category, Category::Debug | Category::Extend);
    if needs_base && request.base.is_none() {
        return Err(AuthorError::NoBase { category: request.category, known: place::bases(checkout) });
    }
    let project = request.base.as_ref().map(|base| place::base_text(checkout, base)).transpose()?;
    Ok(prompts::IDEAS.fill(json!({
        "n": request.n,
        "category": request.category,
        "base": request.base,
        "project": project,
        "tasks": context.tasks,
        "rare": context.rare,
        "schema": serde_json::to_string_pretty(&schemars::schema_for!(Proposed)).unwrap_or_default(),
    }))?)
}

/// Takes what is new and sound, up to `n` in all, and says why the rest is not taken.
fn sift(checkout: &Checkout, n: usize, proposed: Vec<Idea>, known: &[Known], found: &mut Ideas) {
    for idea in proposed {
        if found.ideas.len() == n {
            break;
        }
        let taken = found.ideas.iter().map(comparable);
        let all: Vec<Known> = known.iter().cloned().chain(taken).collect();
        match fault(checkout, &idea).or_else(|| duplicate(&comparable(&idea), &all)) {
            Some(reason) => found.rejected.push(Rejected { id: idea.id, reason }),
            None => found.ideas.push(idea),
        }
    }
}

fn comparable(idea: &Idea) -> Known {
    Known { id: idea.id.clone(), title: idea.title.clone(), instruction: idea.instruction.clone() }
}

/// What is wrong with an idea itself.
fn fault(checkout: &Checkout, idea: &Idea) -> Option<String> {
    let id: TaskId = match idea.id.parse() {
        Ok(id) => id,
        Err(_) => return Some("its name is not of lower-case letters, digits and underscores".to_owned()),
    };
    if place::must_be_free(checkout, &id).is_err() {
        return Some("its name is taken".to_owned());
    }
    let empty = [("title", &idea.title), ("instruction", &idea.instruction), ("sketch", &idea.sketch)];
    if let Some((field, _)) = empty.into_iter().find(|(_, text)| text.trim().is_empty()) {
        return Some(format!("its {field} is empty"));
    }
    if !(1..=5).contains(&idea.difficulty) {
        return Some("its difficulty is not between 1 and 5".to_owned());
    }
    if idea.concepts.is_empty() {
        return Some("it names no concept".to_owned());
    }
    (idea.tests.len() < 3).then(|| "it names fewer than three tests".to_owned())
}
