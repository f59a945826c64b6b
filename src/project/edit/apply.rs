//! Carrying edits out, all or nothing.

use serde_json::Value;

use super::Edit;
use super::blocks::{Blocks, drop_lost_comments};
use super::canonical::canonical;
use super::editing::Editing;
use super::error::{EditError, Refusal};
use super::scope::{Scope, declare, targets, undeclare};

/// The project after all edits, its blocks written in the [`canonical`] way; the given one stays as it is.
///
/// # Errors
/// Which edit can't be made, and why.
pub fn apply(project: &Value, patch: &[Edit]) -> Result<Value, EditError> {
    let mut project = project.clone();
    canonical(&mut project);
    for (number, edit) in patch.iter().enumerate() {
        if patch[..number].contains(edit) {
            continue;
        }
        differs(&patch[..number], edit).and_then(|()| one(&mut project, edit)).map_err(|why| why.at(number))?;
    }
    for target in targets(&mut project) {
        let Some(blocks) = target.get_mut("blocks").and_then(Value::as_object_mut) else { continue };
        Blocks(blocks).drop_parked();
        drop_lost_comments(target);
    }
    undeclare(&mut project);
    Ok(project)
}

/// Refuses an edit that sets what an earlier one has set to something else, or adds a block of the same id.
fn differs(earlier: &[Edit], edit: &Edit) -> Result<(), Refusal> {
    let clash = earlier.iter().any(|other| match (other, edit) {
        (
            Edit::Modify { sprite_id, block_id, path, .. },
            Edit::Modify { sprite_id: sprite, block_id: block, path: same, .. },
        ) => (sprite_id, block_id, path) == (sprite, block, same),
        (Edit::Add { block, sprite_id, .. }, Edit::Add { block: other, sprite_id: sprite, .. }) => {
            sprite_id == sprite && block.id == other.id
        }
        _ => false,
    });
    if clash {
        Err(Refusal::conflict(format!("`{}` is edited twice in different ways", edit.block_id())))
    } else {
        Ok(())
    }
}

fn one(project: &mut Value, edit: &Edit) -> Result<(), Refusal> {
    let scope = Scope::of(project, edit.sprite_id())?;
    let declared = {
        let target = targets(project).nth(scope.place).and_then(|target| target.get_mut("blocks")?.as_object_mut());
        let blocks = target.ok_or_else(|| Refusal::unresolved("target", edit.sprite_id()))?;
        let mut editing = Editing::new(Blocks(blocks), scope);
        match edit {
            Edit::Remove { block_id, splice, .. } => editing.remove(block_id, *splice),
            Edit::Add { .. } => editing.add(edit),
            Edit::Modify { block_id, path, value, .. } => editing.modify(block_id, path, value),
        }?;
        editing.declared
    };
    declare(project, &declared);
    Ok(())
}
