//! The worker: one subtask, a round at a time. It looks back at what it did, decides, and has places found.

use serde_json::{Value, json};

use super::answer::{Decided, decided, outline, read};
use super::desk::Desk;
use super::graph::Subtask;
use super::ground::{Place, places, put, read_point};
use super::knowledge::{Kind, Knowledge};
use super::manager::{Manager, Situation, nearest, shown, unusable};
use super::prompts::{Part, Prompts};
use super::talk::Talk;
use crate::action::actions_by_description;
use crate::agent::AgentError;
use crate::agent::asking::ACT;
use crate::agent::llm::to_page;
use crate::agent::model::{Message, ModelRole, Role};
use crate::model::{ActionCall, Mode};
use crate::perceive::Convention;

/// How often a place is asked for until an answer names a point.
const GROUNDINGS: u32 = 2;

/// What the coordinates of answers mean.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conventions {
    pub(super) main: Convention,
    pub(super) ground: Convention,
}

/// What a round came to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Came {
    To(Decided),
    /// The answer can't be used.
    Nothing,
}

/// At work on a subtask.
pub(super) struct Worker {
    pub(super) subtask: Subtask,
    talk: Talk,
    /// What lessons of it are found by.
    pub(super) key: String,
}

impl Worker {
    /// Takes up a subtask, with the nearest lesson from another task.
    ///
    /// # Errors
    /// When a request has no answer, or the user's texts can't be used.
    pub(super) async fn begin(
        subtask: Subtask,
        manager: &Manager,
        desk: &mut Desk,
        (prompts, knowledge): (&Prompts, &mut Knowledge),
        instruction: &str,
    ) -> Result<Self, AgentError> {
        let key = format!("{}\nSubtask: {}\nSubtask information: {}", manager.query(), subtask.name, subtask.info);
        let key = key.trim().to_owned();
        let lesson = nearest(desk, knowledge, Kind::Episodic, instruction, &key).await?;
        let names = |all: Vec<&str>| if all.is_empty() { "none".to_owned() } else { all.join("; ") };
        let system = json!({
            "instruction": instruction,
            "subtask": subtask.name,
            "later": names(manager.queue.iter().map(|later| later.name.as_str()).collect()),
            "finished": names(manager.finished.iter().map(|done| done.name.as_str()).collect()),
            "experience": lesson.map(|lesson| json!({"key": lesson.key, "text": lesson.text})),
            "actions": actions_by_description(Mode::Primitive),
        });
        let talk = Talk::begin(prompts.fill(Part::Worker, system).map_err(|error| unusable(&error))?);
        Ok(Self { subtask, talk, key })
    }

    /// A round: looks back from the second one on, decides, and has places found.
    ///
    /// # Errors
    /// When a request has no answer, or the user's texts can't be used.
    pub(super) async fn round(
        &mut self,
        desk: &mut Desk,
        prompts: &Prompts,
        (now, elements, notes): (&Situation<'_>, Option<&str>, &[String]),
        conventions: Conventions,
    ) -> Result<Came, AgentError> {
        let first = self.talk.is_new();
        let reflection = if first { None } else { Some(self.reflect(desk, prompts, now).await?) };
        let words = json!({"reflection": reflection, "notes": notes, "first": first, "subtask": shown(&self.subtask)});
        let words = prompts.fill(Part::WorkerTurn, words).map_err(|error| unusable(&error))?;
        let all = match elements {
            Some(elements) => format!("{words}\n\n{elements}"),
            None => words.clone(),
        };
        let answer = desk.ask(ModelRole::Main, ACT, self.talk.sent(now.message(all))).await?;
        let call = read(&answer.text).map_err(|fault| fault.to_string());
        self.talk.add(words, &answer, outline(&answer.text, call.as_ref().ok()));
        let meant = call.clone().and_then(decided);
        let places = match &meant {
            Ok(Decided::Act(call)) => places(call),
            _ => Ok(Vec::new()),
        };
        let (meant, places) = match (meant, places) {
            (Ok(meant), Ok(places)) => (meant, places),
            (Err(fault), _) | (_, Err(fault)) => {
                desk.note_read(Err(fault));
                return Ok(Came::Nothing);
            }
        };
        desk.note_read(call);
        let Decided::Act(call) = meant else { return Ok(Came::To(meant)) };
        let call = to_page(call, Mode::Primitive, conventions.main);
        let found = find(desk, prompts, (now, call, places), conventions.ground).await?;
        Ok(found.map_or(Came::Nothing, |call| Came::To(Decided::Act(call))))
    }

    /// What the other model says of the rounds so far.
    async fn reflect(&self, desk: &mut Desk, prompts: &Prompts, now: &Situation<'_>) -> Result<String, AgentError> {
        let system =
            prompts.fill(Part::Reflect, json!({"subtask": shown(&self.subtask)})).map_err(|error| unusable(&error))?;
        let request = json!({"rounds": self.talk.recent()});
        let request = prompts.fill(Part::ReflectRequest, request).map_err(|error| unusable(&error))?;
        let sent = vec![Message::new(Role::System, system), now.message(request)];
        Ok(desk.ask(ModelRole::Reflect, "reflect", sent).await?.text.trim().to_owned())
    }

    /// The rounds of the subtask, in words.
    pub(super) fn outlines(&self) -> &[String] {
        self.talk.outlines()
    }
}

/// The call with points for all its places; `None` when one is not found.
async fn find(
    desk: &mut Desk,
    prompts: &Prompts,
    (now, mut call, places): (&Situation<'_>, ActionCall, Vec<Place>),
    convention: Convention,
) -> Result<Option<ActionCall>, AgentError> {
    let (width, height) = convention.size();
    for place in places {
        let request: Value = json!({"description": place.words, "width": width, "height": height});
        let request = prompts.fill(Part::Ground, request).map_err(|error| unusable(&error))?;
        let mut point = None;
        for _ in 0..GROUNDINGS {
            let answer = desk.ask(ModelRole::Ground, "ground", vec![now.message(request.clone())]).await?;
            point = read_point(&answer.text);
            if point.is_some() {
                break;
            }
            desk.note_read(Err("the answer names no point".to_owned()));
        }
        let Some(point) = point else { return Ok(None) };
        put(&mut call, &place, point, convention);
    }
    Ok(Some(call))
}
