//! Replays a session from its log: the same calls on a fresh session with the same initial project.

use std::path::Path;

use serde_json::Value;

use crate::action::perform;
use crate::model::{ActionCall, Coded, EditorGeneration, EventKind, Mode, Opened, RequestEvent};
use crate::session::{SessionError, SessionHandle, Sessions, Start};
use crate::store::{StoreError, StoredLog};

/// The caller's name in the reference server's dialect.
const COMPAT: &str = "compat";

/// Why a log can't be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The log or one of its files can't be read.
    #[error(transparent)]
    Log(#[from] StoreError),
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl Coded for ReplayError {
    fn code(&self) -> &'static str {
        "replay_failed"
    }
}

/// The result of a replay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Calls that were made.
    pub calls: usize,
    /// Calls that only their caller could make again, by their numbers in the log and their names.
    pub left_out: Vec<(u64, String)>,
}

/// The editor in which a log's session was, and has to be done again.
pub fn editor_of(log: &StoredLog) -> EditorGeneration {
    opened(log).map_or_else(EditorGeneration::default, |opened| opened.editor)
}

fn opened(log: &StoredLog) -> Option<&Opened> {
    log.events.iter().find_map(|event| match &event.what {
        EventKind::Opened(opened) => Some(opened),
        _ => None,
    })
}

/// Makes all calls of a log again, one after another without pauses, in a session whose log goes to `folder`. The sessions are to show the
/// editor of the log ([`editor_of`]).
///
/// # Errors
/// When a file of the log is missing, or the session is gone. Calls that fail are part of the log.
pub async fn replay(log: &StoredLog, sessions: &Sessions, folder: &Path) -> Result<Replayed, ReplayError> {
    let start = match opened(log) {
        Some(Opened { task, stage, extras, .. }) => {
            Start { task: task.clone(), stage: *stage, extras: *extras, ..Start::default() }
        }
        None => Start::default(),
    };
    let start = Start { project: Some(log.initial()?), ..start };
    let info = sessions.create_logged(start, Some(folder.to_owned())).await?;
    let handle = sessions.get(&info.id).await?.by("replay");
    let done = calls(log, sessions, &handle).await;
    sessions.end(handle).await?;
    done
}

async fn calls(log: &StoredLog, sessions: &Sessions, handle: &SessionHandle) -> Result<Replayed, ReplayError> {
    let mut done = Replayed::default();
    for event in &log.events {
        let EventKind::Request(request) = &event.what else { continue };
        if again(log, sessions, handle, request).await? {
            done.calls += 1;
        } else {
            done.left_out.push((event.seq, request.api.clone()));
        }
    }
    Ok(done)
}

/// Makes a call again; false when a log does not suffice for it.
async fn again(
    log: &StoredLog,
    sessions: &Sessions,
    handle: &SessionHandle,
    request: &RequestEvent,
) -> Result<bool, ReplayError> {
    match (request.mode, request.api.as_str()) {
        // Calls in the reference server's dialect have arguments of their own.
        _ if request.caller == COMPAT => return Ok(false),
        (Some(mode), _) => act(handle, mode, request).await?,
        (None, "load_project") => {
            let sha = request.args.get("project").and_then(Value::as_str).unwrap_or_default();
            // A project that can't be loaded could not be loaded then either; the log of this session says why.
            if let Err(error) = sessions.load(handle.id(), log.project(sha)?).await {
                tracing::debug!(%error, "a project could not be loaded again");
            }
        }
        (None, "reset") => {
            sessions.reset(handle.id()).await?;
        }
        (None, _) => return Ok(false),
    }
    Ok(true)
}

async fn act(handle: &SessionHandle, mode: Mode, request: &RequestEvent) -> Result<(), SessionError> {
    let call = ActionCall {
        observation: request.observation.clone(),
        report: request.report,
        ..ActionCall::new(&request.api, request.args.clone())
    };
    match perform(handle, mode, call).await {
        // The limit of an action may strike again; the log of this session has it.
        Ok(_) | Err(SessionError::Deadline { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}
