//! What a process and its descendants have used since a moment: processor time, time, and memory over time.

use std::time::{Duration, Instant};

use super::machine::{GIB, bytes};
use super::process_tree::memory;
use super::tracker::Tracker;

/// What was used since the watch began. Nothing in it ever falls.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Used {
    /// Seconds of processor time.
    pub cpu_s: f64,
    /// Seconds that passed.
    pub wall_s: f64,
    /// GiB of memory times the seconds that they were held.
    pub gib_seconds: f64,
}

/// Watches a process and its descendants.
#[derive(Debug)]
pub(super) struct Watch {
    root: u32,
    tracker: Tracker,
    started: Instant,
    memory: Option<Weighed>,
}

/// Memory over time, as far as it is known. Between two looks it counts as if it had grown evenly.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Weighed {
    gib: f64,
    at: Duration,
    gib_seconds: f64,
}

impl Weighed {
    fn then(self, gib: f64, at: Duration) -> Self {
        let seconds = at.saturating_sub(self.at).as_secs_f64();
        Self { gib, at, gib_seconds: self.gib_seconds + f64::midpoint(self.gib, gib) * seconds }
    }
}

impl Watch {
    /// Begins with the tree below `root`; memory is looked at only if it is asked for, since that takes a while.
    pub fn begin(root: u32, with_memory: bool) -> Self {
        let memory = with_memory.then(|| Weighed { gib: gib(root), ..Weighed::default() });
        Self { root, tracker: Tracker::new(root), started: Instant::now(), memory }
    }

    /// What was used so far.
    pub fn used(&mut self) -> Used {
        let cpu_s = self.tracker.used().as_secs_f64();
        let passed = self.started.elapsed();
        self.memory = self.memory.map(|weighed| weighed.then(gib(self.root), passed));
        let gib_seconds = self.memory.map_or(0.0, |weighed| weighed.gib_seconds);
        Used { cpu_s, wall_s: passed.as_secs_f64(), gib_seconds }
    }
}

fn gib(root: u32) -> f64 {
    bytes(memory(root)) / GIB
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_over_time_is_the_area_below_the_line_between_looks() {
        let first = Weighed { gib: 1.0, ..Weighed::default() };
        let second = first.then(3.0, Duration::from_secs(10));
        let third = second.then(3.0, Duration::from_secs(14));
        assert_eq!((second.gib_seconds, third.gib_seconds), (20.0, 32.0));
    }

    #[test]
    fn a_watch_sees_time_and_memory_and_nothing_falls() {
        let mut watch = Watch::begin(std::process::id(), true);
        let first = watch.used();
        let second = watch.used();
        assert!(first.gib_seconds > 0.0 && second.gib_seconds > first.gib_seconds, "{first:?} {second:?}");
        assert!(second.wall_s > first.wall_s && second.cpu_s >= first.cpu_s, "{first:?} {second:?}");
        let without = Watch::begin(std::process::id(), false).used();
        assert_eq!(Used { gib_seconds: 0.0, ..without }, without);
    }
}
