//! Budgeted repair as an arm of an experiment: the flags of `repair run --mode …` with one controller, and what they ask for.

use std::path::Path;

use clap::Args;

use super::budgeted::{BudgetedArgs, trajectories};
use super::house::House;
use super::repairs::RepairsArgs;
use crate::flags::budget::pricing;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::agent::model::Budget;
use scratchbed::benchmarks::repair::Item;
use scratchbed::benchmarks::trajectories::{CASES, Trajectories};
use scratchbed::experiment::engine::RunArm;
use scratchbed::model::{ControllerMode, ItemId};
use scratchbed::taskset::{Selection, TaskSet};

/// The flags of `repair run` that a controller's run is made of.
#[derive(Debug, Args)]
pub struct TrajectoriesArgs {
    #[command(flatten)]
    pub repairs: RepairsArgs,
    #[command(flatten)]
    pub budgeted: BudgetedArgs,
}

impl TrajectoriesArgs {
    /// The controller, of which an arm has one.
    pub fn mode(&self) -> Result<ControllerMode, Failure> {
        match self.budgeted.controlled().as_slice() {
            [mode] if !self.budgeted.is_single() => Ok(*mode),
            _ => {
                let message = "an arm of the benchmark `trajectory` has one controller";
                Err(Failure::new(Status::Input, "one_controller", message)
                    .hinted("give `mode` as text_only, always_on, fixed or heuristic; the benchmark `repair` is the mode `single`"))
            }
        }
    }

    /// Names of its cases; nothing is opened for them but the benchmark.
    pub fn items(&self, settings: &Settings) -> Result<Vec<ItemId>, Failure> {
        self.mode()?;
        let Some(category) = self.budgeted.tasks else {
            let (bench, ids) = self.repairs.instances.open()?;
            return Ok(Item::chosen(&bench, &ids)?.into_iter().map(|item| item.id).collect());
        };
        let set = TaskSet::read(&settings.root)?;
        let selection = Selection { ids: self.repairs.instances.names()?, categories: vec![category], split: None };
        Ok(set.select(&selection)?.into_iter().filter_map(|entry| entry.task.id.as_str().parse().ok()).collect())
    }
}

/// Trajectories as an arm of an experiment.
pub async fn arm(args: &TrajectoriesArgs, folder: &Path, house: &House) -> Result<RunArm<Trajectories>, Failure> {
    let TrajectoriesArgs { repairs, budgeted } = args;
    repairs.check_isolation(&house.settings).await?;
    let shared = budgeted.shared(house.jobs).await?;
    let asked = (&Budget::default(), house);
    let mode = args.mode()?;
    let (benchmark, plan) = trajectories((repairs, budgeted), mode, &shared, asked)?;
    let dir = plan.open_in(folder)?;
    shared.keep(mode, &dir)?;
    let pricing = pricing(&repairs.run.budget.prices, dir.record())?;
    dir.keep(CASES, &benchmark.chosen())?;
    Ok(RunArm { benchmark, dir, pricing })
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches as _};

    use super::*;

    fn mode(flags: &[&str]) -> Result<ControllerMode, String> {
        let command = TrajectoriesArgs::augment_args(Command::new("arm").no_binary_name(true));
        let matches = command.try_get_matches_from([&["--bench=B", "--agent=oracle"], flags].concat()).unwrap();
        let args = TrajectoriesArgs::from_arg_matches(&matches).unwrap();
        args.mode().map_err(|failure| failure.code().to_owned())
    }

    #[test]
    fn an_arm_has_one_controller() {
        assert_eq!(mode(&["--mode=fixed"]), Ok(ControllerMode::Fixed));
        for flags in [&[][..], &["--mode=single"], &["--mode=single,fixed"], &["--mode=fixed,heuristic"]] {
            assert_eq!(mode(flags), Err("one_controller".to_owned()), "{flags:?}");
        }
    }
}
