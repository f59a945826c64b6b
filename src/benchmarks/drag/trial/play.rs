//! One trial: the scene is set up, the drag said, made and measured.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::super::regions::Regions;
use super::super::{DragError, PublishedPoints, Scene, Stage, with_session_of};
use super::decide::{Decider, centre, random};
use super::measure::{DragDetail, Yardstick, measured, said_by};
use super::outside::{Outside, drag_in};
use super::question::Shown;
use super::screen::{Seen, boxes, broken, look, watch};
use super::setting::Setting;
use crate::action::perform;
use crate::agent::{DragAnswer, Question, Said, Spot, read_drag};
use crate::experiment::trials::{Benchmark, Ended, Spoiled, TrialsError};
use crate::model::{ActionCall, ActionReply, Blame, Coded, Mode, TrialCost, TrialOutcome, TrialRecord};
use crate::perceive::Convention;
use crate::session::{SessionHandle, Sessions};
use crate::store::TrialFolder;

/// How trials are made.
#[derive(Debug, Clone)]
pub struct Options {
    /// What help is given.
    pub setting: Setting,
    /// What the agent's coordinates mean.
    pub convention: Convention,
    /// Who says the drags.
    pub decider: Decider,
    /// Where sessions can be reached over HTTP, for programs that drag on their own.
    pub outside: Option<Outside>,
}

/// A scene with what a trial at it needs.
#[derive(Debug, Clone)]
pub struct Staged {
    /// The scene.
    pub scene: Scene,
    /// Its project.
    pub sb3: Arc<Vec<u8>>,
    /// What was published of its regions: then starts and ends are measured by these points, as the reference does.
    pub published: Option<PublishedPoints>,
}

/// The benchmark.
#[derive(Debug)]
pub struct DragBenchmark {
    sessions: Sessions,
    scenes: BTreeMap<String, Staged>,
    options: Options,
    /// Regions that were computed, by scene: they are the same each time.
    regions: Mutex<BTreeMap<String, Regions>>,
}

/// What became of asking.
enum Decision {
    /// This drag is to be made.
    Drag(DragAnswer),
    /// The agent made this drag itself, and it is over.
    Made(Box<ActionReply>),
    /// There is none.
    None { outcome: TrialOutcome, error: String },
}

impl DragBenchmark {
    /// Of these scenes.
    #[must_use]
    pub fn new(sessions: Sessions, scenes: Vec<Staged>, options: Options) -> Self {
        let scenes = scenes.into_iter().map(|staged| (staged.scene.id.clone(), staged)).collect();
        Self { sessions, scenes, options, regions: Mutex::default() }
    }

    /// The regions that were computed so far, by scene.
    #[must_use]
    pub fn regions(&self) -> BTreeMap<String, Regions> {
        self.regions.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The regions of a scene. Those of a published one may be empty: it is played and measured by its points.
    async fn regions_of(
        &self,
        Staged { scene, published, .. }: &Staged,
        stage: &Stage<'_>,
    ) -> Result<Regions, DragError> {
        let known = self.regions.lock().unwrap_or_else(PoisonError::into_inner).get(&scene.id).cloned();
        if let Some(regions) = known {
            return Ok(regions);
        }
        let regions = match stage.regions_or_none().await?.regions {
            found if published.is_none() => stage.not_empty(found)?,
            found => found,
        };
        self.regions.lock().unwrap_or_else(PoisonError::into_inner).insert(scene.id.clone(), regions.clone());
        Ok(regions)
    }

    async fn trial(
        &self,
        staged: &Staged,
        handle: &SessionHandle,
        attempt: u32,
        folder: &TrialFolder,
    ) -> Result<Ended<DragDetail>, Spoiled> {
        let Staged { scene, sb3, published } = staged;
        let mut stage = Stage::new(handle, scene, Arc::clone(sb3));
        stage.set_up().await.map_err(|error| spoiled(scene, &error))?;
        let regions = self.regions_of(staged, &stage).await.map_err(|error| spoiled(scene, &error))?;
        let yardstick = Yardstick::of(&regions, published.as_ref());
        let seen = look(handle, self.options.setting.element_list).await?;
        let before = stage.links().await.map_err(|error| spoiled(scene, &error))?;
        watch(handle, true).await?;
        let (decision, cost) = self.decide(scene, handle, &yardstick, attempt, &seen, folder).await?;
        // They are the answer, and whoever is asked may be able to read this folder.
        folder.keep_json("regions.json", &regions)?;
        let (said, reply, elements) = match decision {
            Decision::None { outcome, error } => {
                return Ok(Ended { outcome, error: Some(error), cost, detail: None });
            }
            // A program that drags by itself has looked by itself too: its numbers are of lists that nobody here has.
            Decision::Made(reply) => (said_by(&reply), *reply, &[][..]),
            Decision::Drag(said) => (said, self.drag(handle, said).await?, &seen.elements[..]),
        };
        let steps = watch(handle, false).await?.steps;
        let after = stage.links().await.map_err(|error| spoiled(scene, &error))?;
        folder.keep("after.png", &stage.picture().await.map_err(|error| spoiled(scene, &error))?)?;
        let made = regions.made(&before, &after);
        let outcome = if made { TrialOutcome::Passed } else { TrialOutcome::Failed };
        let error = reply.error.as_ref().map(|error| format!("{}: {}", error.code, error.message));
        Ok(Ended { outcome, error, cost, detail: Some(measured(&yardstick, said, (&reply, elements), steps, made)) })
    }

    async fn decide(
        &self,
        scene: &Scene,
        handle: &SessionHandle,
        yardstick: &Yardstick<'_>,
        attempt: u32,
        seen: &Seen,
        folder: &TrialFolder,
    ) -> Result<(Decision, TrialCost), Spoiled> {
        let wrong = |reason: String| TrialsError::Item { item: scene.id.clone(), reason };
        let regions = yardstick.regions;
        let start = yardstick.start().ok_or_else(|| wrong("its start region is empty".to_owned()))?;
        let shown = Shown {
            instruction: &scene.instruction,
            setting: self.options.setting,
            convention: self.options.convention,
            start,
            elements: &seen.elements,
        };
        let picture = shown.picture(&seen.picture).map_err(|error| wrong(error.to_string()))?;
        folder.keep("seen.png", &picture)?;
        let built_in = |said: Option<DragAnswer>| match said {
            Some(said) => Decision::Drag(said.map_points(|point| self.options.convention.to_model(point))),
            None => Decision::None { outcome: TrialOutcome::Failed, error: "there is no such drag".to_owned() },
        };
        let decision = match &self.options.decider {
            Decider::Oracle => built_in(yardstick.best()),
            Decider::Random { seed } => built_in(Some(random(*seed, &scene.id, attempt))),
            Decider::Centre => built_in(boxes(handle, scene, regions, start).await?.map(centre)),
            Decider::Asked(asker) => {
                let question = Question {
                    system: shown.system().map_err(|error| wrong(error.to_string()))?,
                    user: shown.user().map_err(|error| wrong(error.to_string()))?,
                    picture,
                    about: self.about(scene, handle, attempt),
                };
                folder.keep_json("asked.json", &json!({"system": question.system, "user": question.user}))?;
                return match asker.ask(&question).await {
                    Ok(said) => self.answered(handle, said, folder).await,
                    Err(error) if error.is_final() => Err(TrialsError::from(error).into()),
                    Err(error) => {
                        let cost = error.cost();
                        Ok((Decision::None { outcome: TrialOutcome::CallFailed, error: error.to_string() }, cost))
                    }
                };
            }
        };
        Ok((decision, TrialCost::default()))
    }

    /// What an answer comes to: a drag that was made over HTTP meanwhile, or one that is said.
    async fn answered(
        &self,
        handle: &SessionHandle,
        Said { text, cost }: Said,
        folder: &TrialFolder,
    ) -> Result<(Decision, TrialCost), Spoiled> {
        folder.keep("answer.txt", text.as_bytes())?;
        let none = |outcome, error: &str| Decision::None { outcome, error: error.to_owned() };
        if self.options.outside.is_some() {
            let Ok(log) = self.sessions.log(handle.id()).await else {
                return Ok((none(TrialOutcome::Failed, "the program has ended its session"), cost));
            };
            match drag_in(&log.outside_acts()) {
                Ok(Some(reply)) => return Ok((Decision::Made(Box::new(reply)), cost)),
                Ok(None) => {}
                Err(error) => return Ok((none(TrialOutcome::Failed, &error), cost)),
            }
        }
        let decision = match read_drag(&text, self.options.setting.element_list) {
            None => none(TrialOutcome::Unreadable, "the answer has no drag that can be read"),
            Some(said) if said.has_index() && !self.options.setting.element_list => {
                none(TrialOutcome::Unreadable, "the answer names elements by number, and there was no list")
            }
            Some(said) => Decision::Drag(said),
        };
        Ok((decision, cost))
    }

    /// What programs are told beside the question.
    fn about(&self, scene: &Scene, handle: &SessionHandle, attempt: u32) -> Map<String, Value> {
        let mut about = Map::new();
        about.insert("benchmark".to_owned(), json!("drag"));
        about.insert("item".to_owned(), json!(scene.id));
        about.insert("attempt".to_owned(), json!(attempt));
        about.insert("instruction".to_owned(), json!(scene.instruction));
        if let Some(outside) = &self.options.outside {
            about.insert("url".to_owned(), json!(outside.url));
            about.insert("token".to_owned(), json!(outside.token(&scene.id, attempt)));
            about.insert("session".to_owned(), json!(handle.id()));
        }
        about
    }

    /// Makes a drag as it was said, by the action that agents call.
    async fn drag(&self, handle: &SessionHandle, said: DragAnswer) -> Result<ActionReply, Spoiled> {
        let mut args = Map::new();
        for (end, spot) in [("start", said.start), ("end", said.end)] {
            match spot {
                Spot::Index(index) => {
                    args.insert(format!("{end}_index"), json!(index));
                }
                Spot::Point(point) => {
                    let point = self.options.convention.to_page(point);
                    args.insert(format!("{end}_x"), json!(point.x));
                    args.insert(format!("{end}_y"), json!(point.y));
                }
            }
        }
        let call = ActionCall::new("drag_and_drop", args);
        let reply = perform(handle, Mode::Primitive, call).await.map_err(|error| broken(&error))?;
        match &reply.error {
            Some(error) if error.infrastructure => Err(Spoiled::Testbed(error.message.clone())),
            _ => Ok(reply),
        }
    }
}

#[async_trait]
impl Benchmark for DragBenchmark {
    type Detail = DragDetail;

    async fn attempt(&self, item: &str, attempt: u32, folder: &TrialFolder) -> Result<Ended<DragDetail>, Spoiled> {
        let staged = self.scenes.get(item).ok_or_else(|| TrialsError::Item {
            item: item.to_owned(),
            reason: "the scene is not there any more".to_owned(),
        })?;
        let visit = async |handle: &SessionHandle| Ok(self.trial(staged, handle, attempt, folder).await);
        let owner = self.options.outside.as_ref().map(|outside| outside.owner(item, attempt));
        with_session_of(&self.sessions, owner, visit).await.map_err(|error| spoiled(&staged.scene, &error))?
    }

    fn reason(&self, record: &TrialRecord<DragDetail>) -> Option<String> {
        record.error.clone().or_else(|| record.detail.as_ref()?.reason())
    }
}

/// A scene that can't be set up is wrong, unless the machine is.
fn spoiled(scene: &Scene, error: &DragError) -> Spoiled {
    if error.blame() == Blame::Input {
        return TrialsError::Item { item: scene.id.clone(), reason: error.to_string() }.into();
    }
    Spoiled::Testbed(error.to_string())
}
