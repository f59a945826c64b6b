//! The Chromium processes of a fleet: each with its number of pages, launched when all others are full, ended when
//! empty, killed when they hang.
//!
//! `fleet.rs` assigns pages.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Notify;

use crate::page::{Chromium, LaunchOptions, PageError};

/// How often a browser is checked for an answer.
const WATCH: Duration = Duration::from_secs(10);

/// The browsers of a fleet.
#[derive(Debug)]
pub(super) struct Browsers {
    launch: LaunchOptions,
    /// Pages that a browser carries at most.
    capacity: usize,
    slots: Mutex<Vec<Arc<Slot>>>,
    /// Held while a browser starts, so that callers without a page meanwhile share it. Others do not wait.
    launching: tokio::sync::Mutex<()>,
    /// Notified when pages were lost with their browser.
    lost_pages: Arc<Notify>,
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
}

impl Reservation {
    fn of(slot: &Arc<Slot>) -> Self {
        slot.pages.fetch_add(1, Ordering::SeqCst);
        Self { slot: Arc::clone(slot) }
    }

    pub(super) fn chromium(&self) -> &Chromium {
        &self.slot.chromium
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.slot.pages.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Browsers {
    /// None yet; they are launched as they are needed.
    pub(super) fn new(launch: LaunchOptions, capacity: usize, lost_pages: Arc<Notify>) -> Self {
        let capacity = capacity.max(1);
        Self { launch, capacity, slots: Mutex::default(), launching: tokio::sync::Mutex::default(), lost_pages }
    }

    pub(super) fn living(&self) -> usize {
        self.slots().iter().filter(|slot| !slot.chromium.is_lost()).count()
    }

    /// How many pages they carry.
    pub(super) fn pages(&self) -> usize {
        self.slots().iter().map(|slot| slot.pages.load(Ordering::SeqCst)).sum()
    }

    /// Reserves a page in a living browser; launches one if no other has room.
    ///
    /// # Errors
    /// When the browser can't be launched.
    pub(super) async fn reserve(&self) -> Result<Reservation, PageError> {
        if let Some(reservation) = self.reserve_free() {
            return Ok(reservation);
        }
        let _launching = self.launching.lock().await;
        // The previous holder may have launched one.
        if let Some(reservation) = self.reserve_free() {
            return Ok(reservation);
        }
        let chromium = Box::pin(Chromium::launch(&self.launch)).await?;
        let slot = Arc::new(Slot { chromium, pages: AtomicUsize::new(0) });
        let reservation = Reservation::of(&slot);
        tokio::spawn(watch(Arc::downgrade(&slot), slot.chromium.lost(), Arc::clone(&self.lost_pages)));
        self.slots().push(slot);
        Ok(reservation)
    }

    fn reserve_free(&self) -> Option<Reservation> {
        let mut slots = self.slots();
        slots.retain(|slot| !slot.chromium.is_lost());
        // The fullest browser with room: emptier ones can then be retired.
        let roomy = slots.iter().filter(|slot| slot.pages.load(Ordering::SeqCst) < self.capacity);
        roomy.max_by_key(|slot| slot.pages.load(Ordering::SeqCst)).map(Reservation::of)
    }

    /// Ends browsers without pages. One is kept where all others are full: starting one takes seconds.
    pub(super) fn retire(&self) {
        let mut slots = self.slots();
        slots.retain(|slot| !slot.chromium.is_lost());
        let pages = |slot: &Slot| slot.pages.load(Ordering::SeqCst);
        let room = 1..self.capacity;
        let mut spare = slots.iter().any(|slot| room.contains(&pages(slot)));
        // Dropping closes the guard's leash.
        slots.retain(|slot| pages(slot) > 0 || !std::mem::replace(&mut spare, true));
    }

    /// Ends all. A browser that still carries a page ends when its last page does; its guard sees to that.
    pub(super) async fn shutdown(&self) {
        let slots = std::mem::take(&mut *self.slots());
        for slot in slots {
            if let Ok(slot) = Arc::try_unwrap(slot) {
                slot.chromium.shutdown().await;
            }
        }
    }

    fn slots(&self) -> MutexGuard<'_, Vec<Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches one browser until it is gone.
async fn watch(slot: Weak<Slot>, mut lost: tokio::sync::watch::Receiver<bool>, lost_pages: Arc<Notify>) {
    loop {
        if tokio::time::timeout(WATCH, lost.wait_for(|lost| *lost)).await.is_ok() {
            // Sessions that lost pages ask for new ones; the pool does so when it is notified.
            return lost_pages.notify_one();
        }
        let Some(slot) = slot.upgrade() else { return };
        slot.chromium.give_up_unless_it_answers().await;
    }
}
