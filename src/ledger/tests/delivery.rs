//! Tickets from the release to the worker, and the role that may do no more than that.

use std::time::Duration;

use sqlx::{AnyPool, Row as _};

use super::fixture::*;
use super::server::Server;
use crate::*;

async fn fleet(server: &Server, name: &str) -> (Ledger, String) {
    let url = server.database(name);
    let ledger = Ledger::connect(&url, None).await.unwrap().with_queue(&url, 2).await.unwrap();
    (ledger, url)
}

/// Tickets by state, as apalis has them.
async fn tickets(ledger: &Ledger, state: &str) -> i64 {
    sqlx::query("SELECT COUNT(*) AS n FROM apalis.jobs WHERE status = $1")
        .bind(state)
        .fetch_one(&ledger.pool)
        .await
        .unwrap()
        .try_get("n")
        .unwrap()
}

fn steward(ledger: &Ledger, beat: Duration) -> Steward {
    Steward::new(ledger.clone(), "s".to_owned(), None, beat)
}

fn worker(id: &str, slots: u32) -> Worker {
    Worker { id: id.to_owned(), host: "h".to_owned(), build: "b".to_owned(), pins: serde_json::json!({}), slots }
}

#[tokio::test]
async fn a_ticket_goes_to_one_worker_in_the_order_of_the_release() {
    let server = Server::shared();
    let (ledger, _) = fleet(server, "in_order").await;
    ledger.enter(&plan(1, 3, 9)).await.unwrap();
    let released = ledger.release(None, 9).await.unwrap();
    assert_eq!((released.tickets.len(), tickets(&ledger, "Pending").await), (3, 3));
    let (one, two) = (ledger.inbox("one").await.unwrap(), ledger.inbox("two").await.unwrap());
    let mut arrived = Vec::new();
    for inbox in [&one, &two, &one] {
        let delivered = inbox.next().await.unwrap().unwrap();
        arrived.push(delivered.ticket.clone());
        begin(&ledger, &delivered.ticket.cell, "w").await;
        inbox.done(&delivered).await.unwrap();
    }
    assert_eq!(arrived, released.tickets);
    assert!(two.next().await.unwrap().is_none());
    assert_eq!(tickets(&ledger, "Done").await, 3);
    steward(&ledger, Duration::from_secs(15)).tend().await.unwrap();
    assert_eq!(tickets(&ledger, "Done").await, 0, "what was told is swept away");
    ledger.close().await;
}

#[tokio::test]
async fn a_ticket_is_there_when_its_release_stands_and_pushing_it_twice_is_pushing_it_once() {
    let server = Server::shared();
    let (ledger, _) = fleet(server, "once").await;
    ledger.enter(&plan(1, 2, 9)).await.unwrap();
    let two = [1, 2].map(|number| Ticket { cell: "e:0000000000000000".to_owned(), number });
    let mut tx = ledger.begin_tx().await.unwrap();
    crate::deliver::push(&mut tx, &two).await.unwrap();
    tx.rollback().await.unwrap();
    assert_eq!(tickets(&ledger, "Pending").await, 0);
    for _ in 0..2 {
        let mut tx = ledger.begin_tx().await.unwrap();
        crate::deliver::push(&mut tx, &two).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(tickets(&ledger, "Pending").await, 2);
    }
    ledger.close().await;
}

#[tokio::test]
async fn what_a_silent_worker_holds_comes_again_and_a_cell_nobody_took_up_is_released_anew() {
    let server = Server::shared();
    let (ledger, _) = fleet(server, "silent").await;
    ledger.enter(&plan(1, 1, 9)).await.unwrap();
    ledger.release(None, 9).await.unwrap();
    let (silent, other) = (ledger.inbox("silent").await.unwrap(), ledger.inbox("other").await.unwrap());
    let held = silent.next().await.unwrap().unwrap();
    assert_eq!(steward(&ledger, Duration::from_secs(15)).tend().await.unwrap().unwrap().orphans, 0);
    assert!(other.next().await.unwrap().is_none());
    sqlx::query("UPDATE apalis.workers SET last_seen = now() - interval '31 seconds' WHERE id = 'silent'")
        .execute(&ledger.pool)
        .await
        .unwrap();
    assert_eq!(steward(&ledger, Duration::from_secs(15)).tend().await.unwrap().unwrap().orphans, 1);
    let again = other.next().await.unwrap().unwrap();
    assert_eq!(again.ticket, held.ticket);
    // It lives, holds the ticket, and never begins: after ten minutes the cell is released anew, whoever holds what.
    sqlx::query("UPDATE cell SET since = since - 601000").execute(&ledger.pool).await.unwrap();
    assert_eq!(ledger.release(None, 0).await.unwrap().tickets, std::slice::from_ref(&held.ticket));
    let renewed = silent.next().await.unwrap().unwrap();
    begin(&ledger, &renewed.ticket.cell, "w").await;
    for (inbox, delivered) in [(&silent, &renewed), (&other, &again), (&silent, &held)] {
        inbox.done(delivered).await.unwrap();
    }
    assert_eq!(ledger.begin(&again.ticket.cell, "v").await.unwrap(), Begun::Busy);
    ledger.close().await;
}

#[tokio::test]
async fn a_worker_that_was_forgotten_is_entered_anew() {
    let server = Server::shared();
    let (ledger, _) = fleet(server, "forgotten").await;
    let inbox = ledger.inbox("w").await.unwrap();
    inbox.alive().await.unwrap();
    sqlx::query("DELETE FROM apalis.workers").execute(&ledger.pool).await.unwrap();
    inbox.alive().await.unwrap();
    let known: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM apalis.workers").fetch_one(&ledger.pool).await.unwrap();
    assert_eq!(known, 1);
    ledger.close().await;
}

#[tokio::test]
async fn without_a_queue_a_worker_looks_for_released_cells() {
    let held = sqlite().await;
    held.ledger.enter(&plan(1, 1, 9)).await.unwrap();
    let inbox = held.ledger.inbox("w").await.unwrap();
    assert!(inbox.next().await.unwrap().is_none());
    held.ledger.join(&worker("w", 1)).await.unwrap();
    steward(&held.ledger, Duration::from_secs(15)).tend().await.unwrap();
    let delivered = inbox.next().await.unwrap().unwrap();
    begin(&held.ledger, &delivered.ticket.cell, "w").await;
    inbox.done(&delivered).await.unwrap();
    assert!(inbox.next().await.unwrap().is_none());
}

#[tokio::test]
async fn the_role_of_workers_makes_the_four_calls_and_takes_nothing_away() {
    let server = Server::shared();
    let (owner, url) = fleet(server, "roles").await;
    owner.enter(&plan(1, 3, 9)).await.unwrap();
    for sql in [grant("crew"), grant("crew"), "ALTER ROLE crew LOGIN".to_owned()] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&owner.pool).await.unwrap();
    }
    let url = url.replace("user=scratchbed", "user=crew");
    let crew = Ledger::connect(&url, Some(2)).await.unwrap().with_queue(&url, 1).await.unwrap();
    crew.join(&worker("w", 2)).await.unwrap();
    let inbox = crew.inbox("w").await.unwrap();
    assert_eq!(steward(&crew, Duration::from_secs(15)).tend().await.unwrap().unwrap().released.tickets.len(), 2);
    let mut leases = Vec::new();
    while let Some(delivered) = inbox.next().await.unwrap() {
        leases.push(begin(&crew, &delivered.ticket.cell, "w").await);
        inbox.done(&delivered).await.unwrap();
    }
    let beats = leases.iter().map(|lease| Beat { lease: lease.clone(), usage: used(2) }).collect();
    let lanes = [("lane".to_owned(), LaneReport { limited: 1, ..LaneReport::default() })].into();
    assert_eq!(crew.beat("w", &Pulse { beats, lanes }).await.unwrap().orders.len(), 2);
    inbox.alive().await.unwrap();
    assert_eq!(crew.end(&leases[0], &finish(Class::Counts, 3)).await.unwrap(), Ended::Counted);
    crew.give_back(&leases[1], &used(2), "drained").await.unwrap();
    crew.leave("w").await.unwrap();
    assert_eq!(crew.status("e").await.unwrap().cells.decided, 1);
    assert!(
        crew.set_gate("e", &Scope::Experiment, Gate::Paused, "w", None).await.is_err(),
        "orders are the researchers'"
    );
    for forbidden in FORBIDDEN {
        let error = sqlx::raw_sql(*forbidden).execute(&crew.pool).await.unwrap_err();
        let code = error.as_database_error().and_then(|error| error.code().map(std::borrow::Cow::into_owned));
        assert_eq!(code.as_deref(), Some("42501"), "{forbidden}: {error}");
    }
    assert_unchanged(&owner.pool).await;
    crew.close().await;
    owner.close().await;
}

const FORBIDDEN: &[&str] = &[
    "DELETE FROM attempt",
    "DELETE FROM cell",
    "DELETE FROM spend",
    "DELETE FROM worker",
    "TRUNCATE attempt",
    "DROP TABLE grade",
    "CREATE TABLE mine (x TEXT)",
    "ALTER TABLE cell ADD COLUMN mine TEXT",
    "INSERT INTO orders (seq, experiment, at, who, what) VALUES (9, 'e', 0, 'w', '{}')",
    "INSERT INTO cell SELECT * FROM cell",
    "UPDATE cell SET key = 'forged'",
    "UPDATE arm SET digest = 'forged'",
    "UPDATE experiment SET budget_usd = NULL",
    "UPDATE lane SET in_flight = 1000",
    "UPDATE grade SET outcome = 'passed'",
];

async fn assert_unchanged(pool: &AnyPool) {
    let attempts: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM attempt").fetch_one(pool).await.unwrap();
    assert_eq!(attempts, 2);
}
