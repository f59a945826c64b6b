//! connect_blocks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::{Call, Edited, Numbered, edit};
use crate::action::{Action, ActionError, Context, Done};
use crate::model::Mode;
use crate::page::PageFn;
use crate::page_fn;

const CONNECT: PageFn<Call<ConnectBlocksArgs>, Edited<ConnectedBlocks>> =
    page_fn!("composite", "connect-blocks").in_every_editor();

/// Arguments of `connect_blocks`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConnectBlocksArgs {
    /// Index of the block to move. All blocks below it move with it; what is above it stays.
    #[schemars(range(min = 1))]
    pub source_block_index: u32,
    /// Index of the block to connect it to.
    #[schemars(range(min = 1))]
    pub target_block_index: u32,
    /// Where the source goes.
    pub placement: Placement,
}

/// Where the source of `connect_blocks` goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Placement {
    /// How the two are connected.
    pub kind: PlacementKind,
    /// Name of a slot, such as `STEPS` or `SUBSTACK`: of the target for `statement_into` and `value_into`, where
    /// it is required, and of the source for `wrap`, where `SUBSTACK` is the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_name: Option<String>,
}

/// The ways to connect two blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlacementKind {
    /// The source goes directly above the target; what was above the target is then above the source.
    StackBefore,
    /// The source goes directly below the target; what was below the target is then below the source's last block.
    StackAfter,
    /// The source becomes the first block in a C-shaped slot of the target; what was in the slot follows it.
    StatementInto,
    /// The source, a reporter, goes into a value slot of the target; a reporter that was there is detached.
    ValueInto,
    /// The source, a C block, takes the target's place; the target and all below it go into the source's slot, what is
    /// above the target stays above the source.
    Wrap,
}

/// The connection made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectedBlocks {
    /// Always true.
    pub connected: bool,
    /// How they are connected.
    pub kind: PlacementKind,
    /// The slot, if one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_name: Option<String>,
    /// Id of the moved block in the virtual machine.
    pub source_id: String,
    /// Id of the other one.
    pub target_id: String,
    /// The moved block's new index.
    pub source_index: u32,
    /// The other one's new index.
    pub target_index: u32,
    /// The reporter that had to leave its slot, now loose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub displaced: Option<DisplacedBlock>,
}

/// A reporter that had to leave its slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DisplacedBlock {
    /// Its id in the virtual machine.
    pub block_id: String,
    /// Its new index.
    pub index: u32,
    /// Its type.
    pub opcode: String,
}

/// `connect_blocks`.
#[derive(Debug)]
pub struct ConnectBlocks;

impl Action for ConnectBlocks {
    const NAME: &'static str = "connect_blocks";
    const MODE: Mode = Mode::Composite;
    const DOC: &'static str = "Connect one block, with all blocks below it, to another: above or below it, into its C-shaped slot \
        or value slot, or around it.";
    type Args = ConnectBlocksArgs;
    type Data = Numbered<ConnectedBlocks>;

    async fn perform(context: Context<'_>, args: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        edit(context, &CONNECT, args).await.map(Done::new)
    }
}
