//! The tools for faults that are mended by patches, without a session: offered where the server has a benchmark of them.

use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::backend::Backend;
use super::call::Call;
use super::error::ToolError;
use super::lifecycle::{read, tool};
use super::reply;
use crate::benchmarks::repair::{BugList, BugOptions, BugView, Desk, HandedIn, Patcher};
use crate::mend::Representation;
use crate::session::{SessionError, Viewer};

/// Nothing is asked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// Which instance, and how it is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InspectBug {
    /// Its name in `list_bugs`.
    instance: String,
    /// How the project is written; nested JSON if left out.
    #[serde(default)]
    representation: Representation,
    /// Only scripts that the report has to do with.
    #[serde(default)]
    slice: bool,
}

/// A patch of an instance.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SubmitPatch {
    /// Its name in `list_bugs`.
    instance: String,
    /// Edits, made in their order, all or none: `{"op": "remove", "sprite_id", "block_id"}`, `{"op": "add", "sprite_id",
    /// "parent", "input", "block": {"id", "opcode", "fields", "inputs"}}`, `{"op": "modify", "sprite_id", "block_id", "path",
    /// "value"}`.
    patch: Vec<Map<String, Value>>,
    /// What is wrong, in a sentence; 8 KiB at most.
    #[serde(default)]
    explanation: String,
}

const LIST: &str = "list_bugs";
const INSPECT: &str = "inspect_bug";
const SUBMIT: &str = "submit_patch";

/// Whether a tool is one of these.
pub(super) fn is_one(name: &str) -> bool {
    [LIST, INSPECT, SUBMIT].contains(&name)
}

/// The tools.
pub(super) fn tools() -> Vec<Tool> {
    let looks = ToolAnnotations::new().read_only(true).open_world(false);
    let acts = ToolAnnotations::new().read_only(false).destructive(false).open_world(false);
    vec![
        tool::<Nothing, BugList>(LIST, "List faulty projects that can be mended by patches.", looks.clone()),
        tool::<InspectBug, BugView>(
            INSPECT,
            "One faulty project: what is seen, what should be seen, and its scripts with the ids of their blocks.",
            looks,
        ),
        tool::<SubmitPatch, HandedIn>(
            SUBMIT,
            "Hand in a patch of a faulty project. Says whether it can be applied, and what it is worth where judging is \
             offered. The last one of a project counts.",
            acts,
        ),
    ]
}

/// Carries out a call of one of them; none for another tool, or where there are no faults.
pub(super) async fn call(backend: &Backend, call: &mut Call) -> Option<Result<CallToolResult, ToolError>> {
    let desk = backend.desk.as_ref()?;
    let name = [LIST, INSPECT, SUBMIT].into_iter().find(|name| *name == call.name)?;
    if Viewer::current().pass.is_some() {
        return Some(Err(SessionError::NotInAttempt(name.to_owned()).into()));
    }
    let args = std::mem::take(&mut call.args);
    Some(match name {
        LIST => read::<Nothing>(args).map(|_| reply::answered(&desk.list())),
        INSPECT => inspect(desk, args),
        _ => {
            let authorization = call.authorization.as_deref();
            let by = Patcher { owner: Viewer::current().owner, may_judge: (backend.may_judge)(authorization).is_ok() };
            submit(desk, args, &by).await
        }
    })
}

fn inspect(desk: &Desk, args: Map<String, Value>) -> Result<CallToolResult, ToolError> {
    let InspectBug { instance, representation, slice } = read(args)?;
    let view = desk.view(&instance, BugOptions { representation, slice })?;
    let report = json!(view.report);
    Ok(reply::with_text(format!("{report}\n{}", view.project), &view))
}

async fn submit(desk: &Desk, args: Map<String, Value>, by: &Patcher) -> Result<CallToolResult, ToolError> {
    let SubmitPatch { instance, patch, explanation } = read(args)?;
    let answer = json!({"patch": patch, "explanation": explanation});
    Ok(reply::answered(&desk.hand_in(&instance, &answer, by).await?))
}
