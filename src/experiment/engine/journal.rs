//! The journal of one attempt: what its requests used, whether the next may be sent, and how its lane answered.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;
use tokio::time::Instant;

use super::paces::Paces;
use crate::agent::model::{Meter, NotAdmitted, Refusal, Usage as Tokens};
use crate::grade::Pricing;
use crate::ledger::{LOCAL, LaneReport, Orders, Usage};

/// What one attempt may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Caps {
    pub micro_usd: Option<u64>,
    pub tokens: Option<u64>,
}

/// After so long without the ledger no request is sent: the lease may be another's by then.
pub const OUT_OF_TOUCH: Duration = Duration::from_secs(30);

/// How lanes answered since they were last reported, over all attempts of a worker.
#[derive(Debug, Clone, Default)]
pub struct LaneNotes(Arc<Mutex<BTreeMap<String, LaneReport>>>);

impl LaneNotes {
    /// What there is to report; it is gone then.
    pub fn take(&self) -> BTreeMap<String, LaneReport> {
        std::mem::take(&mut *self.lock())
    }

    /// Whether lanes have refused or failed: their limits change then, so that the ledger must hear of it soon.
    pub fn are_urgent(&self) -> bool {
        let troubled = |report: &LaneReport| report.limited > 0 || report.failed > 0 || report.is_unauthorized;
        self.lock().values().any(troubled)
    }

    /// Puts a report back that could not be handed in.
    pub fn put_back(&self, reports: BTreeMap<String, LaneReport>) {
        let mut held = self.lock();
        for (lane, report) in reports {
            let to = held.entry(lane).or_default();
            to.succeeded += report.succeeded;
            to.limited += report.limited;
            to.failed += report.failed;
            to.asked_ms = to.asked_ms.max(report.asked_ms);
            to.is_unauthorized |= report.is_unauthorized;
            to.failing.extend(report.failing);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, LaneReport>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the attempts of a worker share: how lanes answered, and how fast they may be asked.
#[derive(Debug, Clone, Default)]
pub struct Lanes {
    pub notes: LaneNotes,
    pub paces: Paces,
}

/// Watches over the requests of one attempt.
pub struct Journal {
    attempt: String,
    lane: String,
    pricing: Pricing,
    caps: Caps,
    lanes: Lanes,
    /// Orders, with when they were last heard.
    orders: watch::Receiver<(Orders, Instant)>,
    used: Mutex<Usage>,
    waits: Mutex<Waits>,
}

/// How long requests have waited to be admitted. Where several wait at a time, that is one wait.
#[derive(Debug, Default)]
struct Waits {
    past: Duration,
    waiting: u32,
    since: Option<Instant>,
}

impl Waits {
    fn begin(&mut self) {
        self.waiting += 1;
        self.since.get_or_insert_with(Instant::now);
    }

    fn end(&mut self) {
        self.waiting -= 1;
        if self.waiting == 0 {
            self.past = self.so_far();
            self.since = None;
        }
    }

    fn so_far(&self) -> Duration {
        self.past + self.since.map(|since| since.elapsed()).unwrap_or_default()
    }
}

/// A request that waits; it does no more when this is dropped.
struct Waiting<'a>(&'a Mutex<Waits>);

impl<'a> Waiting<'a> {
    fn new(waits: &'a Mutex<Waits>) -> Self {
        lock(waits).begin();
        Self(waits)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        lock(self.0).end();
    }
}

fn lock<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Journal {
    /// A journal; `orders` are those of its attempt.
    pub fn new(
        (attempt, lane): (String, String),
        pricing: Pricing,
        caps: Caps,
        lanes: Lanes,
        orders: watch::Receiver<(Orders, Instant)>,
    ) -> Self {
        let used = Usage { micro_usd: Some(0), ..Usage::default() };
        Self { attempt, lane, pricing, caps, lanes, orders, used: Mutex::new(used), waits: Mutex::default() }
    }

    /// What was used so far.
    pub fn used(&self) -> Usage {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, Usage> {
        lock(&self.used)
    }

    /// Notes how the lane answered. The local one governs nothing.
    fn note(&self, change: impl FnOnce(&mut LaneReport)) {
        if self.lane != LOCAL {
            change(self.lanes.notes.lock().entry(self.lane.clone()).or_default());
        }
    }

    /// Why nothing more may be asked.
    fn spent(&self) -> Option<String> {
        let used = self.used();
        let usd = self.caps.micro_usd.zip(used.micro_usd).is_some_and(|(most, used)| used >= most);
        let tokens = self.caps.tokens.is_some_and(|most| used.tokens() >= most);
        (usd || tokens).then(|| "the attempt has used what it may".to_owned())
    }
}

#[async_trait]
impl Meter for Journal {
    async fn admit(&self) -> Result<(), NotAdmitted> {
        if let Some(reason) = self.spent() {
            return Err(NotAdmitted::Spent(reason));
        }
        let mut orders = self.orders.clone();
        let (began, waiting) = (Instant::now(), Waiting::new(&self.waits));
        let turn = self.lanes.paces.turn(&self.lane);
        let admitted = loop {
            let (order, heard) = *orders.borrow_and_update();
            match order {
                Orders::Cancel => break Err(NotAdmitted::Owed("another worker has taken the attempt over".to_owned())),
                Orders::GoOn if heard.elapsed() < OUT_OF_TOUCH && turn <= Instant::now() => break Ok(()),
                Orders::GoOn | Orders::Hold => {}
            }
            let changed = tokio::select! {
                changed = orders.changed() => changed,
                () = tokio::time::sleep_until(turn), if turn > Instant::now() => Ok(()),
            };
            if changed.is_err() {
                break Err(NotAdmitted::Owed("the worker stops".to_owned()));
            }
        };
        drop(waiting);
        let waited = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.lock().waited_ms += waited;
        admitted
    }

    fn held(&self) -> Duration {
        lock(&self.waits).so_far()
    }

    fn answered(&self, tokens: Tokens) {
        let micro_usd = self.pricing.of(&tokens.cost(1));
        let mut used = self.lock();
        used.micro_usd = used.micro_usd.zip(micro_usd).map(|(used, more)| used + more);
        used.input_tokens += tokens.input_tokens;
        used.cached_tokens += tokens.cached_tokens;
        used.cache_written_tokens += tokens.cache_written_tokens;
        used.output_tokens += tokens.output_tokens;
        used.reasoning_tokens += tokens.reasoning_tokens;
        used.calls += 1;
        drop(used);
        self.lanes.paces.used(&self.lane, tokens.input_tokens + tokens.output_tokens);
        self.note(|report| report.succeeded += 1);
    }

    fn refused(&self, refusal: Refusal) {
        self.lock().calls += 1;
        self.note(|report| match refusal {
            Refusal::Limited { asked_for } => {
                report.limited += 1;
                let asked = asked_for.map_or(0, |wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
                report.asked_ms = report.asked_ms.max(asked);
            }
            Refusal::Failed => {
                report.failed += 1;
                if !report.failing.contains(&self.attempt) {
                    report.failing.push(self.attempt.clone());
                }
            }
            Refusal::Unauthorized => report.is_unauthorized = true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal(caps: Caps) -> (Journal, watch::Sender<(Orders, Instant)>, LaneNotes) {
        let (tell, orders) = watch::channel((Orders::GoOn, Instant::now()));
        let notes = LaneNotes::default();
        let names = ("a".to_owned(), "l".to_owned());
        let lanes = Lanes { notes: notes.clone(), ..Lanes::default() };
        (Journal::new(names, Pricing::Nothing, caps, lanes, orders), tell, notes)
    }

    #[tokio::test(start_paused = true)]
    async fn a_held_attempt_waits_and_the_wait_is_counted() {
        let (journal, tell, _notes) = journal(Caps::default());
        assert_eq!(journal.admit().await, Ok(()));
        tell.send((Orders::Hold, Instant::now())).unwrap();
        let going_on = async {
            tokio::time::sleep(Duration::from_secs(600)).await;
            tell.send((Orders::GoOn, Instant::now())).unwrap();
        };
        let looking = async {
            tokio::time::sleep(Duration::from_secs(60)).await;
            journal.held()
        };
        let (admitted, ..) = tokio::join!(journal.admit(), going_on);
        assert_eq!((admitted, journal.used().waited_ms), (Ok(()), 600_000));
        assert_eq!(journal.held().as_secs(), 600);
        tell.send((Orders::Hold, Instant::now())).unwrap();
        let looked = tokio::select! {
            _ = journal.admit() => panic!("it is held"),
            looked = looking => looked,
        };
        assert_eq!(
            (looked.as_secs(), journal.held().as_secs()),
            (660, 660),
            "the wait that goes on counts, and ends with its request"
        );
        tell.send((Orders::Cancel, Instant::now())).unwrap();
        assert!(matches!(journal.admit().await, Err(NotAdmitted::Owed(_))));
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_not_heard_of_the_ledger_for_long_asks_nobody() {
        let (journal, tell, _notes) = journal(Caps::default());
        tokio::time::advance(Duration::from_secs(31)).await;
        let hearing = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            tell.send((Orders::GoOn, Instant::now())).unwrap();
        };
        let (admitted, ()) = tokio::join!(journal.admit(), hearing);
        assert_eq!((admitted, journal.used().waited_ms), (Ok(()), 5_000));
    }

    #[tokio::test]
    async fn an_attempt_that_has_used_what_it_may_asks_no_more_and_its_lane_is_reported() {
        let (journal, _tell, notes) = journal(Caps { tokens: Some(10), ..Caps::default() });
        journal.answered(Tokens { input_tokens: 8, output_tokens: 1, ..Tokens::default() });
        assert_eq!(journal.admit().await, Ok(()));
        journal.answered(Tokens { input_tokens: 1, ..Tokens::default() });
        assert!(matches!(journal.admit().await, Err(NotAdmitted::Spent(_))));
        journal.refused(Refusal::Limited { asked_for: Some(Duration::from_secs(2)) });
        journal.refused(Refusal::Failed);
        let taken = notes.take();
        assert_eq!(
            (taken["l"].succeeded, taken["l"].limited, taken["l"].asked_ms, taken["l"].failed),
            (2, 1, 2_000, 1)
        );
        assert!(notes.take().is_empty());
        notes.put_back(taken.clone());
        assert_eq!(notes.take(), taken);
    }
}
