//! The tools around actions: list tasks, begin an attempt, hand it in, end its session.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::bench::Bench;
use super::error::ToolError;
use super::schema;
use crate::model::{Category, Mode, ModeTaskView, Verdict};
use crate::session::{AttemptEnd, LoadReport, SessionInfo};

/// What an agent is told in place of a verdict. How a researcher gets it is not for agents: it would be an invitation.
const NOT_TOLD: &str = "The project is handed in. Its verdict is not told to you.";

/// How long bringing a project out of the editor may take.
const EXPORT_LIMIT: std::time::Duration = std::time::Duration::from_secs(30);

/// A task in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TaskLine {
    /// Its name.
    id: String,
    /// Which of the four kinds it is.
    category: Category,
    /// What it is in a few words.
    title: String,
}

/// The mode to go on in.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SwitchMode {
    /// Mouse and keyboard on pixels, or operations on blocks.
    pub mode: Mode,
}

/// The mode that a connection is in.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Switched {
    /// The mode.
    pub mode: Mode,
    /// The tools that there are now.
    pub tools: Vec<String>,
}

/// All tasks.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TaskLines {
    /// By category and name.
    tasks: Vec<TaskLine>,
}

/// Arguments of a tool that takes none.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// What to begin with.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StartTask {
    /// The task, by the name that `list_tasks` tells. Without it the server's own task, if it was started for one,
    /// else the editor's default project.
    #[serde(default)]
    pub task: Option<String>,
    /// Answer each action with what it hit, focused, moved and changed.
    #[serde(default)]
    pub report: bool,
}

/// An attempt that has begun.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Started {
    /// Its session; pass it to every other tool.
    session: String,
    /// What is to be done, and how long it may take.
    task: Option<ModeTaskView>,
    /// What loading its project showed.
    load: LoadReport,
}

/// Which session is meant.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfSession {
    /// From `start_task`; the one begun last if left out.
    #[serde(default)]
    pub session: Option<String>,
}

/// An attempt that was handed in.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Submitted {
    /// Its session, which still holds the project.
    session: String,
    /// Actions that the attempt took.
    steps: u32,
    /// The verdict, where it is told.
    verdict: Option<Verdict>,
    /// Why it is not told.
    not_told: Option<String>,
}

/// A session that has ended.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Ended {
    /// Its name.
    session: String,
}

/// The tools of this file.
pub(super) fn tools() -> Vec<Tool> {
    let looks = ToolAnnotations::new().read_only(true).open_world(false);
    let acts = ToolAnnotations::new().read_only(false).destructive(false).open_world(false);
    vec![
        tool::<Nothing, TaskLines>("list_tasks", "List the tasks that can be attempted.", looks),
        tool::<StartTask, Started>(
            "start_task",
            "Begin an attempt at a task in an editor of its own. Returns the `session` for all other tools and the \
             instruction: what is to be done.",
            acts.clone(),
        ),
        tool::<OfSession, Submitted>(
            "submit",
            "Hand the project in as it is now. Ends the attempt; the verdict is told where judging is offered.",
            acts.clone(),
        ),
        tool::<OfSession, Ended>(
            "end_session",
            "Close a session that is not needed any more. Its project is gone afterwards.",
            acts.destructive(true),
        ),
    ]
}

/// The tool of connections that can act in either way.
pub(super) fn switch_tool(structured: bool) -> Tool {
    let hints = ToolAnnotations::new().read_only(false).destructive(false).open_world(false);
    let mut tool = tool::<SwitchMode, Switched>(
        "switch_mode",
        "Go on with the tools of the other mode: mouse and keyboard (`primitive`) or operations on blocks (`composite`). \
         The session and its project stay. Lists the tools that there are then.",
        hints,
    );
    if !structured {
        tool.output_schema = None;
    }
    tool
}

fn tool<I: JsonSchema, O: JsonSchema>(name: &'static str, doc: &'static str, hints: ToolAnnotations) -> Tool {
    let mut input = schema::of::<I>();
    input.shift_remove("description");
    schema::lean(&mut input);
    Tool::new(name, doc, Arc::new(input)).with_raw_output_schema(Arc::new(schema::of::<O>())).with_annotations(hints)
}

/// The arguments of one of these tools.
pub(super) fn read<T: for<'de> Deserialize<'de>>(args: Map<String, Value>) -> Result<T, ToolError> {
    serde_json::from_value(Value::Object(args)).map_err(|error| ToolError::Arguments(error.to_string()))
}

/// `list_tasks`.
pub(super) fn list(bench: &Bench) -> TaskLines {
    let line = |task: &crate::model::Task| TaskLine {
        id: task.id.to_string(),
        category: task.category,
        title: task.title.clone(),
    };
    TaskLines { tasks: bench.tasks.all().iter().map(|entry| line(&entry.task)).collect() }
}

/// The list as a text: a heading a category, a line a task.
pub(super) fn in_lines(list: &TaskLines) -> String {
    let mut lines = Vec::new();
    for (at, task) in list.tasks.iter().enumerate() {
        if at == 0 || list.tasks.get(at - 1).is_some_and(|before| before.category != task.category) {
            lines.push(format!("# {}", task.category));
        }
        lines.push(format!("{}: {}", task.id, task.title));
    }
    lines.join("\n")
}

/// `start_task`, after it has begun, for an agent that acts in this mode.
pub(super) fn started(bench: &Bench, attempt: SessionInfo, mode: Mode) -> Result<Started, ToolError> {
    let task = attempt.task.as_deref().map(|id| bench.tasks.find(id)).transpose()?;
    let task = task.map(|entry| ModeTaskView::in_mode(&entry.task, mode));
    Ok(Started { session: attempt.id, task, load: attempt.load })
}

/// `submit`, by a caller with this `Authorization` header.
pub(super) async fn submit(
    bench: &Bench,
    attempt: SessionInfo,
    authorization: Option<&str>,
) -> Result<Submitted, ToolError> {
    let entry = match &attempt.task {
        Some(task) => bench.tasks.find(task)?,
        None => return Err(ToolError::NoTask),
    };
    // Over every transport: with a verdict told, another one on an altered project would be an oracle.
    let handle = bench.sessions.get(&attempt.id).await?;
    handle.end_attempt(AttemptEnd::Submitted);
    let steps = handle.attempt().map_or(0, |attempt| attempt.steps);
    let mut submitted = Submitted { session: attempt.id, steps, verdict: None, not_told: None };
    if (bench.may_judge)(authorization).is_err() {
        submitted.not_told = Some(NOT_TOLD.to_owned());
        return Ok(submitted);
    }
    let project = handle.run(EXPORT_LIMIT, |live| Box::pin(live.export())).await??;
    let sb3 = project.write().map_err(crate::session::SessionError::from)?;
    submitted.verdict = Some(bench.judge.judge(entry, &sb3).await?);
    Ok(submitted)
}

/// `end_session`.
pub(super) async fn end(bench: &Bench, attempt: SessionInfo) -> Result<Ended, ToolError> {
    bench.sessions.delete(&attempt.id).await?;
    Ok(Ended { session: attempt.id })
}
