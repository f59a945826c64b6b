//! `scratchbed experiment run`: this process works on an experiment until each cell is decided, and shows what came of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::results::write_report;
use super::status;
use crate::arms::arm::ReadyArm;
use crate::arms::checked::Checked;
use crate::arms::hosting;
use crate::arms::house::House;
use crate::arms::interrupts::{Interrupts, drain_when_asked};
use crate::arms::judge_seeds::judge_seeds;
use crate::arms::output::Output;
use crate::arms::pins;
use crate::arms::plan::plan;
use crate::arms::progress::Progress;
use crate::arms::signs::{brief, progress};
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::LedgerArgs;
use crate::flags::settings::Settings;
use scratchbed::experiment::engine::{Local, Made, Noted, Stop, attend, bring, work};
use scratchbed::ledger::{CellRow, Ended, Ledger};
use scratchbed::model::pluralise_as;
use scratchbed::store::{RunDir, VerdictStore};

/// Which file, and how it is worked on.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The file of the experiment.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Attempts that this process makes at a time; 0 leaves them to workers, and only enters and releases the cells.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=64))]
    jobs: u16,
    #[command(flatten)]
    ledger: LedgerArgs,
    /// Work for a server, on behalf of this person: until it closes standard input.
    #[arg(long, value_name = "WHO", hide = true)]
    hosted_for: Option<String>,
}

/// Works; the exit code is 0 when each cell is decided, whatever the scores, and 1 when some are owed or given up.
pub async fn run(args: &RunArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let drain = CancellationToken::new();
    if args.hosted_for.is_some() {
        hosting::drain_with_server(drain.clone());
    }
    pins::read_ahead();
    let settings = &args.ledger.known_to(settings);
    let checked = Checked::read(&args.file, settings).await?;
    let ledger = args.ledger.open(settings).await?;
    let way = Way { jobs: args.jobs, hosted_for: args.hosted_for.as_deref(), drain };
    let Worked { stop, after, folders } = Box::pin(worked(&checked, &ledger, way, settings)).await?;
    let prices = checked.arms.first().map(|arm| arm.args.prices().table()).transpose()?;
    // What others have made is not here yet.
    let page = match prices {
        Some(prices) if after.cells.decided > 0 && args.jobs > 0 => {
            Some(write_report(&checked.folder(settings), &folders, &prices, out)?)
        }
        _ => None,
    };
    status::show(&after, &[], &[], out);
    if let Some(page) = &page {
        out.say(format!("report    {}", page.display()));
    }
    if args.jobs == 0 {
        out.say(format!("attempts  `scratchbed experiment fetch {}` brings them here, for reports", checked.file.name));
    }
    say_stop(&stop, &checked.file.name, out);
    let state = match &stop {
        Stop::Over => "over",
        Stop::Budget(_) => "budget",
        Stop::Drained => "drained",
    };
    out.answer(&json!({"stopped": state, "status": after, "runs": folders, "report": page}));
    Ok(Status::of(after.cells.decided == after.cells.all()))
}

/// How an experiment is worked on.
#[derive(Debug, Clone, Default)]
pub struct Way<'a> {
    /// Attempts at a time; 0 leaves them to workers.
    pub jobs: u16,
    /// For whom a server hosts it.
    pub hosted_for: Option<&'a str>,
    /// Cancelled to let what runs end, and stop then.
    pub drain: CancellationToken,
}

/// What came of the work of this process.
pub struct Worked {
    pub stop: Stop,
    pub after: scratchbed::ledger::Status,
    /// Those of the arms.
    pub folders: Vec<PathBuf>,
}

/// Opens what the arms need, works, and closes it again.
pub async fn worked(checked: &Checked, ledger: &Ledger, way: Way<'_>, settings: &Settings) -> Result<Worked, Failure> {
    checked.nothing_is_lost(ledger, settings).await?;
    checked.keep(settings)?;
    let judge_seeds = judge_seeds(checked, ledger, settings).await?;
    let house = House::start(settings, way.jobs.max(1).into()).await?;
    let verdicts = VerdictStore::new(settings.root.verdicts());
    let mut ready = Vec::new();
    for (arm, seed) in checked.arms.iter().zip(judge_seeds) {
        let arm = arm.args.ready(&checked.folder(settings).join(&arm.label), seed, &house).await?;
        verdicts.keep_begun(&RunDir::open(&arm.folder)?)?;
        ready.push(arm);
    }
    let result = carry_out(checked, ledger, &ready, (way, settings)).await;
    let folders: Vec<PathBuf> = ready.iter().map(|arm| arm.folder.clone()).collect();
    for arm in ready {
        arm.close().await;
    }
    house.close().await;
    let (stop, after) = result?;
    Ok(Worked { stop, after, folders })
}

async fn carry_out(
    checked: &Checked,
    ledger: &Ledger,
    ready: &[ReadyArm],
    (way, settings): (Way<'_>, &Settings),
) -> Result<(Stop, scratchbed::ledger::Status), Failure> {
    let plan = plan(checked, ready)?;
    let entered = match way.hosted_for {
        Some(who) => ledger.enter_hosted(&plan, who).await?,
        None => ledger.enter(&plan).await?,
    };
    reuse(checked, ledger, settings).await?;
    let before = ledger.status(&checked.file.name).await?;
    if entered.is_resumed {
        let (decided, all) = (before.cells.decided, pluralise_as(before.cells.all(), "cell is", "cells are"));
        progress(format!("going on with `{}`: {decided} of {all} decided", before.id));
    }
    let labels: BTreeMap<String, String> = before.arms.iter().map(|arm| (arm.id.clone(), arm.label.clone())).collect();
    let shown =
        Progress::new(&before.id, None, move |done, cell, made, ended| line(&labels, done, (cell, made, ended)));
    let locals = checked.arms.iter().zip(ready).map(|(arm, ready)| Local {
        label: arm.label.clone(),
        lane: arm.lane.clone(),
        arm: ready.arm.clone(),
        pricing: ready.pricing.clone(),
        caps: arm.caps,
    });
    let drain = way.drain;
    let look = |noted: Noted<'_>| shown.note(&noted);
    let listening = tokio::spawn(drain_when_asked(drain.clone(), Interrupts::listen()?));
    let name = &checked.file.name;
    let result = match way.jobs {
        0 => attend(ledger, name, &drain, &|cells| shown.show(cells)).await,
        jobs => work(ledger, name, locals.collect(), jobs.into(), &drain, &look).await,
    };
    listening.abort();
    shown.close();
    Ok(result?)
}

/// A line about an attempt that has ended.
fn line(labels: &BTreeMap<String, String>, done: &str, (cell, made, ended): (&CellRow, &Made, Ended)) -> String {
    let label = labels.get(&cell.arm).map_or(cell.arm.as_str(), String::as_str);
    let reason = made.reason.as_deref().map(brief).unwrap_or_default();
    let outcome = format!("{}{}", made.outcome.name(), follows(ended));
    format!("{done:>9}  {label}  {}  epoch {}  {outcome}  {reason}", cell.item, cell.epoch)
}

/// What follows an attempt that did not count.
const fn follows(ended: Ended) -> &'static str {
    match ended {
        Ended::Counted => "",
        Ended::Owed => " (again)",
        Ended::Dead => " (given up)",
        Ended::Void => " (does not count: another attempt took its place)",
    }
}

/// Decides cells by attempts that were made for other experiments, where the file allows it, and brings their files here.
async fn reuse(checked: &Checked, ledger: &Ledger, settings: &Settings) -> Result<(), Failure> {
    let name = &checked.file.name;
    let new = if checked.file.reuse { ledger.reuse(name).await? } else { 0 };
    if new > 0 {
        let new = pluralise_as(new, "cell is", "cells are");
        progress(format!("{new} decided by attempts of other experiments"));
    }
    let (experiments, verdicts) = (settings.root.experiments(), VerdictStore::new(settings.root.verdicts()));
    for missing in bring(&experiments, name, &ledger.reused(name).await?, &verdicts)?.missing {
        progress(format!("not here: {missing}; `scratchbed experiment fetch` brings it, for reports"));
    }
    Ok(())
}

fn say_stop(stop: &Stop, name: &str, out: Output) {
    match stop {
        Stop::Over => {}
        Stop::Budget(reason) => {
            out.say(format!("budget    it allows no more: {reason}"));
            out.say(format!(
                "          raise it with `scratchbed experiment set {name} budget.usd=N`, and run the file again"
            ));
        }
        Stop::Drained => out
            .say("drained   run the file again to go on, after `scratchbed experiment resume` if an order stopped it"),
    }
}
