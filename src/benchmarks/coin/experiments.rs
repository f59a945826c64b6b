//! Experiments without a browser: cells of several arms on a real ledger, deaths at the worst moments, orders while they run.

use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::items::{Coins, experiment};
use crate::experiment::engine::{Caps, CellRef, Local, Noted, RunArm, Stop, work};
use crate::experiment::{Benchmark as _, Plan as RunPlan};
use crate::grade::Pricing;
use crate::ledger::{ArmPlan, Begun, CellPlan, CellState, Gate, Ledger, Plan, Scope};
use crate::model::{Coded as _, sha256_hex};
use crate::store::RunDir;

const ARMS: [&str; 2] = ["left", "right"];
const EPOCHS: u32 = 2;

fn plan() -> Plan {
    let arm = |label: &str| ArmPlan {
        label: label.to_owned(),
        spec: json!({"agent": label}),
        digest: sha256_hex(label.as_bytes()),
        lane: "local".to_owned(),
        is_stream: false,
        cap_micro_usd: None,
        cap_tokens: None,
    };
    let mut cells = Vec::new();
    for epoch in 1..=EPOCHS {
        for item in Coins::new(&[]).items() {
            for (arm, label) in ARMS.iter().enumerate() {
                let key = sha256_hex(format!("{label} {item} {epoch}").as_bytes());
                cells.push(CellPlan { arm, item: item.to_string(), epoch, seed: 1, key });
            }
        }
    }
    experiment("coins", (ARMS.map(arm).to_vec(), cells), 3)
}

/// The folder of an arm, made or gone on with.
fn dir(folder: &Path, label: &str) -> RunDir {
    let runs = folder.join(label);
    let plan =
        RunPlan { benchmark: Coins::NAME, attempts: EPOCHS, items: Coins::new(&[]).items(), ..RunPlan::default() };
    let made = std::fs::read_dir(&runs).into_iter().flatten().flatten().map(|entry| entry.path()).next();
    plan.open(&runs, made.as_deref()).unwrap()
}

fn local(folder: &Path, label: &str, script: &[(&str, u32, &[&'static str])]) -> Local {
    let arm = RunArm { benchmark: Coins::new(script), dir: dir(folder, label), pricing: Pricing::Nothing };
    Local {
        label: label.to_owned(),
        lane: "local".to_owned(),
        arm: Arc::new(arm),
        pricing: Pricing::Nothing,
        caps: Caps::default(),
    }
}

async fn ledger(folder: &Path) -> Ledger {
    let ledger = Ledger::open(&folder.join("ledger.sqlite")).await.unwrap();
    ledger.enter(&plan()).await.unwrap();
    ledger
}

#[tokio::test]
async fn each_cell_is_decided_by_one_attempt_and_spoiled_ones_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger(folder.path()).await;
    let left = local(folder.path(), "left", &[("b", 1, &["broken", "failed"]), ("a", 2, &["broken"; 3])]);
    let right = local(folder.path(), "right", &[]);
    let ended = Mutex::new(0);
    let note = |noted: Noted<'_>| *ended.lock().unwrap() += usize::from(matches!(noted, Noted::Ended { .. }));
    let never = CancellationToken::new();
    let (stop, status) = work(&ledger, "coins", vec![left, right], 3, &never, &note).await.unwrap();
    assert_eq!((stop, status.cells.decided, status.cells.dead), (Stop::Over, 7, 1));
    assert_eq!((*ended.lock().unwrap(), status.failures), (11, vec![("infra_error".to_owned(), 4)]));
    let records = dir(folder.path(), "left").attempts::<u32>().unwrap();
    assert_eq!(records.len(), 7, "the files of all tries are there");
    assert_eq!(ledger.status("coins").await.unwrap().state, Gate::Closed);
    let (stop, _) = work(
        &ledger,
        "coins",
        ARMS.map(|label| local(folder.path(), label, &[("b", 1, &["stop"])])).into(),
        3,
        &never,
        &|noted| assert!(matches!(noted, Noted::Began(_)), "nothing is left to do"),
    )
    .await
    .unwrap();
    assert_eq!(stop, Stop::Over);
}

#[tokio::test]
async fn what_a_dead_process_had_finished_is_handed_in_and_the_rest_is_made_again_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger(folder.path()).await;
    let tickets = ledger.release(Some("coins"), 2).await.unwrap().tickets;
    for ticket in &tickets {
        assert!(matches!(ledger.begin(&ticket.cell, "dead").await.unwrap(), Begun::Yes(_)));
    }
    // One of the two had written its record; the process died before it could say so.
    let finished = local(folder.path(), "left", &[("b", 1, &["failed"])]);
    let cell = CellRef { item: "b".parse().unwrap(), epoch: 1, number: 1 };
    finished.arm.attempt(&cell, &[]).await.unwrap();
    drop(finished);
    let handed = Mutex::new(0);
    let note = |noted: Noted<'_>| *handed.lock().unwrap() += usize::from(matches!(noted, Noted::HandedIn { .. }));
    let arms = ARMS.map(|label| local(folder.path(), label, &[])).into();
    let (_, status) = work(&ledger, "coins", arms, 2, &CancellationToken::new(), &note).await.unwrap();
    assert_eq!((*handed.lock().unwrap(), status.cells.decided), (1, 8));
    let cells = ledger.cells("coins").await.unwrap();
    assert_eq!((cells[0].tries, cells[1].tries, cells[1].infra), (1, 2, 0));
    let failed =
        ledger.attempts("coins").await.unwrap().into_iter().filter(|one| one.outcome.as_deref() == Some("failed"));
    assert_eq!(failed.count(), 1, "its verdict counts");
}

#[tokio::test]
async fn an_experiment_drains_goes_on_and_ends_with_its_budget() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger(folder.path()).await;
    let drain = CancellationToken::new();
    let stop_it = drain.clone();
    let note = move |noted: Noted<'_>| {
        if let Noted::Ended { .. } = noted {
            stop_it.cancel();
        }
    };
    let arms = || ARMS.map(|label| local(folder.path(), label, &[("a", 2, &["spent"])])).into();
    let (stop, status) = work(&ledger, "coins", arms(), 1, &drain, &note).await.unwrap();
    assert_eq!((stop, status.cells.decided), (Stop::Drained, 1));
    let never = CancellationToken::new();
    let (stop, status) = work(&ledger, "coins", arms(), 1, &never, &|_| ()).await.unwrap();
    assert!(matches!(stop, Stop::Budget(_)), "{stop:?}");
    assert_eq!((status.cells.decided, status.cells.wanted), (6, 2), "what the budget cut off is owed");
    let pausing = Mutex::new(None);
    let waiting = |noted: Noted<'_>| {
        if let Noted::Waiting { gate, .. } = noted {
            *pausing.lock().unwrap() = Some(gate);
        }
    };
    ledger.set_gate("coins", &Scope::Experiment, Gate::Paused, "me", None).await.unwrap();
    let opening = async {
        while pausing.lock().unwrap().is_none() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        ledger.set_gate("coins", &Scope::Experiment, Gate::Open, "me", None).await.unwrap();
    };
    let arms = ARMS.map(|label| local(folder.path(), label, &[])).into();
    let (worked, ()) = tokio::join!(work(&ledger, "coins", arms, 1, &never, &waiting), opening);
    assert_eq!((worked.unwrap().0, *pausing.lock().unwrap()), (Stop::Over, Some(Gate::Paused)));
    assert!(ledger.cells("coins").await.unwrap().iter().all(|cell| cell.state == CellState::Decided));
}

#[tokio::test]
async fn an_attempt_that_can_not_be_kept_is_given_back_and_ends_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger(folder.path()).await;
    let arms = ARMS.map(|label| local(folder.path(), label, &[("b", 1, &["stop"])])).into();
    let error = work(&ledger, "coins", arms, 1, &CancellationToken::new(), &|_| ()).await.unwrap_err();
    assert_eq!(error.code(), "invalid_item");
    let status = ledger.status("coins").await.unwrap();
    assert_eq!((status.cells.wanted, status.cells.running), (8, 0), "nothing is lost");
}
