//! A session for a while.

use std::time::Duration;

use super::DragError;
use crate::session::{SessionHandle, Sessions, Start};

/// How long a session may take to end.
const END_LIMIT: Duration = Duration::from_secs(10);

/// Does something in a session of its own, which ends afterwards.
///
/// # Errors
/// When there is no session to be had, or the work fails.
pub async fn with_session<T>(
    sessions: &Sessions,
    work: impl AsyncFnOnce(&SessionHandle) -> Result<T, DragError>,
) -> Result<T, DragError> {
    let info = sessions.create(Start::default()).await?;
    let handle = sessions.get(&info.id).await?;
    let done = work(&handle).await;
    let log = sessions.log(&info.id).await?;
    sessions.delete(&info.id).await?;
    // A session ends with its last handle; its page must not outlive the fleet.
    drop(handle);
    if tokio::time::timeout(END_LIMIT, log.ended()).await.is_err() {
        tracing::warn!("a session did not end in time");
    }
    done
}
