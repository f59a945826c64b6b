//! Turns: how much heavy work runs at the same time, and how long the rest may queue.
//!
//! A session has one turn at a time, so however many calls it queues, it waits behind every other session that
//! waits already: the order is first come, first served among sessions. The work itself is not known here.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

/// Calls that may wait in all; with so many ahead, a new one would only be answered after minutes.
const MOST_WAITING: usize = 256;
/// Calls of one caller that may wait, if callers are distinguished: the rest is left for others.
const MOST_WAITING_OF_ONE: usize = 128;
/// How long work may keep others from their turn. Requests to a living page end long before, and opening
/// a page on a busy machine takes about as long.
const LONGEST_TURN: Duration = Duration::from_secs(8);
/// How much the newest service counts in the running mean, as a divisor.
const MEMORY: u64 = 16;
/// The greatest `Retry-After`, in seconds.
const LONGEST_RETRY_S: u64 = 30;

/// What kind of work a turn is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnKind {
    /// Mouse and keyboard: each event is waited for, so an action takes longer by a factor of the
    /// others that send theirs. As many at a time as there are cores.
    Input,
    /// Anything else in a page: calls, pictures, reading text, opening it, judging in it.
    Page,
}

/// The turns of one fleet; clones share them.
#[derive(Debug, Clone)]
pub struct Turns {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    work: Arc<Semaphore>,
    input: Arc<Semaphore>,
    widths: (usize, usize),
    waiting: Mutex<Waiting>,
    /// Running mean of the time in service, in microseconds.
    service_us: AtomicU64,
}

/// How many calls wait.
#[derive(Debug, Default)]
struct Waiting {
    all: usize,
    by_owner: BTreeMap<Arc<str>, usize>,
}

/// The right to work; dropping it gives the turn to the next. Work that takes longer than [`LONGEST_TURN`] loses it on the
/// way: a page that hangs does not keep the others waiting.
#[derive(Debug)]
pub struct Turn {
    permits: Arc<Mutex<Vec<OwnedSemaphorePermit>>>,
    expiry: AbortHandle,
}

impl Turn {
    fn begin(permits: Vec<OwnedSemaphorePermit>) -> Self {
        let permits = Arc::new(Mutex::new(permits));
        let expiring = Arc::clone(&permits);
        let expiry = tokio::spawn(async move {
            tokio::time::sleep(LONGEST_TURN).await;
            give_back(&expiring);
        });
        Self { permits, expiry: expiry.abort_handle() }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.expiry.abort();
        // At once, not when the aborted task is dropped.
        give_back(&self.permits);
    }
}

fn give_back(permits: &Mutex<Vec<OwnedSemaphorePermit>>) {
    permits.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// A call's place among those that wait; dropping it leaves the queue.
#[derive(Debug)]
pub struct Place {
    inner: Arc<Inner>,
    owner: Option<Arc<str>>,
}

/// The current load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnsStatus {
    pub waiting: usize,
    /// Turns in use, and how many there are.
    pub work: (usize, usize),
    /// Turns for input in use, and how many there are.
    pub input: (usize, usize),
}

impl Turns {
    /// Turns for a machine with this many cores. One more piece of work than cores: a page often waits for its
    /// next frame, and then leaves its core to another.
    pub fn for_cores(cores: usize) -> Self {
        let input = cores.max(1);
        Self::with_widths(input + 1, input)
    }

    fn with_widths(work: usize, input: usize) -> Self {
        let inner = Inner {
            work: Arc::new(Semaphore::new(work)),
            input: Arc::new(Semaphore::new(input)),
            widths: (work, input),
            waiting: Mutex::default(),
            service_us: AtomicU64::new(0),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Waits for a turn; first come, first served.
    pub async fn take(&self, kind: TurnKind) -> Turn {
        // Input first: a holder of a turn for work waits only for its own work.
        let input = match kind {
            TurnKind::Input => Arc::clone(&self.inner.input).acquire_owned().await.ok(),
            TurnKind::Page => None,
        };
        let work = Arc::clone(&self.inner.work).acquire_owned().await.ok();
        Turn::begin(input.into_iter().chain(work).collect())
    }

    /// A place in the queue for a call of this caller; `None` when the queue, or the caller's part of it, is too long.
    pub fn queue(&self, owner: Option<&str>) -> Option<Place> {
        let mut waiting = self.inner.waiting();
        let owner: Option<Arc<str>> = owner.map(Into::into);
        let own = owner.as_ref().and_then(|owner| waiting.by_owner.get(owner)).copied().unwrap_or_default();
        if waiting.all >= MOST_WAITING || own >= MOST_WAITING_OF_ONE {
            return None;
        }
        waiting.all += 1;
        if let Some(owner) = &owner {
            waiting.by_owner.insert(Arc::clone(owner), own + 1);
        }
        Some(Place { inner: Arc::clone(&self.inner), owner })
    }

    /// Records how long a call was in service.
    pub fn served(&self, service: Duration) {
        let newest = u64::try_from(service.as_micros()).unwrap_or(u64::MAX);
        let mean = self.inner.service_us.load(Ordering::Relaxed);
        let next = if mean == 0 { newest } else { mean - mean / MEMORY + newest / MEMORY };
        self.inner.service_us.store(next, Ordering::Relaxed);
    }

    /// Seconds after which a queue of `calls` is likely to be done, at least 1 and at most 30.
    pub fn retry_after_s(&self, calls: usize) -> u32 {
        let calls = u64::try_from(calls).unwrap_or(u64::MAX);
        let us = self.inner.service_us.load(Ordering::Relaxed).saturating_mul(calls);
        let seconds = us.div_ceil(1_000_000).clamp(1, LONGEST_RETRY_S);
        u32::try_from(seconds).unwrap_or(1)
    }

    /// The current load.
    pub fn status(&self) -> TurnsStatus {
        let (work, input) = self.inner.widths;
        TurnsStatus {
            waiting: self.inner.waiting().all,
            work: (work - self.inner.work.available_permits().min(work), work),
            input: (input - self.inner.input.available_permits().min(input), input),
        }
    }
}

impl Inner {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut waiting = self.inner.waiting();
        waiting.all = waiting.all.saturating_sub(1);
        let Some(owner) = &self.owner else { return };
        if let Some(own) = waiting.by_owner.get_mut(owner) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                waiting.by_owner.remove(owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn input_waits_for_input_and_leaves_room_for_other_work() {
        let turns = Turns::with_widths(3, 2);
        let held = [turns.take(TurnKind::Input).await, turns.take(TurnKind::Input).await];
        let third = turns.take(TurnKind::Input);
        futures::pin_mut!(third);
        assert!(futures::poll!(&mut third).is_pending());
        let page = turns.take(TurnKind::Page).await;
        assert_eq!(turns.status().work, (3, 3));
        drop(page);
        drop(held);
        let _ = third.await;
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_hangs_loses_its_turn_and_gives_it_back_once() {
        let turns = Turns::with_widths(1, 1);
        let hangs = turns.take(TurnKind::Input).await;
        let began = tokio::time::Instant::now();
        let next = turns.take(TurnKind::Page).await;
        assert_eq!(began.elapsed(), LONGEST_TURN);
        drop(hangs);
        assert_eq!((turns.status().work, turns.status().input), ((1, 1), (0, 1)), "the next one has it alone");
        drop(next);
        assert_eq!(turns.status().work, (0, 1));
    }

    #[tokio::test]
    async fn a_session_with_many_calls_waits_behind_the_others() {
        let turns = Turns::with_widths(1, 1);
        let order = Arc::new(Mutex::new(Vec::new()));
        let first = turns.take(TurnKind::Page).await;
        // As the actors do it: one turn a session, then the next call.
        let session = |name: &'static str, calls: usize| {
            let (turns, order) = (turns.clone(), Arc::clone(&order));
            tokio::spawn(async move {
                for _ in 0..calls {
                    let _turn = turns.take(TurnKind::Page).await;
                    order.lock().unwrap().push(name);
                }
            })
        };
        let busy = session("busy", 6);
        tokio::task::yield_now().await;
        let quiet = session("quiet", 2);
        tokio::task::yield_now().await;
        drop(first);
        busy.await.unwrap();
        quiet.await.unwrap();
        assert_eq!(order.lock().unwrap()[..4], ["busy", "quiet", "busy", "quiet"]);
    }

    #[test]
    fn the_queue_has_an_end_and_places_are_given_back() {
        let turns = Turns::with_widths(1, 1);
        let places: Vec<Place> = std::iter::from_fn(|| turns.queue(None)).collect();
        assert_eq!(places.len(), MOST_WAITING);
        assert_eq!(turns.status().waiting, MOST_WAITING, "a refused one leaves nothing behind");
        drop(places);
        let own: Vec<Place> = std::iter::from_fn(|| turns.queue(Some("one"))).collect();
        assert_eq!(own.len(), MOST_WAITING_OF_ONE, "others are left no room");
        assert!(turns.queue(Some("other")).is_some());
        drop(own);
        assert_eq!(turns.status().waiting, 0);
    }

    #[test]
    fn refused_callers_get_the_length_of_the_queue() {
        let turns = Turns::with_widths(2, 2);
        assert_eq!(turns.retry_after_s(32), 1);
        turns.served(Duration::from_millis(250));
        assert_eq!(turns.retry_after_s(32), 8);
        assert_eq!(turns.retry_after_s(10_000), 30);
    }
}
