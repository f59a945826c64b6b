//! The end of a session by whoever wants its whole log afterwards.

use super::sessions::LOG_LIMIT;
use super::{SessionError, SessionHandle, Sessions};

impl Sessions {
    /// Ends a session and waits for its log, which is complete once the session's last handle is gone.
    ///
    /// # Errors
    /// As [`Sessions::delete`].
    pub async fn end(&self, handle: SessionHandle) -> Result<(), SessionError> {
        let log = self.log(handle.id()).await;
        let ended = self.delete(handle.id()).await;
        drop(handle);
        if let Ok(log) = log
            && tokio::time::timeout(LOG_LIMIT, log.ended()).await.is_err()
        {
            tracing::warn!("the log of a session was not ended in time");
        }
        ended
    }
}
