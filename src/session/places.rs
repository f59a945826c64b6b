//! Places for sessions: limits in total and per caller. A place is taken before a session is created and free again
//! when its page is gone.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::error::SessionError;

/// How long the place of an ended session is waited for: its grace, the closing of its page, and on a busy machine the opening of one that
/// nobody waits for any more.
const ENDING_LIMIT: Duration = Duration::from_secs(30);

/// The places of one list of sessions; clones share them.
#[derive(Debug, Clone)]
pub(super) struct Places {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    limit: usize,
    /// Per caller; callers that are not distinguished share all.
    limit_of_one: AtomicUsize,
    taken: Mutex<Taken>,
    /// Notified whenever a place is given back.
    freed: Notify,
}

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    /// Those of ended sessions that are about to be given back.
    ending: usize,
    by_owner: BTreeMap<String, usize>,
}

/// A place; dropping it gives it back.
#[derive(Debug)]
pub(super) struct SessionPlace {
    inner: Arc<Inner>,
    owner: Option<String>,
    ending: CancellationToken,
}

/// Ends a session from outside: the holder of its place then stops. Clones end the same session.
#[derive(Debug, Clone)]
pub(super) struct Ending {
    inner: Arc<Inner>,
    token: CancellationToken,
}

impl Ending {
    /// Ends it, if that was not done before.
    pub(super) fn end(&self) {
        let mut taken = self.inner.taken();
        if !self.token.is_cancelled() {
            taken.ending += 1;
            self.token.cancel();
        }
    }
}

impl SessionPlace {
    /// The way to end the session that this place is for.
    pub(super) fn ending(&self) -> Ending {
        Ending { inner: Arc::clone(&self.inner), token: self.ending.clone() }
    }

    /// What is cancelled when the session is ended.
    pub(super) fn token(&self) -> CancellationToken {
        self.ending.clone()
    }
}

impl Places {
    /// This many places, all of which one caller may have.
    pub(super) fn new(limit: usize) -> Self {
        let limit_of_one = AtomicUsize::new(limit);
        Self { inner: Arc::new(Inner { limit, limit_of_one, taken: Mutex::default(), freed: Notify::new() }) }
    }

    /// Limits how many one caller may have from now on.
    pub(super) fn limit_each(&self, limit_of_one: usize) {
        self.inner.limit_of_one.store(limit_of_one, Ordering::SeqCst);
    }

    /// Whether there is one more where `all` are taken, `own` of them by the caller if it is distinguished.
    ///
    /// # Errors
    /// [`SessionError::Full`] and [`SessionError::CallerFull`].
    pub(super) fn check(&self, all: usize, own: Option<usize>) -> Result<(), SessionError> {
        if all >= self.inner.limit {
            return Err(SessionError::Full { limit: self.inner.limit });
        }
        let limit = self.inner.limit_of_one.load(Ordering::SeqCst);
        if own.is_some_and(|own| own >= limit) { Err(SessionError::CallerFull { limit }) } else { Ok(()) }
    }

    /// A place for a session of this caller.
    ///
    /// # Errors
    /// [`SessionError::Full`] and [`SessionError::CallerFull`].
    pub(super) fn take(&self, owner: Option<&str>) -> Result<SessionPlace, SessionError> {
        let mut taken = self.inner.taken();
        self.check(taken.all, owner.map(|owner| taken.by_owner.get(owner).copied().unwrap_or_default()))?;
        if let Some(owner) = owner {
            *taken.by_owner.entry(owner.to_owned()).or_default() += 1;
        }
        taken.all += 1;
        let ending = CancellationToken::new();
        Ok(SessionPlace { inner: Arc::clone(&self.inner), owner: owner.map(str::to_owned), ending })
    }

    /// The same; waits a moment for the places of sessions that have just ended.
    ///
    /// # Errors
    /// As [`Places::take`].
    pub(super) async fn take_soon(&self, owner: Option<&str>) -> Result<SessionPlace, SessionError> {
        let deadline = Instant::now() + ENDING_LIMIT;
        loop {
            let freed = self.inner.freed.notified();
            match self.take(owner) {
                Err(SessionError::Full { .. } | SessionError::CallerFull { .. }) if self.inner.taken().ending > 0 => {
                    if tokio::time::timeout_at(deadline, freed).await.is_err() {
                        return self.take(owner);
                    }
                }
                taken => return taken,
            }
        }
    }

    /// How many are taken.
    #[cfg(test)]
    fn all(&self) -> usize {
        self.inner.taken().all
    }
}

impl Inner {
    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SessionPlace {
    fn drop(&mut self) {
        let mut taken = self.inner.taken();
        taken.all = taken.all.saturating_sub(1);
        if self.ending.is_cancelled() {
            taken.ending = taken.ending.saturating_sub(1);
        } else {
            // Ending it from now on waits for nothing.
            self.ending.cancel();
        }
        self.inner.freed.notify_waiters();
        let Some(owner) = &self.owner else { return };
        if let Some(own) = taken.by_owner.get_mut(owner) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                taken.by_owner.remove(owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn named_callers_are_limited_and_unnamed_ones_are_not() {
        let places = Places::new(4);
        places.limit_each(2);
        let mine = [places.take(Some("me")).unwrap(), places.take(Some("me")).unwrap()];
        assert!(matches!(places.take(Some("me")), Err(SessionError::CallerFull { limit: 2 })));
        let others = [places.take(Some("you")).unwrap(), places.take(None).unwrap()];
        assert!(matches!(places.take(None), Err(SessionError::Full { limit: 4 })));
        drop((mine, others));
        assert_eq!(places.all(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn the_place_of_an_ended_session_is_waited_for_and_that_of_a_living_one_is_not() {
        let places = Places::new(1);
        let place = places.take(None).unwrap();
        let began = Instant::now();
        assert!(matches!(places.take_soon(None).await, Err(SessionError::Full { limit: 1 })));
        assert_eq!(began.elapsed(), Duration::ZERO);
        place.ending().end();
        place.ending().end();
        assert!(place.token().is_cancelled());
        let (next, ()) = tokio::join!(places.take_soon(None), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            drop(place);
        });
        let next = next.unwrap();
        assert_eq!(places.inner.taken().ending, 0);
        next.ending().end();
        assert!(matches!(places.take_soon(None).await, Err(SessionError::Full { limit: 1 })), "it hangs");
    }

    #[test]
    fn a_place_that_is_gone_ends_no_more() {
        let places = Places::new(1);
        let place = places.take(None).unwrap();
        let ending = place.ending();
        drop(place);
        ending.end();
        assert_eq!(places.inner.taken().ending, 0, "others would wait for a place that is never given back");
    }

    proptest! {
        /// In any order of taking and giving back, no more places are taken than there are, and none is lost.
        #[test]
        fn places_are_neither_lost_nor_made(steps in proptest::collection::vec((0_usize..4, any::<bool>()), 0..200)) {
            let places = Places::new(5);
            places.limit_each(2);
            let mut held: Vec<(usize, SessionPlace)> = Vec::new();
            for (who, takes) in steps {
                let name = ["a", "b", "c"].get(who).copied();
                if takes {
                    let own = held.iter().filter(|(holder, _)| *holder == who).count();
                    let allowed = held.len() < 5 && (name.is_none() || own < 2);
                    let place = places.take(name);
                    prop_assert_eq!(place.is_ok(), allowed);
                    held.extend(place.ok().map(|place| (who, place)));
                } else if let Some(index) = held.iter().position(|(holder, _)| *holder == who) {
                    held.swap_remove(index);
                }
                prop_assert_eq!(places.all(), held.len());
            }
            drop(held);
            prop_assert_eq!(places.all(), 0);
        }
    }
}
