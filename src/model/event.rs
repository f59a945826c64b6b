//! Events of a session's log: what was asked, what the page received, what changed, what was seen.
//!
//! A log is a list of [`Event`]s in the order in which they were noted. Times are milliseconds on the
//! session's one clock, which begins when the session does and never jumps; the wall time of its beginning is
//! in the first event. What the page received is noted after the action that caused it, so `at_ms` may be
//! lower than that of the event before. The format is versioned: logs outlive code.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Coded, EditorGeneration, Element, Extras, Mode, SettleReason, StageSize};

/// Version of the log format. Raise it with any change that an older reader would misread.
pub const LOG_FORMAT: u32 = 1;

/// One event of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// Number of the event within its session, from 1 without gaps.
    pub seq: u64,
    /// When it happened, in milliseconds since the session began.
    pub at_ms: f64,
    /// The `seq` of the request in whose window it happened; absent outside of requests.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request: Option<u64>,
    /// What happened.
    #[serde(flatten)]
    pub what: EventKind,
}

/// What happened. `kind` names it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EventKind {
    /// The session began; always the first event.
    Opened(Opened),
    /// A call began.
    Request(RequestEvent),
    /// A call was answered; `request` says which.
    Reply(ReplyEvent),
    /// The page received an input event.
    Input(InputEvent),
    /// The block workspace notified the VM of a change.
    Workspace(WorkspaceEvent),
    /// The VM changed otherwise.
    Vm(VmEvent),
    /// The program is another one than before.
    Program(ProgramEvent),
    /// The page was looked at.
    Observation(ObservationEvent),
    /// A picture that was taken only for the recording.
    Frame(FrameEvent),
    /// The session lost its page, or got another.
    Page(PageChange),
    /// A JavaScript dialog was answered.
    Dialog(DialogEvent),
    /// The page saw more than it could keep between two calls.
    Dropped(DroppedEvent),
    /// The session ended; always the last event.
    Closed(ClosedEvent),
}

/// How a session began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Opened {
    /// Version of the log's format; [`LOG_FORMAT`].
    pub format: u32,
    /// The session's name.
    pub session: String,
    /// The task it was created for, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub task: Option<String>,
    /// How large the stage is shown; large if absent.
    #[serde(skip_serializing_if = "StageSize::is_large", default)]
    pub stage: StageSize,
    /// What it has beyond the published benchmark; absent when that is nothing.
    #[serde(skip_serializing_if = "Extras::is_none", default)]
    pub extras: Extras,
    /// The editor that its page shows; the current one if absent.
    #[serde(skip_serializing_if = "EditorGeneration::is_current", default)]
    pub editor: EditorGeneration,
    /// Wall time at 0 ms, in seconds since 1970.
    pub started_at: f64,
    /// Version of scratchbed.
    pub version: String,
    /// Product string of the browser.
    pub browser: String,
    /// Digest of the program that it began with.
    pub program: String,
}

/// A call as it began.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequestEvent {
    /// The action's name, or `load_project`, `reset`, `export_project`, `screenshot`, `page_script`, `job`.
    pub api: String,
    /// The mode of an action; absent for anything but an action.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mode: Option<Mode>,
    /// The arguments as received.
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub args: Map<String, Value>,
    /// The observation that the caller decided on, if given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub observation: Option<String>,
    /// Whether the caller asked for a report, or for none, if given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub report: Option<bool>,
    /// Why the agent did this, in its own words, if given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// Its transport: `http`, `compat`, `mcp`, `in_process`.
    pub caller: String,
    /// How long it waited for its turn, in milliseconds.
    pub waited_ms: f64,
}

/// How a call was answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplyEvent {
    /// `ok`, or the stable code of the failure.
    pub code: String,
    /// What went wrong, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<String>,
    /// From the turn's beginning to the answer, in milliseconds.
    pub duration_ms: f64,
    /// How long the editor was waited for, in milliseconds; absent for what is not followed by a wait.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub settle_ms: Option<f64>,
    /// Why that wait ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub settle: Option<SettleReason>,
    /// The arguments as carried out, of an action that succeeded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub executed: Option<Map<String, Value>>,
    /// What the action returned; absent for observations, which have their own event.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub data: Option<Value>,
}

impl ReplyEvent {
    /// The answer to a call that failed.
    pub fn failed(error: &impl Coded) -> Self {
        Self { code: error.code().to_owned(), message: Some(error.to_string()), ..Self::default() }
    }
}

/// An input event as the page received it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InputEvent {
    /// The DOM event's type: `pointermove`, `pointerdown`, `pointerup`, `wheel`, `keydown`, `keyup`, `input`, …
    #[serde(rename = "type")]
    pub name: String,
    /// Whether the browser made it from real input (`isTrusted`); false for what a script dispatched.
    pub trusted: bool,
    /// Pixels from the left of the viewport, of a pointer event.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub x: Option<f64>,
    /// Pixels from the top of the viewport, of a pointer event.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub y: Option<f64>,
    /// The button that changed: 0 left, 1 middle, 2 right, -1 none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub button: Option<i32>,
    /// The buttons that are down, as bits: 1 left, 2 right, 4 middle.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub buttons: Option<u32>,
    /// How far the wheel turned to the right and down, in pixels.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wheel: Option<(f64, f64)>,
    /// The key, as `KeyboardEvent.key` names it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub key: Option<String>,
    /// What text input did, such as `insertText`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input_type: Option<String>,
    /// What received it: tag, id or title, and the block's id inside of a workspace.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub target: Option<String>,
}

/// A change of which the block workspace notified the VM.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkspaceEvent {
    /// What kind: `create`, `delete`, `change`, `move`, `var_create`, `var_rename`, `var_delete`, `comment_create`, …
    pub change: String,
    /// Name of the sprite or stage whose blocks these are.
    pub sprite: String,
    /// The blocks that it concerns, the first one first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub blocks: Vec<BlockRef>,
    /// More about it, by kind: `parent`, `input`, `x`, `y` of a move; `element`, `name`, `value` of a change; …
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub detail: Map<String, Value>,
}

/// A block by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockRef {
    /// Its id within the project.
    pub id: String,
    /// What it is, such as `motion_movesteps`; empty when it is already gone.
    pub opcode: String,
}

/// A change of the VM that did not come from the block workspace.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VmEvent {
    /// What kind: `loaded`, `targets`, `editing_target`, `green_flag`, `stop`, `run_start`, `run_stop`,
    /// `project_changed`, or `blocks` for blocks that were altered without the workspace.
    pub change: String,
    /// More about it, by kind.
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub detail: Map<String, Value>,
}

/// The program has changed: blocks, variables, costumes, sounds or sprites; values and positions aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramEvent {
    /// Digest of the program as it is now.
    pub program: String,
    /// Names of the sprites that changed, are new or are gone.
    pub sprites: Vec<String>,
}

/// A look at the page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ObservationEvent {
    /// Number of the observation within its session, from 1.
    pub number: u64,
    /// The picture: its SHA-256, by which it can be fetched.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub image: Option<String>,
    /// Media type of the picture.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub media_type: Option<String>,
    /// The picture's region of the page; absent for one of the whole viewport.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<PicturePlace>,
    /// The numbered elements, as the agent was shown them; absent when it was shown none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub elements: Option<Vec<Element>>,
    /// The whole observation as text, of composite mode; also the element table of the published system.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
}

/// A picture's region of the page: its pixel (px, py) is the viewport's (left + px / scale, top + py / scale).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PicturePlace {
    /// The viewport pixel at its left edge.
    pub left: i32,
    /// The viewport pixel at its top edge.
    pub top: i32,
    /// Pixels of the picture for one of the viewport.
    pub scale: f64,
}

/// A picture taken without a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FrameEvent {
    /// The picture: its SHA-256, by which it can be fetched.
    pub image: String,
    /// Media type of the picture.
    pub media_type: String,
}

/// What became of a session's page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageChange {
    /// `lost`, `recovered`, `not_recovered` or `replaced`.
    pub change: String,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// A dialog that was answered so that it could not freeze the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DialogEvent {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub dialog: String,
    /// What it said.
    pub message: String,
}

/// Events that are missing here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DroppedEvent {
    /// How many, all later than those that were kept.
    pub count: u64,
}

/// How a session ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClosedEvent {
    /// Digest of the last known program.
    pub program: String,
    /// What ended the session; absent in older logs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<CloseReason>,
    /// How the attempt stood; absent for a session that is not an attempt, and in older logs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub attempt: Option<AttemptState>,
}

/// What ended a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// It was deleted.
    Deleted,
    /// It was not called for as long as its lease.
    Expired,
    /// The server ended.
    ShutDown,
}

/// How an attempt stands: going on, ended by the agent, or at its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptState {
    /// The agent may continue.
    Open,
    /// The agent declared the task done.
    Done,
    /// The agent gave up.
    GaveUp,
    /// The agent handed the project in.
    Submitted,
    /// All steps are taken.
    StepLimit,
    /// The time is up.
    WallLimit,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_event_is_one_flat_object_with_its_kind() {
        let input =
            InputEvent { name: "wheel".into(), trusted: true, wheel: Some((0.0, 100.0)), ..InputEvent::default() };
        let event = Event { seq: 3, at_ms: 12.5, request: Some(2), what: EventKind::Input(input) };
        let value = serde_json::to_value(&event).unwrap();
        let expected = json!({
            "seq": 3, "at_ms": 12.5, "request": 2, "kind": "input", "type": "wheel", "trusted": true, "wheel": [0.0, 100.0]
        });
        assert_eq!(value, expected);
        assert_eq!(serde_json::from_value::<Event>(value).unwrap(), event);
    }
}
