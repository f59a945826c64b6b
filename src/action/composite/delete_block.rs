//! delete_block.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::{Call, Edited, Numbered, edit};
use crate::action::{Action, ActionError, Context, Done};
use crate::model::Mode;
use crate::page::PageFn;
use crate::page_fn;

const DELETE: PageFn<Call<DeleteBlockArgs>, Edited<DeletedBlock>> =
    page_fn!("composite", "delete-block").in_every_editor();

/// Arguments of `delete_block`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteBlockArgs {
    /// Index of the block to delete.
    #[schemars(range(min = 1))]
    pub block_index: u32,
}

/// What was deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedBlock {
    /// Always true.
    pub deleted: bool,
    /// The index that the block had.
    pub index: u32,
    /// The id that it had.
    pub block_id: String,
    /// What it was.
    pub block_info: BlockInfo,
    /// How many blocks went, those in its slots and below it included.
    pub deleted_blocks: u32,
}

/// A block's id and type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockInfo {
    /// Its id in the virtual machine.
    pub id: String,
    /// Its type.
    pub opcode: String,
}

/// `delete_block`.
#[derive(Debug)]
pub struct DeleteBlock;

impl Action for DeleteBlock {
    const NAME: &'static str = "delete_block";
    const MODE: Mode = Mode::Composite;
    const DOC: &'static str = "Delete a block with everything in its slots and the stack below it. A slot that held it gets its \
        default value back. To keep what is below, detach that first.";
    type Args = DeleteBlockArgs;
    type Data = Numbered<DeletedBlock>;

    async fn perform(context: Context<'_>, args: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        edit(context, &DELETE, args).await.map(Done::new)
    }
}
