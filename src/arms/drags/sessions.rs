//! Sessions for scenes: each scene gets one of its own, a few work at once.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::{StreamExt as _, TryStreamExt as _, stream};

use super::SceneArgs;
use crate::arms::browsers;
use crate::arms::house::House;
use crate::arms::signs::bar;
use crate::flags::failure::Failure;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::drag::ask::Staged;
use scratchbed::benchmarks::drag::{DragError, Scene, ScenePack, SceneProject, published_points, with_session};
use scratchbed::compile::{BuiltProjects, ProjectSource, texts_of};
use scratchbed::model::EditorGeneration;
use scratchbed::session::{Fleet, SessionHandle, SessionOptions, Sessions};
use scratchbed::taskset::TaskSet;

/// No scene is worked on for so long; what is looked at and not called counts as left alone.
const IDLE: Duration = Duration::from_secs(24 * 3600);

/// Scenes, and where they can be shown.
pub struct SceneSessions {
    /// The scenes and their projects.
    pub pack: ScenePack,
    sessions: Sessions,
    tasks: TaskSet,
    cache: PathBuf,
    jobs: usize,
}

fn pack_of(args: &SceneArgs, settings: &Settings) -> Result<ScenePack, Failure> {
    let folder = args.pack.clone().unwrap_or_else(|| settings.root.scenes());
    let pack = ScenePack::read(&folder)?;
    pack.chosen(&args.scenes)?;
    Ok(pack)
}

/// The editor that shows the chosen scenes: what was said, else the one that they were made in.
fn editor_for(pack: &ScenePack, args: &SceneArgs) -> Result<EditorGeneration, Failure> {
    let chosen = pack.chosen(&args.scenes)?;
    let other = chosen.iter().find(|scene| !scene.is_published());
    match (args.editor, other) {
        (Some(EditorGeneration::Reference), Some(scene)) => {
            Err(DragError::Unpublished { id: scene.id.to_string() }.into())
        }
        (Some(editor), _) => Ok(editor),
        (None, None) if !chosen.is_empty() => Ok(EditorGeneration::Reference),
        (None, _) => Ok(EditorGeneration::Current),
    }
}

/// One scene in its session.
pub struct Visit<'a> {
    pub scene: &'a Scene,
    pub handle: &'a SessionHandle,
    pub sb3: Arc<Vec<u8>>,
}

impl SceneSessions {
    /// Reads the scenes and starts a browser.
    pub async fn start(args: &SceneArgs, jobs: usize, settings: &Settings) -> Result<Self, Failure> {
        let pack = pack_of(args, settings)?;
        let fleet = browsers::start_in(editor_for(&pack, args)?, settings, 0).await?;
        Self::over(fleet, pack, jobs, settings)
    }

    /// The same in the browsers of a house.
    pub async fn within(house: &House, args: &SceneArgs) -> Result<Self, Failure> {
        let pack = pack_of(args, &house.settings)?;
        let fleet = house.fleet_of(editor_for(&pack, args)?).await?;
        Self::over(fleet, pack, house.jobs, &house.settings)
    }

    fn over(fleet: Fleet, pack: ScenePack, jobs: usize, settings: &Settings) -> Result<Self, Failure> {
        let sessions = Sessions::new(fleet, SessionOptions { limit: jobs, idle: IDLE });
        let tasks = TaskSet::read(&settings.root)?;
        Ok(Self { pack, sessions, tasks, cache: browsers::built_projects(settings), jobs })
    }

    /// Works on scenes, each in a session of its own, and shuts the browser down. The answers are in the
    /// order of the scenes; the first failure ends everything.
    pub async fn each<T>(
        &self,
        scenes: &[&Scene],
        work: impl AsyncFn(Visit<'_>) -> Result<T, DragError>,
    ) -> Result<Vec<T>, Failure> {
        self.build_ahead(scenes).await;
        let progress = bar("scenes", scenes.len() as u64);
        let (work, progress) = (&work, &progress);
        let one = |scene| async move {
            let sb3 = self.pack.sb3(self.sessions.fleet(), &self.tasks, &self.cache, scene).await?;
            let visit = async |handle: &SessionHandle| work(Visit { scene, handle, sb3: Arc::new(sb3) }).await;
            let done = with_session(&self.sessions, visit).await;
            progress.inc(1);
            done
        };
        let done: Result<Vec<T>, DragError> =
            stream::iter(scenes.to_vec()).map(one).buffered(self.jobs).try_collect().await;
        progress.finish_and_clear();
        self.sessions.shutdown().await;
        Ok(done?)
    }

    /// The chosen scenes with their projects.
    pub async fn staged(&self, args: &SceneArgs) -> Result<Vec<Staged>, Failure> {
        let mut staged = Vec::new();
        let chosen = self.pack.chosen(&args.scenes)?;
        self.build_ahead(&chosen).await;
        for scene in chosen {
            let sb3 = self.pack.sb3(self.sessions.fleet(), &self.tasks, &self.cache, scene).await?;
            let published = published_points(&self.pack, &scene.id)?;
            staged.push(Staged { scene: scene.clone(), sb3: Arc::new(sb3), published });
        }
        Ok(staged)
    }

    /// Builds the projects that the scenes show. A missing task is reported when its scene is shown.
    async fn build_ahead(&self, scenes: &[&Scene]) {
        let tasks = scenes.iter().filter_map(|scene| match &scene.project {
            SceneProject::Task(project) => self.tasks.find(&project.id).ok(),
            SceneProject::File(_) => None,
        });
        browsers::build_ahead(self.sessions.fleet(), &self.cache, &texts_of(tasks)).await;
    }

    /// The editor that shows them.
    pub fn editor(&self) -> EditorGeneration {
        self.sessions.fleet().editor()
    }

    /// Where scenes are shown.
    pub const fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// The tasks whose projects they show.
    pub const fn tasks(&self) -> &TaskSet {
        &self.tasks
    }

    /// Where built projects are kept.
    pub fn projects(&self) -> ProjectSource {
        BuiltProjects::over(self.sessions.fleet().clone(), self.cache.clone())
    }

    /// Shuts the browser down.
    pub async fn close(&self) {
        self.sessions.shutdown().await;
    }
}
