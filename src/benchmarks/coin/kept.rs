//! Experiments of which files are left, without a browser: a ledger that was lost, attempts that count twice, and workers that
//! remove what they have delivered.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::items::Coins;
use crate::experiment::engine::{
    Caps, CellRef, FleetWork, KeptArm, KeptExperiment, Local, Machine, Noted, Prepared, RunArm, Stop, bring, work,
};
use crate::experiment::{Benchmark as _, Plan as RunPlan};
use crate::grade::Pricing;
use crate::ledger::{
    Begun, CellRow, CellState, Ended, Files, Finish, Gate, Given, Lease, Ledger, Made, Orders, Place, Plan, Rebuilt,
    Usage, Work as _,
};
use crate::model::Outcome;
use crate::store::{RunDir, TakenFrom, VerdictStore};

const ARMS: [&str; 2] = ["left", "right"];
const EPOCHS: u32 = 2;
type Script<'a> = &'a [(&'a str, u32, &'a [&'static str])];

fn dir(folder: &Path, experiment: &str, label: &str) -> RunDir {
    let plan = RunPlan {
        benchmark: Coins::NAME,
        agent: label.to_owned(),
        attempts: EPOCHS,
        items: Coins::new(&[]).items(),
        ..RunPlan::default()
    };
    plan.open_in(&folder.join(experiment).join(label)).unwrap()
}

/// What the folders of an experiment tell; they are begun if there are none.
fn kept(folder: &Path, experiment: &str) -> KeptExperiment {
    let arm = |label: &str| KeptArm {
        dir: dir(folder, experiment, label),
        lane: "local".to_owned(),
        pricing: Pricing::Nothing,
        caps: Caps::default(),
    };
    KeptExperiment::read(&ARMS.map(arm), EPOCHS, 1).unwrap()
}

fn plan(experiment: &str, kept: &KeptExperiment) -> Plan {
    Plan { pins: kept.pins.clone(), ..super::items::experiment(experiment, (kept.arms.clone(), kept.cells.clone()), 3) }
}

fn locals(folder: &Path, experiment: &str, script: Script<'_>) -> Vec<Local> {
    let local = |label: &str| Local {
        label: label.to_owned(),
        lane: "local".to_owned(),
        arm: Arc::new(RunArm {
            benchmark: Coins::new(script),
            dir: dir(folder, experiment, label),
            pricing: Pricing::Nothing,
        }),
        pricing: Pricing::Nothing,
        caps: Caps::default(),
    };
    ARMS.map(local).into()
}

async fn ledger(folder: &Path, name: &str) -> Ledger {
    Ledger::open(&folder.join(format!("{name}.sqlite"))).await.unwrap()
}

/// Works until so many attempts have ended; how many there were.
async fn worked(ledger: &Ledger, experiment: &str, arms: Vec<Local>, most: usize) -> (usize, Stop) {
    let (ended, drain) = (AtomicUsize::new(0), CancellationToken::new());
    let note = |noted: Noted<'_>| {
        if matches!(noted, Noted::Ended { .. }) && ended.fetch_add(1, Ordering::SeqCst) + 1 >= most {
            drain.cancel();
        }
    };
    let (stop, _) = work(ledger, experiment, arms, 1, &drain, &note).await.unwrap();
    (ended.load(Ordering::SeqCst), stop)
}

#[tokio::test]
async fn a_lost_ledger_is_made_anew_and_nothing_is_attempted_again() {
    let folder = tempfile::tempdir().unwrap();
    let first = ledger(folder.path(), "first").await;
    first.enter(&plan("coins", &kept(folder.path(), "coins"))).await.unwrap();
    let script: Script<'_> = &[("b", 1, &["broken", "failed"])];
    let (ended, stop) = worked(&first, "coins", locals(folder.path(), "coins", script), 5).await;
    assert_eq!((ended, stop), (5, Stop::Drained));
    let found = kept(folder.path(), "coins");
    let second = ledger(folder.path(), "second").await;
    let rebuilt = second.rebuild(&plan("coins", &found), found.begun_ms, &found.attempts).await.unwrap();
    assert_eq!(rebuilt, Rebuilt { attempts: 5, broken_off: 0, left_out: 0 });
    let of = |cell: &CellRow| (cell.id.clone(), cell.state, cell.tries, cell.infra, cell.won.clone(), cell.seed);
    let all = |cells: Vec<CellRow>| cells.iter().map(of).collect::<Vec<_>>();
    let (before, after) = (first.cells("coins").await.unwrap(), second.cells("coins").await.unwrap());
    assert_eq!(all(after), all(before.clone()));

    // The files of an attempt that was broken off, and a third ledger that knows of it.
    let wanted = before.iter().find(|cell| cell.state == CellState::Wanted && cell.tries == 0).unwrap();
    let label = ARMS[usize::from(wanted.arm.ends_with("/2"))];
    let (item, epoch) = (wanted.item.parse().unwrap(), u32::try_from(wanted.epoch).unwrap());
    dir(folder.path(), "coins", label).begin(&item, epoch, 0).unwrap();
    let found = kept(folder.path(), "coins");
    let third = ledger(folder.path(), "third").await;
    let rebuilt = third.rebuild(&plan("coins", &found), None, &found.attempts).await.unwrap();
    assert_eq!((rebuilt.attempts, rebuilt.broken_off), (6, 1));
    let decided = before.iter().filter(|cell| cell.state == CellState::Decided).count();
    let (ended, stop) = worked(&third, "coins", locals(folder.path(), "coins", &[]), 99).await;
    assert_eq!((ended, stop), (8 - decided, Stop::Over), "what was decided is not attempted again");
    let last = third.cells("coins").await.unwrap().into_iter().find(|cell| cell.id == wanted.id).unwrap();
    assert_eq!((last.state, last.tries), (CellState::Decided, 2));
    // All that is over stays over.
    let found = kept(folder.path(), "coins");
    let fourth = ledger(folder.path(), "fourth").await;
    fourth.rebuild(&plan("coins", &found), None, &found.attempts).await.unwrap();
    assert_eq!(fourth.status("coins").await.unwrap().state, Gate::Closed);
}

#[tokio::test]
async fn attempts_that_count_in_two_experiments_lie_in_both_and_are_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger(folder.path(), "ledger").await;
    ledger.enter(&plan("coins", &kept(folder.path(), "coins"))).await.unwrap();
    worked(&ledger, "coins", locals(folder.path(), "coins", &[("b", 1, &["broken"])]), 6).await;
    let decided = ledger.status("coins").await.unwrap().cells.decided;
    ledger.enter(&plan("more", &kept(folder.path(), "more"))).await.unwrap();
    assert_eq!(ledger.reuse("more").await.unwrap(), decided);
    let reused = ledger.reused("more").await.unwrap();
    let verdicts = VerdictStore::new(folder.path().join("verdicts"));
    let brought = bring(folder.path(), "more", &reused, &verdicts).unwrap();
    assert_eq!((brought.new, brought.missing.len()), (decided, 0));
    assert_eq!(bring(folder.path(), "more", &reused, &verdicts).unwrap().new, 0);
    let tries = dir(folder.path(), "more", "left").last_tries::<u32>().unwrap();
    let retried = tries.iter().find(|tried| tried.record.retry == 1).unwrap();
    assert_eq!(TakenFrom::read(&retried.path).unwrap().experiment, "coins");
    let (ended, _) = worked(&ledger, "more", locals(folder.path(), "more", &[]), 99).await;
    assert_eq!(ended as u64, 8 - decided);

    // Without the ledger they count in both as well.
    let found = kept(folder.path(), "more");
    let other = self::ledger(folder.path(), "other").await;
    other.rebuild(&plan("more", &found), None, &found.attempts).await.unwrap();
    assert_eq!(other.status("more").await.unwrap().cells.decided, 8);
    let foreign =
        other.attempts("more").await.unwrap().into_iter().filter(|attempt| attempt.worker == "taken from coins");
    assert_eq!(foreign.count() as u64, decided);
    // Where the files are elsewhere, that is told.
    std::fs::remove_dir_all(folder.path().join("more/left/attempts")).unwrap();
    std::fs::remove_dir_all(folder.path().join("coins/left")).unwrap();
    assert!(!bring(folder.path(), "more", &reused, &verdicts).unwrap().missing.is_empty());
}

/// A machine that delivers to nowhere, and removes what was accepted.
struct Desk {
    folder: PathBuf,
    delivered: Arc<Mutex<Vec<String>>>,
}

#[async_trait]
impl Machine for Desk {
    async fn arm(&self, place: &Place) -> Result<Prepared, String> {
        let arm = RunArm {
            benchmark: Coins::new(&[("b", 1, &["broken", "failed"])]),
            dir: RunDir::open(&self.folder.join("coins").join(&place.arm)).unwrap(),
            pricing: Pricing::Nothing,
        };
        Ok(Prepared { arm: Arc::new(arm), pricing: Pricing::Nothing })
    }

    async fn deliver(&self, place: &Place, cell: &CellRef) -> Result<Files, String> {
        self.delivered.lock().unwrap().push(format!("{} {}", place.item, cell.number));
        Ok(Files { uri: "nowhere".to_owned(), sha256: String::new(), bytes: 0 })
    }

    fn accepted(&self, place: &Place, cell: &CellRef) {
        let dir = RunDir::open(&self.folder.join("coins").join(&place.arm)).unwrap();
        (0..cell.number).for_each(|retry| dir.discard(&cell.item, cell.epoch, retry).unwrap());
    }

    fn note(&self, _place: &Place, _outcome: Outcome, _reason: Option<&str>) {}
}

/// The result of the next try at a cell, which the ledger does not have yet.
async fn tried(ledger: &Ledger, work: &FleetWork<Desk>, cell: &str) -> (Lease, Box<Finish>) {
    ledger.release(Some("coins"), 1).await.unwrap();
    let Begun::Yes(lease) = ledger.begin(cell, "w").await.unwrap() else { panic!("{cell}") };
    let (_tell, told) = watch::channel((Orders::GoOn, Instant::now()));
    let (used, _seen) = watch::channel(Usage::default());
    match work.attempt(Given { lease: lease.clone(), told, used }).await {
        Made::Finished(finish) => (lease, finish),
        other => panic!("no result: {other:?}"),
    }
}

/// Each has a disk of its own, so that the ledger alone tells of what was tried elsewhere.
#[tokio::test]
async fn a_try_is_told_of_those_that_other_workers_made() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let ledger = ledger(folders[0].path(), "ledger").await;
    ledger.enter(&plan("coins", &kept(folders[0].path(), "coins"))).await.unwrap();
    kept(folders[1].path(), "coins");
    let cell = ledger.cells("coins").await.unwrap()[0].id.clone();
    let mut known = Vec::new();
    for folder in &folders {
        let desk = Desk { folder: folder.path().to_owned(), delivered: Arc::default() };
        let (lease, finish) = tried(&ledger, &FleetWork::new(ledger.clone(), desk), &cell).await;
        known.push(finish.record["detail"].as_u64());
        ledger.end(&lease, &finish).await.unwrap();
    }
    assert_eq!(known, [Some(0), Some(1)]);
}

#[tokio::test]
async fn a_worker_removes_what_it_delivered_when_the_ledger_needs_no_more_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger(folder.path(), "ledger").await;
    ledger.enter(&plan("coins", &kept(folder.path(), "coins"))).await.unwrap();
    let delivered = Arc::default();
    let desk = Desk { folder: folder.path().to_owned(), delivered: Arc::clone(&delivered) };
    let work = FleetWork::new(ledger.clone(), desk);
    let there = || std::fs::read_dir(folder.path().join("coins/left/attempts")).map_or(0, Iterator::count);
    let cell = ledger.cells("coins").await.unwrap()[0].id.clone();
    let mut seen = Vec::new();
    // The coin says `broken` each time a machine is asked for the arm anew; the second try is told of the first by its folder.
    for _ in 0..3 {
        let (lease, finish) = tried(&ledger, &work, &cell).await;
        let before = there();
        let ended = ledger.end(&lease, &finish).await.unwrap();
        work.ended(&lease, ended);
        seen.push((before, ended, there()));
    }
    assert_eq!(seen, [(1, Ended::Owed, 1), (2, Ended::Owed, 2), (3, Ended::Dead, 0)]);
    assert_eq!(*delivered.lock().unwrap(), ["b 1", "b 2", "b 3"]);
}
