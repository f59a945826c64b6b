//! add_variable and add_list.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::{Call, Edited, Numbered, edit};
use crate::action::{Action, ActionError, Context, Done};
use crate::model::Mode;
use crate::page::PageFn;
use crate::page_fn;

/// Who can use a variable or list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The open sprite only.
    Sprite,
    /// All sprites and the Stage.
    All,
}

/// Which of the two is made.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Variable,
    List,
}

/// Arguments of `add_variable` and `add_list`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddVariableArgs {
    /// Its name, not empty. Spaces around it are dropped.
    pub name: String,
    /// Who can use it. The Stage can't have one of its own: use `all` there.
    pub scope: Scope,
}

/// What the page is asked for.
#[derive(Debug, Clone, Serialize)]
struct Wanted {
    kind: Kind,
    #[serde(flatten)]
    args: AddVariableArgs,
}

const ADD: PageFn<Call<Wanted>, Edited<AddedVariable>> = page_fn!("composite", "add-variable").in_every_editor();

/// What was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AddedVariable {
    /// The variable or list.
    pub created: CreatedVariable,
}

/// A variable or list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CreatedVariable {
    /// Its name.
    pub name: String,
    /// Its id in the virtual machine.
    pub id: String,
    /// Who can use it.
    pub scope: Scope,
    /// False when one of this name and scope was there already; nothing was changed then.
    pub created: bool,
}

/// `add_variable`.
#[derive(Debug)]
pub struct AddVariable;

impl Action for AddVariable {
    const NAME: &'static str = "add_variable";
    const MODE: Mode = Mode::Composite;
    const DOC: &'static str = "Create a variable for the current sprite or for all sprites. It starts at 0 and is not \
        shown on the stage; data_showvariable shows it.";
    type Args = AddVariableArgs;
    type Data = Numbered<AddedVariable>;

    async fn perform(context: Context<'_>, args: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        edit(context, &ADD, Wanted { kind: Kind::Variable, args }).await.map(Done::new)
    }
}

/// `add_list`.
#[derive(Debug)]
pub struct AddList;

impl Action for AddList {
    const NAME: &'static str = "add_list";
    const MODE: Mode = Mode::Composite;
    const DOC: &'static str = "Create a list for the current sprite or for all sprites. It starts empty and is not \
        shown on the stage; data_showlist shows it.";
    type Args = AddVariableArgs;
    type Data = Numbered<AddedVariable>;

    async fn perform(context: Context<'_>, args: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        edit(context, &ADD, Wanted { kind: Kind::List, args }).await.map(Done::new)
    }
}
