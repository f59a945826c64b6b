//! Which experiments a server works on: how many at a time, which are due, and when one whose process failed is tried again.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::child::Ended;

/// How long after its first failure a process is started again; each further one doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
/// Failures in a row after which it waits for an order.
const MOST_TROUBLES: u32 = 6;

/// The experiments of a server, by their names.
#[derive(Debug)]
pub struct Tenants {
    limit: usize,
    all: Mutex<BTreeMap<String, Tenant>>,
}

/// What is known of one.
#[derive(Debug, Default)]
struct Tenant {
    /// Whether a process works on it.
    is_running: bool,
    /// The newest order when it was last looked at or started: a newer one may have made work.
    answered: u64,
    /// Failures of its process in a row.
    troubles: u32,
    /// When it is tried again after the last one.
    again: Option<Instant>,
}

/// Why no process may be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// One works on it.
    Running,
    /// So many work.
    Full(usize),
}

impl Tenants {
    /// Room for so many.
    pub const fn new(limit: usize) -> Self {
        Self { limit, all: Mutex::new(BTreeMap::new()) }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Tenant>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a process that is to be started.
    pub fn move_in(&self, name: &str) -> Result<(), Refused> {
        let mut all = self.all();
        if all.get(name).is_some_and(|tenant| tenant.is_running) {
            return Err(Refused::Running);
        }
        if running(&all) >= self.limit {
            return Err(Refused::Full(self.limit));
        }
        all.entry(name.to_owned()).or_default().is_running = true;
        Ok(())
    }

    /// Gives a place back whose process was not started, or entered nothing.
    pub fn move_out(&self, name: &str) {
        self.all().remove(name);
    }

    /// Whether all places are taken.
    pub fn is_full(&self) -> bool {
        running(&self.all()) >= self.limit
    }

    /// Those that processes work on.
    pub fn running(&self) -> Vec<String> {
        let all = self.all();
        all.iter().filter(|(_, tenant)| tenant.is_running).map(|(name, _)| name.clone()).collect()
    }

    /// Whether it is to be looked at: nobody works on it, and there was an order since, or its process failed a while ago.
    pub fn is_due(&self, name: &str, newest_order: u64) -> bool {
        let all = self.all();
        let Some(tenant) = all.get(name) else { return true };
        let is_tried_again = tenant.again.is_some_and(|again| Instant::now() >= again);
        !tenant.is_running && (is_tried_again || newest_order > tenant.answered)
    }

    /// Notes up to which order it was looked at.
    pub fn answered(&self, name: &str, newest_order: u64) {
        let mut all = self.all();
        let tenant = all.entry(name.to_owned()).or_default();
        (tenant.answered, tenant.again) = (newest_order, None);
    }

    /// Notes that its process has ended.
    pub fn ended(&self, name: &str, how: &Ended) {
        let mut all = self.all();
        let tenant = all.entry(name.to_owned()).or_default();
        tenant.is_running = false;
        let is_broken = matches!(how, Ended::Broken { .. });
        tenant.troubles = if is_broken { tenant.troubles + 1 } else { 0 };
        tenant.again = (is_broken && tenant.troubles < MOST_TROUBLES)
            .then(|| Instant::now() + FIRST_PAUSE * 2_u32.pow(tenant.troubles - 1));
    }
}

fn running(all: &BTreeMap<String, Tenant>) -> usize {
    all.values().filter(|tenant| tenant.is_running).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken() -> Ended {
        Ended::Broken { code: "c".to_owned(), message: "m".to_owned() }
    }

    #[tokio::test(start_paused = true)]
    async fn an_order_or_a_failure_makes_one_due_and_a_place_is_needed() {
        let tenants = Tenants::new(1);
        assert!(tenants.is_due("a", 0), "what was hosted before is looked at");
        tenants.move_in("a").unwrap();
        assert_eq!(tenants.move_in("a"), Err(Refused::Running));
        assert_eq!(tenants.move_in("b"), Err(Refused::Full(1)));
        assert!(tenants.is_full() && !tenants.is_due("a", 9), "somebody works on it");
        tenants.answered("a", 9);
        tenants.ended("a", &Ended::Well);
        assert!(!tenants.is_due("a", 9) && tenants.is_due("a", 10));

        tenants.move_in("a").unwrap();
        tenants.ended("a", &broken());
        assert!(!tenants.is_due("a", 9));
        tokio::time::advance(FIRST_PAUSE).await;
        assert!(tenants.is_due("a", 9), "it is tried again");
        for _ in 1..MOST_TROUBLES {
            tenants.ended("a", &broken());
        }
        tokio::time::advance(FIRST_PAUSE * 1000).await;
        assert!(!tenants.is_due("a", 9) && tenants.is_due("a", 10), "it waits for an order");
        tenants.move_out("a");
        assert!(tenants.move_in("b").is_ok());
    }
}
