//! select_sprite and select_stage: choose whose blocks are edited.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::{Call, Edited, Numbered, edit};
use crate::action::{Action, ActionError, Context, Done, NoArgs};
use crate::model::Mode;
use crate::page::PageFn;
use crate::page_fn;

/// Whom to open; no name is the Stage.
#[derive(Debug, Clone, Serialize)]
struct Target {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

const SELECT: PageFn<Call<Target>, Edited<SelectedTarget>> = page_fn!("composite", "select-target").in_every_editor();

/// Arguments of `select_sprite`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectSpriteArgs {
    /// The sprite's name. Case counts only when two names differ in nothing else.
    pub name: String,
}

/// What was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SelectedTarget {
    /// Its name.
    pub selected: String,
    /// Its id in the virtual machine.
    pub target_id: String,
}

/// `select_sprite`.
#[derive(Debug)]
pub struct SelectSprite;

impl Action for SelectSprite {
    const NAME: &'static str = "select_sprite";
    const MODE: Mode = Mode::Composite;
    const DOC: &'static str =
        "Switch the editing target to the named sprite. Block indexes then refer to that sprite's blocks.";
    type Args = SelectSpriteArgs;
    type Data = Numbered<SelectedTarget>;

    async fn perform(context: Context<'_>, args: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        edit(context, &SELECT, Target { name: Some(args.name) }).await.map(Done::new)
    }
}

/// `select_stage`.
#[derive(Debug)]
pub struct SelectStage;

impl Action for SelectStage {
    const NAME: &'static str = "select_stage";
    const MODE: Mode = Mode::Composite;
    const DOC: &'static str = "Switch the editing target to the Stage. Block indexes then refer to the Stage's blocks.";
    type Args = NoArgs;
    type Data = Numbered<SelectedTarget>;

    async fn perform(context: Context<'_>, _: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        edit(context, &SELECT, Target { name: None }).await.map(Done::new)
    }
}
