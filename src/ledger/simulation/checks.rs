//! What must hold of a ledger after a simulation, read from its tables, and what it shows while one runs.

use std::collections::BTreeSet;

use sqlx::Row as _;

use super::Report;
use crate::database::count;
use crate::{Ledger, LedgerError};

/// The experiment of a simulation.
pub(super) const EXPERIMENT: &str = "simulation";

/// Raises the highest number of attempts that was seen at a time in each lane.
pub(super) async fn look_at_lanes(ledger: &Ledger, report: &mut Report) -> Result<(), LedgerError> {
    let rows = sqlx::query(
        "SELECT lane.name AS name, lane.in_flight AS cap, COALESCE(busy.running, 0) AS running FROM lane LEFT JOIN ( \
         SELECT lane, COUNT(*) AS running FROM attempt WHERE state = 'running' GROUP BY lane) AS busy ON busy.lane = lane.name",
    )
    .fetch_all(&ledger.pool)
    .await?;
    for row in rows {
        let (cap, running) = (count(&row, "cap")?, count(&row, "running")?);
        let seen = report.lanes.entry(row.try_get("name")?).or_insert((0, cap));
        seen.0 = seen.0.max(running);
    }
    Ok(())
}

/// What the database has done so far: transactions, and statements where it counts them.
pub(super) async fn work_done(ledger: &Ledger) -> Result<(u64, Option<u64>), LedgerError> {
    let row = sqlx::query(
        "SELECT CAST(xact_commit + xact_rollback AS BIGINT) AS done FROM pg_stat_database WHERE datname = current_database()",
    )
    .fetch_one(&ledger.pool)
    .await?;
    let statements = sqlx::query(
        "SELECT CAST(COALESCE(SUM(calls), 0) AS BIGINT) AS calls FROM pg_stat_statements \
         WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())",
    )
    .fetch_one(&ledger.pool)
    .await;
    Ok((count(&row, "done")?, statements.ok().and_then(|row| count(&row, "calls").ok())))
}

/// Fills in what the tables tell, and what they tell that must not be. `kept` are attempts that had ended when their process was
/// killed.
pub(super) async fn check(ledger: &Ledger, kept: &[String], report: &mut Report) -> Result<(), LedgerError> {
    let status = ledger.status(EXPERIMENT).await?;
    (report.decided, report.micro_usd) = (status.cells.decided, status.spent.micro_usd);
    for row in
        sqlx::query("SELECT state, COUNT(*) AS attempts FROM attempt GROUP BY state").fetch_all(&ledger.pool).await?
    {
        report.by_state.insert(row.try_get("state")?, count(&row, "attempts")?);
    }
    report.attempts = report.by_state.values().sum();
    report.duplicates = number(ledger, DUPLICATES).await?;
    let mut breaches = vec![
        (report.cells - report.decided, "cells are not decided"),
        (report.duplicates, "cells have several attempts that count"),
    ];
    for (sql, what) in MUST_BE_NONE {
        breaches.push((number(ledger, sql).await?, what));
    }
    report.ended_before_kill = kept.len() as u64;
    report.made_again = made_again(ledger, kept).await?;
    breaches.push((report.made_again, "attempts that had ended before their process was killed were made again"));
    let paid = number(ledger, "SELECT CAST(COALESCE(SUM(usd), 0) AS BIGINT) AS n FROM attempt").await?;
    let tokens = number(ledger, "SELECT CAST(COALESCE(SUM(tok_in + tok_out), 0) AS BIGINT) AS n FROM attempt").await?;
    breaches.push((paid.abs_diff(status.spent.micro_usd), "micro-dollars of attempts are not in the spend"));
    breaches.push((tokens.abs_diff(status.spent.tokens), "tokens of attempts are not in the spend"));
    report.breaches.extend(breaches.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    for (lane, (seen, cap)) in &report.lanes {
        if seen > cap {
            report.breaches.push(format!("lane {lane} had {seen} attempts at a time, above its {cap}"));
        }
    }
    Ok(())
}

const DUPLICATES: &str = "SELECT COUNT(*) AS n FROM (SELECT cell FROM attempt WHERE state = 'done' AND outcome = 'passed' \
                          GROUP BY cell HAVING COUNT(*) > 1) AS several";

/// Numbers that are zero in a ledger that is sound.
const MUST_BE_NONE: [(&str, &str); 4] = [
    ("SELECT COUNT(*) AS n FROM attempt WHERE state = 'running'", "attempts run for ever"),
    (
        "SELECT COUNT(*) AS n FROM cell WHERE state = 'decided' AND NOT EXISTS (SELECT 1 FROM attempt \
         WHERE attempt.id = cell.won AND attempt.cell = cell.id AND attempt.state = 'done' AND attempt.outcome = 'passed')",
        "cells are decided by no attempt",
    ),
    (
        "SELECT COUNT(*) AS n FROM cell JOIN attempt AS winner ON winner.id = cell.won \
         JOIN attempt AS later ON later.cell = cell.id AND later.begun > winner.ended",
        "attempts were begun at cells that were decided",
    ),
    ("SELECT COUNT(*) AS n FROM attempt WHERE usd = 0 AND state = 'done'", "attempts have ended and cost nothing"),
];

async fn number(ledger: &Ledger, sql: &'static str) -> Result<u64, LedgerError> {
    count(&sqlx::query(sql).fetch_one(&ledger.pool).await?, "n")
}

/// How many of these attempts did not decide their cells.
async fn made_again(ledger: &Ledger, kept: &[String]) -> Result<u64, LedgerError> {
    let won: Vec<String> =
        sqlx::query_scalar("SELECT won FROM cell WHERE won IS NOT NULL").fetch_all(&ledger.pool).await?;
    let won: BTreeSet<String> = won.into_iter().collect();
    Ok(kept.iter().filter(|attempt| !won.contains(*attempt)).count() as u64)
}
