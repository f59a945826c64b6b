//! Who watches over the requests of one attempt: whether the next may be sent, and what came of it. The client asks the meter of
//! the task that it runs in, so that agents need not pass one on.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::Usage;

/// How a request failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// There were too many.
    Limited {
        /// How long the provider asks to wait.
        asked_for: Option<Duration>,
    },
    /// The endpoint is not there, or broken.
    Failed,
    /// The key is not accepted.
    Unauthorized,
}

/// Why no request may be sent any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAdmitted {
    /// The attempt has used what one attempt may: that is a limit like that of steps, and its result counts.
    Spent(String),
    /// The attempt must stop for reasons that say nothing of its agent: it is owed.
    Owed(String),
}

/// Watches over the requests of an attempt.
#[async_trait]
pub trait Meter: Send + Sync {
    /// Waits as long as no request may be sent.
    ///
    /// # Errors
    /// Why none may be sent any more.
    async fn admit(&self) -> Result<(), NotAdmitted>;

    /// How long requests of the attempt have waited to be admitted so far, those that wait now included.
    fn held(&self) -> Duration {
        Duration::ZERO
    }

    /// A request was answered.
    fn answered(&self, usage: Usage);

    /// A request was not.
    fn refused(&self, refusal: Refusal);
}

tokio::task_local! {
    static METER: Arc<dyn Meter>;
}

/// Has a meter watch over all requests that are sent within a future.
pub async fn metered<F: Future>(meter: Arc<dyn Meter>, future: F) -> F::Output {
    METER.scope(meter, future).await
}

/// How long requests of this task have waited to be admitted so far: nobody's time.
pub fn held() -> Duration {
    meter().map(|meter| meter.held()).unwrap_or_default()
}

/// The meter of the task that asks, if it has one.
pub(super) fn meter() -> Option<Arc<dyn Meter>> {
    METER.try_with(Arc::clone).ok()
}
