//! The composite observation (paper, appendix F).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::add_variable::Scope;
use super::stage::{StagePicture, picture_of_stage};
use crate::action::perform::not_extended;
use crate::action::{Action, ActionError, Context, Done, Kind, NoArgs};
use crate::model::{Mode, ObservationEvent};
use crate::page::PageFn;
use crate::page_fn;
use crate::session::{BlockIndex, Live, observation_id};

const OBSERVE: PageFn<NoArgs, Seen> = page_fn!("composite", "composite-observation").in_every_editor();

/// Arguments of `observe`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LookArgs {
    /// In extended sessions: whether to take a picture of the stage too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("x-extended" = true))]
    pub stage: bool,
}

/// What the page gives.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seen {
    target: TargetName,
    variables: Vec<Scoped>,
    lists: Vec<Scoped>,
    broadcasts: Vec<String>,
    targets: Vec<TargetSize>,
    costumes: Vec<String>,
    costume: String,
    sounds: Vec<String>,
    pseudocode: String,
    choices: Vec<String>,
    numbering: BlockIndex,
    text: String,
}

/// What an agent in composite mode sees.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CompositeObservation {
    /// Name of the observation, unique in its session. Actions may say that they were decided on it.
    pub id: String,
    /// Number of the observation within its session, from 1.
    pub number: u64,
    /// Whose blocks are edited.
    pub target: TargetName,
    /// Variables that the target can use.
    pub variables: Vec<Scoped>,
    /// Lists that the target can use.
    pub lists: Vec<Scoped>,
    /// Names of the messages that can be broadcast.
    pub broadcasts: Vec<String>,
    /// All targets, the Stage first.
    pub targets: Vec<TargetSize>,
    /// Names of the target's costumes (the Stage's backdrops), in order.
    pub costumes: Vec<String>,
    /// The costume that it wears.
    pub costume: String,
    /// Names of its sounds, in order.
    pub sounds: Vec<String>,
    /// The target's blocks, each line that starts with `#` followed by the block's index.
    pub pseudocode: String,
    /// What the dropdowns in it offer: a line for each, its name and a JSON list. Variables, lists and messages are listed
    /// above.
    pub choices: Vec<String>,
    /// All of it as one text under headings.
    pub text: String,
    /// How much each part takes.
    pub sizes: CompositeSizes,
    /// The stage, when that was asked for.
    #[serde(flatten)]
    pub stage: Option<StagePicture>,
}

/// How much each part of a composite observation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompositeSizes {
    /// Blocks of the target.
    pub blocks: usize,
    /// Bytes of `pseudocode`.
    pub pseudocode_bytes: usize,
    /// Bytes of `text`.
    pub text_bytes: usize,
}

/// A sprite or the Stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TargetName {
    /// Its id in the virtual machine.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it is the Stage.
    pub is_stage: bool,
}

/// A sprite or the Stage, with how much program it has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TargetSize {
    /// Its id in the virtual machine.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it is the Stage.
    pub is_stage: bool,
    /// How many blocks it has: as many as an observation of it would number.
    pub blocks: u32,
}

/// A variable or list with its scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scoped {
    /// Its name.
    pub name: String,
    /// Who can use it.
    pub scope: Scope,
    /// Of a variable: what it holds now, 60 characters of it at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Of a list: how many items it has now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<u32>,
    /// Whether its monitor is on the stage.
    pub shown: bool,
}

/// `observe`: the composite observation.
#[derive(Debug)]
pub struct ObserveBlocks;

impl Action for ObserveBlocks {
    const NAME: &'static str = "observe";
    const MODE: Mode = Mode::Composite;
    const KIND: Kind = Kind::Observe;
    const DOC: &'static str = "See the editing target, its costumes and sounds, the variables and lists in scope, all targets, and the blocks as \
        numbered pseudocode. Later indexes refer to this numbering.";
    type Args = LookArgs;
    type Data = CompositeObservation;

    async fn perform(context: Context<'_>, args: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        let observation = look(context.live, args).await?;
        noted(context.live, &observation);
        Ok(Done::new(observation))
    }
}

/// What there is to see, and what its numbers stand for from now on.
pub(super) async fn look(live: &mut Live, args: LookArgs) -> Result<CompositeObservation, ActionError> {
    if args.stage && !live.extras.extended {
        return Err(not_extended("`stage`"));
    }
    let seen = live.page().call(&OBSERVE, &NoArgs {}).await?;
    let blocks = seen.numbering.blocks.len();
    live.memory.blocks = Some(seen.numbering);
    let Seen {
        target,
        variables,
        lists,
        broadcasts,
        targets,
        costumes,
        costume,
        sounds,
        pseudocode,
        choices,
        text,
        ..
    } = seen;
    let stage = if args.stage { Some(picture_of_stage(live).await?) } else { None };
    let number = live.memory.begin_observation(Mode::Composite);
    let sizes = CompositeSizes { blocks, pseudocode_bytes: pseudocode.len(), text_bytes: text.len() };
    Ok(CompositeObservation {
        id: observation_id(number),
        number,
        target,
        variables,
        lists,
        broadcasts,
        targets,
        costumes,
        costume,
        sounds,
        pseudocode,
        choices,
        text,
        sizes,
        stage,
    })
}

/// Has the session's log say what was shown.
pub(super) fn noted(live: &mut Live, seen: &CompositeObservation) {
    let shown = ObservationEvent { number: seen.number, text: Some(seen.text.clone()), ..ObservationEvent::default() };
    live.recorder.observed(shown);
}
