//! The block catalogue, read from the running editor.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalogue_text;
use crate::action::{Action, ActionError, Context, Done, Kind};
use crate::model::Mode;
use crate::page::PageFn;
use crate::page_fn;

const CATALOGUE: PageFn<CatalogueArgs, Catalogue> = page_fn!("composite", "catalogue").in_every_editor();

/// Arguments of `block_catalogue`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogueArgs {
    /// Extensions to load first: `pen`, `music`. Without it only those already loaded are listed.
    #[serde(default)]
    pub extensions: Vec<String>,
}

/// The blocks that add_block can make for the open target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Catalogue {
    /// Name of the open target.
    pub target: String,
    /// Whether that is the Stage, which has fewer blocks.
    pub is_stage: bool,
    /// The palette's categories in order.
    pub categories: Vec<CatalogueCategory>,
    /// The same as a text, a line a block: `motion_gotoxy(X=0, Y=0)`.
    #[serde(default)]
    pub text: String,
}

/// One category of the palette.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogueCategory {
    /// The editor's name for it, such as `motion`.
    pub id: String,
    /// What the palette shows.
    pub name: String,
    /// Its blocks in order.
    pub blocks: Vec<CatalogueBlock>,
}

/// One block type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogueBlock {
    /// Its type.
    pub opcode: String,
    /// What it can be connected to.
    pub shape: BlockShape,
    /// Its slots.
    pub inputs: Vec<CatalogueInput>,
    /// Its own fields.
    pub fields: Vec<CatalogueField>,
    /// Keys of `creation` that add_block needs or takes for it.
    pub creation: Vec<String>,
}

/// What a block can be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BlockShape {
    /// Starts a script.
    Hat,
    /// Goes above and below others.
    Stack,
    /// A stack block with slots for stacks.
    C,
    /// Ends a stack.
    Cap,
    /// Goes into value slots.
    Reporter,
    /// A reporter that also fits boolean slots.
    Boolean,
    /// Starts the definition of a block of the project's own.
    Definition,
}

/// A slot of a block type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogueInput {
    /// Its name.
    pub name: String,
    /// `statement`, `boolean`, or the type of its default block, such as `math_number` or `text`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What is in it at first.
    pub default: Option<String>,
    /// What can be chosen, if it is a dropdown.
    pub choices: Option<Vec<String>>,
}

/// A field of a block type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogueField {
    /// Its name.
    pub name: String,
    /// What it is set to at first; for variables, lists and messages a name, as long as the project has one.
    pub default: Option<String>,
    /// What can be chosen; none for variables, lists and messages, whose names the project decides.
    pub choices: Option<Vec<String>>,
}

/// `block_catalogue`.
#[derive(Debug)]
pub struct BlockCatalogue;

impl Action for BlockCatalogue {
    const NAME: &'static str = "block_catalogue";
    const MODE: Mode = Mode::Composite;
    const KIND: Kind = Kind::Observe;
    const DOC: &'static str = "List every block type that add_block can make for the open target, with its fields, its slots and what is in \
        them at first.";
    type Args = CatalogueArgs;
    type Data = Catalogue;

    async fn perform(context: Context<'_>, args: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        let catalogue = context.live.page().call(&CATALOGUE, &args).await?;
        Ok(Done::new(Catalogue { text: catalogue_text::text(&catalogue), ..catalogue }))
    }
}
