//! Who has a call of a session: the actor that carries it out, or nobody any more, since its caller gave it up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Which came first: the actor that begins a job, or its caller that stops waiting; and whether it is over.
#[derive(Debug, Default)]
pub(super) struct Claim {
    is_taken: AtomicBool,
    is_over: AtomicBool,
}

impl Claim {
    /// True for the first: the job is the actor's to carry out, or its caller's to give up.
    pub(super) fn take(&self) -> bool {
        !self.is_taken.swap(true, Ordering::SeqCst)
    }

    /// Whether either has come.
    pub(super) fn is_taken(&self) -> bool {
        self.is_taken.load(Ordering::SeqCst)
    }

    /// Gives the job up. False if the actor has begun it.
    pub(super) fn give_up(&self) -> bool {
        let is_first = self.take();
        self.is_over.fetch_or(is_first, Ordering::SeqCst);
        is_first
    }

    /// The job is done.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }
}

/// The claims of the calls that wait for a session or are carried out.
#[derive(Debug, Default)]
pub(super) struct Claims(Mutex<Vec<Weak<Claim>>>);

impl Claims {
    /// Adds a call, and returns how many there are before it.
    pub(super) fn add(&self, claim: &Arc<Claim>) -> usize {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let goes_on = |claim: Arc<Claim>| !claim.is_over.load(Ordering::SeqCst);
        claims.retain(|claim| claim.upgrade().is_some_and(goes_on));
        claims.push(Arc::downgrade(claim));
        claims.len() - 1
    }

    /// Gives up all calls that are not begun.
    pub(super) fn give_up(&self) {
        let claims = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for claim in claims.iter().filter_map(Weak::upgrade) {
            claim.give_up();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_are_done_or_given_up_keep_no_other_waiting() {
        let (claims, [one, two, three, four]) = (Claims::default(), <[Arc<Claim>; 4]>::default());
        assert_eq!((claims.add(&one), claims.add(&two)), (0, 1));
        assert!(one.take() && one.is_taken());
        one.end();
        assert_eq!(claims.add(&three), 1, "the first is done");
        assert!(two.give_up() && !two.take());
        drop(three);
        assert_eq!(claims.add(&four), 0, "the second was given up, and the third is gone");
    }

    #[test]
    fn those_that_wait_are_refused_together_and_the_one_that_is_carried_out_goes_on() {
        let (claims, begun, waiting) = (Claims::default(), Arc::<Claim>::default(), Arc::<Claim>::default());
        claims.add(&begun);
        claims.add(&waiting);
        assert!(begun.take());
        claims.give_up();
        assert!(!waiting.take(), "its actor does not begin it");
        assert!(!begun.is_over.load(Ordering::SeqCst) && waiting.is_over.load(Ordering::SeqCst));
    }
}
