//! `scratchbed experiment status` and `list`: questions to the ledger, never to files. Nothing that a model wrote is shown.

use std::time::Duration;

use clap::Args;
use serde_json::json;

use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::{LedgerArgs, NamedArgs};
use crate::flags::settings::Settings;
use scratchbed::grade::dollars;
use scratchbed::ledger::{Gate, LOCAL, LaneStatus, Ledger, Status as State, WorkerRow};
use scratchbed::model::{pluralise, pluralise_as};
use scratchbed::report::plain_table as table;

/// How often a status that is watched is shown.
const WATCHED: Duration = Duration::from_secs(2);

/// Which ledger.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// List the runs of `run`, `drag run` and other commands too, each of which is an experiment of one arm.
    #[arg(long)]
    runs: bool,
    #[command(flatten)]
    ledger: LedgerArgs,
}

/// Which experiment.
#[derive(Debug, Args)]
pub struct StatusArgs {
    #[command(flatten)]
    named: NamedArgs,
    /// Show it again every two seconds, until it is over.
    #[arg(long)]
    watch: bool,
}

/// Lists experiments, newest first.
pub async fn list(args: &ListArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let ledger = args.ledger.open(settings).await?;
    let all = ledger.statuses(args.runs).await?;
    let rows = all.iter().map(|one| {
        let cells = &one.cells;
        [
            one.id.clone(),
            one.state.to_string(),
            format!("{}/{}", cells.decided, cells.all()),
            cells.dead.to_string(),
            spent(one),
            age(one.age_ms),
        ]
    });
    if all.is_empty() {
        out.say("No experiments. `scratchbed experiment run FILE` begins one; `--runs` lists runs too.");
    } else {
        out.say(table(&["experiment", "state", "decided", "dead", "spent", "begun"], rows).to_string());
    }
    out.answer(&json!({"experiments": all}));
    Ok(Status::Success)
}

/// Shows one.
pub async fn run(args: &StatusArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let ledger = args.named.ledger.open(settings).await?;
    loop {
        let (status, lanes, workers) = asked(&ledger, &args.named.name).await?;
        if !args.watch || status.cells.is_over() || status.state == Gate::Closed {
            show(&status, &lanes, &workers, out);
            out.answer(&json!({"status": status, "lanes": lanes, "workers": workers}));
            return Ok(Status::Success);
        }
        show(&status, &lanes, &workers, out);
        out.say(String::new());
        tokio::time::sleep(WATCHED).await;
    }
}

async fn asked(ledger: &Ledger, name: &str) -> Result<(State, Vec<LaneStatus>, Vec<WorkerRow>), Failure> {
    Ok((ledger.status(name).await?, ledger.lanes(name).await?, ledger.workers().await?))
}

/// Prints a status.
pub fn show(status: &State, lanes: &[LaneStatus], workers: &[WorkerRow], out: Output) {
    let rows = status.arms.iter().map(|arm| {
        let cells = &arm.cells;
        [
            arm.label.clone(),
            arm.state.to_string(),
            format!("{}/{}", cells.decided, cells.all()),
            (cells.running + cells.released).to_string(),
            cells.wanted.to_string(),
            cells.dead.to_string(),
            arm.why.clone().unwrap_or_default(),
        ]
    });
    out.say(table(&["arm", "state", "decided", "running", "owed", "dead", "why"], rows).to_string());
    out.say(String::new());
    let why = status.why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
    let (cells, age) = (&status.cells, age(status.age_ms));
    out.say(format!(
        "{}  {}{why}, begun {age} ago: {} of {} decided",
        status.id,
        status.state,
        cells.decided,
        pluralise(cells.all(), "cell")
    ));
    if status.reused > 0 {
        let reused = pluralise_as(status.reused, "of these cells is", "of these cells are");
        out.say(format!("reused    {reused} decided by attempts of other experiments"));
    }
    let tokens = pluralise(status.spent.tokens, "token");
    out.say(format!("spent     {}, {tokens}{}", spent(status), of_budget(status)));
    for lane in lanes.iter().filter(|lane| lane.name != LOCAL) {
        out.say(format!("lane      {}", lane_text(lane)));
    }
    for worker in workers {
        let silent = worker.silent_ms / 1000;
        let why = worker.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        out.say(format!(
            "worker    {} ({}), {} of {}, heard {silent} s ago{why}",
            worker.id,
            worker.state,
            worker.running,
            pluralise(worker.slots, "slot")
        ));
    }
    if !status.failures.is_empty() {
        let all: Vec<String> = status.failures.iter().map(|(code, times)| format!("{times} {code}")).collect();
        out.say(format!("failures  {}", all.join(", ")));
    }
}

fn spent(status: &State) -> String {
    let known = dollars(Some(status.spent.micro_usd));
    match status.spent.unpriced {
        0 => known,
        unpriced => format!("{known} and {} of unknown price", pluralise(unpriced, "attempt")),
    }
}

fn of_budget(status: &State) -> String {
    let budget = &status.budget;
    let limits = [
        budget.micro_usd.map(|usd| dollars(Some(usd))),
        budget.tokens.map(|tokens| pluralise(tokens, "token")),
        budget.wall_ms.map(age),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    if limits.is_empty() { String::new() } else { format!(", of {}", limits.join(", ")) }
}

/// A lane with the limit that holds.
fn lane_text(lane: &LaneStatus) -> String {
    let fewer = (lane.limit < lane.in_flight).then(|| format!(" ({} configured)", lane.in_flight));
    let state = (lane.state != Gate::Open).then(|| format!(", {}", lane.state));
    let closed = (lane.closed_ms > 0).then(|| format!(", tried again in {}", age(lane.closed_ms)));
    let why = lane.why.as_ref().map(|why| format!(" ({why})"));
    let more: String = [fewer, state, closed, why].into_iter().flatten().collect();
    format!("{}: {} of {} at a time{more}", lane.name, lane.busy, pluralise(lane.limit, "attempt"))
}

/// A time in words, to the second.
fn age(ms: u64) -> String {
    humantime::format_duration(Duration::from_secs(ms / 1000)).to_string()
}
