//! Cases of budgeted repair, and runs of it that were made, for commands that ask nobody. How a run is asked for is `budgeted`'s.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::browsers::built_projects;
use super::budgeted::WORTH;
use super::house::House;
use super::repairs::players;
use crate::flags::budget::PricesArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::ids::IdsArgs;
use scratchbed::benchmarks::trajectories::{After, Answers, Cases, Floor, Kept, Manner, Respondent, Trajectories};
use scratchbed::bugs::Bench;
use scratchbed::experiment::Benchmark as _;
use scratchbed::model::{AttemptRecord, Category, Trajectory};
use scratchbed::store::RunDir;
use scratchbed::taskset::{Selection, TaskSet};
use scratchbed::trajectory::{Plans, Profile, Rules, Worth};

/// A record of a trajectory.
pub type Record = AttemptRecord<Option<Trajectory>>;

/// The trajectories of a run that count.
pub fn counted(dir: &RunDir) -> Result<Vec<(Record, Trajectory)>, Failure> {
    if dir.record().benchmark != Trajectories::NAME {
        let message = format!("{} is no run of a controller", dir.path().display());
        let failure = Failure::new(Status::Input, "run_of_other_benchmark", message);
        return Err(failure.hinted("name a run of `repair run --mode heuristic` or another mode than single"));
    }
    let tries = dir.last_tries::<Option<Trajectory>>()?.into_iter().map(|tried| tried.record);
    Ok(tries.filter_map(|record| record.detail.clone().map(|trajectory| (record, trajectory))).collect())
}

/// Which cases, for commands that ask nobody.
#[derive(Debug, Args)]
pub struct CasesArgs {
    /// The benchmark of faults, as `scratchbed forge run` makes it.
    #[arg(long, value_name = "BENCH", required_unless_present = "tasks")]
    bench: Option<PathBuf>,
    /// Bundled tasks of a category instead.
    #[arg(long, value_name = "CATEGORY", conflicts_with = "bench")]
    tasks: Option<Category>,
    #[command(flatten)]
    ids: IdsArgs,
    /// Plans, cutoffs and budgets, in the form of assets/repair/plans.toml.
    #[arg(long, value_name = "FILE")]
    plans: Option<PathBuf>,
}

impl CasesArgs {
    /// The plans.
    pub fn plans(&self) -> Result<Arc<Plans>, Failure> {
        Ok(Arc::new(Plans::read(self.plans.as_deref())?))
    }

    /// The cases, with what the set is called in records.
    pub fn open(&self, house: &House) -> Result<(Cases, String), Failure> {
        let ids = self.ids.names()?;
        match (self.tasks, &self.bench) {
            (Some(category), _) => tasks(category, ids, house),
            (None, Some(bench)) => faults((Bench::open(bench)?, ids), house),
            (None, None) => Err(no_cases()),
        }
    }
}

/// The cases that a controller's run is of.
pub fn cases_of_run(
    dir: &RunDir,
    (bench, category): (Option<&Path>, Option<Category>),
    house: &House,
) -> Result<Cases, Failure> {
    let record = dir.record();
    let ids: Vec<String> = record.items.iter().map(ToString::to_string).collect();
    let (cases, set) = match (category, bench) {
        (Some(category), _) => tasks(category, ids, house)?,
        (None, Some(bench)) => faults((Bench::open(bench)?, ids), house)?,
        (None, None) => return Err(no_cases()),
    };
    if record.set != set {
        let message = format!("{} is of other cases than these, or than they are now", dir.path().display());
        return Err(Failure::new(Status::Input, "run_of_other_benchmark", message));
    }
    Ok(cases)
}

fn no_cases() -> Failure {
    Failure::new(Status::Usage, "no_cases", "no cases are named").hinted("give --bench or --tasks")
}

/// The instances of a benchmark as cases, with its version.
pub fn faults((bench, ids): (Bench, Vec<String>), house: &House) -> Result<(Cases, String), Failure> {
    let set = bench.version().to_owned();
    Ok((Cases::of_faults(bench, &ids, players(house)?)?, set))
}

/// Bundled tasks of a category as cases.
pub fn tasks(category: Category, ids: Vec<String>, house: &House) -> Result<(Cases, String), Failure> {
    let set = TaskSet::read(&house.settings.root)?;
    let selection = Selection { ids, categories: vec![category], split: None };
    let entries: Vec<_> = set.select(&selection)?.into_iter().cloned().collect();
    let cases = Cases::of_tasks(entries, built_projects(&house.settings), players(house)?);
    Ok((cases, format!("tasks:{}", set.version()?)))
}

/// The trajectories of a run as they were asked for, with the answers that were kept in place of whoever answered.
pub fn replayed(dir: &RunDir, args: &CasesArgs, prices: &PricesArgs, house: &House) -> Result<Trajectories, Failure> {
    let record = dir.record();
    let (cases, set) = args.open(house)?;
    let plans = args.plans()?;
    let controller = &record.options["controller"];
    let differs = |what: &str| {
        Failure::new(Status::Input, "run_of_other_benchmark", format!("{} is of other {what}", dir.path().display()))
    };
    if record.set != set {
        return Err(differs("cases than these, or than they are now"));
    }
    if controller["plans"] != json!(plans.digest) {
        return Err(differs("plans").hinted("name the file with --plans"));
    }
    let unreadable = |name: &str| differs(&format!("options: `{name}` can't be read"));
    let read = |name: &str| -> Result<String, Failure> {
        controller[name].as_str().map(str::to_owned).ok_or_else(|| unreadable(name))
    };
    let count = |name: &str| controller[name].as_u64().ok_or_else(|| unreadable(name));
    let flag = |name: &str| controller[name].as_bool().ok_or_else(|| unreadable(name));
    let profile: Profile = read("profile")?.parse().map_err(|_| unreadable("profile"))?;
    let rules = Rules {
        max_attempts: u32::try_from(count("max_attempts")?).map_err(|_| unreadable("max_attempts"))?,
        retry: read("retry_on")?.parse().map_err(|_| unreadable("retry_on"))?,
        stops_at_repeats: profile == Profile::Own,
    };
    let manner = Manner {
        mode: record.setting.parse().map_err(|_| unreadable("mode"))?,
        forced: controller["forced"].as_str().and_then(|plan| plan.parse().ok()),
        profile,
        plans,
        rules,
        max_leak: u8::try_from(count("max_leak")?).map_err(|_| unreadable("max_leak"))?,
        ids: read("block_ids")?.parse().map_err(|_| unreadable("block_ids"))?,
        has_schema: flag("schema")?,
        shares_answers: flag("share_answers")?,
        fresh_probe: false,
        meters: None,
        worth: dir.kept::<Worth>(WORTH)?.map(Arc::new),
        after: After { minimises: flag("minimise")?, measures_drift: flag("drift")? },
    };
    let options = record.options["agent"].clone();
    let answers = match record.agent.as_str() {
        "oracle" => Answers::Oracle,
        "noop" => Answers::Floor(Floor::Nothing),
        "mutate" => Answers::Floor(Floor::Mutate(options["seed"].as_u64().unwrap_or(1))),
        "search" => Answers::Floor(Floor::Search),
        name => {
            let price = prices.table()?.of(name).map(|dated| dated.price);
            Answers::Asked(Respondent { name: name.to_owned(), options, price, asker: None })
        }
    };
    Ok(Trajectories::of(cases, answers, manner, Kept::below(&house.settings.root.runs())))
}
