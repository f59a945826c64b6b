//! Places for sessions: so many in all, so many for one caller. A place is taken before a session is created and free again
//! when its page is gone.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::error::SessionError;

/// The places of one list of sessions; clones share them.
#[derive(Debug, Clone)]
pub(super) struct Places {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    limit: usize,
    /// For one caller; callers that are not told apart have all.
    limit_of_one: AtomicUsize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    by_owner: BTreeMap<String, usize>,
}

/// A place; dropping it gives it back.
#[derive(Debug)]
pub(super) struct SessionPlace {
    inner: Arc<Inner>,
    owner: Option<String>,
}

impl Places {
    /// So many, all of which one caller may have.
    pub(super) fn new(limit: usize) -> Self {
        let limit_of_one = AtomicUsize::new(limit);
        Self { inner: Arc::new(Inner { limit, limit_of_one, taken: Mutex::default() }) }
    }

    /// From now on one caller may have only so many.
    pub(super) fn share(&self, limit_of_one: usize) {
        self.inner.limit_of_one.store(limit_of_one, Ordering::SeqCst);
    }

    /// A place for a session of this caller.
    ///
    /// # Errors
    /// [`SessionError::Full`] and [`SessionError::YourShare`].
    pub(super) fn take(&self, owner: Option<&str>) -> Result<SessionPlace, SessionError> {
        let mut taken = self.inner.taken();
        if taken.all >= self.inner.limit {
            return Err(SessionError::Full { limit: self.inner.limit });
        }
        if let Some(owner) = owner {
            let own = taken.by_owner.entry(owner.to_owned()).or_default();
            let limit = self.inner.limit_of_one.load(Ordering::SeqCst);
            if *own >= limit {
                return Err(SessionError::YourShare { limit });
            }
            *own += 1;
        }
        taken.all += 1;
        Ok(SessionPlace { inner: Arc::clone(&self.inner), owner: owner.map(str::to_owned) })
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
    fn one_caller_has_a_share_and_those_without_a_name_have_all() {
        let places = Places::new(4);
        places.share(2);
        let mine = [places.take(Some("me")).unwrap(), places.take(Some("me")).unwrap()];
        assert!(matches!(places.take(Some("me")), Err(SessionError::YourShare { limit: 2 })));
        let others = [places.take(Some("you")).unwrap(), places.take(None).unwrap()];
        assert!(matches!(places.take(None), Err(SessionError::Full { limit: 4 })));
        drop((mine, others));
        assert_eq!(places.all(), 0);
    }

    proptest! {
        /// Whatever is taken and given back in whatever order: never more than there are, and none is lost.
        #[test]
        fn places_are_neither_lost_nor_made(steps in proptest::collection::vec((0_usize..4, any::<bool>()), 0..200)) {
            let places = Places::new(5);
            places.share(2);
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
