//! Which fault of a project becomes an instance where its suite must be adequate (`forge run --adequate`): one whose suite rejects too
//! little of what breaks the game gives way to the next one, and where none is good enough the best is kept. How much a suite rejects,
//! `adequacy` measures.

use crate::inject::Pattern;

/// Faults that give way for each instance that a project may have; after these no further one is tried.
pub(super) const MOST_WEAK: usize = 4;

/// A fault that gave way.
#[derive(Debug, PartialEq)]
pub(super) struct Weak<T> {
    pub(super) pattern: Pattern,
    /// The share that its suite rejects, 0 to 1.
    pub(super) share: f64,
    pub(super) what: T,
}

/// The faults of a project that were measured.
#[derive(Debug)]
pub(super) struct Rivals<T> {
    /// The share that a suite has to reject, above 0 and at most 1.
    pub(super) wanted: f64,
    /// How many more may give way.
    left: usize,
    /// The best of each pattern that gave way, in the order in which they were measured.
    weak: Vec<Weak<T>>,
}

impl<T> Rivals<T> {
    /// Of a project that may have so many instances.
    pub(super) const fn of(wanted: f64, instances: usize) -> Self {
        Self { wanted, left: MOST_WEAK * instances, weak: Vec::new() }
    }

    /// Whether no further fault is tried.
    pub(super) const fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Returns a fault that was measured, if its suite rejects enough; otherwise it gives way.
    pub(super) fn measured(&mut self, pattern: Pattern, share: f64, what: T) -> Option<T> {
        if share >= self.wanted {
            return Some(what);
        }
        self.left = self.left.saturating_sub(1);
        match self.weak.iter().position(|known| known.pattern == pattern) {
            Some(at) if self.weak[at].share < share => {
                self.weak.remove(at);
                self.weak.push(Weak { pattern, share, what });
            }
            Some(_) => {}
            None => self.weak.push(Weak { pattern, share, what }),
        }
        None
    }

    /// The best of each pattern that gave way, the one whose suite rejects most first; among equals, the one that was tried first.
    pub(super) fn best(self) -> Vec<Weak<T>> {
        let mut weak = self.weak;
        weak.sort_by(|one, other| other.share.total_cmp(&one.share));
        weak
    }
}

#[cfg(test)]
#[path = "rivals_tests.rs"]
mod tests;
