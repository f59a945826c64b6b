//! The published single drags: reads them out of a checkout laid out like the ScratchWorld repository,
//! and makes scenes of them with what was published of their regions.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::DragError;
use super::items::{ScenePack, read_json, write_json};
use super::mask::Pixel;
use super::scene::{BlockName, Kind, Relation, Rule, Scene, SceneProject, Source, View};
use crate::model::{ActionCall, ItemId, StageSize};
use crate::taskset::is_inside;

/// Where the tasks and their projects lie in a checkout.
const TASKS: &str = "single_step_drag_benchmark/tasks";
const PROJECTS: &str = "scratch-gui/static";
/// Where the published points lie in a pack.
const POINTS: &str = "published";

/// A published task. What else it has is not used.
#[derive(Debug, Clone, Deserialize)]
struct PublishedTask {
    id: ItemId,
    instruction: String,
    init_project: String,
    evaluation_config: Config,
}

#[derive(Debug, Clone, Deserialize)]
struct Config {
    connection_type: ConnectionType,
    target_block_opcode: String,
    target_block_id: Option<String>,
    reference_block_id: String,
    target_input_name: Option<String>,
    variable_name: Option<String>,
    #[serde(default)]
    use_flyout: bool,
    #[serde(default)]
    switch_sprite_actions: Vec<ActionCall>,
    #[serde(default)]
    locate_target_actions: Vec<ActionCall>,
    workspace_state: WorkspaceState,
    drag_start_point: Pixel,
    first_valid_point: Pixel,
    feasible_start_points: Vec<Pixel>,
    feasible_points: Vec<Pixel>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ConnectionType {
    Parent,
    Next,
    #[serde(rename = "substack_1")]
    Substack1,
    #[serde(rename = "substack_2")]
    Substack2,
    Input,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct WorkspaceState {
    tx: f64,
    ty: f64,
    scale: f64,
}

/// What was published of a task's regions: points of a grid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedPoints {
    pub start: Pixel,
    /// The first end found that does.
    pub end: Pixel,
    pub starts: Vec<Pixel>,
    /// All ends, for drags from `start`.
    pub ends: Vec<Pixel>,
}

/// Makes a pack of the published tasks of a checkout; returns what is missing, one line each.
///
/// # Errors
/// When there are no tasks, one can't be read, or the pack can't be written.
pub fn import(checkout: &Path, out: &Path) -> Result<(ScenePack, Vec<String>), DragError> {
    let mut gaps = Vec::new();
    let mut found = Vec::new();
    for path in task_files(&checkout.join(TASKS))? {
        let task: PublishedTask = read_json(&path)?;
        let sb3 = checkout.join(PROJECTS).join(&task.init_project);
        // A name or a link must not copy a file of the operator's into the pack.
        if sb3.is_file() && is_inside(&checkout.join(PROJECTS), &sb3) {
            found.push((task, sb3));
        } else {
            gaps.push(format!("{}: its project {} is missing", task.id, task.init_project));
        }
    }
    let scenes: Vec<Scene> = found.iter().map(|(task, _)| scene(task)).collect();
    let pack = ScenePack::write(out, &scenes)?;
    for (task, sb3) in &found {
        let to = out.join(file_name(task));
        fs::copy(sb3, &to).map_err(|error| DragError::Write { path: to, reason: error.to_string() })?;
        let points = out.join(POINTS).join(format!("{}.json", task.id));
        write_json(&points, &serde_json::to_string(&points_of(&task.evaluation_config)))?;
    }
    Ok((pack, gaps))
}

/// The task files, sorted by name. Links that lead out of the folder are skipped.
fn task_files(folder: &Path) -> Result<Vec<std::path::PathBuf>, DragError> {
    let failed = |error: std::io::Error| DragError::Scene { path: folder.to_owned(), reason: error.to_string() };
    let mut files = Vec::new();
    for file in fs::read_dir(folder).map_err(failed)? {
        let path = file.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "json") && is_inside(folder, &path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The published points of a pack's scene; `None` if the pack was not imported.
///
/// # Errors
/// When their file can't be read.
pub fn published_points(pack: &ScenePack, id: &ItemId) -> Result<Option<PublishedPoints>, DragError> {
    let path = pack.folder().join(POINTS).join(format!("{id}.json"));
    if path.is_file() { read_json(&path).map(Some) } else { Ok(None) }
}

/// The name of its project in a pack: that of the task, so that no path of a foreign file gets out of the folder.
fn file_name(task: &PublishedTask) -> String {
    format!("{}.sb3", task.id)
}

fn points_of(config: &Config) -> PublishedPoints {
    PublishedPoints {
        start: config.drag_start_point,
        end: config.first_valid_point,
        starts: config.feasible_start_points.clone(),
        ends: config.feasible_points.clone(),
    }
}

/// A scene with the verification rule of the published runner: it looks at only one side of the drop,
/// and trusts ids where they disagree with opcodes.
fn scene(task: &PublishedTask) -> Scene {
    let config = &task.evaluation_config;
    let by_id = |id: &String| BlockName { id: Some(id.clone()), ..BlockName::default() };
    let fields = config.variable_name.iter().map(|name| ("VARIABLE".to_owned(), name.clone())).collect();
    let block = match &config.target_block_id {
        Some(id) => by_id(id),
        None => BlockName { opcode: Some(config.target_block_opcode.clone()), fields, ..BlockName::default() },
    };
    let (kind, input) = match config.connection_type {
        ConnectionType::Parent => (Kind::Above, None),
        ConnectionType::Next => (Kind::Below, None),
        ConnectionType::Substack1 => (Kind::Into, Some("SUBSTACK".to_owned())),
        ConnectionType::Substack2 => (Kind::Into, Some("SUBSTACK2".to_owned())),
        ConnectionType::Input => (Kind::Into, config.target_input_name.clone()),
    };
    let WorkspaceState { tx, ty, scale } = config.workspace_state;
    let actions = config.switch_sprite_actions.iter().chain(&config.locate_target_actions);
    Scene {
        id: task.id.clone(),
        instruction: task.instruction.clone(),
        project: SceneProject::File(file_name(task)),
        stage: StageSize::Small,
        sprite: None,
        removal: None,
        actions: actions.cloned().collect(),
        palette: None,
        view: View { scale, x: tx, y: ty, drawn: true },
        source: Source { block, palette: config.use_flyout },
        relation: Relation { kind, target: by_id(&config.reference_block_id), input, rule: Rule::Published },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Coded;

    /// A task in the published layout, made up for this test.
    const TASK: &str = r#"{
        "id": "T2_900", "category": "T2", "instruction": "Drag it.", "init_project": "../odd/T2_900.sb3",
        "evaluation_config": {
            "connection_type": "input", "target_block_opcode": "data_variable", "target_block_id": null,
            "reference_block_id": "ref", "target_input_name": "SECS", "variable_name": "speed", "use_flyout": true,
            "description": "unused",
            "locate_target_actions": [{"api": "click", "args": {"x": 31, "y": 400}}],
            "workspace_state": {"tx": 300.5, "ty": -20, "scale": 0.675, "scrollX": -445.2, "scrollY": 29.6},
            "drag_start_point": [90, 300], "first_valid_point": [500, 250],
            "feasible_start_points": [[90, 300], [95, 300]], "feasible_points": [[500, 250]], "seed_point": [500, 250]
        }
    }"#;

    #[test]
    fn a_published_task_becomes_a_scene() {
        let scene = scene(&serde_json::from_str(TASK).unwrap());
        assert_eq!(scene.project, SceneProject::File("T2_900.sb3".to_owned()));
        assert_eq!(scene.view, View { scale: 0.675, x: 300.5, y: -20.0, drawn: true });
        assert!(scene.source.palette && scene.source.block.fields["VARIABLE"] == "speed");
        assert!(scene.is_published());
        assert_eq!(scene.relation.kind, Kind::Into);
        assert_eq!(scene.relation.input.as_deref(), Some("SECS"));
        assert_eq!(scene.relation.target.id.as_deref(), Some("ref"));
        assert_eq!(scene.actions[0].api, "click");
    }

    #[test]
    fn a_checkout_becomes_a_pack() {
        let checkout = tempfile::tempdir().unwrap();
        let tasks = checkout.path().join(TASKS);
        fs::create_dir_all(&tasks).unwrap();
        fs::create_dir_all(checkout.path().join(PROJECTS)).unwrap();
        let named = |id: &str| TASK.replace("../odd/T2_900.sb3", &format!("{id}.sb3")).replace("T2_900", id);
        for id in ["T2_900", "T2_901"] {
            fs::write(tasks.join(format!("{id}.json")), named(id)).unwrap();
        }
        fs::write(checkout.path().join(PROJECTS).join("T2_900.sb3"), b"project").unwrap();
        let out = checkout.path().join("pack");
        let (pack, gaps) = import(checkout.path(), &out).unwrap();
        assert_eq!(pack.scenes().len(), 1);
        assert_eq!(
            published_points(&pack, &"T2_900".parse().unwrap()).unwrap().unwrap().starts,
            [(90, 300), (95, 300)]
        );
        assert_eq!(gaps, ["T2_901: its project T2_901.sb3 is missing"]);
        assert_eq!(import(checkout.path(), &out).unwrap_err().code(), "unwritable_file");
    }

    #[test]
    fn no_task_reads_or_writes_outside_of_the_checkout_and_the_pack() {
        let folder = tempfile::tempdir().unwrap();
        let checkout = folder.path().join("checkout");
        let tasks = checkout.join(TASKS);
        fs::create_dir_all(&tasks).unwrap();
        fs::create_dir_all(checkout.join(PROJECTS)).unwrap();
        fs::write(folder.path().join("secret"), b"secret").unwrap();
        let task = tasks.join("task.json");
        for project in ["../../../secret".to_owned(), folder.path().join("secret").display().to_string()] {
            fs::write(&task, TASK.replace("../odd/T2_900.sb3", &project)).unwrap();
            let (pack, gaps) = import(&checkout, &tempfile::tempdir().unwrap().path().join("pack")).unwrap();
            assert_eq!((pack.scenes().len(), gaps.len()), (0, 1), "{gaps:?}");
        }
        fs::write(&task, TASK.replace(r#""id": "T2_900""#, r#""id": "../../T2_900""#)).unwrap();
        let refused = import(&checkout, &folder.path().join("pack")).unwrap_err().to_string();
        assert!(refused.contains("is no item id"), "{refused}");
    }
}
