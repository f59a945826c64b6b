//! The oracle that works with the mouse: it knows a task's initial and golden projects, and otherwise has what any
//! agent in primitive mode has, which is element lists to look at, and mouse and keyboard.
//!
//! `plan` says which blocks go where; `sheet` is what should be on the canvas; `matching` recognises it on the screen;
//! `drops`, `fields` and `dialogs` do things until they are seen to be done. Nothing here sees blocks' ids, pages
//! or judges.

mod colour;
mod dialogs;
mod drops;
mod fields;
mod groups;
mod joints;
mod layout;
mod matching;
mod palette;
mod plan;
mod player;
mod program;
mod reading;
mod scene;
mod sheet;
mod sight;
mod turn;
mod words;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Map, Value, json};

use self::player::{Counts, Stuck};
use self::program::{Work, work};
use self::scene::Scene;
use self::turn::{Sight, Step, Turns};
use super::derive::DeriveError;
use crate::model::{ActionCall, ActionReply};
use crate::project::Project;

/// What the mouse oracle would have to do, from a task's projects. Attempts are begun from it.
#[derive(Debug, Clone)]
pub struct MousePlan(Arc<Vec<Work>>);

impl MousePlan {
    /// Plans how `initial` becomes `golden`.
    ///
    /// # Errors
    /// When the projects differ in more than blocks, new variables and new lists.
    pub fn new(initial: &Project, golden: &Project) -> Result<Self, DeriveError> {
        Ok(Self(Arc::new(work(initial, golden)?)))
    }
}

/// Plays a task with the mouse, one action a step.
pub struct Mouse {
    turns: Turns<Scene, Result<(), Stuck>>,
    counts: Arc<Counts>,
    has_ended: bool,
}

impl fmt::Debug for Mouse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mouse")
            .field("counts", &self.counts)
            .field("has_ended", &self.has_ended)
            .finish_non_exhaustive()
    }
}

impl Mouse {
    pub fn begin(plan: &MousePlan) -> Self {
        let counts = Arc::new(Counts::default());
        let (works, shared) = (plan.0.clone(), counts.clone());
        let turns = Turns::begin(|channel| program::play(channel, works, shared));
        Self { turns, counts, has_ended: false }
    }

    /// The next action, given the data of an observation made just now and the reply to the last action. `done` when
    /// everything is as in the golden project, `failed` when that can't be reached.
    pub fn next(&mut self, observation: &Value, last: Option<&ActionReply>) -> ActionCall {
        if self.has_ended {
            return ending("failed", Some("the attempt is over".to_owned()));
        }
        let error =
            last.and_then(|reply| reply.error.as_ref()).map(|error| format!("{} ({})", error.message, error.code));
        let step = self.turns.next(Sight { seen: Scene::read(observation), error });
        if let Some(Step::Act(call)) = step {
            return call;
        }
        self.has_ended = true;
        match step {
            Some(Step::End(Ok(()))) => ending("done", None),
            Some(Step::End(Err(stuck))) => ending("failed", Some(stuck.to_string())),
            Some(Step::Act(_)) | None => ending("failed", Some("the plan came to a halt".to_owned())),
        }
    }

    /// Actions that did not have the intended effect.
    pub fn misses(&self) -> u32 {
        self.counts.misses.load(Ordering::Relaxed)
    }

    /// Number of retries in another way.
    pub fn replans(&self) -> u32 {
        self.counts.replans.load(Ordering::Relaxed)
    }
}

fn ending(api: &str, reason: Option<String>) -> ActionCall {
    let args = reason.map(|reason| ("reason".to_owned(), json!(reason)));
    ActionCall::new(api, Map::from_iter(args))
}
