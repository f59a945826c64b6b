//! The answers that repairs are taught with: the inverse patch as a model can write it, with a sentence. Which instances are taken, and what
//! must not be exported, is `examples`' business.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde_json::json;

use super::error::MendError;
use super::examples::{Right, Task, Taught};
use super::question::{Asked, Manner, Message, question};
use crate::agent::TemplateError;
use crate::bugs::Instance;
use crate::inject::Pattern;
use crate::project::edit::{Adopted, Edit, NewBlock, Operand, apply, edit_distance, edit_set};

/// Faults are mended.
#[derive(Debug, Clone, Copy)]
pub struct RepairTask;

impl Task for RepairTask {
    fn name(&self) -> &'static str {
        "repair"
    }

    fn question(&self, asked: &Asked<'_>, manner: &Manner) -> Result<[Message; 2], TemplateError> {
        question(asked, manner)
    }

    fn answer(&self, taught: &Taught<'_>, user: &str) -> Result<Result<Right, String>, MendError> {
        Ok(right(taught, user).map(|answer| Right { answer, summary: None }))
    }
}

/// The inverse patch, unless it needs what the question does not show.
fn right(Taught { instance, buggy, golden }: &Taught<'_>, user: &str) -> Result<String, String> {
    let patch = written(&instance.truth.inverse);
    let aim = edit_set(buggy, golden);
    let is_exact = apply(buggy, &patch).is_ok_and(|mended| edit_distance(&aim, &edit_set(buggy, &mended)) == 0);
    if !is_exact {
        return Err("its inverse needs ids that nobody can know".to_owned());
    }
    if let Some(block) = unseen(&patch, user) {
        return Err(format!("the inverse edits block {block}, which the slice leaves out"));
    }
    Ok(json!({"explanation": explanation(instance), "patch": patch}).to_string())
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
fn written(patch: &[Edit]) -> Vec<Edit> {
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
pub fn explanation(instance: &Instance) -> String {
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
