//! Real processes are killed and frozen while they work: nothing is lost, counted twice or left unpaid, on either database.
//! `SCRATCHBED_TESTS=all` does so with a thousand cells and a hundred kills.

#![expect(clippy::unwrap_used, reason = "a test fails so")]

#[expect(dead_code, reason = "no sample is of the day here")]
#[path = "../../../tests/it/support/extent.rs"]
mod extent;
#[path = "server.rs"]
mod server;

use std::io::Write as _;
use std::time::Duration;

use extent::everything;
use scratchbed_ledger::Terms;
use scratchbed_ledger::simulation::{Address, Connections, Harm, Plan, Report, Times, run};
use server::Server;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn plan(ledger: Address, folder: &std::path::Path) -> Plan {
    let (cells, kills, kill_every, freeze_every) =
        if everything() { (1_000, 100, 1_000, 5_000) } else { (100, 10, 500, 2_500) };
    Plan {
        ledger,
        connections: Connections { ledger: 4, queue: 2 },
        program: vec![env!("CARGO_BIN_EXE_ledger-member").to_owned()],
        folder: folder.to_owned(),
        processes: 5,
        workers: 2,
        slots: 3,
        cells,
        lanes: vec![8, 12],
        times: Times {
            terms: Terms { lease: ms(5_000), steward: ms(2_000), ticket: ms(20_000) },
            beat: ms(1_200),
            idle: ms(200),
            idle_most: ms(800),
            steward: ms(300),
            attempt: (ms(800), ms(2_400)),
        },
        harm: Harm {
            kill_every: Some(ms(kill_every)),
            freeze_every: Some(ms(freeze_every)),
            freeze_for: ms(6_300),
            kills: Some(kills),
        },
        idle: Duration::ZERO,
        seed: 1,
        limit: Duration::from_secs(if everything() { 900 } else { 120 }),
    }
}

fn hold(report: &Report) {
    let text = serde_json::to_string_pretty(report).unwrap();
    assert!(report.passed(), "{text}");
    assert!(report.freezes > 0 && report.attempts > report.cells, "nothing was harmed: {text}");
    // Shown with --nocapture, for those who want the figures.
    std::io::stderr().write_all(text.as_bytes()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_and_frozen_processes_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Address::File(folder.path().join("ledger.sqlite"));
    hold(&Box::pin(run(&plan(ledger, folder.path()), |_| {})).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_and_frozen_processes_on_postgres() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Address::Postgres(Server::shared().database("fleet"));
    hold(&Box::pin(run(&plan(ledger, folder.path()), |_| {})).await.unwrap());
}
