//! detach_blocks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::{Call, Edited, Numbered, edit};
use crate::action::{Action, ActionError, Context, Done};
use crate::model::Mode;
use crate::page::PageFn;
use crate::page_fn;

const DETACH: PageFn<Call<DetachBlocksArgs>, Edited<DetachedBlock>> =
    page_fn!("composite", "detach-blocks").in_every_editor();

/// Arguments of `detach_blocks`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DetachBlocksArgs {
    /// Index of the block to detach. A block that already starts a script is refused.
    #[schemars(range(min = 1))]
    pub block_index: u32,
}

/// The detached block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DetachedBlock {
    /// Always true.
    pub detached: bool,
    /// Its id in the virtual machine.
    pub block_id: String,
    /// Id of the first block of the new script: the same one.
    pub top_id: String,
    /// Its new index.
    pub index: u32,
}

/// `detach_blocks`.
#[derive(Debug)]
pub struct DetachBlocks;

impl Action for DetachBlocks {
    const NAME: &'static str = "detach_blocks";
    const MODE: Mode = Mode::Composite;
    const DOC: &'static str = "Detach a block and its following stack into a new top-level script. A reporter leaves its slot, \
        which gets its default value back.";
    type Args = DetachBlocksArgs;
    type Data = Numbered<DetachedBlock>;

    async fn perform(context: Context<'_>, args: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        edit(context, &DETACH, args).await.map(Done::new)
    }
}
