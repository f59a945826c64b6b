//! Workers on full disks: what they have begun is given back, they take nothing more, and others go on.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::watch;

use super::items::{Coins, experiment};
use crate::experiment::engine::{
    Arm as _, Caps, CellRef, FleetWork, KeptArm, KeptExperiment, Machine, Prepared, RunArm,
};
use crate::experiment::{Benchmark as _, Plan as RunPlan};
use crate::grade::Pricing;
use crate::ledger::{AttemptState, Files, Gate, Ledger, Pace, Place, Served, Stop, Terms, Worker, serve};
use crate::model::{Coded as _, Outcome};
use crate::store::{RunDir, fakes};

const ARM: &str = "arm";
/// Steps after which a disk never fills.
const NEVER: usize = usize::MAX / 2;

fn dir(folder: &Path) -> RunDir {
    let items = Coins::new(&[]).items();
    let plan = RunPlan { benchmark: Coins::NAME, agent: ARM.to_owned(), attempts: 1, items, ..RunPlan::default() };
    plan.open_in(&folder.join(ARM)).unwrap()
}

async fn ledger(folder: &Path) -> Ledger {
    let arm = KeptArm { dir: dir(folder), lane: "local".to_owned(), pricing: Pricing::Nothing, caps: Caps::default() };
    let kept = KeptExperiment::read(&[arm], 1, 1).unwrap();
    // Each worker is the steward in turn.
    let terms = Terms { steward: Duration::from_millis(200), ..Terms::default() };
    let ledger = Ledger::open(&folder.join("ledger.sqlite")).await.unwrap().with_terms(terms);
    let plan = experiment("coins", (kept.arms, kept.cells), 1);
    ledger.enter(&plan).await.unwrap();
    ledger
}

/// A machine whose disk is full after some steps of an attempt.
struct Host {
    folder: PathBuf,
    steps: usize,
}

#[async_trait]
impl Machine for Host {
    async fn arm(&self, _: &Place) -> Result<Prepared, String> {
        let dir = fakes::full_after(dir(&self.folder), self.steps);
        let arm = RunArm { benchmark: Coins::new(&[]), dir, pricing: Pricing::Nothing };
        Ok(Prepared { arm: Arc::new(arm), pricing: Pricing::Nothing })
    }

    async fn deliver(&self, _: &Place, _: &CellRef) -> Result<Files, String> {
        Ok(Files { uri: "nowhere".to_owned(), sha256: String::new(), bytes: 0 })
    }

    fn accepted(&self, _: &Place, _: &CellRef) {}

    fn note(&self, _: &Place, _: Outcome, _: Option<&str>) {}
}

/// Has a worker work on a host until it stops by itself, or all is decided.
async fn served(ledger: &Ledger, folder: &Path, steps: usize) -> Served {
    let ms = Duration::from_millis;
    let pace = Pace { beat: ms(40), idle: ms(10), idle_most: ms(40), steward: Some(ms(20)), ..Pace::default() };
    let id = format!("host-{steps}");
    let worker = Worker { id, host: "h".to_owned(), build: "b".to_owned(), pins: json!({}), slots: 1 };
    let work = Arc::new(FleetWork::new(ledger.clone(), Host { folder: folder.to_owned(), steps }));
    let (tell, stop) = watch::channel(Stop::GoOn);
    let over = async {
        while !ledger.status("coins").await.unwrap().cells.is_over() {
            tokio::time::sleep(ms(10)).await;
        }
        tell.send_replace(Stop::Drain);
        std::future::pending::<()>().await;
    };
    tokio::select! {
        served = serve(ledger, &worker, &work, pace, stop) => served.unwrap(),
        () = over => unreachable!(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_whose_disk_is_full_gives_back_and_drains_and_another_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger(folder.path()).await;
    // Before anything is begun, and while its files are written.
    for (steps, told) in [(0, "full"), (1, "can't be written"), (3, "can't be written")] {
        let served = Box::pin(served(&ledger, folder.path(), steps)).await;
        assert!(served.unfit.as_ref().is_some_and(|why| why.contains(told)), "{served:?}");
        assert_eq!(served.attempts, 1, "it took nothing more");
    }
    let cells = ledger.cells("coins").await.unwrap();
    assert!(cells.iter().all(|cell| cell.infra == 0), "nobody failed: {cells:?}");
    let rows = ledger.workers().await.unwrap();
    assert!(rows.iter().all(|row| row.state == Gate::Closed && row.why.is_some()), "{rows:?}");

    let rest = Box::pin(served(&ledger, folder.path(), NEVER)).await;
    assert_eq!((rest.unfit, rest.attempts), (None, 2));
    assert_eq!(ledger.status("coins").await.unwrap().cells.decided, 2);
    let given_back = ledger.attempts("coins").await.unwrap();
    assert_eq!(given_back.iter().filter(|attempt| attempt.state == AttemptState::Void).count(), 3);
}

#[tokio::test]
async fn what_a_full_disk_spoils_at_any_step_is_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let cell = CellRef { item: Coins::new(&[]).items().remove(0), epoch: 1, number: 1 };
    let (mut steps, mut full) = (0, 0);
    loop {
        let dir = fakes::full_after(dir(folder.path()), steps);
        let arm = RunArm { benchmark: Coins::new(&[("b", 1, &["broken"])]), dir, pricing: Pricing::Nothing };
        match arm.attempt(&cell, &[]).await {
            Ok(made) => break assert_eq!(made.outcome, Outcome::InfraError, "the disk had room for all of it"),
            Err(error) if error.code() == "disk_full" => {
                assert!(arm.finished(&cell).unwrap().is_none(), "a full disk after {steps} steps left a result");
                full += 1;
            }
            Err(error) => assert_eq!(error.code(), "run_unwritable", "{error}"),
        }
        steps += 1;
    }
    assert_eq!(
        (full, steps > 5),
        (2, true),
        "room is asked for before an attempt, and after one that was spoiled: {steps}"
    );
}
