//! Asking for a drag: the scene is set up, an agent answers with a drag, and it is made.
//!
//! Parts: `setting` is what help an agent gets; `screen` asks the page; `question` makes prompt and picture; `decide` has
//! an agent answer; `outside` finds the drag that a program made over HTTP instead.

mod decide;
mod outside;
mod question;
mod screen;
mod setting;

use std::sync::Arc;

use serde_json::{Map, Value, json};

pub use self::decide::Decider;
use self::decide::{centre, random};
pub(super) use self::decide::{middle, oracle, start_of};
pub use self::outside::Outside;
use self::outside::{drag_in, left_behind};
use self::question::Shown;
pub use self::question::prompts;
use self::screen::{Seen, boxes, broken, look, watch};
pub use self::setting::{Help, Setting};
use super::measure::{DragDetail, GroundTruth, measured, requested_by};
use super::{DragError, Drags, PublishedPoints, Scene, Stage};
use crate::action::perform;
use crate::agent::{DragAnswer, Question, QuestionPrompts, Response, Spot, read_drag};
use crate::experiment::{Ended, RunError};
use crate::model::codes::voids;
use crate::model::{ActionCall, ActionReply, Blame, Coded as _, Cost, Mode, Outcome};
use crate::perceive::Convention;
use crate::session::{SessionError, SessionHandle};
use crate::store::{AttemptDir, StoreError};

/// How trials are made.
#[derive(Debug, Clone)]
pub struct Options {
    /// What help is given.
    pub setting: Setting,
    /// How it is asked.
    pub prompts: QuestionPrompts,
    /// What the agent's coordinates mean.
    pub convention: Convention,
    pub decider: Decider,
    /// Where sessions can be reached over HTTP, for programs that drag on their own.
    pub outside: Option<Outside>,
}

/// A scene with what a trial at it needs.
#[derive(Debug, Clone)]
pub struct Staged {
    pub scene: Scene,
    pub sb3: Arc<Vec<u8>>,
    /// What was published of its regions: then starts and ends are measured by these points, as the reference does.
    pub published: Option<PublishedPoints>,
}

enum Decision {
    /// Make this drag.
    Drag(DragAnswer),
    /// The agent made this drag itself, and it is over.
    Made(Box<ActionReply>),
    None {
        outcome: Outcome,
        error: String,
    },
}

/// Why there is no attempt, for reasons that are not the agent's.
#[derive(Debug, thiserror::Error)]
pub(super) enum Spoiled {
    /// The testbed broke; another try may not meet that.
    #[error("{0}")]
    Testbed(String),
    /// No attempt is possible like this.
    #[error(transparent)]
    Stop(#[from] RunError),
}

impl From<StoreError> for Spoiled {
    fn from(error: StoreError) -> Self {
        Self::Stop(error.into())
    }
}

impl Drags {
    /// Sets a scene up, asks for a drag, makes and measures it.
    pub(super) async fn trial(
        &self,
        staged: &Staged,
        handle: &SessionHandle,
        attempt: u32,
        folder: &AttemptDir,
    ) -> Result<Ended<Option<DragDetail>>, Spoiled> {
        let Staged { scene, sb3, published } = staged;
        let mut stage = Stage::new(handle, scene, Arc::clone(sb3));
        stage.set_up().await.map_err(|error| spoiled(scene, &error))?;
        let regions = self.regions_of(staged, &stage).await.map_err(|error| spoiled(scene, &error))?;
        let truth = GroundTruth::of(&regions, published.as_ref());
        let seen = look(handle, self.options.setting.element_list).await?;
        let before = stage.links().await.map_err(|error| spoiled(scene, &error))?;
        watch(handle, true).await?;
        let (decision, cost) = self.decide(scene, handle, &truth, attempt, &seen, folder).await?;
        // They are the answer, and the program that is asked may be able to read this folder.
        folder.keep_json("regions.json", &regions)?;
        let allowed = u64::from(matches!(decision, Decision::Made(_)));
        let (answer, reply, elements) = match decision {
            Decision::None { outcome, error } => {
                return Ok(Ended { outcome, error: Some(error), cost, detail: None });
            }
            // A program that drags by itself has looked by itself too: its numbers refer to lists that are not known here.
            Decision::Made(reply) => (requested_by(&reply), Ok(*reply), &[][..]),
            Decision::Drag(answer) => (answer, self.drag(handle, answer).await, &seen.elements[..]),
        };
        let done = async {
            let reply = reply?;
            let steps = watch(handle, false).await?.steps;
            let after = stage.links().await.map_err(|error| spoiled(scene, &error))?;
            let picture = stage.picture().await.map_err(|error| spoiled(scene, &error))?;
            Ok::<_, Spoiled>((reply, steps, after, picture))
        };
        let done = done.await;
        // What it does now is none of its answer, whatever has come of it.
        if self.has_gone_on(handle, allowed).await {
            let error = Some("the program went on after its answer".to_owned());
            return Ok(Ended { outcome: Outcome::Failed, error, cost, detail: None });
        }
        let (reply, steps, after, picture) = done?;
        folder.keep("after.png", &picture)?;
        let made = scene.made(&regions, &before, &after);
        let outcome = if made { Outcome::Passed } else { Outcome::Failed };
        let error = reply.error.as_ref().map(|error| format!("{}: {}", error.code, error.message));
        Ok(Ended { outcome, error, cost, detail: Some(measured(&truth, answer, (&reply, elements), steps, made)) })
    }

    async fn decide(
        &self,
        scene: &Scene,
        handle: &SessionHandle,
        truth: &GroundTruth<'_>,
        attempt: u32,
        seen: &Seen,
        folder: &AttemptDir,
    ) -> Result<(Decision, Cost), Spoiled> {
        let wrong = |reason: String| RunError::Item { item: scene.id.to_string(), reason };
        let regions = truth.regions;
        let start = truth.start().ok_or_else(|| wrong("its start region is empty".to_owned()))?;
        let shown = Shown {
            instruction: &scene.instruction,
            setting: self.options.setting,
            convention: self.options.convention,
            start,
            elements: &seen.elements,
        };
        let picture = shown.picture(&seen.picture).map_err(|error| wrong(error.to_string()))?;
        folder.keep("seen.png", &picture)?;
        let built_in = |answer: Option<DragAnswer>| match answer {
            Some(answer) => Decision::Drag(answer.map_points(|point| self.options.convention.to_model(point))),
            None => Decision::None { outcome: Outcome::Failed, error: "there is no such drag".to_owned() },
        };
        let decision = match &self.options.decider {
            Decider::Oracle => built_in(truth.best()),
            Decider::Random { seed } => built_in(Some(random(*seed, scene.id.as_str(), attempt))),
            Decider::Centre => built_in(boxes(handle, scene, regions, start).await?.map(centre)),
            Decider::Asked(asker) => {
                let texts = shown.texts(&self.options.prompts);
                let (system, user) = texts.map_err(|error| wrong(error.to_string()))?;
                let question = Question {
                    system,
                    user,
                    pictures: vec![picture],
                    about: self.about(scene, handle, attempt),
                    ..Question::default()
                };
                folder.keep_json("asked.json", &json!({"system": question.system, "user": question.user}))?;
                return match asker.ask(&question).await {
                    Ok(reply) => self.answered(handle, reply, folder).await,
                    Err(error) if error.is_final() => Err(RunError::from(error).into()),
                    Err(error) => {
                        let cost = error.cost();
                        Ok((Decision::None { outcome: Outcome::CallFailed, error: error.to_string() }, cost))
                    }
                };
            }
        };
        Ok((decision, Cost::default()))
    }

    /// The decision in an answer: a drag that was made over HTTP meanwhile, or one in its text.
    async fn answered(
        &self,
        handle: &SessionHandle,
        Response { text, cost, .. }: Response,
        folder: &AttemptDir,
    ) -> Result<(Decision, Cost), Spoiled> {
        folder.keep("answer.txt", text.as_bytes())?;
        let none = |outcome, error: &str| Decision::None { outcome, error: error.to_owned() };
        if self.options.outside.is_some() {
            let Ok(log) = self.sessions.log(handle.id()).await else {
                return Ok((none(Outcome::Failed, "the program has ended its session"), cost));
            };
            match left_behind(handle).await {
                Err(error) if voids(error.code()) => return Err(broken(&error)),
                Err(error) => return Ok((none(Outcome::Failed, &error.to_string()), cost)),
                Ok(()) => {}
            }
            match drag_in(&log.outside_acts()) {
                Ok(Some(reply)) => return Ok((Decision::Made(Box::new(reply)), cost)),
                Ok(None) => {}
                Err(error) => return Ok((none(Outcome::Failed, &error), cost)),
            }
        }
        let decision = match read_drag(&text, self.options.setting.element_list) {
            None => none(Outcome::Unreadable, "the answer has no drag that can be read"),
            Some(answer) if answer.has_index() && !self.options.setting.element_list => {
                none(Outcome::Unreadable, "the answer names elements by number, and there was no list")
            }
            Some(answer) => Decision::Drag(answer),
        };
        Ok((decision, cost))
    }

    /// Whether the program that was asked has acted more often than this, or has ended its session.
    async fn has_gone_on(&self, handle: &SessionHandle, allowed: u64) -> bool {
        if self.options.outside.is_none() {
            return false;
        }
        match self.sessions.log(handle.id()).await {
            Ok(log) => log.outside_acts().count > allowed,
            // It expires by a clock, which says nothing of the program.
            Err(error) => !matches!(error, SessionError::Expired(_)),
        }
    }

    /// What programs receive beside the question.
    fn about(&self, scene: &Scene, handle: &SessionHandle, attempt: u32) -> Map<String, Value> {
        let mut about = Map::new();
        about.insert("benchmark".to_owned(), json!("drag"));
        about.insert("item".to_owned(), json!(scene.id));
        about.insert("attempt".to_owned(), json!(attempt));
        about.insert("instruction".to_owned(), json!(scene.instruction));
        if let Some(outside) = &self.options.outside {
            about.insert("url".to_owned(), json!(outside.url));
            about.insert("token".to_owned(), json!(outside.token(scene.id.as_str(), attempt)));
            about.insert("session".to_owned(), json!(handle.id()));
        }
        about
    }

    /// Makes a drag as answered, by the action that agents call.
    async fn drag(&self, handle: &SessionHandle, answer: DragAnswer) -> Result<ActionReply, Spoiled> {
        let mut args = Map::new();
        for (end, spot) in [("start", answer.start), ("end", answer.end)] {
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
            // What a program did in its session may have brought it about; a model has done nothing there.
            Some(error) if voids(&error.code) || (error.infrastructure && self.options.outside.is_none()) => {
                Err(Spoiled::Testbed(error.message.clone()))
            }
            _ => Ok(reply),
        }
    }
}

/// A scene that can't be set up is at fault, unless the machine is.
pub(super) fn spoiled(scene: &Scene, error: &DragError) -> Spoiled {
    if error.blame() == Blame::Input {
        return RunError::Item { item: scene.id.to_string(), reason: error.to_string() }.into();
    }
    Spoiled::Testbed(error.to_string())
}
