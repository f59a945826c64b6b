//! `scratchbed run`: has an agent attempt tasks, judges what it made, and prints a table of verdicts.

mod show;

use std::sync::Arc;

use serde_json::json;

use crate::arms::house::House;
use crate::arms::output::Output;
use crate::arms::runs::carry_out;
use crate::arms::spending::say_spending;
use crate::arms::tasks::{Ready, TasksArgs};
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::benchmarks::tasks::{costs, succeeded, summary, voided};
use scratchbed::experiment::engine::RunArm;
use scratchbed::grade::TaskTables;
use scratchbed::report::write_run_report;

pub use show::say_rates;
use show::{say_rest, show, write_records};

/// Runs the chosen tasks; the status is positive only if every one was solved.
pub async fn run(args: &TasksArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let asked = args.asked(settings).await?;
    let dir = asked.plan.clone().open(&settings.root.runs(), args.run.resume())?;
    let house = House::start(settings, args.run.jobs()).await?;
    let Ready { arm, served } = asked.ready(dir, &house).await?;
    let arm = Arc::new(arm);
    let result = carry_out(&arm, args.run.options(), settings).await;
    if let Some(served) = served {
        served.close().await;
    }
    house.close().await;
    let RunArm { benchmark: tasks, dir, pricing } = &*arm;
    let records = result?;
    if args.write_records {
        write_records(&tasks.jobs, &records)?;
    }
    let summary = summary(&records);
    let tables = TaskTables::of(&records, args.count.reference());
    let costs = costs(&records, pricing);
    let voided = voided(dir)?;
    show(&records, &costs, out);
    say_rates(&tables, out);
    say_rest(&records, &summary, &voided, out);
    say_spending(&costs.all, "solved task", out);
    out.say(format!("run       {}", dir.path().display()));
    let page = write_run_report(dir, &records, (&summary, &tables, &costs))?;
    out.say(format!("report    {}", page.display()));
    let solved = !records.is_empty() && records.iter().all(succeeded);
    out.answer(&json!({
        "solved": solved, "run": dir.path(), "attempts": records, "summary": summary, "tables": tables,
        "costs": costs, "voided": voided,
    }));
    Ok(Status::of(solved))
}
