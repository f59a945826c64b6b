//! A folder of scenes, and the projects that they show.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::DragError;
use super::regions::Regions;
use super::scene::{Scene, SceneProject, TaskProject};
use crate::certify::build;
use crate::model::{ItemId, ProjectVersion};
use crate::session::Fleet;
use crate::taskset::TaskSet;

/// Scenes in one folder.
#[derive(Debug, Clone)]
pub struct ScenePack {
    folder: PathBuf,
    scenes: Vec<Scene>,
}

impl ScenePack {
    /// Reads all scenes of a folder, sorted by name.
    ///
    /// # Errors
    /// When the folder or a scene can't be read, or a scene's name is not that of its file.
    pub fn read(folder: &Path) -> Result<Self, DragError> {
        let failed = |path: &Path, reason: String| DragError::Scene { path: path.to_owned(), reason };
        let files = fs::read_dir(folder).map_err(|error| failed(folder, error.to_string()))?;
        let mut scenes = Vec::new();
        for file in files {
            let path = file.map_err(|error| failed(folder, error.to_string()))?.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let scene: Scene = read_json(&path)?;
            if path.file_stem().is_none_or(|stem| stem != scene.id.as_str()) {
                return Err(failed(&path, format!("its id is `{}`", scene.id)));
            }
            scenes.push(scene);
        }
        scenes.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(Self { folder: folder.to_owned(), scenes })
    }

    /// Writes scenes into a folder, and reads them as a pack.
    ///
    /// # Errors
    /// When the folder has scenes already, or can't be written.
    pub fn write(folder: &Path, scenes: &[Scene]) -> Result<Self, DragError> {
        let failed = |reason: String| DragError::Write { path: folder.to_owned(), reason };
        fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        if !Self::read(folder)?.scenes.is_empty() {
            return Err(failed("it has scenes already; name another folder".to_owned()));
        }
        for scene in scenes {
            write_json(&folder.join(format!("{}.json", scene.id)), &serde_json::to_string_pretty(scene))?;
        }
        Self::read(folder)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn scenes(&self) -> &[Scene] {
        &self.scenes
    }

    /// The scenes of the given names, or all if none is given.
    ///
    /// # Errors
    /// When no scene has a given name.
    pub fn chosen(&self, ids: &[String]) -> Result<Vec<&Scene>, DragError> {
        if let Some(id) = ids.iter().find(|id| !self.scenes.iter().any(|scene| scene.id == *id.as_str())) {
            let known = self.scenes.iter().map(|scene| scene.id.to_string()).collect();
            return Err(DragError::UnknownScene { id: id.clone(), known });
        }
        Ok(self.scenes.iter().filter(|scene| ids.is_empty() || ids.iter().any(|id| scene.id == *id.as_str())).collect())
    }

    /// The project file of this name, if one of the scenes has it.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        let is_named = |scene: &Scene| matches!(&scene.project, SceneProject::File(file) if file == name);
        self.scenes.iter().any(is_named).then(|| self.folder.join(name))
    }

    /// The regions that are kept with a scene.
    ///
    /// # Errors
    /// When their file can't be read.
    pub fn regions(&self, id: &ItemId) -> Result<Option<Regions>, DragError> {
        let path = self.regions_file(id);
        if !path.exists() {
            return Ok(None);
        }
        read_json(&path).map(Some)
    }

    /// Keeps regions with a scene, in a line of their own.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn keep_regions(&self, id: &ItemId, regions: &Regions) -> Result<(), DragError> {
        write_json(&self.regions_file(id), &serde_json::to_string(&regions.without_id()))
    }

    fn regions_file(&self, id: &ItemId) -> PathBuf {
        self.folder.join("regions").join(format!("{id}.json"))
    }

    /// The project of a scene, built if it is written as text; `cache` is where built ones are kept.
    ///
    /// # Errors
    /// When it is missing or can't be built.
    pub async fn sb3(&self, fleet: &Fleet, tasks: &TaskSet, cache: &Path, scene: &Scene) -> Result<Vec<u8>, DragError> {
        match &scene.project {
            SceneProject::Task(project) => project_of_task(fleet, tasks, cache, project).await,
            SceneProject::File(name) => {
                let path = self.folder.join(name);
                fs::read(&path).map_err(|error| DragError::Scene { path, reason: error.to_string() })
            }
        }
    }
}

/// A project of a task, built unless it is cached.
pub(super) async fn project_of_task(
    fleet: &Fleet,
    tasks: &TaskSet,
    cache: &Path,
    project: &TaskProject,
) -> Result<Vec<u8>, DragError> {
    let projects = build(fleet, cache, tasks.find(&project.id)?).await?;
    Ok(match project.version {
        ProjectVersion::Initial => projects.initial,
        ProjectVersion::Golden => projects.golden,
    })
}

/// Reads a file of a pack.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, DragError> {
    let failed = |reason: String| DragError::Scene { path: path.to_owned(), reason };
    let text = fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| failed(error.to_string()))
}

/// Writes a file of a pack, and its folder if that is missing.
pub(super) fn write_json(path: &Path, text: &serde_json::Result<String>) -> Result<(), DragError> {
    let failed = |reason: String| DragError::Write { path: path.to_owned(), reason };
    let text = text.as_ref().map_err(|error| failed(error.to_string()))?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
    }
    fs::write(path, format!("{text}\n")).map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmarks::drag::Kind;

    #[test]
    fn the_committed_scenes_are_as_the_published_set_is_made_up() {
        let scenes = ScenePack::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/drag"))).unwrap();
        let scenes = scenes.scenes();
        let count = |is: fn(&Scene) -> bool| scenes.iter().filter(|scene| is(scene)).count();
        assert_eq!((scenes.len(), count(|scene| scene.relation.kind.is_insertion())), (60, 30));
        assert!(count(|scene| scene.source.palette) >= 18);
        assert!(count(|scene| scene.sprite.is_some() || (scene.view.x, scene.view.y) != (0.0, 0.0)) >= 6);
        for scene in scenes {
            let needs_input = matches!(scene.relation.kind, Kind::Into | Kind::Atop | Kind::Around);
            assert_eq!(scene.relation.input.is_some(), needs_input, "{}", scene.id);
        }
    }
}
