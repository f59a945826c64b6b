//! Why a tool call failed, with stable codes and hints. All of these are results for the model to read; errors of
//! the protocol itself are rmcp's.

use crate::action::unknown_action;
use crate::compile::ProjectSourceError;
use crate::judge::JudgeError;
use crate::model::{ErrorBody, Mode, with_causes};
use crate::page::PageError;
use crate::session::SessionError;
use crate::taskset::TasksetError;

/// Errors of the MCP room.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// The action itself failed, and has said why.
    #[error("{}", .0.message)]
    Action(ErrorBody),
    /// The arguments make no sense.
    #[error("{0}")]
    Arguments(String),
    /// There is no tool of this name.
    #[error("there is no tool `{name}` here")]
    UnknownTool {
        /// The mode that the connection is in.
        mode: Mode,
        /// The name that was asked for.
        name: String,
    },
    /// Nothing says which session is meant.
    #[error("the call does not say which session it is for")]
    SessionRequired,
    /// The connection is not kept, so that no mode can be.
    #[error("this connection is not kept from one call to the next, and so has no mode to switch")]
    NotKept,
    /// The session belongs to no task.
    #[error("this session is no attempt at a task")]
    NoTask,
    /// Trouble with the session.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// No such task.
    #[error(transparent)]
    Task(#[from] TasksetError),
    /// The task's project can't be had.
    #[error("the task's project can't be built")]
    Project(#[from] ProjectSourceError),
    /// There is no verdict.
    #[error("the project could not be judged")]
    Judge(#[from] JudgeError),
}

impl ToolError {
    /// Stable name of the situation.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Action(body) => &body.code,
            Self::Arguments(_) => "invalid_arguments",
            Self::UnknownTool { .. } => "unknown_action",
            Self::SessionRequired => "session_required",
            Self::NotKept => "connection_not_kept",
            Self::NoTask => "no_task",
            Self::Session(error) => error.code(),
            Self::Task(error) => error.code(),
            Self::Project(_) => "task_not_built",
            Self::Judge(_) => "not_judged",
        }
    }

    /// The error as an agent sees it; causes with internals go to the log.
    #[must_use]
    pub fn body(&self) -> ErrorBody {
        let (message, hint) = match self {
            // Some refusals of the editor say all in their message.
            Self::Action(body) => return body.clone(),
            Self::UnknownTool { mode, name } => {
                return ErrorBody { message: self.to_string(), ..unknown_action(*mode, name).body() };
            }
            Self::Arguments(_) => (self.to_string(), "see the tool's input schema"),
            Self::SessionRequired => (self.to_string(), "pass `session` as `start_task` returned it"),
            Self::NotKept => {
                (self.to_string(), "connect to `/mcp/primitive` or `/mcp/composite`, and pass the same `session`")
            }
            Self::NoTask => (self.to_string(), "begin with `start_task` and a `task` from `list_tasks`"),
            Self::Session(SessionError::Unknown(_) | SessionError::Expired(_) | SessionError::Ended(_)) => {
                (self.to_string(), "`start_task` begins a new one")
            }
            Self::Session(SessionError::Busy { .. }) => (self.to_string(), "wait a moment and call again"),
            Self::Session(SessionError::AttemptOver { .. }) => {
                (self.to_string(), "`start_task` begins another; `submit` hands this one in")
            }
            Self::Session(SessionError::Full { .. } | SessionError::YourShare { .. }) => {
                (self.to_string(), "end a session with `end_session`, or wait until one expires")
            }
            Self::Session(SessionError::Page(PageError::Lost(_)) | SessionError::Deadline { .. }) => {
                (self.to_string(), "observe and call again")
            }
            Self::Session(SessionError::Page(error)) if !matches!(error, PageError::Refused { .. }) => {
                tracing::error!(%error, "a tool call failed");
                ("the testbed could not do this".to_owned(), "observe and call again")
            }
            Self::Session(_) => (self.to_string(), "observe and call again"),
            Self::Task(error) => {
                let nearest = error.hint().map_or_else(String::new, |nearest| format!("{nearest}; "));
                let hint = Some(format!("{nearest}`list_tasks` names all"));
                return ErrorBody {
                    code: self.code().to_owned(),
                    message: self.to_string(),
                    hint,
                    infrastructure: false,
                };
            }

            Self::Project(error) => {
                tracing::error!(%error, "a task's project can't be had");
                (self.to_string(), "try again, or take another task")
            }
            Self::Judge(error) => {
                tracing::error!(error = %with_causes(error), "a project could not be judged");
                (self.to_string(), "submit again")
            }
        };
        let infrastructure = self.is_infrastructure();
        ErrorBody { code: self.code().to_owned(), message, hint: Some(hint.to_owned()), infrastructure }
    }

    /// Whether this is the testbed's trouble and not the caller's.
    #[must_use]
    pub const fn is_infrastructure(&self) -> bool {
        match self {
            Self::Action(body) => body.infrastructure,
            Self::Session(error) => !matches!(
                error,
                SessionError::Unknown(_)
                    | SessionError::Expired(_)
                    | SessionError::Ended(_)
                    | SessionError::Full { .. }
                    | SessionError::YourShare { .. }
                    | SessionError::AttemptOver { .. }
                    | SessionError::Guest
                    | SessionError::NotYours(_)
                    | SessionError::Busy { .. }
            ),
            Self::Project(_) | Self::Judge(_) => true,
            Self::Arguments(_)
            | Self::UnknownTool { .. }
            | Self::SessionRequired
            | Self::NotKept
            | Self::NoTask
            | Self::Task(_) => false,
        }
    }
}
