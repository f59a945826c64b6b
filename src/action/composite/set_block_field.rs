//! set_block_field.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::edit::{Call, Edited, Numbered, edit};
use crate::action::{Action, ActionError, Context, Done};
use crate::model::Mode;
use crate::page::PageFn;
use crate::page_fn;

const SET: PageFn<Call<SetBlockFieldArgs>, Edited<UpdatedField>> =
    page_fn!("composite", "set-block-field").in_every_editor();

/// Arguments of `set_block_field`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetBlockFieldArgs {
    /// Index of the block.
    #[schemars(range(min = 1))]
    pub block_index: u32,
    /// Name of one of its fields or value slots, as the pseudocode shows it: `EFFECT`, `STEPS`, `MESSAGE`.
    pub field_name: String,
    /// The new value: a text, a number or a boolean. For a dropdown one of its choices (label or stored value); for a
    /// variable, list or message its name, where a message that does not exist yet is made; for a colour `#rrggbb`.
    pub value: Value,
}

/// The field after the change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdatedField {
    /// Always 1.
    pub updated: u32,
    /// The block's index.
    pub block_index: u32,
    /// Its id in the virtual machine.
    pub block_id: String,
    /// The field's name.
    pub field_name: String,
    /// The value now stored; a name for variables, lists and messages.
    pub value: String,
    /// The value before.
    pub original_value: String,
}

/// `set_block_field`.
#[derive(Debug)]
pub struct SetBlockField;

impl Action for SetBlockField {
    const NAME: &'static str = "set_block_field";
    const MODE: Mode = Mode::Composite;
    const DOC: &'static str = "Set a block field or value slot (dropdown, text, number, colour, variable, message) to a new value. A \
        slot that holds a reporter is refused: detach or delete the reporter first.";
    type Args = SetBlockFieldArgs;
    type Data = Numbered<UpdatedField>;

    async fn perform(context: Context<'_>, args: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        edit(context, &SET, args).await.map(Done::new)
    }
}
