//! The tools around actions: list tasks, begin an attempt, hand it in, end its session.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::backend::Backend;
use super::error::ToolError;
use crate::action::tool_schema as schema;
use crate::model::{Category, Mode, ModeTaskView, Verdict, parser_words};
use crate::session::{AttemptEnd, LoadReport, SessionInfo};

/// What an agent gets in place of a verdict. It does not say how a researcher gets one: that would be an invitation.
const NOT_TOLD: &str = "The project is handed in. Its verdict is not shown to you.";

/// How long bringing a project out of the editor may take.
const EXPORT_LIMIT: Duration = Duration::from_secs(30);

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

/// Which tasks to list.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListTasks {
    /// Those of one kind; all if left out.
    #[serde(default)]
    pub category: Option<Category>,
}

/// The longest lease that can be asked for: a day, as over HTTP.
const LONGEST_LEASE_S: f64 = 86_400.0;

/// A lease of this many seconds.
pub(super) fn lease(seconds: f64) -> Result<Duration, ToolError> {
    if (1.0..=LONGEST_LEASE_S).contains(&seconds) {
        return Ok(Duration::from_secs_f64(seconds));
    }
    Err(ToolError::Arguments(format!("`lease_s`: {seconds} is not between 1 and {LONGEST_LEASE_S}")))
}

/// What to begin with.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StartTask {
    /// The task, by its name in `list_tasks`. Without it the server's own task, if it was started for one,
    /// else the editor's default project.
    #[serde(default)]
    pub task: Option<String>,
    /// Answer each action with what it hit, focused, moved and changed.
    #[serde(default)]
    pub report: bool,
    /// Seconds without a call after which the session ends, at most a day.
    #[serde(default)]
    pub lease_s: Option<f64>,
}

/// An attempt that has begun.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Started {
    /// Its session; pass it to every other tool.
    session: String,
    /// Seconds without a call after which it ends.
    lease_s: f64,
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
    /// The verdict, if the caller gets it.
    verdict: Option<Verdict>,
    /// Why there is no verdict.
    not_told: Option<String>,
}

/// A session that has ended.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Ended {
    /// Its name.
    session: String,
}

pub(super) fn tools() -> Vec<Tool> {
    let looks = ToolAnnotations::new().read_only(true).open_world(false);
    let acts = ToolAnnotations::new().read_only(false).destructive(false).open_world(false);
    vec![
        tool::<ListTasks, TaskLines>("list_tasks", "List the tasks that can be attempted.", looks),
        tool::<StartTask, Started>(
            "start_task",
            "Begin an attempt at a task in an editor of its own. Returns the `session` for all other tools and the \
             instruction: what is to be done.",
            acts.clone(),
        ),
        tool::<OfSession, Submitted>(
            "submit",
            "Hand the project in as it is now. Ends the attempt; returns the verdict where judging is offered.",
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

pub(super) fn tool<I: JsonSchema, O: JsonSchema>(
    name: &'static str,
    doc: &'static str,
    hints: ToolAnnotations,
) -> Tool {
    let mut input = schema::of::<I>();
    input.shift_remove("description");
    schema::lean(&mut input);
    Tool::new(name, doc, Arc::new(input)).with_raw_output_schema(Arc::new(schema::of::<O>())).with_annotations(hints)
}

/// The arguments of one of these tools.
pub(super) fn read<T: for<'de> Deserialize<'de>>(args: Map<String, Value>) -> Result<T, ToolError> {
    serde_json::from_value(Value::Object(args)).map_err(|error| ToolError::Arguments(parser_words(&error.to_string())))
}

/// `list_tasks`.
pub(super) fn list(backend: &Backend, category: Option<Category>) -> TaskLines {
    let line = |task: &crate::model::Task| TaskLine {
        id: task.id.to_string(),
        category: task.category,
        title: task.title.clone(),
    };
    let tasks = backend.tasks.all().iter().map(|entry| &entry.task);
    TaskLines {
        tasks: tasks.filter(|task| category.is_none_or(|category| task.category == category)).map(line).collect(),
    }
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
pub(super) fn started(backend: &Backend, attempt: SessionInfo, mode: Mode) -> Result<Started, ToolError> {
    let task = attempt.task.as_deref().map(|id| backend.tasks.find(id)).transpose()?;
    let task = task.map(|entry| ModeTaskView::in_mode(&entry.task, mode));
    Ok(Started { session: attempt.id, lease_s: attempt.lease_s, task, load: attempt.load })
}

/// `submit`, by a caller with this `Authorization` header.
pub(super) async fn submit(
    backend: &Backend,
    attempt: SessionInfo,
    authorization: Option<&str>,
) -> Result<Submitted, ToolError> {
    let entry = match &attempt.task {
        Some(task) => backend.tasks.find(task)?,
        None => return Err(ToolError::NoTask),
    };
    // Over every transport: after a verdict is returned, another one on a changed project would be an oracle.
    let handle = backend.sessions.get(&attempt.id).await?;
    handle.end_attempt(AttemptEnd::Submitted);
    let steps = handle.attempt().map_or(0, |attempt| attempt.steps);
    let mut submitted = Submitted { session: attempt.id, steps, verdict: None, not_told: None };
    if (backend.may_judge)(authorization).is_err() {
        submitted.not_told = Some(NOT_TOLD.to_owned());
        return Ok(submitted);
    }
    let project = handle.run(EXPORT_LIMIT, |live| Box::pin(live.export())).await??;
    let sb3 = project.write().map_err(crate::session::SessionError::from)?;
    submitted.verdict = Some(backend.judge.judge(entry, &sb3).await?);
    Ok(submitted)
}

/// `end_session`.
pub(super) async fn end(backend: &Backend, attempt: SessionInfo) -> Result<Ended, ToolError> {
    backend.sessions.delete(&attempt.id).await?;
    Ok(Ended { session: attempt.id })
}
