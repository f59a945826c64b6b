//! Which scripts are shown: those of a sprite of the tasks' projects, in an order that the seed decides.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::PerceptionError;
use super::chooser::Chooser;
use crate::compile::BuildError;
use crate::compile::Workbench;
use crate::model::ProjectVersion;
use crate::project::{Project, view};
use crate::session::Fleet;
use crate::taskset::{TaskSet, is_sb3};

/// Fewest blocks of a sprite whose scripts are shown.
const LEAST_BLOCKS: usize = 4;
/// The stream of choices for the order; scenes have the numbers from 0.
const ORDER: u64 = u64::MAX;

/// A sprite whose scripts are shown.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    pub(super) task: String,
    pub(super) project: ProjectVersion,
    pub(super) sprite: String,
    /// Whether it is the stage, which has fewer blocks.
    pub(super) is_stage: bool,
    /// The extensions that the project uses.
    pub(super) extensions: BTreeSet<String>,
    pub(super) sb3: Vec<u8>,
}

/// The projects of a task set, built on demand.
pub(super) struct Subjects {
    /// Builds them; no scene is shown in its page.
    bench: Workbench,
    /// Task, which of its projects, and where that is; in the order of scenes.
    projects: Vec<(String, ProjectVersion, PathBuf)>,
}

impl Subjects {
    /// Puts the projects in order.
    pub(super) fn of((tasks, cache, fleet): (&TaskSet, &Path, &Fleet), seed: u64) -> Self {
        let both = tasks.all().iter().flat_map(|entry| {
            let task = entry.task.id.to_string();
            [(task.clone(), ProjectVersion::Initial, entry.initial()), (task, ProjectVersion::Golden, entry.golden())]
        });
        let mut projects: Vec<_> = both.collect();
        Chooser::of(seed, ORDER).shuffle(&mut projects);
        Self { bench: Workbench::new(fleet.clone(), cache.to_owned()), projects }
    }

    /// The sprite for a scene, by the scene's number; `None` if no sprite of the project has enough blocks.
    pub(super) async fn pick(&self, scene: usize, chooser: &mut Chooser) -> Result<Option<Subject>, PerceptionError> {
        let Some((task, project, path)) = scene.checked_rem(self.projects.len()).map(|at| self.projects[at].clone())
        else {
            return Ok(None);
        };
        let sb3 = self.file(&path).await?;
        let read = Project::read(&sb3).map_err(|error| PerceptionError::unreadable(&path, &error))?;
        let has_enough =
            |target: &view::TargetView<'_>| target.blocks().filter(|block| !block.shadow).count() >= LEAST_BLOCKS;
        let targets: Vec<_> = view::targets(&read.json).filter(has_enough).collect();
        let target = chooser.pick(&targets);
        let chosen = target.map(|target| (target.name().to_owned(), target.is_stage()));
        let listed = read.json.get("extensions").and_then(Value::as_array).into_iter().flatten();
        let extensions: BTreeSet<String> = listed.filter_map(|id| id.as_str().map(str::to_owned)).collect();
        Ok(chosen.map(|(sprite, is_stage)| Subject { task, project, sprite, is_stage, extensions, sb3 }))
    }

    async fn file(&self, path: &Path) -> Result<Vec<u8>, BuildError> {
        if is_sb3(path) {
            return std::fs::read(path).map_err(|source| BuildError::Read { path: path.to_owned(), source });
        }
        self.bench.build(path).await
    }

    /// Gives the page back.
    pub(super) async fn end(self) {
        self.bench.clear().await;
    }
}
