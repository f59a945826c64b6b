//! Orders to an experiment: they are kept in the ledger, so that they hold for all who work on it, and after restarts.

use clap::{ArgGroup, Args};
use serde_json::json;

use crate::arms::output::Output;
use crate::flags::experiment::change;
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::NamedArgs;
use crate::flags::settings::Settings;
use scratchbed::ledger::{Gate, Requeue, Scope};
use scratchbed::model::pluralise_as;

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
    let status = ledger.status(name).await?;
    let (cells, _) = ledger.requeue(name, &what, &who()).await?;
    let how = match status.run {
        Some(run) => format!("continue with --resume {run}"),
        None => "run the experiment's file".to_owned(),
    };
    let owed = pluralise_as(cells, "cell is", "cells are");
    out.say(format!("{owed} owed again; {how} to make the attempts"));
    out.answer(&json!({"experiment": name, "cells": cells}));
    Ok(Status::Success)
}
