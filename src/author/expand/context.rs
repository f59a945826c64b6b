//! What a model learns about existing tasks: names, ideas, and the blocks that their solutions seldom use.

use std::collections::BTreeMap;

use serde::Serialize;

use super::similar::Known;
use crate::author::AuthorError;
use crate::files::Checkout;
use crate::model::Mode;
use crate::project::catalogue::{Catalogue, Part};
use crate::taskset::{TaskEntry, TaskSet};

/// Letters of an instruction that are passed on: its beginning has the idea.
const GIST: usize = 220;
/// Blocks that are named as seldom used, at most.
const RARE: usize = 25;
/// A block that more solutions use than this is not seldom used.
const SELDOM: usize = 1;

/// A task in a prompt.
#[derive(Debug, Clone, Serialize)]
pub(super) struct KnownTask {
    id: String,
    category: &'static str,
    title: String,
    concepts: String,
    gist: String,
}

/// The tasks and drafts of a checkout.
#[derive(Debug)]
pub(super) struct Context {
    pub tasks: Vec<KnownTask>,
    pub known: Vec<Known>,
    /// Blocks that solutions seldom use, as the palette words them.
    pub rare: Vec<String>,
}

impl Context {
    /// Reads the tasks and the drafts.
    pub fn read(checkout: &Checkout) -> Result<Self, AuthorError> {
        let (tasks, drafts) = (TaskSet::read(checkout)?, TaskSet::read_drafts(checkout)?);
        let all: Vec<&TaskEntry> = tasks.all().iter().chain(drafts.all()).collect();
        Ok(Self {
            tasks: all.iter().map(|entry| summary(entry)).collect(),
            known: all.iter().map(|entry| known(entry)).collect(),
            rare: rare(tasks.all()),
        })
    }
}

fn summary(entry: &TaskEntry) -> KnownTask {
    let task = &entry.task;
    let whole = task.instruction.chars().count() <= GIST;
    let gist: String = task.instruction.chars().take(GIST).collect();
    KnownTask {
        id: task.id.to_string(),
        category: task.category.into(),
        title: task.title.clone(),
        concepts: task.concepts.join(", "),
        gist: if whole { gist } else { gist + " …" },
    }
}

fn known(entry: &TaskEntry) -> Known {
    let task = &entry.task;
    Known { id: task.id.to_string(), title: task.title.clone(), instruction: task.instruction.clone() }
}

/// The offered blocks that at most one oracle adds. Oracles are at hand without a browser, and solutions are made of
/// what they add.
fn rare(tasks: &[TaskEntry]) -> Vec<String> {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for entry in tasks {
        let calls = entry.oracle(Mode::Composite).ok().flatten().unwrap_or_default();
        let mut types: Vec<String> =
            calls.iter().filter_map(|call| Some(call.args.get("blockType")?.as_str()?.to_owned())).collect();
        types.sort();
        types.dedup();
        for block in types {
            *uses.entry(block).or_default() += 1;
        }
    }
    let offered = Catalogue::pinned().blocks.iter().filter(|(_, block)| block.palette && !block.shadowed);
    let seldom = offered.filter(|(opcode, _)| uses.get(*opcode).copied().unwrap_or_default() <= SELDOM);
    let mut labels: Vec<(usize, String)> =
        seldom.map(|(opcode, block)| (uses.get(opcode).copied().unwrap_or_default(), label(&block.parts))).collect();
    labels.sort();
    labels.dedup();
    labels.into_iter().map(|(_, label)| label).take(RARE).collect()
}

/// A block's label with marks for its slots.
fn label(parts: &[Part]) -> String {
    let words = parts.iter().map(|part| match part {
        Part::Words(words) => words.as_str(),
        Part::Field { .. } => "[ v]",
        Part::Input { boolean: true, .. } => "<>",
        Part::Input { .. } => "( )",
        Part::Statement { .. } => "…",
    });
    words.collect::<Vec<_>>().join(" ")
}
