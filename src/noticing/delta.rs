//! Delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002): what can be left out of a list while
//! it still does what it is kept for. Parts are left out, in ever smaller sizes. Whoever asks makes the trials, which may take a run each.

/// A search for a shorter list: ask for a trial, tell whether it does the same, until there is none any more.
#[derive(Debug, Clone)]
pub struct Delta<T> {
    left: Vec<T>,
    parts: usize,
    /// Where the part begins that is left out next.
    at: usize,
    is_done: bool,
}

impl<T: Clone> Delta<T> {
    /// A search that begins with this list, which does what it is kept for.
    pub const fn of(all: Vec<T>) -> Self {
        Self { left: all, parts: 1, at: 0, is_done: false }
    }

    /// The next list to try; `None` when no part can be left out any more. The first one is empty.
    pub fn trial(&self) -> Option<Vec<T>> {
        if self.is_done || self.left.is_empty() {
            return None;
        }
        Some(self.left[..self.at].iter().chain(&self.left[self.end()..]).cloned().collect())
    }

    /// Says whether the list that was tried does what the whole one did.
    pub fn tell(&mut self, does_it: bool) {
        let end = self.end();
        if does_it {
            self.left.drain(self.at..end);
            self.parts = self.parts.saturating_sub(1).max(1);
            self.at = 0;
            return;
        }
        self.at = end;
        if end < self.left.len() {
            return;
        }
        self.is_done = self.size() <= 1;
        self.parts = (self.parts * 2).min(self.left.len());
        self.at = 0;
    }

    /// The shortest list so far.
    pub fn left(&self) -> &[T] {
        &self.left
    }

    fn size(&self) -> usize {
        self.left.len().div_ceil(self.parts)
    }

    fn end(&self) -> usize {
        (self.at + self.size()).min(self.left.len())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shortest(all: Vec<u8>, does_it: impl Fn(&[u8]) -> bool) -> (Vec<u8>, usize) {
        let (mut search, mut trials) = (Delta::of(all), 0);
        while let Some(trial) = search.trial() {
            trials += 1;
            search.tell(does_it(&trial));
        }
        (search.left().to_vec(), trials)
    }

    #[test]
    fn trials_are_asked_for_and_told_until_there_is_none() {
        let mut search = Delta::of(vec![1, 2, 3, 4, 5]);
        while let Some(trial) = search.trial() {
            let does_it = trial.contains(&2) && trial.contains(&5);
            search.tell(does_it);
        }
        assert_eq!(search.left(), [2, 5]);
    }

    #[test]
    fn nothing_is_left_of_what_nothing_needs_and_all_of_what_needs_all() {
        assert_eq!(shortest(vec![1, 2, 3, 4], |_| true), (vec![], 1));
        assert_eq!(shortest(vec![], |_| true), (vec![], 0));
        assert_eq!(shortest(vec![1, 2, 3], |trial| trial == [1, 2, 3]).0, [1, 2, 3]);
    }

    proptest! {
        #[test]
        fn what_is_left_is_what_is_needed_in_its_order(
            all in proptest::collection::vec(any::<u8>(), 0..40), needed in proptest::collection::vec(any::<proptest::sample::Index>(), 0..4),
        ) {
            let needed: std::collections::BTreeSet<u8> =
                if all.is_empty() { [].into() } else { needed.iter().map(|index| *index.get(&all)).collect() };
            let does_it = |trial: &[u8]| needed.iter().all(|one| trial.contains(one));
            let (left, _) = shortest(all, does_it);
            prop_assert!(does_it(&left));
            prop_assert_eq!(left.len(), needed.len(), "each needed value once: no single one can be left out");
        }
    }
}
