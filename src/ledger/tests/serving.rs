//! A worker's loop: it becomes the steward, decides cells, survives attempts that panic, finds itself unfit, and drains.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::fixture::*;
use crate::*;

/// What each attempt comes to.
#[derive(Clone, Copy)]
enum Fate {
    Passes,
    Panics,
    Spoiled,
    Refused,
    Never,
}

struct Fated(Fate);

impl Work for Fated {
    async fn attempt(&self, given: Given) -> Made {
        given.used.send_replace(used(3));
        match self.0 {
            Fate::Passes => Made::Finished(Box::new(finish(Class::Counts, 4))),
            Fate::Panics => panic!("as a test asks for"),
            Fate::Spoiled => Made::Finished(Box::new(finish(Class::Infra, 4))),
            Fate::Refused => Made::Refused { why: "the disk is full".to_owned() },
            Fate::Never => std::future::pending().await,
        }
    }
}

fn pace() -> Pace {
    let ms = Duration::from_millis;
    Pace { beat: ms(40), idle: ms(10), idle_most: ms(40), steward: Some(ms(20)), grace: ms(100), ..Pace::default() }
}

fn worker(slots: u32) -> Worker {
    Worker { id: "w".to_owned(), host: "h".to_owned(), build: "b".to_owned(), pins: serde_json::json!({}), slots }
}

/// Works until `done` says so of the state of the cells, then drains.
async fn work(ledger: &Ledger, fate: Fate, done: impl Fn(&Counts) -> bool) -> Served {
    let (tell, stop) = watch::channel(Stop::GoOn);
    let serving = {
        let ledger = ledger.clone();
        tokio::spawn(async move { serve(&ledger, &worker(2), &Arc::new(Fated(fate)), pace(), stop).await })
    };
    tokio::time::timeout(Duration::from_secs(30), async {
        while !serving.is_finished() && !done(&ledger.status("e").await.unwrap().cells) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .unwrap();
    tell.send_replace(Stop::Drain);
    serving.await.unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_worker_alone_is_steward_too_and_decides_all() {
    let held = sqlite().await;
    held.ledger.enter(&plan(2, 5, 9)).await.unwrap();
    let served = work(&held.ledger, Fate::Passes, Counts::is_over).await;
    assert_eq!((served.attempts, served.unfit), (10, None));
    let status = held.ledger.status("e").await.unwrap();
    assert_eq!((status.cells.decided, status.spent.micro_usd), (10, 40));
    assert!(held.ledger.workers().await.unwrap().is_empty(), "it has left");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_that_panics_is_the_testbeds_failure_and_what_it_used_is_paid() {
    let held = sqlite().await;
    held.ledger.enter(&plan(1, 1, 9)).await.unwrap();
    work(&held.ledger, Fate::Panics, Counts::is_over).await;
    let status = held.ledger.status("e").await.unwrap();
    assert_eq!((status.cells.dead, status.failures), (1, vec![("attempt_panicked".to_owned(), 3)]));
    assert_eq!(status.spent.micro_usd, 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_spoils_five_attempts_in_a_row_drains_itself_and_says_so() {
    let held = sqlite().await;
    held.ledger.enter(&plan(1, 20, 9)).await.unwrap();
    let served = work(&held.ledger, Fate::Spoiled, |_| false).await;
    assert!(served.unfit.is_some() && (5..=7).contains(&served.attempts), "{served:?}");
    assert!(!held.ledger.status("e").await.unwrap().cells.is_over(), "others may do better");
    let why: Option<String> = sqlx::query_scalar("SELECT why FROM worker").fetch_one(&held.ledger.pool).await.unwrap();
    assert!(why.unwrap().contains("in a row"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_can_make_no_attempts_gives_back_what_it_has_and_is_shown_with_its_reason() {
    let held = sqlite().await;
    held.ledger.enter(&plan(1, 20, 9)).await.unwrap();
    let served = work(&held.ledger, Fate::Refused, |_| false).await;
    assert_eq!(served.unfit.as_deref(), Some("the disk is full"));
    assert!((1..=2).contains(&served.attempts), "each slot has one at most: {served:?}");
    let (status, cells) = (held.ledger.status("e").await.unwrap(), held.ledger.cells("e").await.unwrap());
    assert_eq!((status.cells.running, status.cells.dead), (0, 0));
    assert!(cells.iter().all(|cell| (cell.infra, cell.provider) == (0, 0)), "nobody failed: {cells:?}");
    let workers = held.ledger.workers().await.unwrap();
    assert_eq!((workers[0].state, workers[0].why.as_deref()), (Gate::Closed, Some("the disk is full")), "{workers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_end_within_the_grace_is_given_back_and_stays_paid() {
    let held = sqlite().await;
    held.ledger.enter(&plan(1, 2, 9)).await.unwrap();
    work(&held.ledger, Fate::Never, |cells| cells.running == 2).await;
    let status = held.ledger.status("e").await.unwrap();
    assert_eq!((status.cells.wanted, status.spent.micro_usd), (2, 6));
    let attempts = held.ledger.attempts("e").await.unwrap();
    assert!(attempts.iter().all(|attempt| attempt.state == AttemptState::Void), "{attempts:?}");
    let cells = held.ledger.cells("e").await.unwrap();
    assert!(cells.iter().all(|cell| (cell.infra, cell.provider) == (0, 0)), "nobody failed");
}
