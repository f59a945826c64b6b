//! Processor time that a tree of processes uses, also those that come and go between two looks at it.
//!
//! A child's time is in its parent's only once the parent has waited for it. So what a process has used is counted while it
//! lives, and of what its ancestor has waited for then only what was not counted before. A process that has left the tree,
//! because its parent ended before it, is followed. The sum never falls.

use std::collections::BTreeMap;
use std::iter::{once, successors};
use std::time::Duration;

use super::process_tree::{Process, Processes, below, processes};

/// How often the processes are read anew while some of them end; after that, the last look has to do.
const LOOKS: u32 = 10;

/// Adds up the processor time of a process and its descendants from the moment that it is made.
#[derive(Debug)]
pub struct Tracker {
    root: u32,
    /// The tree as it was last seen.
    known: Processes,
    ticks: u64,
}

impl Tracker {
    /// Begins with the tree below this process. What it has used before doesn't count.
    pub fn new(root: u32) -> Self {
        let mut tracker = Self { root, known: Processes::new(), ticks: 0 };
        tracker.known = tracker.look_still();
        tracker
    }

    /// Processor time that the tree has used so far, user and system. It is as exact as the kernel's ticks, a hundredth of
    /// a second a process.
    ///
    /// What is missed: a process that has left the tree before it was ever seen. If one leaves and ends between two looks, what
    /// it used meanwhile, and up to its former sum of what others used that came and went at that time.
    pub fn used(&mut self) -> Duration {
        let now = self.look_still();
        self.add(now);
        Duration::from_secs_f64(self.seconds())
    }

    #[expect(clippy::cast_precision_loss, reason = "2^53 ticks are millions of years")]
    fn seconds(&self) -> f64 {
        self.ticks as f64 / procfs::ticks_per_second() as f64
    }

    /// The tree at a moment. `/proc` is not read in one moment, and one who ends meanwhile might be seen alive and in its
    /// parent's account, or nowhere. So two looks have to agree on who is there and who was waited for.
    fn look_still(&self) -> Processes {
        let mut look = self.followed(&processes());
        for _ in 0..LOOKS {
            let next = self.followed(&processes());
            if agree(&look, &next) {
                break;
            }
            look = next;
        }
        look
    }

    /// The tree, and those who were in it, with their descendants.
    fn followed(&self, all: &Processes) -> Processes {
        let lives = |known: &&Process| all.get(&known.id).is_some_and(|now| now.is(known));
        let known = self.known.values().filter(lives).map(|process| process.id);
        below(all, once(self.root).chain(known)).into_iter().map(|process| (process.id, process)).collect()
    }

    /// Books what was used since the last look.
    fn add(&mut self, now: Processes) {
        let mut counted = self.counted_of_ended(&now);
        for process in now.values() {
            let before = self.known.get(&process.id).filter(|known| known.is(process));
            let (own, waited) = before.map_or((0, 0), |before| (before.own, before.waited));
            let of_ended = counted.remove(&process.id).unwrap_or_default();
            self.ticks += process.own.saturating_sub(own);
            self.ticks += process.waited.saturating_sub(waited).saturating_sub(of_ended);
        }
        self.known = now;
    }

    /// What was counted of processes that have ended since, by the one who has it in its account now: the nearest ancestor
    /// that lives, since those between have ended too.
    fn counted_of_ended(&self, now: &Processes) -> BTreeMap<u32, u64> {
        let lives = |process: &Process| now.get(&process.id).is_some_and(|now| now.is(process));
        let mut counted = BTreeMap::new();
        for ended in self.known.values().filter(|process| !lives(process)) {
            let parent = |process: &&Process| self.known.get(&process.parent);
            // No line of ancestors is longer than all processes are many.
            let mut above = successors(self.known.get(&ended.parent), parent).take(self.known.len());
            if let Some(ancestor) = above.find(|process| lives(process)) {
                *counted.entry(ancestor.id).or_default() += ended.own + ended.waited;
            }
        }
        counted
    }
}

/// Whether nobody has come, gone or been waited for between two looks.
fn agree(one: &Processes, other: &Processes) -> bool {
    let same = |(one, other): (&Process, &Process)| one.is(other) && one.waited == other.waited;
    one.len() == other.len() && one.values().zip(other.values()).all(same)
}

#[cfg(test)]
#[path = "tracker_tests.rs"]
mod tests;
