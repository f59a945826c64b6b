//! A drag task: which project, what is to be seen of it, which block goes where.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::DragError;

/// One task that a single drag does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Its name, that of its file.
    pub id: String,
    /// What an agent is told.
    pub instruction: String,
    /// The task whose project is shown.
    pub task: String,
    /// Which of its projects.
    pub project: SceneProject,
    /// The sprite whose scripts are shown.
    pub sprite: String,
    /// The category that the palette shows.
    pub category: String,
    /// What the canvas shows.
    pub view: View,
    /// What is dragged.
    pub source: Source,
    /// What it is dragged for.
    pub relation: Relation,
}

/// Projects of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SceneProject {
    /// What agents start from.
    Initial,
    /// The solution.
    Golden,
}

/// Zoom and scroll of the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// Pixels of a workspace unit; the editor begins with 0.675.
    pub scale: f64,
    /// Where the origin of the workspace lies, pixels from the canvas' left edge.
    pub x: f64,
    /// And from its top.
    pub y: f64,
}

/// A block on the canvas, named as a person would find it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockName {
    /// Its opcode.
    pub opcode: String,
    /// The how-manieth of those that fit, in the order of scripts.
    #[serde(default = "first")]
    pub nth: u32,
    /// What its fields show, its default blocks' fields included.
    #[serde(default)]
    pub fields: BTreeMap<String, String>,
}

/// A block to drag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its opcode.
    pub opcode: String,
    /// The how-manieth of those that fit.
    #[serde(default = "first")]
    pub nth: u32,
    /// What its fields show.
    #[serde(default)]
    pub fields: BTreeMap<String, String>,
    /// Whether it lies in the palette.
    #[serde(default)]
    pub palette: bool,
}

const fn first() -> u32 {
    1
}

/// What a drag is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// How the blocks are to hang together.
    pub kind: Kind,
    /// The block that stays where it is.
    pub target: BlockName,
    /// The mouth or slot, where the kind needs one.
    #[serde(default)]
    pub input: Option<String>,
}

/// How the dragged block is to hang on the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Right below it.
    Below,
    /// With the end of its stack right above it.
    Above,
    /// Below it and above what follows it now.
    Between,
    /// First in its mouth, or in its slot.
    Into,
    /// With the target in its own mouth or slot.
    Around,
}

/// Reads all scenes of a folder, sorted by name.
///
/// # Errors
/// When the folder or a scene can't be read, or a scene's name is not that of its file.
pub fn read_scenes(folder: &Path) -> Result<Vec<Scene>, DragError> {
    let failed = |path: &Path, reason: String| DragError::Scene { path: path.to_owned(), reason };
    let files = fs::read_dir(folder).map_err(|error| failed(folder, error.to_string()))?;
    let mut scenes = Vec::new();
    for file in files {
        let path = file.map_err(|error| failed(folder, error.to_string()))?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| failed(&path, error.to_string()))?;
        let scene: Scene = serde_json::from_str(&text).map_err(|error| failed(&path, error.to_string()))?;
        if path.file_stem().is_none_or(|stem| stem != scene.id.as_str()) {
            return Err(failed(&path, format!("its id is `{}`", scene.id)));
        }
        scenes.push(scene);
    }
    scenes.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(scenes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_scenes_can_be_read() {
        let scenes = read_scenes(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/drag"))).unwrap();
        assert!(scenes.len() >= 6);
        for scene in scenes {
            let needs_input = matches!(scene.relation.kind, Kind::Into | Kind::Around);
            assert_eq!(scene.relation.input.is_some(), needs_input, "{}", scene.id);
        }
    }
}
