//! add_block.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::{Call, Edited, Numbered, edit};
use crate::action::{Action, ActionError, Context, Done};
use crate::model::Mode;
use crate::page::PageFn;
use crate::page_fn;

const ADD: PageFn<Call<AddBlockArgs>, Edited<AddedBlock>> = page_fn!("composite", "add-block").in_every_editor();

/// Arguments of `add_block`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddBlockArgs {
    /// The block's type, such as `motion_movesteps`. Types that start with `pen_` or `music_` load their
    /// extension first.
    pub block_type: String,
    /// What some types need besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creation: Option<Creation>,
}

/// What some block types need besides their type. A key that a type has no use for is ignored, and named in
/// the answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Creation {
    /// Exact name of a variable in scope. Required for `data_variable`; other variable blocks take the
    /// alphabetically first variable without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable_name: Option<String>,
    /// Exact name of a list in scope. Required for `data_listcontents`; other list blocks take the
    /// alphabetically first list without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list_name: Option<String>,
    /// The wording of a block of your own, with `%s` (number or text) or `%b` (boolean) where arguments go:
    /// `jump %s times if %b`. Required for `procedures_definition`, and for `procedures_call`, where the words
    /// alone will do when only one block has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub procedure_name: Option<String>,
    /// For `procedures_definition`: the names of its arguments, in the order of the placeholders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argument_names: Option<Vec<String>>,
    /// For `procedures_definition`: whether it runs without screen refresh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warp: Option<bool>,
    /// Name of an argument. Required for `argument_reporter_string_number` and `argument_reporter_boolean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argument_name: Option<String>,
}

/// The new block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddedBlock {
    /// Its id in the virtual machine.
    pub block_id: String,
    /// Its index.
    pub index: u32,
    /// Always false: a new block is loose until it is connected.
    pub connected: bool,
    /// Arguments that this block type has no use for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// The extension that was loaded for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extension: Option<String>,
}

/// `add_block`.
#[derive(Debug)]
pub struct AddBlock;

impl Action for AddBlock {
    const NAME: &'static str = "add_block";
    const MODE: Mode = Mode::Composite;
    const DOC: &'static str = "Create a new block with its default values in the current workspace, with optional \
        variable or list binding. It is loose and comes last in the numbering; connect it with connect_blocks.";
    type Args = AddBlockArgs;
    type Data = Numbered<AddedBlock>;

    async fn perform(context: Context<'_>, args: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        edit(context, &ADD, args).await.map(Done::new)
    }
}
