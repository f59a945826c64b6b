//! A drag task: which project, what it shows, which block goes where.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{ActionCall, ItemId, ProjectVersion, StageSize};

/// One task that a single drag does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Its name, that of its file.
    pub id: ItemId,
    /// The instruction for an agent.
    pub instruction: String,
    /// The project that is shown.
    pub project: SceneProject,
    /// How large the stage is shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stage: StageSize,
    /// The sprite whose scripts are shown; by default the one that the project opens with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprite: Option<String>,
    /// The block that is out of its place when the scene begins, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removal: Option<Removal>,
    /// Calls of primitive actions that lead up to the scene: clicks on a sprite or a category.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<ActionCall>,
    /// What the palette shows; by default what the actions left it at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub palette: Option<PaletteView>,
    /// What the canvas shows.
    pub view: View,
    pub source: Source,
    pub relation: Relation,
}

/// Where a scene's project is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SceneProject {
    Task(TaskProject),
    /// An .sb3 file, its path from the folder of the scene.
    File(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskProject {
    pub id: String,
    pub version: ProjectVersion,
}

/// A block that is taken out of its place before the scene begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Removal {
    /// Which one, as it is named before.
    pub block: BlockName,
    /// Whether what is below it stays where it is and closes up.
    #[serde(default, skip_serializing_if = "is_default")]
    pub alone: bool,
    /// Where it is laid down, in workspace units; it is thrown away if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lay: Option<[f64; 2]>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaletteView {
    /// The category at its top.
    pub category: String,
    /// Pixels that it is scrolled further down.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scroll: f64,
}

/// Zoom and scroll of the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// Pixels of a workspace unit; the editor begins with 0.675.
    pub scale: f64,
    /// Where the origin of the workspace lies, pixels from the canvas' left edge.
    pub x: f64,
    pub y: f64,
    /// The published way: the blocks are drawn at `x` and `y`, counted from the left edge of the toolbox, while the
    /// editor believes in another scroll. The published points are true in that state only.
    #[serde(default, skip_serializing_if = "is_default")]
    pub drawn: bool,
}

/// A block, named as a person would find it, or by its id. What is absent does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockName {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opcode: Option<String>,
    /// Which of those that fit, in the order of scripts.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub nth: u32,
    /// What its fields show, its default blocks' fields included.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    pub block: BlockName,
    /// Whether it lies in the palette.
    #[serde(default, skip_serializing_if = "is_default")]
    pub palette: bool,
}

/// Keeps defaults out of files.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Default for BlockName {
    fn default() -> Self {
        Self { id: None, opcode: None, nth: first(), fields: BTreeMap::new() }
    }
}

const fn first() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_first(nth: &u32) -> bool {
    *nth == 1
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// How the blocks should be connected.
    pub kind: Kind,
    /// The block that stays where it is.
    pub target: BlockName,
    /// The mouth or slot, where the kind needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// How it is checked.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rule: Rule,
}

/// How it is checked whether a drag did what it is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// By all links that the relation makes.
    #[default]
    Links,
    /// As the published runner checks it, on one side.
    Published,
}

/// How the dragged block should be connected to the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Kind {
    Below,
    /// With the end of its stack right above it.
    Above,
    /// Below it and above what follows it now.
    Between,
    /// First in its mouth, or in its slot.
    Into,
    /// First in its mouth, and above what is first in there now.
    Atop,
    /// With the target in its own mouth or slot.
    Around,
}

impl Kind {
    /// Whether it puts one block into another: the paper's slot insertion (T2) and not its direct connection (T1).
    pub const fn is_insertion(self) -> bool {
        matches!(self, Self::Into | Self::Atop | Self::Around)
    }
}
