//! Examples to tune a model with: the question that is asked in evaluation, and the right answer. Only instances of the asked fold are taken,
//! each with its licence and a canary; what would tell about the other fold, or tells the answer in its question, stops the export. What a
//! task asks and answers lies elsewhere: `repair_examples` for repairs, the room `explain` for explanations.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::error::MendError;
use super::question::{Asked, Manner, Message};
use crate::agent::TemplateError;
use crate::bugs::{Bench, CANARY, Folds, Instance, InstanceEntry, Licence, RecordStatus};
use crate::project::Project;

/// Tokens that examples may have (the paper's length of sequences).
pub const TOKENS: usize = 4096;
/// Bytes of a token, at the least: JSON with ids has short ones.
const BYTES_A_TOKEN: usize = 3;

/// A half of a benchmark, or all of it.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    strum::Display,
    strum::EnumString,
    strum::EnumIter,
    strum::EnumMessage,
    strum::IntoStaticStr,
)]
pub enum Fold {
    /// The first half.
    A,
    /// The second half.
    B,
    /// Both, for a model that is not evaluated on the benchmark.
    #[strum(serialize = "all")]
    All,
}

/// What to export.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub fold: Fold,
    /// All instances of a project in place of its first.
    pub augment: bool,
    /// Estimated tokens that an example may have.
    pub tokens: usize,
}

/// A conversation to tune a model with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Example {
    /// System, user, assistant.
    pub messages: [Message; 3],
    pub meta: ExampleMeta,
}

/// Where an example comes from, and what may be done with it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExampleMeta {
    pub instance: String,
    /// `A` or `B`.
    pub fold: String,
    /// `repair` or `explain`.
    pub task: String,
    /// Who stands for the record that the answer's summary is from: rules, a person who wrote it, or one who has played; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<RecordStatus>,
    /// A third of the bytes of all messages, rounded up.
    pub tokens_estimate: usize,
    pub licence: Licence,
    pub canary: String,
}

/// An instance that no example was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Left {
    pub instance: String,
    pub reason: String,
}

/// An instance with its projects read.
#[derive(Debug, Clone, Copy)]
pub struct Taught<'a> {
    pub instance: &'a Instance,
    pub buggy: &'a Value,
    pub golden: &'a Value,
}

impl Taught<'_> {
    /// What may be known of it.
    pub fn asked(&self) -> Asked<'_> {
        Asked { id: &self.instance.entry.id, buggy: self.buggy, report: &self.instance.report, sheet: None }
    }
}

/// The right answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Right {
    pub answer: String,
    /// Who stands for the record that a summary in it is from.
    pub summary: Option<RecordStatus>,
}

/// A task that a model is tuned for.
pub trait Task {
    /// What `meta` calls it.
    fn name(&self) -> &'static str;

    /// The question that evaluation asks in this manner.
    ///
    /// # Errors
    /// When a prompt is broken.
    fn question(&self, asked: &Asked<'_>, manner: &Manner) -> Result<[Message; 2], TemplateError>;

    /// The right answer to what the user asked, or why there is none that a model could know.
    ///
    /// # Errors
    /// When the instance can't be read.
    fn answer(&self, taught: &Taught<'_>, user: &str) -> Result<Result<Right, String>, MendError>;
}

/// What was exported, and what was not.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Export {
    pub examples: Vec<Example>,
    pub left_out: Vec<Left>,
}

/// Makes examples of a task from the instances of a fold.
///
/// # Errors
/// When the benchmark was not parted as it is now, an instance can't be read, or an example would leak.
pub fn export(bench: &Bench, options: Options, task: &dyn Task) -> Result<Export, MendError> {
    let folds = bench.folds()?.ok_or_else(|| MendError::NoFolds(bench.folder().to_owned()))?;
    if folds.benchmark != bench.version() {
        return Err(MendError::OldFolds(bench.folder().to_owned()));
    }
    let wanted = wanted(bench.entries(), &folds, options.fold)?;
    let mut firsts: BTreeMap<&str, &str> = BTreeMap::new();
    let mut export = Export::default();
    for entry in wanted {
        let first = *firsts.entry(&entry.project).or_insert(&entry.id);
        if first != entry.id && !options.augment {
            continue;
        }
        let fold = if folds.a.contains(&entry.id) { Fold::A } else { Fold::B };
        match example(&bench.instance(&entry.id)?, fold, options.tokens, task)? {
            Ok(example) => export.examples.push(example),
            Err(reason) => export.left_out.push(Left { instance: entry.id.clone(), reason }),
        }
    }
    Ok(export)
}

/// The instances of a fold, none of them like one of the other.
fn wanted<'a>(entries: &'a [InstanceEntry], folds: &Folds, fold: Fold) -> Result<Vec<&'a InstanceEntry>, MendError> {
    let is_in = |entry: &&InstanceEntry| match fold {
        Fold::A => folds.a.contains(&entry.id) && !folds.b.contains(&entry.id),
        Fold::B => folds.b.contains(&entry.id) && !folds.a.contains(&entry.id),
        Fold::All => true,
    };
    let (wanted, others): (Vec<_>, Vec<_>) = entries.iter().partition(is_in);
    let is_like = |one: &InstanceEntry, other: &InstanceEntry| one.group == other.group || one.project == other.project;
    for entry in &wanted {
        if let Some(other) = others.iter().find(|other| is_like(entry, other)) {
            return Err(MendError::SharedGroup { id: entry.id.clone(), other: other.id.clone() });
        }
    }
    Ok(wanted)
}

/// An example of an instance, or why there is none.
fn example(
    instance: &Instance,
    fold: Fold,
    tokens: usize,
    task: &dyn Task,
) -> Result<Result<Example, String>, MendError> {
    let id = &instance.entry.id;
    if !instance.licence.publish {
        return Ok(Err("its licence does not let it be passed on".to_owned()));
    }
    let read = |bytes: &[u8]| {
        let read = Project::read(bytes).map(|project| project.json);
        read.map_err(|source| MendError::Project { id: id.clone(), source })
    };
    let (buggy, golden) = (read(&instance.buggy)?, read(&instance.golden)?);
    let taught = Taught { instance, buggy: &buggy, golden: &golden };
    let manner = Manner { is_slice: true, ..Manner::default() };
    let [system, user] = task.question(&taught.asked(), &manner)?;
    if let Some(what) = leak(instance, &buggy, &golden, &user.content) {
        return Err(MendError::Leak { id: id.clone(), what });
    }
    let right = match task.answer(&taught, &user.content)? {
        Ok(right) => right,
        Err(reason) => return Ok(Err(reason)),
    };
    let messages = [system, user, Message::new("assistant", right.answer)];
    let tokens_estimate = messages.iter().map(|message| message.content.len()).sum::<usize>().div_ceil(BYTES_A_TOKEN);
    if tokens_estimate > tokens {
        return Ok(Err(format!("about {tokens_estimate} tokens, at most {tokens}")));
    }
    let meta = ExampleMeta {
        instance: id.clone(),
        fold: fold.to_string(),
        task: task.name().to_owned(),
        summary: right.summary,
        tokens_estimate,
        licence: instance.licence.clone(),
        canary: CANARY.to_owned(),
    };
    Ok(Ok(Example { messages, meta }))
}

/// What a question tells that only the truth knows.
fn leak(instance: &Instance, buggy: &Value, golden: &Value, user: &str) -> Option<String> {
    let entry = &instance.entry;
    let tells = |word: &str| user.contains(word);
    if tells(&entry.operator) {
        return Some(format!("the operator `{}`", entry.operator));
    }
    if tells(&entry.pattern) {
        return Some(format!("the pattern `{}`", entry.pattern));
    }
    let ids = |project: &Value| -> Vec<String> {
        let targets = project["targets"].as_array().into_iter().flatten();
        targets
            .flat_map(|target| target["blocks"].as_object().into_iter().flatten().map(|(id, _)| id.clone()))
            .collect()
    };
    let known: std::collections::BTreeSet<String> = ids(buggy).into_iter().collect();
    let gone = ids(golden).into_iter().filter(|id| !known.contains(id));
    gone.map(|id| json!(id).to_string()).find(|id| tells(id)).map(|id| format!("the block {id} of the gold project"))
}
