//! Scenes made from the scripts of task projects, any number from a seed.
//!
//! Every scene undoes one connection of a real script and asks for it back: a block lies aside, or is gone and must
//! come from the palette. Parts: `facts` is what the page reports of a sprite, `candidates` are the drags that it gives,
//! `class` says how many of each are wanted, `place` finds a view and a free place, `words` an instruction with one
//! meaning; `draft` makes one scene of that in the editor and rejects unsound ones.

mod candidates;
mod class;
mod draft;
pub(super) mod facts;
mod place;
mod words;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use self::candidates::Candidate;
use self::class::{Class, Group, Quotas};
use self::draft::{Drafter, draft};
use super::items::project_of_task;
use super::regions::Regions;
use super::scene::{Scene, TaskProject};
use super::{DragError, with_session};
use crate::compile::BuildError;
use crate::model::{ItemId, ProjectVersion};
use crate::project::Project;
use crate::session::{SessionHandle, Sessions};
use crate::taskset::{TaskEntry, TaskSet};

/// How many drags are tried in one visit of a sprite before another one is visited.
const TRIES: usize = 6;

/// A scene with its regions.
#[derive(Debug, Clone)]
pub struct Made {
    pub scene: Scene,
    pub regions: Regions,
    class: Class,
}

#[derive(Debug, Clone)]
pub struct Generated {
    /// The scenes with their regions, numbered by class.
    pub made: Vec<Made>,
    /// How many of each class.
    pub classes: BTreeMap<&'static str, usize>,
    /// How many begin in the palette.
    pub palette: usize,
    /// How many show another sprite, zoom or scroll than a project opens with.
    pub elsewhere: usize,
}

/// One sprite of one project.
#[derive(Debug, Clone)]
struct Spot {
    project: TaskProject,
    sprite: String,
    /// Whether the project opens with another sprite.
    other: bool,
}

/// Makes `n` scenes, half of them direct connections, from all projects of a task set. The same seed gives the same
/// scenes. `progress` gets their number.
///
/// # Errors
/// When the projects don't give enough, can't be built, or the browser fails.
pub async fn generate(
    sessions: &Sessions,
    tasks: &TaskSet,
    cache: &Path,
    n: usize,
    seed: u64,
    progress: impl Fn(usize),
) -> Result<Generated, DragError> {
    let mut choices = Pcg64::seed_from_u64(seed);
    let versions = [ProjectVersion::Initial, ProjectVersion::Golden];
    let both = |entry: &TaskEntry| versions.map(|version| TaskProject { id: entry.task.id.to_string(), version });
    let mut projects: Vec<TaskProject> = tasks.all().iter().flat_map(both).collect();
    projects.shuffle(&mut choices);
    let each = n.div_ceil(projects.len().max(1));
    let mut work = Work { quotas: Quotas::of(n), made: Vec::new(), choices, each };
    let mut closed = Vec::new();
    with_session(sessions, async |handle: &SessionHandle| {
        for round in 0.. {
            let before = work.made.len();
            for project in &projects {
                if work.quotas.missing() == 0 {
                    return Ok(());
                }
                let sb3 = project_of_task(sessions.fleet(), tasks, cache, project).await?;
                work.visit(handle, project, sb3, round).await?;
                progress(work.made.len());
            }
            if work.made.len() == before && !work.quotas.give_up(&mut closed) {
                break;
            }
        }
        Err(DragError::TooFewScenes { made: work.made.len(), wanted: n })
    })
    .await?;
    Ok(work.numbered())
}

/// The sprites of a project that have scripts.
fn spots(sb3: &[u8], project: &TaskProject) -> Result<Vec<Spot>, DragError> {
    let read = Project::read(sb3).map_err(BuildError::from)?;
    let targets = read.json["targets"].as_array().cloned().unwrap_or_default();
    let opens_with = targets.iter().position(|target| target["isStage"] == false);
    let has_blocks = |target: &serde_json::Value| target["blocks"].as_object().is_some_and(|blocks| blocks.len() > 1);
    let with_blocks = targets.iter().enumerate().filter(|(_, target)| has_blocks(target));
    let spot = |(at, target): (usize, &serde_json::Value)| {
        let sprite = target["name"].as_str()?.to_owned();
        Some(Spot { project: project.clone(), sprite, other: Some(at) != opens_with })
    };
    Ok(with_blocks.filter_map(spot).collect())
}

struct Work {
    quotas: Quotas,
    made: Vec<(Made, bool)>,
    choices: Pcg64,
    /// How many scenes one visit of a sprite may give.
    each: usize,
}

impl Work {
    /// Makes the most wanted scenes that a sprite of a project gives; another sprite each round.
    async fn visit(
        &mut self,
        handle: &SessionHandle,
        project: &TaskProject,
        sb3: Vec<u8>,
        round: usize,
    ) -> Result<(), DragError> {
        let spots = spots(&sb3, project)?;
        let first = self.choices.random_range(0..spots.len().max(1));
        let Some(spot) = spots.get((first + round) % spots.len().max(1)) else { return Ok(()) };
        let drafter = Drafter::begin(handle, spot, Arc::new(sb3)).await?;
        let mut given: BTreeMap<Group, Vec<Candidate>> = BTreeMap::new();
        for candidate in candidates::candidates(drafter.facts()) {
            given.entry(candidate.group()).or_default().push(candidate);
        }
        for list in given.values_mut() {
            list.shuffle(&mut self.choices);
        }
        let mut made = 0;
        for _ in 0..TRIES * self.each {
            let wanted = self.quotas.by_need();
            let candidate = wanted.into_iter().find_map(|group| given.get_mut(&group).and_then(Vec::pop));
            let Some(candidate) = candidate.filter(|_| made < self.each) else { break };
            let group = candidate.group();
            let Some((scene, regions)) = draft(&drafter, &candidate, &mut self.choices).await? else { continue };
            if self.made.iter().any(|(other, _)| other.scene.instruction == scene.instruction) {
                continue;
            }
            let view = scene.view;
            let elsewhere = spot.other || (view.x, view.y) != (0.0, 0.0) || view.scale != place::SCALE;
            self.made.push((Made { scene, regions, class: group.0 }, elsewhere));
            self.quotas.count(group);
            made += 1;
        }
        Ok(())
    }

    /// With names by number, class by class.
    fn numbered(mut self) -> Generated {
        let elsewhere = self.made.iter().filter(|(_, elsewhere)| *elsewhere).count();
        self.made.sort_by_key(|(made, _)| made.class);
        let digits = self.made.len().to_string().len().max(3);
        let mut made: Vec<Made> = self.made.into_iter().map(|(made, _)| made).collect();
        for (at, one) in made.iter_mut().enumerate() {
            one.scene.id = ItemId::plain(&format!("D_{:0digits$}", at + 1));
        }
        let palette = made.iter().filter(|one| one.scene.source.palette).count();
        Generated { classes: self.quotas.made(), palette, elsewhere, made }
    }
}
