//! Ending one session, or all, and waiting until the logs are complete.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{SessionError, SessionHandle, Sessions};
use crate::model::CloseReason;

/// How long ended sessions may take to write the rest of their logs: the call in progress has two seconds, the disk the
/// others.
const LOG_LIMIT: Duration = Duration::from_secs(10);

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

    /// Refuses new calls, ends all sessions and the browsers.
    pub async fn shutdown(&self) {
        self.shared.closing.store(true, Ordering::SeqCst);
        let ended = std::mem::take(&mut *self.shared.entries.lock().await);
        for entry in ended.values() {
            entry.log.ends_by(CloseReason::ShutDown);
            entry.ending.end();
        }
        drop(ended);
        self.shared.unwritten.close();
        // Those of sessions that were ended just before are waited for too.
        if tokio::time::timeout(LOG_LIMIT, self.shared.unwritten.wait()).await.is_err() {
            tracing::warn!(logs = self.shared.unwritten.len(), "logs of sessions were not written in time");
        }
        self.shared.fleet.shutdown().await;
    }
}
