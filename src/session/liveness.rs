//! A session's signs of life: when it was last used, calls in flight, losses of its page.
//!
//! The list of sessions, the handles to one of them and its actor share these; expiry is
//! decided in [`super::sessions`].

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// What is known about a session without asking its actor.
#[derive(Debug)]
pub(super) struct Liveness {
    last_used: Mutex<Instant>,
    in_flight: AtomicUsize,
    lost: AtomicU64,
    recovered: AtomicU64,
    /// Whether a new page is sought for one that was lost alone, and not with its browser.
    mends_own_page: AtomicBool,
}

/// A call in progress; the session does not expire before it is dropped.
#[derive(Debug)]
pub(super) struct InFlight {
    liveness: Arc<Liveness>,
}

impl Liveness {
    /// Of a session that has just been created.
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            last_used: Mutex::new(Instant::now()),
            in_flight: AtomicUsize::new(0),
            lost: AtomicU64::new(0),
            recovered: AtomicU64::new(0),
            mends_own_page: AtomicBool::new(false),
        })
    }

    /// Counts as a use.
    pub(super) fn touch(&self) {
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// How long the session has been idle; zero while a call is in progress.
    pub(super) fn idle(&self) -> Duration {
        if self.in_flight.load(Ordering::SeqCst) > 0 {
            return Duration::ZERO;
        }
        self.last_used.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    pub(super) fn begin(self: &Arc<Self>) -> InFlight {
        self.in_flight.fetch_add(1, Ordering::SeqCst);
        InFlight { liveness: Arc::clone(self) }
    }

    /// A new page is sought; `is_own` says that the old one was lost alone, and not with its browser.
    pub(super) fn page_lost(&self, is_own: bool) {
        self.lost.fetch_add(1, Ordering::SeqCst);
        self.mends_own_page.store(is_own, Ordering::SeqCst);
    }

    /// No new page is sought any more, whether there is one or not.
    pub(super) fn mended(&self) {
        self.mends_own_page.store(false, Ordering::SeqCst);
    }

    /// Whether a new page is sought for one that was lost alone: what its own project does can be the reason.
    pub(super) fn mends_own_page(&self) -> bool {
        self.mends_own_page.load(Ordering::SeqCst)
    }

    /// The project was recovered in a new page.
    pub(super) fn recovered(&self) {
        self.recovered.fetch_add(1, Ordering::SeqCst);
    }

    /// How often the page was lost, and how often the project was recovered.
    pub(super) fn losses(&self) -> (u64, u64) {
        (self.lost.load(Ordering::SeqCst), self.recovered.load(Ordering::SeqCst))
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.liveness.touch();
        self.liveness.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_call_in_progress_is_never_idle_and_its_end_counts_as_a_use() {
        let liveness = Liveness::new();
        let call = liveness.begin();
        tokio::time::advance(Duration::from_secs(100)).await;
        assert_eq!(liveness.idle(), Duration::ZERO);
        drop(call);
        assert_eq!(liveness.idle(), Duration::ZERO);
        tokio::time::advance(Duration::from_secs(5)).await;
        assert_eq!(liveness.idle(), Duration::from_secs(5));
        liveness.touch();
        assert_eq!(liveness.idle(), Duration::ZERO);
    }
}
