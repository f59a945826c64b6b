//! Examples to tune a model with: the question that is asked in evaluation, and the inverse patch as its answer. Only instances of the
//! asked fold are taken, each with its licence and a canary; what would tell about the other fold, or tells the answer in its question,
//! stops the export.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Value, json};

use super::error::MendError;
use super::question::{Asked, Manner, Message, question};
use crate::bugs::{Bench, Folds, Instance, InstanceEntry, Licence};
use crate::inject::Pattern;
use crate::project::Project;
use crate::project::edit::{Adopted, Edit, NewBlock, Operand, apply, edit_distance, edit_set};

/// In each example, so that it can be told whether a model has seen it.
pub const CANARY: &str = "scratchbed: instances of a benchmark of faults, not for general training. canary 5f0c5ca6-3c6b-4b62-9d0e-7a1f4e6b8d21";
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
    /// `repair`.
    pub task: String,
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

/// What was exported, and what was not.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Export {
    pub examples: Vec<Example>,
    pub left_out: Vec<Left>,
}

/// Makes examples of the instances of a fold.
///
/// # Errors
/// When the benchmark was not parted as it is now, an instance can't be read, or an example would leak.
pub fn export(bench: &Bench, options: Options) -> Result<Export, MendError> {
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
        match example(&bench.instance(&entry.id)?, fold, options.tokens)? {
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
fn example(instance: &Instance, fold: Fold, tokens: usize) -> Result<Result<Example, String>, MendError> {
    let id = &instance.entry.id;
    if !instance.licence.publish {
        return Ok(Err("its licence does not let it be passed on".to_owned()));
    }
    let read = |bytes: &[u8]| {
        let read = Project::read(bytes).map(|project| project.json);
        read.map_err(|source| MendError::Project { id: id.clone(), source })
    };
    let (buggy, golden) = (read(&instance.buggy)?, read(&instance.golden)?);
    let patch = taught(&instance.truth.inverse);
    let aim = edit_set(&buggy, &golden);
    let is_exact = apply(&buggy, &patch).is_ok_and(|mended| edit_distance(&aim, &edit_set(&buggy, &mended)) == 0);
    if !is_exact {
        return Ok(Err("its inverse needs ids that nobody can know".to_owned()));
    }
    let manner = Manner { is_slice: true, ..Manner::default() };
    let [system, user] = question(&Asked { id, buggy: &buggy, report: &instance.report }, &manner)?;
    if let Some(what) = leak(instance, &buggy, &golden, &user.content) {
        return Err(MendError::Leak { id: id.clone(), what });
    }
    if let Some(block) = unseen(&patch, &user.content) {
        return Ok(Err(format!("the inverse edits block {block}, which the slice leaves out")));
    }
    let answer = json!({"explanation": explanation(instance), "patch": patch}).to_string();
    let messages = [system, user, Message::new("assistant", answer)];
    let tokens_estimate = messages.iter().map(|message| message.content.len()).sum::<usize>().div_ceil(BYTES_A_TOKEN);
    if tokens_estimate > tokens {
        return Ok(Err(format!("about {tokens_estimate} tokens, at most {tokens}")));
    }
    let meta = ExampleMeta {
        instance: id.clone(),
        fold: fold.to_string(),
        task: "repair".to_owned(),
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

/// A block that a patch names, that is there, and that a question does not show.
fn unseen<'a>(patch: &'a [Edit], user: &str) -> Option<&'a str> {
    let added: Vec<&str> = patch.iter().filter(|edit| matches!(edit, Edit::Add { .. })).map(Edit::block_id).collect();
    let named = patch.iter().filter_map(|edit| match edit {
        Edit::Add { parent, .. } => parent.as_deref(),
        Edit::Remove { .. } | Edit::Modify { .. } => Some(edit.block_id()),
    });
    named.filter(|id| !added.contains(id)).find(|id| !user.contains(&json!(id).to_string()))
}

/// A patch as a model can write it: new blocks have short names, and where they stand in the file is left out.
fn taught(patch: &[Edit]) -> Vec<Edit> {
    let added = patch.iter().filter(|edit| matches!(edit, Edit::Add { .. })).map(Edit::block_id);
    let names: BTreeMap<&str, String> = added.enumerate().map(|(at, id)| (id, format!("new{}", at + 1))).collect();
    let name = |id: &String| names.get(id.as_str()).cloned().unwrap_or_else(|| id.clone());
    let operand = |value: &Operand| match value {
        Operand::Block(Adopted { block }) => Operand::Block(Adopted { block: name(block) }),
        other => other.clone(),
    };
    let edit = |edit: &Edit| match edit {
        Edit::Remove { sprite_id, block_id, splice } => {
            Edit::Remove { sprite_id: sprite_id.clone(), block_id: name(block_id), splice: *splice }
        }
        Edit::Modify { sprite_id, block_id, path, value } => Edit::Modify {
            sprite_id: sprite_id.clone(),
            block_id: name(block_id),
            path: path.clone(),
            value: operand(value),
        },
        Edit::Add { sprite_id, parent, input, at, next, block, .. } => Edit::Add {
            sprite_id: sprite_id.clone(),
            parent: parent.as_ref().map(name),
            input: input.clone(),
            at: at.clone(),
            next: next.as_ref().map(name),
            block: Box::new(NewBlock {
                id: name(&block.id),
                opcode: block.opcode.clone(),
                fields: block.fields.iter().map(|(field, value)| (field.clone(), operand(value))).collect(),
                inputs: block.inputs.iter().map(|(input, value)| (input.clone(), operand(value))).collect(),
                menus: IndexMap::new(),
            }),
            order: IndexMap::new(),
        },
    };
    patch.iter().map(edit).collect()
}

/// What is wrong, in a sentence.
fn explanation(instance: &Instance) -> String {
    let wrong = match instance.truth.pattern.parse() {
        Ok(Pattern::MissingInitialization) => "A value that each round needs is not set when the round begins",
        Ok(Pattern::Desynchronization) => "A script goes on before what it waits for is done",
        Ok(Pattern::UntriggeredEvent) => "A message that is waited for is not the one that is sent",
        Ok(Pattern::NonTerminatingLoop) => "A condition that should end something does not come true",
        Ok(Pattern::IncorrectConditionalLogic) => {
            "A condition or a block uses the wrong comparison, number or variable"
        }
        Ok(Pattern::SpriteStateMismatch) => "A look or direction is not set when it should be",
        Ok(Pattern::CloneManagementError) => "Clones are not deleted, or are not set up when they begin",
        Ok(Pattern::EventHandlerConflict) => "An event sets something off twice, or when it should not",
        Err(_) => "Something is wrong",
    };
    format!("{wrong}, in a script of {}.", instance.truth.site.sprite_id)
}
