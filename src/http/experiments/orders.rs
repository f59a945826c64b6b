//! Orders to experiments over HTTP: the same as on the command line.

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ledger;
use crate::http::extract::{OrderAccess, body};
use crate::http::problem::Problem;
use crate::http::state::AppState;
use crate::ledger::{Gate, Ledger, Limit, Order, Requeue, Scope};

/// Dollars have so many parts.
const MICRO: f64 = 1e6;
/// Seconds have so many parts.
const MILLI: f64 = 1e3;
/// Letters of a reason.
const LONGEST_REASON: usize = 1000;
/// Larger limits are none.
const LARGEST: f64 = 1e15;

/// An order.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum OrderRequest {
    /// Release no more cells; what runs goes on.
    Pause(Gated),
    /// Release no more cells, and let what runs ask no model.
    Hold(Gated),
    /// Go on.
    Resume(Gated),
    /// Let what runs end, and stop then.
    Drain(Gated),
    /// Change a limit.
    Set(SetLimit),
    /// Want dead cells again, or take the verdict of a decided one back.
    Requeue(Again),
}

/// What an order is for: the experiment, unless an arm or a lane is named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gated {
    /// Label of an arm.
    #[serde(default)]
    pub arm: Option<String>,
    /// Name of a lane, which all experiments of the ledger share.
    #[serde(default)]
    pub lane: Option<String>,
    /// Why, for those who read the status.
    #[serde(default)]
    pub why: Option<String>,
}

/// A limit, and what it is set to.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetLimit {
    /// Which one; the last three are a lane's.
    pub limit: Limit,
    /// Whose it is, of a lane's limits.
    #[serde(default)]
    pub lane: Option<String>,
    /// Dollars for `usd`, seconds for `wall`; null takes the limit away.
    pub value: Option<f64>,
}

/// Which cells are wanted again; one of the three.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Again {
    /// Dead cells, by their ids.
    #[serde(default)]
    pub cells: Option<Vec<String>>,
    /// Dead cells whose last attempt failed with this code.
    #[serde(default)]
    pub code: Option<String>,
    /// A decided cell: its verdict is kept, but no longer counts.
    #[serde(default)]
    pub void: Option<String>,
    /// Why the verdict does not count.
    #[serde(default)]
    pub reason: Option<String>,
}

/// An order that was taken.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Ordered {
    /// As it was noted.
    pub order: Order,
}

/// Takes an order.
pub async fn order(
    State(api): State<AppState>,
    caller: OrderAccess,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Ordered>, Problem> {
    let (ledger, who) = (ledger(&api)?, caller.who.as_str());
    let order: OrderRequest = body::json(request).await?;
    ledger.status(&id).await?;
    let order = match order {
        OrderRequest::Pause(what) => what.give(ledger, &id, Gate::Paused, who).await?,
        OrderRequest::Hold(what) => what.give(ledger, &id, Gate::Held, who).await?,
        OrderRequest::Resume(what) => what.give(ledger, &id, Gate::Open, who).await?,
        OrderRequest::Drain(what) => what.give(ledger, &id, Gate::Draining, who).await?,
        OrderRequest::Set(set) => {
            let (scope, limit, value) = set.change()?;
            ledger.set_limit(&id, &scope, limit, value, who).await?
        }
        OrderRequest::Requeue(again) => ledger.requeue(&id, &again.cells()?, who).await?.1,
    };
    if let Some(host) = &api.host {
        host.look();
    }
    Ok(Json(Ordered { order }))
}

fn refused(detail: impl Into<String>) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_order", detail)
}

/// A reason that is short enough for the log of orders, which is kept for good and shown whole.
fn brief(reason: &str) -> Result<&str, Problem> {
    match reason.chars().count() {
        0..=LONGEST_REASON => Ok(reason),
        letters => Err(refused(format!("the reason has {letters} letters, at most {LONGEST_REASON}"))),
    }
}

impl Gated {
    async fn give(&self, ledger: &Ledger, id: &str, gate: Gate, who: &str) -> Result<Order, Problem> {
        let why = self.why.as_deref().map(brief).transpose()?;
        Ok(ledger.set_gate(id, &self.scope()?, gate, who, why).await?)
    }

    fn scope(&self) -> Result<Scope, Problem> {
        match (&self.arm, &self.lane) {
            (Some(_), Some(_)) => Err(refused("an order is for an arm or for a lane, not for both")),
            (Some(arm), None) => Ok(Scope::Arm(arm.clone())),
            (None, Some(lane)) => Ok(Scope::Lane(lane.clone())),
            (None, None) => Ok(Scope::Experiment),
        }
    }
}

impl SetLimit {
    fn change(&self) -> Result<(Scope, Limit, Option<u64>), Problem> {
        let scope = match (&self.lane, self.limit.is_of_lane()) {
            (Some(lane), true) => Scope::Lane(lane.clone()),
            (None, false) => Scope::Experiment,
            (None, true) => return Err(refused("this limit is a lane's: name the `lane`")),
            (Some(_), false) => return Err(refused("this limit is the experiment's: leave `lane` out")),
        };
        let parts = match self.limit {
            Limit::Usd => MICRO,
            Limit::Wall => MILLI,
            Limit::Tokens | Limit::InFlight | Limit::Rpm | Limit::Tpm => 1.0,
        };
        let value = self.value.map(|value| amount(value * parts)).transpose()?;
        self.limit.check(value)?;
        Ok((scope, self.limit, value))
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
fn amount(value: f64) -> Result<u64, Problem> {
    if (0.0..=LARGEST).contains(&value) {
        return Ok(value.round() as u64);
    }
    Err(refused("`value` is a number from 0 on, or null"))
}

impl Again {
    fn cells(self) -> Result<Requeue, Problem> {
        match (self.cells, self.code, self.void, self.reason) {
            (Some(cells), None, None, None) if !cells.is_empty() => Ok(Requeue::Cells(cells)),
            (None, Some(code), None, None) => Ok(Requeue::Code(code)),
            (None, None, Some(cell), Some(reason)) if !reason.trim().is_empty() => {
                brief(&reason)?;
                Ok(Requeue::Void { cell, reason })
            }
            _ => Err(refused("give `cells`, or `code`, or `void` with a `reason`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: serde_json::Value) -> OrderRequest {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn limits_belong_to_a_lane_or_to_the_experiment() {
        let OrderRequest::Set(set) = read(json!({"order": "set", "limit": "usd", "value": 500.5})) else { panic!() };
        assert_eq!(set.change().unwrap(), (Scope::Experiment, Limit::Usd, Some(500_500_000)));
        for wrong in [
            json!({"order": "set", "limit": "rpm", "value": 5}),
            json!({"order": "set", "limit": "usd", "lane": "a", "value": 5}),
            json!({"order": "set", "limit": "in_flight", "lane": "a", "value": 0}),
            json!({"order": "set", "limit": "usd", "value": -1}),
            json!({"order": "set", "limit": "usd", "value": 0}),
            json!({"order": "set", "limit": "tokens", "value": 0.2}),
            json!({"order": "set", "limit": "rpm", "lane": "a", "value": 0}),
            json!({"order": "set", "limit": "in_flight", "lane": "a", "value": null}),
        ] {
            let OrderRequest::Set(set) = read(wrong.clone()) else { panic!() };
            assert!(set.change().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_misspelt_key_does_not_widen_an_order() {
        for wrong in [
            json!({"order": "pause", "amr": "llm-composite"}),
            json!({"order": "resume", "arm": "a", "limit": "usd"}),
            json!({"order": "set", "limit": "usd", "value": 1, "why": "more"}),
            json!({"order": "requeue", "code": "infra_error", "cell": "a:1"}),
            json!({"order": "stop"}),
            json!({"arm": "a"}),
        ] {
            assert!(serde_json::from_value::<OrderRequest>(wrong.clone()).is_err(), "{wrong}");
        }
        assert!(matches!(read(json!({"order": "pause", "arm": "a", "why": "w"})), OrderRequest::Pause(_)));
    }

    #[test]
    fn verdicts_are_taken_back_with_a_reason_only() {
        let of = |value| match read(value) {
            OrderRequest::Requeue(again) => again.cells().ok(),
            _ => panic!(),
        };
        assert_eq!(of(json!({"order": "requeue", "void": "a:1"})), None);
        assert!(of(json!({"order": "requeue", "void": "a:1", "reason": "wrong task"})).is_some());
        assert_eq!(of(json!({"order": "requeue", "cells": []})), None);
        assert_eq!(of(json!({"order": "requeue", "void": "a:1", "reason": "w".repeat(LONGEST_REASON + 1)})), None);
        assert_eq!(
            of(json!({"order": "requeue", "code": "infra_error"})),
            Some(Requeue::Code("infra_error".to_owned()))
        );
    }
}
