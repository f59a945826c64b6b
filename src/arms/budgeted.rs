//! Budgeted repair as arms: the flags of `repair run --mode …` beyond those of all repairs, and what they ask for. Each mode is a run of its
//! own.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};
use strum::{EnumMessage as _, IntoEnumIterator as _};

use super::cases::{counted, faults, tasks};
use super::house::House;
use super::repairs::RepairsArgs;
use super::signs::progress;
use crate::flags::agents::AgentName;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use scratchbed::agent::model::Budget;
use scratchbed::benchmarks::trajectories::{After, Answers, Cases, Floor, Kept, Manner, Respondent, Trajectories};
use scratchbed::experiment::{Benchmark as _, Plan};
use scratchbed::export::claims;
use scratchbed::meter::{Coefficients, MeterChoice, MeterSettings, Meters};
use scratchbed::model::{Category, Coded as _, ControllerMode, ItemId, PlanId};
use scratchbed::store::RunDir;
use scratchbed::trajectory::{Ids, Plans, Profile, Retry, Rules, Transition, Worth};

/// What `--mode` calls the repair track, which has one attempt and no controller.
const SINGLE: &str = "single";
/// Of reports and projects alone, to what gold expects (EcoScratch, section 3).
const MOST_LEAK: i64 = 3;

/// How repairs are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// One attempt, scored by suite, edit distance and drift: ScratchEval's repair track.
    Single,
    /// A controller decides on evidence, caps and checks: EcoScratch.
    Controlled(ControllerMode),
}

fn modes() -> impl TypedValueParser<Value = Mode> {
    let single =
        PossibleValue::new(SINGLE).help("One attempt and no controller: edits, distance and drift of ScratchEval");
    let controlled = ControllerMode::iter().map(|mode| {
        let help = mode.get_documentation().unwrap_or_default().trim_end_matches('.');
        PossibleValue::new(<&'static str>::from(mode)).help(help)
    });
    PossibleValuesParser::new(std::iter::once(single).chain(controlled).collect::<Vec<_>>())
        .map(|name| name.parse().map_or(Mode::Single, Mode::Controlled))
}

fn plan_names() -> impl TypedValueParser<Value = PlanId> {
    let names = PlanId::iter().map(<&'static str>::from);
    PossibleValuesParser::new(names.collect::<Vec<_>>()).try_map(|name| name.parse::<PlanId>())
}

/// How trajectories are made.
#[derive(Debug, Args)]
#[command(next_help_heading = "Budgeted repair (all modes but single)")]
pub struct BudgetedArgs {
    /// Which controllers, with commas between; each makes a run of its own.
    #[arg(long, value_parser = modes(), value_delimiter = ',', default_value = SINGLE)]
    pub mode: Vec<Mode>,
    /// Repair the bundled tasks of a category instead of a benchmark of faults: the initial project is the buggy one, the evaluation script
    /// checks. `debug` has twenty.
    #[arg(long, value_name = "CATEGORY", conflicts_with_all = ["bench", "from"])]
    pub tasks: Option<Category>,
    /// As published, or with what goes beyond: traces as text, hints from them, reasons.
    #[arg(long, value_parser = named::<Profile>(), default_value = "paper")]
    profile: Profile,
    /// Attempts of a trajectory at most, instead of the file's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    max_attempts: Option<u32>,
    /// What is tried again.
    #[arg(long, value_parser = named::<Retry>(), default_value = "all")]
    retry_on: Retry,
    /// The highest leak level of evidence: 0 report and project, 1 figures compared with gold, 2 behaviour of the buggy project, 3 what gold
    /// expects.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=MOST_LEAK))]
    max_leak: u8,
    /// How ids of blocks are written for a model.
    #[arg(long, value_parser = named::<Ids>(), default_value = "raw")]
    block_ids: Ids,
    /// Do not hold providers to the schema of the answer: it is said in words alone, for endpoints without structured output.
    #[arg(long)]
    no_schema: bool,
    /// Let modes share the answers to equal requests.
    #[arg(long)]
    share_answers: bool,
    /// Probe each case again for each trajectory, as in the paper, instead of once.
    #[arg(long)]
    fresh_probe: bool,
    /// Give every attempt this plan, whatever the mode: runs of all plans, with --share-answers and --max-attempts 1, are what `repair
    /// simulate` needs.
    #[arg(long, value_name = "PLAN", value_parser = plan_names())]
    force_plan: Option<PlanId>,
    /// What a repaired project is worth, in US dollars: the mode `value` goes on only while the chance of a repair is worth more than an
    /// attempt costs.
    #[arg(long, value_name = "USD", value_parser = positive)]
    value_usd: Option<f64>,
    /// Runs of controllers from whose attempts the mode `value` learns chances and prices; without, the chance is taken for a half.
    #[arg(long, value_name = "RUN", requires = "value_usd")]
    learn_from: Vec<PathBuf>,
    #[command(flatten)]
    after: AfterArgs,
    /// Plans, cutoffs and budgets, in the form of assets/repair/plans.toml.
    #[arg(long, value_name = "FILE")]
    plans: Option<PathBuf>,
    /// How the host's energy is found.
    #[arg(long, value_parser = named::<MeterChoice>(), default_value = "auto")]
    energy: MeterChoice,
    /// Prints the joules so far, for `--energy external`.
    #[arg(long, value_name = "COMMAND", required_if_eq("energy", "external"))]
    energy_command: Option<String>,
}

/// What is done once attempts have ended; nobody is asked for it.
#[derive(Debug, Clone, Copy, Args)]
struct AfterArgs {
    /// Leave out the operations that a patch which passed does not need, by delta debugging: the shorter one is kept beside it, with its
    /// distance from gold.
    #[arg(long)]
    minimise: bool,
    /// Play the whole suite to each candidate that counts, and record how far it is from gold (semantic drift).
    #[arg(long)]
    drift: bool,
}

/// All that the runs of one command have in common.
pub struct Shared {
    pub plans: Arc<Plans>,
    pub meters: Option<Arc<Meters>>,
    /// What the mode `value` decides by.
    pub worth: Option<Arc<Worth>>,
}

/// The file of a run with what the mode `value` decided by.
pub const WORTH: &str = "worth.json";

impl Shared {
    /// Keeps with a run what it was decided by.
    pub fn keep(&self, mode: ControllerMode, dir: &RunDir) -> Result<(), Failure> {
        match &self.worth {
            Some(worth) if mode == ControllerMode::Value => Ok(dir.keep(WORTH, worth.as_ref())?),
            _ => Ok(()),
        }
    }
}

/// An amount above 0.
fn positive(text: &str) -> Result<f64, String> {
    let amount: f64 = text.parse().map_err(|_| "an amount in US dollars is wanted, such as 0.5".to_owned())?;
    if amount > 0.0 && amount.is_finite() { Ok(amount) } else { Err("it must be above 0".to_owned()) }
}

impl BudgetedArgs {
    /// The controllers that are asked for, without `single`.
    pub fn controlled(&self) -> Vec<ControllerMode> {
        let controlled = |mode: &Mode| match mode {
            Mode::Single => None,
            Mode::Controlled(mode) => Some(*mode),
        };
        self.mode.iter().filter_map(controlled).collect()
    }

    /// Whether the repair track is meant.
    pub fn is_single(&self) -> bool {
        self.mode.contains(&Mode::Single)
    }

    /// Attempts of a trajectory at most.
    pub fn most_attempts(&self) -> Result<u32, Failure> {
        let of_file = || Ok(Plans::read(self.plans.as_deref())?.budget.attempts);
        self.max_attempts.map_or_else(of_file, Ok)
    }

    /// Reads the plans, and finds a meter, which may take some seconds.
    pub async fn shared(&self, jobs: usize) -> Result<Shared, Failure> {
        let plans = Arc::new(Plans::read(self.plans.as_deref())?);
        Ok(Shared { plans, meters: self.meters(jobs).await?, worth: self.worth()?.map(Arc::new) })
    }

    /// What is learned from runs.
    fn worth(&self) -> Result<Option<Worth>, Failure> {
        let Some(usd) = self.value_usd else {
            return if self.controlled().contains(&ControllerMode::Value) {
                let failure = Failure::new(Status::Usage, "no_value", "the mode `value` needs what a repair is worth");
                Err(failure.hinted("name it with --value-usd"))
            } else {
                Ok(None)
            };
        };
        let mut learned = Vec::new();
        for run in &self.learn_from {
            let dir = RunDir::open(run)?;
            if let Some(note) = claims([&dir]) {
                progress(format!("note: --learn-from {note}"));
            }
            let records = counted(&dir)?;
            learned.extend(records.iter().flat_map(|(_, trajectory)| Transition::of(trajectory)));
        }
        Ok(Some(Worth { usd, learned }))
    }

    async fn meters(&self, jobs: usize) -> Result<Option<Arc<Meters>>, Failure> {
        if self.energy == MeterChoice::Off {
            return Ok(None);
        }
        let coefficients = Coefficients::bundled()?;
        let jobs = u32::try_from(jobs).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN);
        let settings = MeterSettings {
            choice: self.energy,
            command: self.energy_command.clone(),
            jobs,
            ..MeterSettings::new(coefficients)
        };
        let chosen = tokio::task::spawn_blocking(move || Meters::choose(settings)).await;
        let chosen = chosen.map_err(|error| Failure::infrastructure("meter_failed", &error))?;
        chosen.map(|meters| Some(Arc::new(meters))).map_err(|error| Failure::of(Status::Input, error.code(), &error))
    }

    /// How trajectories of a mode are made.
    pub fn manner(&self, mode: ControllerMode, shared: &Shared) -> Manner {
        let max_attempts = self.max_attempts.unwrap_or(shared.plans.budget.attempts);
        let stops_at_repeats = self.profile == Profile::Own;
        Manner {
            mode,
            forced: self.force_plan,
            profile: self.profile,
            plans: Arc::clone(&shared.plans),
            rules: Rules { max_attempts, retry: self.retry_on, stops_at_repeats },
            max_leak: self.max_leak,
            ids: self.block_ids,
            has_schema: !self.no_schema,
            shares_answers: self.share_answers,
            fresh_probe: self.fresh_probe,
            meters: shared.meters.clone(),
            worth: shared.worth.clone().filter(|_| mode == ControllerMode::Value),
            after: After { minimises: self.after.minimise, measures_drift: self.after.drift },
        }
    }

    /// What decides the records of a run besides the agent.
    fn options(&self, manner: &Manner) -> Value {
        json!({
            "profile": manner.profile,
            "plans": manner.plans.digest,
            "max_attempts": manner.rules.max_attempts,
            "retry_on": manner.rules.retry,
            "max_leak": manner.max_leak,
            "block_ids": manner.ids,
            "schema": manner.has_schema,
            "share_answers": manner.shares_answers,
            "fresh_probe": manner.fresh_probe,
            "energy": self.energy.to_string(),
            "forced": manner.forced,
            "worth": manner.worth.as_ref().map(|worth| worth.digest()),
            "minimise": manner.after.minimises,
            "drift": manner.after.measures_drift,
        })
    }

    /// The cases, with what the set is called in records.
    pub fn cases(&self, args: &RepairsArgs, house: &House) -> Result<(Cases, String), Failure> {
        match self.tasks {
            Some(category) => tasks(category, args.instances.names()?, house),
            None => faults(args.instances.open()?, house),
        }
    }
}

/// Who answers.
fn answers(args: &RepairsArgs, budget: &Budget) -> Result<Answers, Failure> {
    let options = args.agent_options();
    let name = args.ask.name(args.agent);
    Ok(match (args.asker(budget)?, args.agent) {
        (Some(asker), _) => {
            let price = args.run.budget.prices.table()?.of(&name).map(|dated| dated.price);
            Answers::Asked(Respondent { name, options, price, asker: Some(asker) })
        }
        (None, AgentName::Mutate) => Answers::Floor(Floor::Mutate(args.ask.seed)),
        (None, AgentName::Search) => Answers::Floor(Floor::Search),
        (None, AgentName::Noop) => Answers::Floor(Floor::Nothing),
        (None, _) => Answers::Oracle,
    })
}

/// The trajectories of one mode, and the plan of their run.
pub fn trajectories(
    (args, budgeted): (&RepairsArgs, &BudgetedArgs),
    mode: ControllerMode,
    shared: &Shared,
    (budget, house): (&Budget, &House),
) -> Result<(Trajectories, Plan), Failure> {
    args.preset.refuse_for("controllers")?;
    let (cases, set) = budgeted.cases(args, house)?;
    let manner = budgeted.manner(mode, shared);
    let items: Vec<ItemId> = cases.items().iter().map(|item| item.id.clone()).collect();
    let plan = Plan {
        benchmark: Trajectories::NAME,
        agent: args.ask.name(args.agent),
        name: format!("{}-{mode}", args.ask.readable(args.agent)),
        setting: mode.to_string(),
        options: json!({
            "agent": args.agent_options(),
            "controller": budgeted.options(&manner),
        }),
        set,
        items,
        attempts: args.run.attempts,
        ..Plan::default()
    };
    let kept = Kept::below(&house.settings.root.runs());
    let answers = answers(args, budget)?;
    if mode == ControllerMode::Value && answers.respondent().is_some_and(|respondent| respondent.price.is_none()) {
        let message =
            format!("the price of {} is not known, and the mode `value` weighs it", args.ask.name(args.agent));
        return Err(Failure::new(Status::Input, "price_unknown", message)
            .hinted("add it to a file for --prices, in the form of assets/prices.toml"));
    }
    Ok((Trajectories::of(cases, answers, manner, kept), plan))
}
