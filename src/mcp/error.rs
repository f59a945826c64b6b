//! Why a tool call failed, with stable codes and hints. All of these are results for the model to read; errors of
//! the protocol itself are rmcp's.

use crate::action::unknown_action;
use crate::benchmarks::repair::DeskError;
use crate::compile::ProjectSourceError;
use crate::judge::JudgeError;
use crate::model::{Blame, Coded, ErrorBody, Mode, with_causes};
use crate::page::PageError;
use crate::session::{SessionError, Viewer};
use crate::taskset::TasksetError;

/// Errors of the MCP room.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// The action itself failed, which says why.
    #[error("{0}")]
    Action(ErrorBody),
    #[error("{0}")]
    Arguments(String),
    #[error("there is no tool `{name}` here")]
    UnknownTool { mode: Mode, name: String },
    #[error("the call does not say which session it is for")]
    SessionRequired,
    /// The connection is not kept, so that no mode can be.
    #[error("this connection is not kept from one call to the next, and so has no mode to switch")]
    NotKept,
    #[error("this session is not an attempt at a task")]
    NoTask,
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Task(#[from] TasksetError),
    #[error("the task's project can't be built")]
    Project(#[from] ProjectSourceError),
    #[error("the project could not be judged")]
    Judge(#[from] JudgeError),
    #[error(transparent)]
    Desk(#[from] DeskError),
}

impl Coded for ToolError {
    fn code(&self) -> &str {
        match self {
            Self::Action(body) => body.code(),
            Self::Arguments(_) => "invalid_arguments",
            Self::UnknownTool { .. } => "unknown_action",
            Self::SessionRequired => "session_required",
            Self::NotKept => "connection_not_kept",
            Self::NoTask => "no_task",
            Self::Session(error) => error.code(),
            Self::Task(error) => error.code(),
            Self::Project(_) => "task_not_built",
            Self::Judge(_) => "not_judged",
            Self::Desk(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            // The message of some refusals of the editor needs no hint.
            Self::Action(body) => return body.hint(),
            Self::UnknownTool { mode, name } => {
                return unknown_action(*mode, name).hint();
            }
            Self::Desk(error) => return error.hint(),
            Self::Task(error) => {
                let nearest = error.hint().map_or_else(String::new, |nearest| format!("{nearest}; "));
                return Some(format!("{nearest}`list_tasks` names all"));
            }
            Self::Arguments(_) => "see the tool's input schema",
            Self::SessionRequired => "pass `session` as `start_task` returned it",
            Self::NotKept => "connect to `/mcp/primitive` or `/mcp/composite`, and pass the same `session`",
            Self::NoTask => "begin with `start_task` and a `task` from `list_tasks`",
            Self::Session(SessionError::Unknown(_) | SessionError::Expired(_) | SessionError::Ended(_)) => {
                "`start_task` begins a new one"
            }
            Self::Session(SessionError::Busy { .. }) => "wait a moment and call again",
            Self::Session(SessionError::SessionBusy { .. }) => "wait for each answer before the next call",
            // A program that works in an attempt of a run has no other task.
            Self::Session(SessionError::AttemptOver { .. }) if Viewer::current().pass.is_some() => {
                "no more actions are carried out: end the program"
            }
            Self::Session(SessionError::AttemptOver { .. }) => {
                "`start_task` begins another; `submit` hands this one in"
            }
            Self::Session(SessionError::Full { .. } | SessionError::CallerFull { .. }) => {
                "end a session with `end_session`, or wait until one expires"
            }
            Self::Session(_) => "observe and call again",
            Self::Project(_) => "try again, or take another task",
            Self::Judge(_) => "submit again",
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Action(body) => body.blame(),
            Self::Session(error) => error.blame(),
            Self::Desk(error) => error.blame(),
            Self::Project(_) | Self::Judge(_) => Blame::Testbed,
            Self::Arguments(_)
            | Self::UnknownTool { .. }
            | Self::SessionRequired
            | Self::NotKept
            | Self::NoTask
            | Self::Task(_) => Blame::Caller,
        }
    }
}

impl ToolError {
    /// The error as an agent sees it; causes with internals go to the log.
    pub fn body(&self) -> ErrorBody {
        let body = ErrorBody::of(self);
        match self {
            Self::Session(SessionError::Page(PageError::Lost(_) | PageError::Refused { .. })) => body,
            Self::Session(SessionError::Page(error)) => {
                tracing::error!(%error, "a tool call failed");
                ErrorBody { message: "the testbed could not do this".to_owned(), ..body }
            }
            // What the caller got wrong is nothing for the log.
            Self::Desk(error) if error.blame() == Blame::Caller => body,
            Self::Project(_) | Self::Judge(_) | Self::Desk(_) => {
                tracing::error!(error = %with_causes(self), "a tool call failed");
                body
            }
            _ => body,
        }
    }
}
