//! What an attempt has used so far. Workers report totals, never differences: the same report twice changes nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::LedgerError;
use super::database::Tx;

/// Totals of an attempt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Micro-dollars; `None` when the price is not known.
    pub micro_usd: Option<u64>,
    pub input_tokens: u64,
    /// Of the input: read from the provider's cache.
    pub cached_tokens: u64,
    /// Of the input: written to the provider's cache.
    pub cache_written_tokens: u64,
    pub output_tokens: u64,
    /// Of the output: thought.
    pub reasoning_tokens: u64,
    /// Requests, those that failed included.
    pub calls: u64,
    /// Milliseconds that went into waiting for a provider.
    pub waited_ms: u64,
}

impl Usage {
    /// Tokens that a budget counts.
    pub const fn tokens(&self) -> u64 {
        self.input_tokens + self.output_tokens
    }
}

/// Shards of an arm's spend, so that workers seldom wait for the same row. A worker's attempts share one: its beat locks no more.
const SHARDS: u64 = 64;

/// What attempts have used since they were last heard of, by row of the spend: experiment, arm, shard.
#[derive(Debug, Default)]
pub(super) struct Increase(BTreeMap<(String, String, i64), (i64, i64)>);

impl Increase {
    /// Adds it to the spend: the last thing in a transaction, since others wait for these rows. In one order everywhere, so that workers that report at once don't wait for each other in a circle.
    pub(super) async fn write(self, tx: &mut Tx) -> Result<(), LedgerError> {
        for ((experiment, arm, shard), (usd, tokens)) in self.0 {
            sqlx::query(
                "INSERT INTO spend (experiment, arm, shard, usd, tokens) VALUES ($1, $2, $3, $4, $5) \
                 ON CONFLICT (experiment, arm, shard) DO UPDATE SET usd = spend.usd + $4, tokens = spend.tokens + $5",
            )
            .bind(experiment)
            .bind(arm)
            .bind(shard)
            .bind(usd)
            .bind(tokens)
            .execute(&mut **tx)
            .await?;
        }
        Ok(())
    }
}

/// Writes an attempt's totals, and what is new of them to the spend of its arm, in the same transaction: the spend is the sum
/// over all attempts at any time. Totals never shrink.
pub(super) async fn record(tx: &mut Tx, attempt: &str, usage: &Usage) -> Result<(), LedgerError> {
    let mut increase = Increase::default();
    note(tx, attempt, usage, &mut increase).await?;
    increase.write(tx).await
}

/// Writes an attempt's totals; what is new of them is kept for the spend.
pub(super) async fn note(
    tx: &mut Tx,
    attempt: &str,
    usage: &Usage,
    increase: &mut Increase,
) -> Result<(), LedgerError> {
    // It takes the row's lock: two reports of one attempt come one after the other.
    let before = sqlx::query(
        "UPDATE attempt SET calls = calls WHERE id = $1 RETURNING experiment, arm, worker, usd, tok_in, tok_out",
    )
    .bind(attempt)
    .fetch_optional(&mut **tx)
    .await?;
    match before {
        Some(before) => note_after(tx, attempt, usage, &before, increase).await,
        None => Ok(()),
    }
}

/// The same where the row is locked already; `before` has what stood in it.
pub(super) async fn note_after(
    tx: &mut Tx,
    attempt: &str,
    usage: &Usage,
    before: &AnyRow,
    increase: &mut Increase,
) -> Result<(), LedgerError> {
    let (usd, input, output): (i64, i64, i64) =
        (before.try_get("usd")?, before.try_get("tok_in")?, before.try_get("tok_out")?);
    let most = |now: u64, before: i64| whole(now).max(before);
    let (now_usd, now_in, now_out) = (
        most(usage.micro_usd.unwrap_or_default(), usd),
        most(usage.input_tokens, input),
        most(usage.output_tokens, output),
    );
    sqlx::query(
        "UPDATE attempt SET usd = $2, is_unpriced = $3, tok_in = $4, tok_read = $5, tok_write = $6, tok_out = $7, \
         tok_think = $8, calls = $9, waited = $10 WHERE id = $1",
    )
    .bind(attempt)
    .bind(now_usd)
    .bind(i64::from(usage.micro_usd.is_none() && usage.tokens() > 0))
    .bind(now_in)
    .bind(whole(usage.cached_tokens))
    .bind(whole(usage.cache_written_tokens))
    .bind(now_out)
    .bind(whole(usage.reasoning_tokens))
    .bind(whole(usage.calls))
    .bind(whole(usage.waited_ms))
    .execute(&mut **tx)
    .await?;
    let (more_usd, more_tokens) = (now_usd - usd, now_in - input + now_out - output);
    if more_usd > 0 || more_tokens > 0 {
        let worker: String = before.try_get("worker")?;
        let row = (before.try_get("experiment")?, before.try_get("arm")?, shard(&worker));
        let (usd, tokens) = increase.0.entry(row).or_default();
        *usd += more_usd;
        *tokens += more_tokens;
    }
    Ok(())
}

/// A number as the database has it.
pub(super) fn whole(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Which shard the costs of a worker's attempts go to.
fn shard(worker: &str) -> i64 {
    whole(worker.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())) % SHARDS)
}
