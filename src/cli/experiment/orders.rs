//! Orders to an experiment: they are kept in the ledger, so that they hold for all who work on it, and after restarts.

use clap::{ArgGroup, Args};
use serde_json::json;

use super::NamedArgs;
use crate::cli::output::Output;
use crate::flags::experiment::{Amount, duration};
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::ledger::{Gate, Limit, Requeue, Scope};

/// Whose gate is opened or closed.
#[derive(Debug, Args)]
pub struct GateArgs {
    #[command(flatten)]
    named: NamedArgs,
    /// Only this arm.
    #[arg(long, value_name = "LABEL", conflicts_with = "lane")]
    arm: Option<String>,
    /// This lane, for all experiments of the ledger.
    #[arg(long, value_name = "NAME")]
    lane: Option<String>,
    /// Why, for those who read the status.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
}

/// What changes.
#[derive(Debug, Args)]
pub struct SetArgs {
    #[command(flatten)]
    named: NamedArgs,
    /// `budget.usd`, `budget.tokens`, `budget.wall`, `lane.NAME.in_flight`, `lane.NAME.rpm` or `lane.NAME.tpm`, with `=` and a
    /// value; `none` takes a limit away.
    #[arg(value_name = "LIMIT=VALUE", required = true)]
    limits: Vec<String>,
}

/// Which cells.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("which").required(true).args(["cells", "code", "void"])))]
pub struct RequeueArgs {
    #[command(flatten)]
    named: NamedArgs,
    /// Dead cells, by their ids.
    #[arg(value_name = "CELL")]
    cells: Vec<String>,
    /// All dead cells whose last attempt failed with this code.
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
    /// A decided cell: its verdict is kept and shown, but no longer counts.
    #[arg(long, value_name = "CELL", requires = "reason")]
    void: Option<String>,
    /// Why the verdict does not count.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// Who gives orders on this machine, for the log of orders.
fn who() -> String {
    std::env::var("USER").unwrap_or_else(|_| "command line".to_owned())
}

/// Opens or closes a gate.
pub async fn gate(args: &GateArgs, gate: Gate, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let ledger = args.named.ledger.open(settings).await?;
    let name = &args.named.name;
    let scope = match (&args.arm, &args.lane) {
        (Some(arm), _) => Scope::Arm(arm.clone()),
        (None, Some(lane)) => Scope::Lane(lane.clone()),
        (None, None) => Scope::Experiment,
    };
    ledger.status(name).await?;
    ledger.set_gate(name, &scope, gate, &who(), args.why.as_deref()).await?;
    let what = match &scope {
        Scope::Experiment => name.clone(),
        Scope::Arm(label) => format!("arm {label}"),
        Scope::Lane(lane) => format!("lane {lane}"),
    };
    out.say(format!("{what} is {gate}"));
    out.answer(&json!({"experiment": name, "what": what, "state": gate}));
    Ok(Status::Success)
}

/// Changes limits: all of them, or none if one is wrong.
pub async fn set(args: &SetArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let changes = args.limits.iter().map(|text| change(text)).collect::<Result<Vec<_>, _>>()?;
    let ledger = args.named.ledger.open(settings).await?;
    let name = &args.named.name;
    ledger.status(name).await?;
    for (scope, limit, value) in &changes {
        ledger.set_limit(name, scope, *limit, *value, &who()).await?;
    }
    out.say(format!("set       {}", args.limits.join(", ")));
    out.answer(&json!({"experiment": name, "set": args.limits}));
    Ok(Status::Success)
}

/// Wants cells again.
pub async fn requeue(args: &RequeueArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let ledger = args.named.ledger.open(settings).await?;
    let what = match (&args.code, &args.void) {
        (Some(code), _) => Requeue::Code(code.clone()),
        (None, Some(cell)) => Requeue::Void { cell: cell.clone(), reason: args.reason.clone().unwrap_or_default() },
        (None, None) => Requeue::Cells(args.cells.clone()),
    };
    let name = &args.named.name;
    ledger.status(name).await?;
    let cells = ledger.requeue(name, &what, &who()).await?;
    out.say(format!("{cells} cells are owed again; run the experiment's file to make them"));
    out.answer(&json!({"experiment": name, "cells": cells}));
    Ok(Status::Success)
}

/// A change such as `budget.usd=600`.
fn change(text: &str) -> Result<(Scope, Limit, Option<u64>), Failure> {
    let wrong = |why: &str| {
        Failure::new(Status::Usage, "limit_invalid", format!("`{}`: {why}", text.escape_debug())).hinted(
            "such as budget.usd=600, budget.tokens=2G, budget.wall=36h, lane.cloud.in_flight=20 or lane.cloud.rpm=none",
        )
    };
    let Some((key, value)) = text.split_once('=') else {
        return Err(wrong("give a limit and a value, with `=` between"));
    };
    let parts: Vec<&str> = key.split('.').collect();
    let (scope, limit) = match parts[..] {
        ["budget", "usd"] => (Scope::Experiment, Limit::Usd),
        ["budget", "tokens"] => (Scope::Experiment, Limit::Tokens),
        ["budget", "wall"] => (Scope::Experiment, Limit::Wall),
        ["lane", lane, "in_flight"] => (Scope::Lane(lane.to_owned()), Limit::InFlight),
        ["lane", lane, "rpm"] => (Scope::Lane(lane.to_owned()), Limit::Rpm),
        ["lane", lane, "tpm"] => (Scope::Lane(lane.to_owned()), Limit::Tpm),
        _ => return Err(wrong("there is no such limit; limits of attempts are part of what is measured")),
    };
    if value == "none" {
        if limit == Limit::InFlight {
            return Err(wrong("a lane needs a number of attempts at a time"));
        }
        return Ok((scope, limit, None));
    }
    let value = match limit {
        Limit::Usd => crate::flags::budget::micro_usd(value).map_err(|why| wrong(&why))?,
        Limit::Wall => {
            let wall = duration("budget.wall", value)?;
            u64::try_from(wall.as_millis()).unwrap_or(u64::MAX)
        }
        Limit::Tokens | Limit::InFlight | Limit::Rpm | Limit::Tpm => Amount::Text(value.to_owned()).number()?,
    };
    if value == 0 {
        return Err(wrong("give a number above 0; `pause` stops a lane"));
    }
    Ok((scope, limit, Some(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_named_as_in_the_file() {
        for (text, expected) in [
            ("budget.usd=600", (Scope::Experiment, Limit::Usd, Some(600_000_000))),
            ("budget.tokens=2M", (Scope::Experiment, Limit::Tokens, Some(2_000_000))),
            ("budget.wall=2h", (Scope::Experiment, Limit::Wall, Some(7_200_000))),
            ("budget.wall=none", (Scope::Experiment, Limit::Wall, None)),
            ("lane.cloud.in_flight=20", (Scope::Lane("cloud".to_owned()), Limit::InFlight, Some(20))),
            ("lane.cloud.tpm=4M", (Scope::Lane("cloud".to_owned()), Limit::Tpm, Some(4_000_000))),
        ] {
            assert_eq!(change(text).unwrap(), expected, "{text}");
        }
        for wrong in [
            "budget.usd",
            "budget.eur=1",
            "budget.usd=0",
            "lane.a.in_flight=0",
            "lane.a.in_flight=none",
            "attempt.steps=3",
            "budget.wall=soon",
        ] {
            assert!(change(wrong).is_err(), "{wrong}");
        }
    }
}
