//! Entering an experiment: its arms and cells, and what it may spend. The same again goes on with it.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::LedgerError;
use super::database::{Ledger, Tx, now, transaction};
use super::hosted;
use super::spent::whole;
use super::states::{CellState, Gate};

/// What the pins of an experiment call the secret seeds of its judgements: an object with those of its arms, by their labels.
pub const JUDGE_SEEDS: &str = "judge_seeds";

/// What an experiment may spend as a whole; absent limits are none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Budget {
    pub micro_usd: Option<u64>,
    pub tokens: Option<u64>,
    /// Milliseconds since it was entered.
    pub wall_ms: Option<u64>,
}

/// How often a cell is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retry {
    /// Attempts that the testbed or the judge may spoil before the cell is dead.
    pub infra: u32,
    /// Attempts that a provider may fail before the cell is dead.
    pub provider: u32,
}

impl Default for Retry {
    fn default() -> Self {
        Self { infra: 3, provider: 3 }
    }
}

/// An experiment to enter.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Its name in the ledger.
    pub id: String,
    pub name: String,
    /// The text of its file; empty for a run.
    pub file: String,
    /// The folder of its attempts, absolute, if it is a run: then it has one arm.
    pub run: Option<String>,
    /// What all workers must have alike: build, task set, prompts, editor.
    pub pins: Value,
    pub budget: Budget,
    pub retry: Retry,
    pub lanes: Vec<LanePlan>,
    pub arms: Vec<ArmPlan>,
    /// In the order in which they are worked on.
    pub cells: Vec<CellPlan>,
}

/// The lane of arms that ask no one, and of runs, whose jobs are their limit. Nothing is reported of it.
pub const LOCAL: &str = "local";

/// One endpoint with one key: what all experiments of a ledger may ask of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanePlan {
    pub name: String,
    /// Attempts at a time.
    pub in_flight: u32,
    /// Requests a minute.
    pub rpm: Option<u64>,
    /// Tokens a minute.
    pub tpm: Option<u64>,
}

impl LanePlan {
    /// The lane [`LOCAL`], without limits.
    pub fn local() -> Self {
        Self { name: LOCAL.to_owned(), in_flight: u16::MAX.into(), rpm: None, tpm: None }
    }
}

/// Agent, model, mode and setting.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmPlan {
    pub label: String,
    /// All that a score depends on.
    pub spec: Value,
    pub digest: String,
    /// Whom it asks; arms that ask no one share the lane `local`.
    pub lane: String,
    /// Whether its cells of an epoch go one after another, since an agent learns from them.
    pub is_stream: bool,
    /// What one attempt may cost, in micro-dollars; reserved before it is released.
    pub cap_micro_usd: Option<u64>,
    pub cap_tokens: Option<u64>,
}

/// One item, for one arm, in one epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellPlan {
    /// Place of its arm in the plan.
    pub arm: usize,
    pub item: String,
    /// From 1.
    pub epoch: u32,
    pub seed: u64,
    /// Digest of all that its score depends on.
    pub key: String,
}

/// What became of an experiment that was entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entered {
    /// Whether it was there before.
    pub is_resumed: bool,
    /// Cells that were not there before.
    pub new_cells: u64,
}

impl Ledger {
    /// Enters an experiment, or goes on with it: arms and cells that are new are added, those that are there stay as they are.
    /// How often cells are tried again, and what those who work must have alike, is what the plan says now.
    ///
    /// # Errors
    /// When an experiment of this name has an arm of the same label that is another one; nothing is written then.
    pub async fn enter(&self, plan: &Plan) -> Result<Entered, LedgerError> {
        transaction!(self, |tx| { entered(tx, plan).await })
    }

    /// As [`Ledger::enter`], for an experiment that a server hosts: if it is new, who created it is noted as its first order.
    ///
    /// # Errors
    /// As [`Ledger::enter`].
    pub async fn enter_hosted(&self, plan: &Plan, who: &str) -> Result<Entered, LedgerError> {
        transaction!(self, |tx| {
            let found = entered(tx, plan).await?;
            if !found.is_resumed {
                hosted::created(tx, &plan.id, who).await?;
            }
            Ok(found)
        })
    }
}

async fn entered(tx: &mut Tx, plan: &Plan) -> Result<Entered, LedgerError> {
    let at = now(tx).await?;
    let before: Option<String> =
        sqlx::query_scalar("SELECT id FROM experiment WHERE id = $1").bind(&plan.id).fetch_optional(&mut **tx).await?;
    if before.is_none() {
        add_experiment(tx, plan, at).await?;
    } else {
        set_retry(tx, plan).await?;
        pin(tx, plan).await?;
    }
    let new_cells = add_rest(tx, plan, at).await?;
    if before.is_some() && new_cells > 0 {
        sqlx::query("UPDATE experiment SET state = 'open' WHERE id = $1 AND state = 'closed'")
            .bind(&plan.id)
            .execute(&mut **tx)
            .await?;
    }
    Ok(Entered { is_resumed: before.is_some(), new_cells })
}

/// Notes the pins of who goes on with an experiment, and the file, in which workers look for arms: unless it lacks some.
async fn pin(tx: &mut Tx, plan: &Plan) -> Result<(), LedgerError> {
    let labels: Vec<String> =
        sqlx::query_scalar("SELECT label FROM arm WHERE experiment = $1").bind(&plan.id).fetch_all(&mut **tx).await?;
    let is_whole = labels.iter().all(|label| plan.arms.iter().any(|arm| arm.label == *label));
    let old: String =
        sqlx::query_scalar("SELECT pins FROM experiment WHERE id = $1").bind(&plan.id).fetch_one(&mut **tx).await?;
    sqlx::query("UPDATE experiment SET pins = $2, file = COALESCE($3, file) WHERE id = $1")
        .bind(&plan.id)
        .bind(with_seeds_of(&old, &plan.pins).to_string())
        .bind(is_whole.then_some(plan.file.as_str()))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Pins with the secret seeds that arms had before: they stay, also those of arms that are not in the file any more.
fn with_seeds_of(old: &str, new: &Value) -> Value {
    let mut pins = new.clone();
    let old: Value = serde_json::from_str(old).unwrap_or_default();
    let (Some(before), Some(pins_now)) = (old.get(JUDGE_SEEDS).and_then(Value::as_object), pins.as_object_mut()) else {
        return pins;
    };
    let seeds = pins_now.entry(JUDGE_SEEDS).or_insert_with(|| Value::Object(serde_json::Map::new()));
    if let Some(seeds) = seeds.as_object_mut() {
        seeds.extend(before.iter().map(|(arm, seed)| (arm.clone(), seed.clone())));
    }
    pins
}

/// Adds lanes, arms and cells that are not there; how many cells there were.
async fn add_rest(tx: &mut Tx, plan: &Plan, at: i64) -> Result<u64, LedgerError> {
    add_lanes(tx, plan).await?;
    let arms = add_arms(tx, plan).await?;
    add_cells(tx, plan, &arms, at).await
}

/// Enters an experiment that is not there, as begun at this time.
pub(super) async fn add_new(tx: &mut Tx, plan: &Plan, begun: i64) -> Result<(), LedgerError> {
    let before: Option<String> =
        sqlx::query_scalar("SELECT id FROM experiment WHERE id = $1").bind(&plan.id).fetch_optional(&mut **tx).await?;
    if before.is_some() {
        return Err(LedgerError::Exists(plan.id.clone()));
    }
    add_experiment(tx, plan, begun).await?;
    add_rest(tx, plan, begun).await?;
    Ok(())
}

/// The id of a cell.
pub(super) fn cell_id(plan: &Plan, cell: &CellPlan) -> String {
    format!("{}:{}", plan.id, &cell.key[..cell.key.len().min(16)])
}

async fn set_retry(tx: &mut Tx, plan: &Plan) -> Result<(), LedgerError> {
    sqlx::query("UPDATE experiment SET most_infra = $2, most_provider = $3 WHERE id = $1")
        .bind(&plan.id)
        .bind(i64::from(plan.retry.infra))
        .bind(i64::from(plan.retry.provider))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

async fn add_experiment(tx: &mut Tx, plan: &Plan, at: i64) -> Result<(), LedgerError> {
    sqlx::query(
        "INSERT INTO experiment (id, name, file, pins, state, budget_usd, budget_tokens, budget_wall, most_infra, \
         most_provider, created, run) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(&plan.id)
    .bind(&plan.name)
    .bind(&plan.file)
    .bind(plan.pins.to_string())
    .bind(Gate::Open.to_string())
    .bind(plan.budget.micro_usd.map(whole))
    .bind(plan.budget.tokens.map(whole))
    .bind(plan.budget.wall_ms.map(whole))
    .bind(i64::from(plan.retry.infra))
    .bind(i64::from(plan.retry.provider))
    .bind(at)
    .bind(plan.run.as_deref())
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Lanes belong to the ledger: one that is there keeps its limits, which orders change.
async fn add_lanes(tx: &mut Tx, plan: &Plan) -> Result<(), LedgerError> {
    for lane in &plan.lanes {
        sqlx::query(
            "INSERT INTO lane (name, in_flight, rpm, tpm, now_limit, failures, failing, opened, open_until, cut, grown, state) \
             VALUES ($1, $2, $3, $4, $5, 0, '', 0, 0, 0, 0, $6) ON CONFLICT (name) DO NOTHING",
        )
        .bind(&lane.name)
        .bind(i64::from(lane.in_flight))
        .bind(lane.rpm.map(whole))
        .bind(lane.tpm.map(whole))
        .bind(f64::from(lane.in_flight))
        .bind(Gate::Open.to_string())
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// The ids of the arms, in the plan's order.
async fn add_arms(tx: &mut Tx, plan: &Plan) -> Result<Vec<String>, LedgerError> {
    let there: Vec<(String, String, String)> =
        sqlx::query_as("SELECT label, id, digest FROM arm WHERE experiment = $1")
            .bind(&plan.id)
            .fetch_all(&mut **tx)
            .await?;
    let mut count = there.len();
    let there: BTreeMap<String, (String, String)> =
        there.into_iter().map(|(label, id, digest)| (label, (id, digest))).collect();
    let mut ids = Vec::new();
    for arm in &plan.arms {
        match there.get(&arm.label) {
            Some((id, digest)) if *digest == arm.digest => {
                // What is reserved for an attempt may have been reckoned only now, from prices.
                sqlx::query("UPDATE arm SET cap_usd = COALESCE(cap_usd, $2) WHERE id = $1")
                    .bind(id)
                    .bind(arm.cap_micro_usd.map(whole))
                    .execute(&mut **tx)
                    .await?;
                ids.push(id.clone());
            }
            Some(_) => {
                let what = format!("its arm `{}` was measured in another way", arm.label);
                return Err(LedgerError::Differs { id: plan.id.clone(), what });
            }
            None => {
                count += 1;
                let id = format!("{}/{count}", plan.id);
                add_arm(tx, plan, arm, &id, count).await?;
                ids.push(id);
            }
        }
    }
    Ok(ids)
}

async fn add_arm(tx: &mut Tx, plan: &Plan, arm: &ArmPlan, id: &str, ord: usize) -> Result<(), LedgerError> {
    sqlx::query(
        "INSERT INTO arm (id, experiment, ord, label, spec, digest, lane, is_stream, cap_usd, cap_tokens, state) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(id)
    .bind(&plan.id)
    .bind(whole(ord as u64))
    .bind(&arm.label)
    .bind(arm.spec.to_string())
    .bind(&arm.digest)
    .bind(&arm.lane)
    .bind(i64::from(arm.is_stream))
    .bind(arm.cap_micro_usd.map(whole))
    .bind(arm.cap_tokens.map(whole))
    .bind(Gate::Open.to_string())
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Adds the cells that are not there; a cell is the same when its key is.
async fn add_cells(tx: &mut Tx, plan: &Plan, arms: &[String], at: i64) -> Result<u64, LedgerError> {
    // One look for all: asked for each cell of a large experiment, this was most of the time that going on with it took.
    let there: Vec<String> =
        sqlx::query_scalar("SELECT key FROM cell WHERE experiment = $1").bind(&plan.id).fetch_all(&mut **tx).await?;
    let there: HashSet<String> = there.into_iter().collect();
    let mut new = 0;
    for (ord, cell) in plan.cells.iter().enumerate().filter(|(_, cell)| !there.contains(&cell.key)) {
        let Some(arm) = arms.get(cell.arm) else { continue };
        let ord = whole(ord as u64);
        let added = sqlx::query(
            "INSERT INTO cell (id, experiment, arm, item, epoch, seed, ord, key, state, tries, infra, provider, since) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, 0, $10) ON CONFLICT (experiment, key) DO NOTHING",
        )
        .bind(cell_id(plan, cell))
        .bind(&plan.id)
        .bind(arm)
        .bind(&cell.item)
        .bind(i64::from(cell.epoch))
        // Bits, not a number: the database has signed ones only.
        .bind(cell.seed.cast_signed())
        .bind(ord)
        .bind(&cell.key)
        .bind(CellState::Wanted.to_string())
        .bind(at)
        .execute(&mut **tx)
        .await?;
        new += added.rows_affected();
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_arm_keeps_its_seed_also_while_it_is_not_in_the_file() {
        let old = json!({"version": "1", "judge_seeds": {"a": 7, "b": 8}}).to_string();
        let new = with_seeds_of(&old, &json!({"version": "2", "judge_seeds": {"b": 9, "c": 10}}));
        assert_eq!(new, json!({"version": "2", "judge_seeds": {"b": 8, "c": 10, "a": 7}}));
        assert_eq!(with_seeds_of(&old, &json!({"version": "2"}))["judge_seeds"], json!({"a": 7, "b": 8}));
        assert_eq!(with_seeds_of("{}", &json!({"version": "2"})), json!({"version": "2"}));
    }
}
