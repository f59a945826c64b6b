//! Requests and tokens a minute: the requests of a worker in one lane are spaced so that they stay below its share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::ledger::Share;

const MINUTE: Duration = Duration::from_secs(60);

/// The paces of all lanes of a worker.
#[derive(Debug, Clone, Default)]
pub struct Paces(Arc<Mutex<BTreeMap<String, Pace>>>);

#[derive(Debug, Default)]
struct Pace {
    share: Share,
    /// When the next request may be sent.
    next: Option<Instant>,
}

impl Paces {
    /// Sets what this worker may use of a lane.
    pub fn set(&self, lane: &str, share: Share) {
        self.lock().entry(lane.to_owned()).or_default().share = share;
    }

    /// Takes a turn in a lane: when its request may be sent.
    pub fn turn(&self, lane: &str) -> Instant {
        let now = Instant::now();
        let mut paces = self.lock();
        let Some(pace) = paces.get_mut(lane) else { return now };
        let turn = pace.next.map_or(now, |next| next.max(now));
        if let Some(rpm) = pace.share.rpm {
            pace.next = Some(turn + each(rpm));
        }
        turn
    }

    /// A request used so many tokens: the next one waits until they fit.
    pub fn used(&self, lane: &str, tokens: u64) {
        let mut paces = self.lock();
        let Some(pace) = paces.get_mut(lane) else { return };
        let Some(tpm) = pace.share.tpm else { return };
        let now = Instant::now();
        let from = pace.next.map_or(now, |next| next.max(now));
        pace.next = Some(from + each(tpm).saturating_mul(u32::try_from(tokens).unwrap_or(u32::MAX)));
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Pace>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How far apart things are of which there may be so many a minute. A share that came to nothing is one.
fn each(per_minute: u64) -> Duration {
    MINUTE.div_f64(f64::from(u32::try_from(per_minute.max(1)).unwrap_or(u32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn requests_are_spaced_and_tokens_push_the_next_one_back() {
        let (paces, began) = (Paces::default(), Instant::now());
        let waits = |paces: &Paces| paces.turn("l").duration_since(began).as_secs();
        assert_eq!([waits(&paces), waits(&paces)], [0, 0], "a lane without limits");
        paces.set("l", Share { rpm: Some(6), tpm: Some(6_000) });
        assert_eq!([waits(&paces), waits(&paces), waits(&paces)], [0, 10, 20]);
        paces.used("l", 1_000);
        assert_eq!(waits(&paces), 40);
        tokio::time::advance(Duration::from_secs(300)).await;
        assert_eq!(waits(&paces), 300, "what was not used is not saved up");
    }
}
