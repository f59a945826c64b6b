//! add_script: a whole script in the notation of projects as text (docs/PROJECT-TEXT.md).

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::connect_blocks::Placement;
use super::edit::{Call, Edited, Numbered, edit};
use crate::action::{Action, ActionError, Context, Done};
use crate::model::Mode;
use crate::page::PageFn;
use crate::page_fn;
use crate::project::catalogue::Catalogue;

const ADD: PageFn<Call<Wanted>, Edited<AddedScript>> = page_fn!("composite", "add-script").in_every_editor();

/// Arguments of `add_script`, which extended sessions alone have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddScriptArgs {
    /// Blocks in scratchblocks notation, one a line: `move (10) steps`, `say [hi]`, `repeat (4)` … `end`. Scripts are
    /// separated by an empty line. Variables and lists must exist.
    pub script: String,
    /// Index of a block to connect the script to; loose without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub target_block_index: Option<u32>,
    /// How, as in connect_blocks; `stack_after` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "placement")]
    pub placement: Option<Placement>,
    /// Whether blocks of one's own that it defines run without screen refresh.
    #[serde(default)]
    pub warp: bool,
}

/// The placements of `connect_blocks`, which explains them: lists of tools have no room for it twice.
const PLACEMENTS: [&str; 5] = ["stack_before", "stack_after", "statement_into", "value_into", "wrap"];

fn placement(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": {"kind": {"type": "string", "enum": PLACEMENTS}, "inputName": {"type": "string"}},
        "required": ["kind"],
        "additionalProperties": false,
    })
}

/// What the page needs.
#[derive(Debug, Clone, Serialize)]
struct Wanted {
    #[serde(flatten)]
    args: AddScriptArgs,
    /// How blocks are worded.
    catalogue: &'static Catalogue,
}

/// The new blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddedScript {
    /// Index of the first block of each script.
    pub indexes: Vec<u32>,
    /// How many blocks were added.
    pub blocks: u32,
    /// Whether the script was connected to a block.
    pub connected: bool,
    /// Messages that were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
    /// The extensions that were loaded for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<String>,
}

/// `add_script`.
#[derive(Debug)]
pub struct AddScript;

impl Action for AddScript {
    const NAME: &'static str = "add_script";
    const MODE: Mode = Mode::Composite;
    const EXTENDED: bool = true;
    const DOC: &'static str = "Add whole scripts, written in scratchblocks notation, to the open target in one step: loose, or one of them \
        connected to a block. Nothing is added when a line is wrong.";
    type Args = AddScriptArgs;
    type Data = Numbered<AddedScript>;

    async fn perform(context: Context<'_>, args: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        if args.placement.is_some() && args.target_block_index.is_none() {
            return Err(ActionError::InvalidArguments {
                message: "`placement` needs `targetBlockIndex`".to_owned(),
                hint: Some("name the block to connect the script to, or leave `placement` out".to_owned()),
            });
        }
        edit(context, &ADD, Wanted { args, catalogue: Catalogue::pinned() }).await.map(Done::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::composite::PlacementKind;

    #[test]
    fn its_placements_are_those_of_connect_blocks() {
        let schema = schemars::schema_for!(PlacementKind).to_value();
        let kinds: Vec<&str> =
            schema["oneOf"].as_array().unwrap().iter().filter_map(|one| one["const"].as_str()).collect();
        assert_eq!(kinds, PLACEMENTS);
    }
}
