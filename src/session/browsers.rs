//! The Chromium processes of a fleet, or of several that share a pool: each with its number of pages, launched when all
//! others are full, ended when empty, killed when they hang.
//!
//! `fleet.rs` assigns pages.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Notify;

use crate::page::{Chromium, LaunchOptions, PageError};

/// How often a browser is checked for an answer.
const WATCH: Duration = Duration::from_secs(10);

/// The browsers of a process, which several fleets may share; cheap to clone.
#[derive(Debug, Clone)]
pub struct BrowserPool {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    launch: LaunchOptions,
    /// Pages that a browser carries at most.
    capacity: usize,
    slots: Mutex<Vec<Arc<Slot>>>,
    /// Held while a browser starts, so that callers without a page meanwhile share it. Others do not wait.
    launching: tokio::sync::Mutex<()>,
    /// Notified when pages were lost with their browser: one entry for each fleet.
    lost_pages: Mutex<Vec<Weak<Notify>>>,
}

/// One browser with its number of pages, being opened or open.
#[derive(Debug)]
struct Slot {
    chromium: Chromium,
    pages: AtomicUsize,
}

/// Room for one page in a browser; dropping it gives it back.
#[derive(Debug)]
pub(super) struct Reservation {
    slot: Arc<Slot>,
    /// Number of pages of the fleet that reserved it.
    fleet_pages: Arc<AtomicUsize>,
}

impl Reservation {
    pub(super) fn chromium(&self) -> &Chromium {
        &self.slot.chromium
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.slot.pages.fetch_sub(1, Ordering::SeqCst);
        self.fleet_pages.fetch_sub(1, Ordering::SeqCst);
    }
}

impl BrowserPool {
    /// Creates a pool without browsers; they are launched as they are needed. `capacity` is the number of pages that a
    /// browser carries at most.
    pub fn new(launch: LaunchOptions, capacity: usize) -> Self {
        let inner = Inner {
            launch,
            capacity: capacity.max(1),
            slots: Mutex::default(),
            launching: tokio::sync::Mutex::default(),
            lost_pages: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    fn slots(&self) -> MutexGuard<'_, Vec<Arc<Slot>>> {
        self.inner.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn living(&self) -> usize {
        self.slots().iter().filter(|slot| !slot.chromium.is_lost()).count()
    }

    /// The fullest browser with room: emptier ones can then be retired. Its page count includes the new page.
    fn claim_free(&self) -> Option<Arc<Slot>> {
        let mut slots = self.slots();
        slots.retain(|slot| !slot.chromium.is_lost());
        let pages = |slot: &Slot| slot.pages.load(Ordering::SeqCst);
        let fullest = slots.iter().filter(|slot| pages(slot) < self.inner.capacity).max_by_key(|slot| pages(slot))?;
        fullest.pages.fetch_add(1, Ordering::SeqCst);
        Some(Arc::clone(fullest))
    }

    async fn claim(&self) -> Result<Arc<Slot>, PageError> {
        if let Some(slot) = self.claim_free() {
            return Ok(slot);
        }
        let _launching = self.inner.launching.lock().await;
        // The previous holder may have launched one.
        if let Some(slot) = self.claim_free() {
            return Ok(slot);
        }
        let chromium = Box::pin(Chromium::launch(&self.inner.launch)).await?;
        let slot = Arc::new(Slot { chromium, pages: AtomicUsize::new(1) });
        tokio::spawn(watch(Arc::downgrade(&slot), slot.chromium.lost(), Arc::downgrade(&self.inner)));
        self.slots().push(Arc::clone(&slot));
        Ok(slot)
    }

    /// Ends browsers without pages. One is kept where all others are full: starting one takes seconds.
    fn retire(&self) {
        let mut slots = self.slots();
        slots.retain(|slot| !slot.chromium.is_lost());
        let pages = |slot: &Slot| slot.pages.load(Ordering::SeqCst);
        let room = 1..self.inner.capacity;
        let mut spare = slots.iter().any(|slot| room.contains(&pages(slot)));
        // Dropping closes the guard's leash.
        slots.retain(|slot| pages(slot) > 0 || !std::mem::replace(&mut spare, true));
    }

    /// Ends all. A browser that still carries a page ends when its last page does; its guard sees to that.
    async fn shutdown(&self) {
        let slots = std::mem::take(&mut *self.slots());
        for slot in slots {
            if let Ok(slot) = Arc::try_unwrap(slot) {
                slot.chromium.shutdown().await;
            }
        }
    }
}

impl Inner {
    fn lost_pages(&self) -> MutexGuard<'_, Vec<Weak<Notify>>> {
        self.lost_pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all fleets that pages were lost with their browser.
    fn announce_loss(&self) {
        let mut fleets = self.lost_pages();
        fleets.retain(|fleet| fleet.strong_count() > 0);
        for fleet in fleets.iter().filter_map(Weak::upgrade) {
            fleet.notify_one();
        }
    }
}

/// A fleet's share of a browser pool: its own page count in browsers that may carry pages of others.
#[derive(Debug)]
pub(super) struct Browsers {
    pool: BrowserPool,
    /// Whether other fleets use the pool, so that it outlives this one.
    is_shared: bool,
    pages: Arc<AtomicUsize>,
}

impl Browsers {
    /// The pool for one fleet alone, or its share in one. `lost_pages` is notified when a browser of the pool is lost.
    pub(super) fn of(pool: BrowserPool, is_shared: bool, lost_pages: &Arc<Notify>) -> Self {
        pool.inner.lost_pages().push(Arc::downgrade(lost_pages));
        Self { pool, is_shared, pages: Arc::default() }
    }

    pub(super) fn living(&self) -> usize {
        self.pool.living()
    }

    /// Number of pages that the fleet has in them.
    pub(super) fn pages(&self) -> usize {
        self.pages.load(Ordering::SeqCst)
    }

    /// Reserves a page in a living browser; launches one if no other has room.
    ///
    /// # Errors
    /// When the browser can't be launched.
    pub(super) async fn reserve(&self) -> Result<Reservation, PageError> {
        let slot = self.pool.claim().await?;
        self.pages.fetch_add(1, Ordering::SeqCst);
        Ok(Reservation { slot, fleet_pages: Arc::clone(&self.pages) })
    }

    pub(super) fn retire(&self) {
        self.pool.retire();
    }

    /// Whether other fleets use the browsers, so that each page must be closed on its own.
    pub(super) const fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Ends the browsers, unless other fleets use them.
    pub(super) async fn shutdown(&self) {
        if !self.is_shared {
            self.pool.shutdown().await;
        }
    }
}

/// Watches one browser until it is gone.
async fn watch(slot: Weak<Slot>, mut lost: tokio::sync::watch::Receiver<bool>, pool: Weak<Inner>) {
    loop {
        if tokio::time::timeout(WATCH, lost.wait_for(|lost| *lost)).await.is_ok() {
            // Sessions that lost pages ask for new ones; the pool does so when it is notified.
            if let Some(pool) = pool.upgrade() {
                pool.announce_loss();
            }
            return;
        }
        let Some(slot) = slot.upgrade() else { return };
        slot.chromium.give_up_unless_it_answers().await;
    }
}
