//! A ledger with a small experiment, whose clock the test sets.

use serde_json::json;

use crate::*;

/// An experiment with `arms` arms of `items` items, in one lane of `in_flight`.
pub fn plan(arms: usize, items: usize, in_flight: u32) -> Plan {
    let arm = |number: usize| ArmPlan {
        label: format!("arm-{number}"),
        spec: json!({"agent": number}),
        digest: format!("digest-{number}"),
        lane: "lane".to_owned(),
        is_stream: false,
        cap_micro_usd: Some(100),
        cap_tokens: None,
    };
    let cells = (0..items).flat_map(|item| (0..arms).map(move |arm| (item, arm)));
    Plan {
        id: "e".to_owned(),
        name: "e".to_owned(),
        file: String::new(),
        run: None,
        pins: json!({}),
        budget: Budget::default(),
        retry: Retry::default(),
        lanes: vec![LanePlan { name: "lane".to_owned(), in_flight, rpm: Some(600), tpm: None }],
        arms: (0..arms).map(arm).collect(),
        cells: cells
            .map(|(item, arm)| CellPlan {
                arm,
                item: format!("item-{item}"),
                epoch: 1,
                seed: u64::MAX - item as u64,
                key: format!("{arm:08}{item:08}"),
            })
            .collect(),
    }
}

/// A file that lives as long as the test.
pub struct Held {
    pub ledger: Ledger,
    _folder: tempfile::TempDir,
}

pub async fn sqlite() -> Held {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(&folder.path().join("ledger.sqlite")).await.unwrap();
    Held { ledger, _folder: folder }
}

/// Puts a table that the test sets in the place of the database's clock.
pub async fn set_clock(ledger: &Ledger, ms: i64) {
    for sql in ["DROP VIEW IF EXISTS clock", "CREATE TABLE clock (ms BIGINT NOT NULL)", "INSERT INTO clock VALUES (0)"]
    {
        sqlx::query(sql).execute(&ledger.pool).await.unwrap();
    }
    wind(ledger, ms).await;
}

pub async fn wind(ledger: &Ledger, ms: i64) {
    let mut connection = ledger.pool.acquire().await.unwrap();
    // A connection of SQLite that has not looked since knows the view, and refuses to write to it; looking tells it better.
    sqlx::query("SELECT ms FROM clock").fetch_one(&mut *connection).await.unwrap();
    sqlx::query("UPDATE clock SET ms = ms + $1").bind(ms).execute(&mut *connection).await.unwrap();
}

pub fn used(micro_usd: u64) -> Usage {
    Usage { micro_usd: Some(micro_usd), input_tokens: micro_usd, output_tokens: 1, calls: 1, ..Usage::default() }
}

pub fn finish(class: Class, micro_usd: u64) -> Finish {
    let code = (class != Class::Counts).then(|| "trouble".to_owned());
    Finish { class, outcome: "passed".to_owned(), code, usage: used(micro_usd), record: json!({"a": 1}), files: None }
}

pub async fn begin(ledger: &Ledger, cell: &str, worker: &str) -> Lease {
    match ledger.begin(cell, worker).await.unwrap() {
        Begun::Yes(lease) => lease,
        other => panic!("{cell}: {other:?}"),
    }
}
