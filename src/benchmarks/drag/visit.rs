//! A session for one piece of work.

use super::DragError;
use crate::session::{SessionError, SessionHandle, Sessions, Start};

/// Does work in a session of its own, which ends afterwards.
///
/// # Errors
/// When no session is available, or the work fails.
pub async fn with_session<T>(
    sessions: &Sessions,
    work: impl AsyncFnOnce(&SessionHandle) -> Result<T, DragError>,
) -> Result<T, DragError> {
    with_session_of(sessions, None, work).await
}

/// The same in a session that belongs to this caller, who may end it.
///
/// # Errors
/// As [`with_session`].
pub async fn with_session_of<T>(
    sessions: &Sessions,
    owner: Option<String>,
    work: impl AsyncFnOnce(&SessionHandle) -> Result<T, DragError>,
) -> Result<T, DragError> {
    let info = sessions.create(Start { owner, ..Start::default() }).await?;
    let handle = sessions.get(&info.id).await?;
    let done = work(&handle).await;
    match sessions.end(handle).await {
        // Its owner has ended it.
        Ok(()) | Err(SessionError::Unknown(_)) => done,
        Err(error) => Err(error.into()),
    }
}
