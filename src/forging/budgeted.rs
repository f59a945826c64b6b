//! `scratchbed repair run --mode …`: trajectories of budgeted repair, a run for each mode, and what is printed of them.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::arms::budgeted::{BudgetedArgs, trajectories};
use crate::arms::house::House;
use crate::arms::output::Output;
use crate::arms::repairs::RepairsArgs;
use crate::arms::runs::{carry_out, say_outcomes};
use crate::arms::spending::say_costs;
use crate::flags::budget::{count_recorded, pricing};
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::benchmarks::trajectories::{CASES, score};
use scratchbed::experiment::RunOptions;
use scratchbed::experiment::engine::RunArm;
use scratchbed::grade::{ANSWERS, outcomes};
use scratchbed::report::trajectories_text;

/// Makes the runs, one after another: energy is comparable only with one job, and modes share probes. The run of a single mode may have
/// a folder that is named; others get new ones.
pub async fn run(
    (args, budgeted): (&RepairsArgs, &BudgetedArgs),
    folder: Option<&Path>,
    settings: &Settings,
    out: Output,
) -> Result<(Value, Status), Failure> {
    let modes = budgeted.controlled();
    if modes.len() > 1 && (args.run.resume().is_some() || folder.is_some()) {
        let failure = Failure::new(Status::Usage, "several_modes", "each mode has a run of its own to go on with");
        return Err(failure.hinted("name one mode with --resume"));
    }
    args.check_isolation(settings).await?;
    let house = House::start(settings, args.run.jobs()).await?;
    let made = all((args, budgeted), folder, (settings, &house), out).await;
    house.close().await;
    made
}

async fn all(
    (args, budgeted): (&RepairsArgs, &BudgetedArgs),
    folder: Option<&Path>,
    (settings, house): (&Settings, &House),
    out: Output,
) -> Result<(Value, Status), Failure> {
    let budget = args.run.budget.budget(args.model().as_deref())?;
    let shared = budgeted.shared(args.run.jobs()).await?;
    let (mut answers, mut is_solved) = (Vec::new(), true);
    for mode in budgeted.controlled() {
        let (benchmark, plan) = trajectories((args, budgeted), mode, &shared, (&budget, house))?;
        let dir = match folder {
            Some(folder) => plan.open_in(folder)?,
            None => plan.open(&settings.root.runs().join("repair"), args.run.resume())?,
        };
        let pricing = pricing(&args.run.budget.prices, dir.record())?;
        count_recorded(&budget, &dir)?;
        dir.keep(CASES, &benchmark.chosen())?;
        shared.keep(mode, &dir)?;
        let arm = Arc::new(RunArm { benchmark, dir, pricing });
        let options: RunOptions = args.run.options();
        let records = carry_out(&arm, options, settings).await?;
        let score = score(arm.benchmark.chosen(), &records);
        let ended = outcomes(&ANSWERS, records.iter().map(|record| record.outcome));
        out.say(format!("mode      {mode}"));
        out.say(trajectories_text(&score));
        say_outcomes(&ended, out);
        let costs = say_costs(&records, &arm.pricing, "case that was repaired", out);
        out.say(format!("run       {}", arm.dir.path().display()));
        is_solved &= score.strict.n > 0 && score.strict.hits == score.strict.n;
        answers.push(json!({"mode": mode, "run": arm.dir.path(), "score": score, "outcomes": ended, "costs": costs}));
    }
    Ok((Value::Array(answers), Status::of(is_solved)))
}
