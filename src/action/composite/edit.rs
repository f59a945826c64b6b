//! What all edits share: the numbering goes to the page with the arguments, and the new one is kept.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::action::{ActionError, Context};
use crate::model::Mode;
use crate::page::PageFn;
use crate::session::BlockIndex;

/// Arguments of an editing page function.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Call<A> {
    numbering: Option<BlockIndex>,
    #[serde(flatten)]
    args: A,
}

/// Result of an editing page function.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Edited<D> {
    data: D,
    numbering: BlockIndex,
    pseudocode: String,
}

/// What an edit returns, with the blocks as they are now: indexes of later calls refer to this numbering.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Numbered<D> {
    /// The action's own answer.
    #[serde(flatten)]
    pub data: D,
    /// The blocks of the open sprite after the call, numbered as in the observation; absent where a `report` says what
    /// is different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pseudocode: Option<String>,
}

/// Carries out an edit in the page.
pub(super) async fn edit<A, D>(
    context: Context<'_>,
    function: &PageFn<Call<A>, Edited<D>>,
    args: A,
) -> Result<Numbered<D>, ActionError>
where
    A: Serialize + Send + Sync,
    D: DeserializeOwned,
{
    let call = Call { numbering: context.live.memory.blocks.clone(), args };
    let edited = context.live.page().call(function, &call).await?;
    context.live.memory.blocks = Some(edited.numbering);
    context.live.memory.renumbered(Mode::Composite);
    Ok(Numbered { data: edited.data, pseudocode: Some(edited.pseudocode) })
}
