//! When the chaos itself harmed the server's processes and files: trouble that comes of it is nobody's among the
//! agents.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// For so long after a harm is over there may be trouble that comes of it: browsers are probed every ten seconds, a
/// command that is not answered is given up after half a minute, and a call waits for a new page for as long as this.
const AFTERMATH: Duration = Duration::from_secs(60);

/// All harms so far.
#[derive(Debug, Default)]
pub(super) struct Harms(Mutex<Vec<Harm>>);

#[derive(Debug)]
struct Harm {
    begin: Instant,
    /// Absent while it lasts.
    end: Option<Instant>,
    /// A process that was stopped: the harm lasts until somebody has noticed and ended it.
    stopped: Option<u32>,
}

impl Harms {
    /// A harm begins; returns its number.
    pub(super) fn begin(&self) -> usize {
        let mut all = self.all();
        all.push(Harm { begin: Instant::now(), end: None, stopped: None });
        all.len() - 1
    }

    /// A harm is over.
    pub(super) fn end(&self, number: usize) {
        if let Some(harm) = self.all().get_mut(number) {
            harm.end = Some(Instant::now());
        }
    }

    /// A harm lasts for as long as this process is stopped.
    pub(super) fn last_while_stopped(&self, number: usize, process: u32) {
        if let Some(harm) = self.all().get_mut(number) {
            harm.stopped = Some(process);
        }
    }

    /// Ends the harms of stopped processes that are gone. To be called now and then.
    pub(super) fn look(&self) {
        for harm in self.all().iter_mut() {
            if harm.end.is_none() && harm.stopped.is_some_and(|process| !is_stopped(process)) {
                harm.end = Some(Instant::now());
            }
        }
    }

    /// Whether trouble of a call that lasted from `begin` to `end` may come of a harm.
    pub(super) fn explain(&self, begin: Instant, end: Instant) -> bool {
        self.look();
        self.all().iter().any(|harm| harm.begin <= end && harm.end.is_none_or(|over| begin <= over + AFTERMATH))
    }

    fn all(&self) -> MutexGuard<'_, Vec<Harm>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a process is there and stopped, by its state behind its name in parentheses.
fn is_stopped(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, state)| state.trim_start().starts_with('T'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_is_explained_by_a_harm_before_its_end_and_for_a_minute_after() {
        let harms = Harms::default();
        let before = Instant::now();
        let calm = before.checked_sub(Duration::from_secs(1)).unwrap();
        let number = harms.begin();
        let during = Instant::now() + Duration::from_secs(600);
        assert!(!harms.explain(calm, calm), "it was over before");
        assert!(harms.explain(calm, during) && harms.explain(during, during), "the harm lasts");
        harms.end(number);
        let soon = Instant::now() + Duration::from_secs(30);
        assert!(harms.explain(soon, during));
        assert!(!harms.explain(during, during), "it has long been over");
    }

    #[test]
    fn a_stopped_process_is_a_harm_until_it_is_gone() {
        let harms = Harms::default();
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let id = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
        nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGSTOP).unwrap();
        // The signal is delivered before this returns.
        let seen = nix::sys::wait::waitpid(id, Some(nix::sys::wait::WaitPidFlag::WUNTRACED)).unwrap();
        assert!(matches!(seen, nix::sys::wait::WaitStatus::Stopped(..)));
        let number = harms.begin();
        harms.last_while_stopped(number, child.id());
        let later = Instant::now() + Duration::from_secs(600);
        assert!(harms.explain(later, later));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!harms.explain(later, later));
    }
}
