//! Carrying out a tool call on the session it is for.

use std::sync::Arc;

use rmcp::model::CallToolResult;
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use super::attempt::{Attempt, End};
use super::bench::Bench;
use super::error::ToolError;
use super::lifecycle::{self, Nothing, OfSession, StartTask};
use super::reply;
use crate::action::{Entry, Kind, find, perform};
use crate::model::{ActionCall, Mode};

/// What a connection keeps between calls.
#[derive(Debug)]
pub(super) struct Connection {
    /// What all connections share.
    pub bench: Arc<Bench>,
    /// Whose tools it has.
    pub mode: Mode,
    /// The session that it began last.
    current: Mutex<Option<String>>,
}

/// A call with what is known of the caller.
#[derive(Debug, Default)]
pub(super) struct Call {
    /// The tool's name.
    pub name: String,
    /// Its arguments.
    pub args: Map<String, Value>,
    /// The caller's `Authorization` header.
    pub authorization: Option<String>,
    /// Whether the same connection is there in the next call. Streamable HTTP has had none since protocol 2026-07-28.
    pub keeps: bool,
}

impl Connection {
    /// A connection that has begun nothing.
    pub fn new(bench: Arc<Bench>, mode: Mode) -> Self {
        Self { bench, mode, current: Mutex::default() }
    }

    /// Carries out a call; `None` when there is no such tool.
    pub async fn call(&self, call: Call) -> Option<CallToolResult> {
        let outcome = match call.name.as_str() {
            "list_tasks" => {
                lifecycle::read::<Nothing>(call.args).map(|_| reply::answered(&lifecycle::list(&self.bench)))
            }
            "start_task" => self.start(call).await,
            "submit" => self.submit(call).await,
            "end_session" => self.end(call).await,
            name => self.act(find(self.mode, name)?, call).await,
        };
        let mut result = outcome.unwrap_or_else(|error| {
            tracing::debug!(code = error.code(), %error, "a tool call failed");
            reply::failed(&error)
        });
        if !self.bench.structured {
            result.structured_content = None;
        }
        Some(result)
    }

    async fn start(&self, call: Call) -> Result<CallToolResult, ToolError> {
        let StartTask { task } = lifecycle::read(call.args)?;
        let mut current = self.current.lock().await;
        let attempt = self.bench.begin(task.or_else(|| self.bench.task.clone()).as_deref()).await?;
        *current = Some(attempt.session.clone());
        Ok(reply::answered(&lifecycle::started(&self.bench, attempt, self.mode)?))
    }

    async fn submit(&self, call: Call) -> Result<CallToolResult, ToolError> {
        let OfSession { session } = lifecycle::read(call.args)?;
        let attempt = self.attempt(session, false).await?;
        let submitted = lifecycle::submit(&self.bench, attempt, call.authorization.as_deref()).await?;
        Ok(reply::answered(&submitted))
    }

    async fn end(&self, call: Call) -> Result<CallToolResult, ToolError> {
        let OfSession { session } = lifecycle::read(call.args)?;
        let attempt = self.attempt(session, false).await?;
        let mut current = self.current.lock().await;
        if current.as_ref() == Some(&attempt.session) {
            *current = None;
        }
        Ok(reply::answered(&lifecycle::end(&self.bench, attempt).await?))
    }

    async fn act(&self, entry: &'static Entry, mut call: Call) -> Result<CallToolResult, ToolError> {
        let session = text(&mut call.args, "session")?;
        let observation = match entry.kind {
            Kind::Act => text(&mut call.args, "observation")?,
            Kind::End | Kind::Observe => None,
        };
        let attempt = self.attempt(session, call.keeps).await?;
        if let (Some(end), Kind::Act | Kind::End) = (attempt.ended, entry.kind) {
            return Err(ToolError::ended(end));
        }
        let handle = self.bench.sessions.get(&attempt.session).await?;
        let action = ActionCall { observation, ..ActionCall::new(entry.name, call.args) };
        let reply = perform(&handle, self.mode, action).await?;
        self.bench.note(&attempt.session, |attempt| match entry.kind {
            Kind::Act => attempt.steps += 1,
            Kind::End if reply.success => {
                attempt.ended = Some(if entry.name == "done" { End::Done } else { End::Failed });
            }
            Kind::End | Kind::Observe => {}
        });
        match reply.error {
            Some(error) => Err(ToolError::Action(error)),
            None => Ok(reply::carried_out(reply)),
        }
    }

    /// The attempt of the session named, or else of the one begun last; or else, on a connection that stays, of one
    /// that begins now.
    async fn attempt(&self, session: Option<String>, may_begin: bool) -> Result<Attempt, ToolError> {
        if let Some(session) = session {
            return self.bench.attempt(&session).await;
        }
        let mut current = self.current.lock().await;
        match current.as_ref() {
            Some(session) => self.bench.attempt(session).await,
            None if may_begin => {
                let attempt = self.bench.begin(self.bench.task.as_deref()).await?;
                *current = Some(attempt.session.clone());
                Ok(attempt)
            }
            None => Err(ToolError::SessionRequired),
        }
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
