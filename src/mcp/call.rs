//! Carrying out a tool call on the session it is for.

use std::sync::Arc;

use rmcp::model::{CallToolResult, Tool};
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use super::backend::Backend;
use super::bugs;
use super::error::ToolError;
use super::lifecycle::{self, ListTasks, OfSession, StartTask, SwitchMode, Switched};
use super::reply;
use super::tools::{Offer, Toolbox};
use crate::action::{Entry, Kind, Resolved, find};
use crate::model::{ActionCall, Blame, Coded, Mode};
use crate::session::{SessionError, SessionInfo, Viewer};

/// The tool that changes a connection's mode.
pub(super) const SWITCH: &str = "switch_mode";

/// What a connection keeps between calls.
#[derive(Debug)]
pub(super) struct Connection {
    pub backend: Arc<Backend>,
    /// The tools that it can have.
    toolbox: Toolbox,
    /// Which tools it has now.
    mode: Mutex<Mode>,
    /// The session that it began last.
    current: Mutex<Option<String>>,
}

/// A call with what is known of the caller.
#[derive(Debug, Default)]
pub(super) struct Call {
    pub name: String,
    pub args: Map<String, Value>,
    /// The caller's `Authorization` header.
    pub authorization: Option<String>,
    /// Whether the same connection is there in the next call. Streamable HTTP has had none since protocol 2026-07-28.
    pub keeps: bool,
}

impl Connection {
    /// A connection that has begun nothing.
    pub fn new(backend: Arc<Backend>, toolbox: Toolbox) -> Self {
        let mode = Mutex::new(toolbox.offer().first());
        Self { backend, toolbox, mode, current: Mutex::default() }
    }

    pub async fn mode(&self) -> Mode {
        *self.mode.lock().await
    }

    /// The tools that it has now.
    pub async fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(self.toolbox.of(self.mode().await))
    }

    /// The tools that it can have, in either mode.
    pub const fn toolbox(&self) -> &Toolbox {
        &self.toolbox
    }

    /// Carries out a call. An unknown tool is an answer too: models read answers, but hosts do not show them
    /// errors of the protocol.
    pub async fn call(&self, mut call: Call) -> CallToolResult {
        let name = call.name.clone();
        let outcome = match bugs::call(&self.backend, &mut call).await {
            Some(outcome) => outcome,
            None => self.in_session(call).await,
        };
        note(&name, &outcome);
        let mut result = outcome.unwrap_or_else(|error| {
            tracing::debug!(code = error.code(), %error, "a tool call failed");
            reply::failed(&error)
        });
        if !self.backend.structured {
            result.structured_content = None;
        }
        result
    }

    /// The tools that begin, fill and end attempts.
    async fn in_session(&self, call: Call) -> Result<CallToolResult, ToolError> {
        let name = call.name.clone();
        match name.as_str() {
            // Its task is given.
            "list_tasks" if Viewer::current().pass.is_some() => Err(SessionError::NotInAttempt(name.clone()).into()),
            "list_tasks" => lifecycle::read::<ListTasks>(call.args).map(|ListTasks { category }| {
                let list = lifecycle::list(&self.backend, category);
                reply::with_text(lifecycle::in_lines(&list), &list)
            }),
            "start_task" => self.start(call).await,
            "submit" => self.submit(call).await,
            "end_session" => self.end(call).await,
            SWITCH if self.toolbox.offer() == Offer::Both => self.switch(call).await,
            name => {
                let mode = self.mode().await;
                match find(mode, name).filter(|entry| self.backend.extended || !entry.extended) {
                    Some(entry) => self.act(entry, call).await,
                    None => Err(ToolError::UnknownTool { mode, name: name.to_owned() }),
                }
            }
        }
    }

    async fn start(&self, call: Call) -> Result<CallToolResult, ToolError> {
        let StartTask { task, report, lease_s } = lifecycle::read(call.args)?;
        let lease = lease_s.map(lifecycle::lease).transpose()?;
        let mut current = self.current.lock().await;
        let attempt = self.backend.begin(task.or_else(|| self.backend.task.clone()).as_deref(), report, lease).await?;
        *current = Some(attempt.id.clone());
        Ok(reply::answered(&lifecycle::started(&self.backend, attempt, self.mode().await)?))
    }

    async fn submit(&self, call: Call) -> Result<CallToolResult, ToolError> {
        let OfSession { session } = lifecycle::read(call.args)?;
        let attempt = self.attempt(session, false).await?;
        let submitted = lifecycle::submit(&self.backend, attempt, call.authorization.as_deref()).await?;
        Ok(reply::answered(&submitted))
    }

    async fn end(&self, call: Call) -> Result<CallToolResult, ToolError> {
        let OfSession { session } = lifecycle::read(call.args)?;
        let attempt = self.attempt(session, false).await?;
        let mut current = self.current.lock().await;
        if current.as_ref() == Some(&attempt.id) {
            *current = None;
        }
        Ok(reply::answered(&lifecycle::end(&self.backend, attempt).await?))
    }

    async fn switch(&self, call: Call) -> Result<CallToolResult, ToolError> {
        let SwitchMode { mode } = lifecycle::read(call.args)?;
        if !call.keeps {
            return Err(ToolError::NotKept);
        }
        *self.mode.lock().await = mode;
        let tools = self.toolbox.of(mode).iter().map(|tool| tool.name.to_string()).collect();
        Ok(reply::answered(&Switched { mode, tools }))
    }

    async fn act(&self, entry: &'static Entry, mut call: Call) -> Result<CallToolResult, ToolError> {
        let session = text(&mut call.args, "session")?;
        let observation = match entry.kind {
            Kind::Act => text(&mut call.args, "observation")?,
            Kind::End | Kind::Observe => None,
        };
        let note = text(&mut call.args, "note")?;
        let report = switch(&mut call.args, "report")?;
        let may_begin = call.keeps && self.backend.task.is_some();
        let attempt = self.attempt(session, may_begin).await?;
        let handle = self.backend.sessions.get(&attempt.id).await?.by("mcp");
        let action = ActionCall { observation, note, report, ..ActionCall::new(entry.name, call.args) };
        let reply = Resolved { entry, call: action }.perform(&handle).await?;
        match reply.error {
            Some(error) => Err(ToolError::Action(error)),
            None => Ok(reply::carried_out(reply)),
        }
    }

    /// The attempt of the session named, or else of the one begun last; or else, on a connection that stays to a server for
    /// one task, of one that begins now.
    async fn attempt(&self, session: Option<String>, may_begin: bool) -> Result<SessionInfo, ToolError> {
        // The holder of a pass has one session from the beginning.
        let session = session.or_else(|| Viewer::current().pass?.session());
        if let Some(session) = session {
            return Ok(self.backend.sessions.inspect(&session).await?);
        }
        let mut current = self.current.lock().await;
        match current.as_ref() {
            Some(session) => Ok(self.backend.sessions.inspect(session).await?),
            None if may_begin => {
                let attempt = self.backend.begin(self.backend.task.as_deref(), false, None).await?;
                *current = Some(attempt.id.clone());
                Ok(attempt)
            }
            None => Err(ToolError::SessionRequired),
        }
    }
}

/// Tells the pass of a bound caller how its call went.
fn note(tool: &str, outcome: &Result<CallToolResult, ToolError>) {
    let Some(pass) = Viewer::current().pass else { return };
    if let Err(error) = outcome {
        pass.failed(error.code());
    }
    if let Err(ToolError::Session(error)) = outcome
        && error.blame() == Blame::Caller
    {
        pass.refused(&format!("mcp {tool}"), error.code());
    }
    pass.answered();
}

/// Takes a field that is true or false out of the arguments.
fn switch(args: &mut Map<String, Value>, name: &str) -> Result<Option<bool>, ToolError> {
    match args.shift_remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(value)),
        Some(_) => Err(ToolError::Arguments(format!("`{name}` must be true or false"))),
    }
}

/// Takes a text field out of the arguments.
fn text(args: &mut Map<String, Value>, name: &str) -> Result<Option<String>, ToolError> {
    match args.shift_remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(ToolError::Arguments(format!("`{name}` must be text"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ErrorBody;
    use crate::model::codes::{CODES, voids};
    use crate::session::error_kinds::every_kind;
    use crate::session::{Passes, Reach};

    /// What voids an attempt after this outcome of a call, if anything does.
    async fn voided_by(error: ToolError) -> Option<String> {
        let pass = Passes::default().issue(Mode::Composite).pass.clone();
        let viewer = Viewer { owner: None, reach: Reach::Guest, pass: Some(pass.clone()) };
        viewer.scope(async { note("add_block", &Err(error)) }).await;
        pass.voided_by()
    }

    /// As over HTTP; a failed action comes with its code alone.
    #[tokio::test]
    async fn an_error_voids_an_attempt_by_its_code_and_never_by_whom_it_is_put_down_to() {
        for code in CODES.iter().flat_map(|(_, codes)| *codes) {
            let name = code.code.to_owned();
            let body = ErrorBody { code: name.clone(), message: "m".to_owned(), hint: None, infrastructure: true };
            assert_eq!(voided_by(ToolError::Action(body)).await, code.voids.then_some(name), "{code:?}");
        }
        for error in every_kind() {
            let wanted = voids(error.code()).then(|| error.code().to_owned());
            let told = error.to_string();
            assert_eq!(voided_by(error.into()).await, wanted, "{told}");
        }
    }
}
