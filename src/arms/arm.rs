//! Arms of all benchmarks in one form: the flags of their commands, what was asked for, and what can be attempted.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args as _, FromArgMatches as _};

use super::door::ServedDoor;
use super::drags::{self, DragsArgs};
use super::explanations::{self, ExplanationsArgs};
use super::house::House;
use super::questions::{self, QuestionsArgs};
use super::repairs::{self, RepairsArgs};
use super::tasks::{Asked, Ready, TasksArgs};
use super::trajectories::{self, TrajectoriesArgs};
use crate::flags::budget::PricesArgs;
use crate::flags::experiment::{BenchmarkName, refused};
use crate::flags::failure::Failure;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::drag::ScenePack;
use scratchbed::experiment::engine::{Arm, RunArm};
use scratchbed::experiment::{Benchmark, Plan};
use scratchbed::grade::Pricing;
use scratchbed::model::{ItemId, JudgeSeed, RunRecord};
use scratchbed::store::RunDir;

/// The arguments of one arm, as its benchmark's command takes them.
pub enum ArmArgs {
    Tasks(Box<TasksArgs>),
    Drags(Box<DragsArgs>),
    Questions(Box<QuestionsArgs>),
    Repairs(Box<RepairsArgs>),
    Explanations(Box<ExplanationsArgs>),
    Trajectories(Box<TrajectoriesArgs>),
}

/// What is known of an arm before anything is opened.
pub struct Outline {
    pub items: Vec<ItemId>,
    /// What its run sets out to do, where that is known without a browser.
    pub record: Option<RunRecord>,
    /// The model that is asked, if there is one.
    pub model: Option<String>,
    /// Whether attempts learn from those before them.
    pub is_stream: bool,
    /// The most calls of the model that one attempt makes, where each is right at once.
    pub most_calls: u64,
}

/// An arm that can be attempted.
pub struct ReadyArm {
    pub arm: Arc<dyn Arm>,
    /// The folder of its attempts.
    pub folder: PathBuf,
    pub record: RunRecord,
    pub pricing: Pricing,
    /// What serves its sessions to programs.
    door: Option<ServedDoor>,
}

/// The command that makes runs of a benchmark, with its flags.
pub fn command(benchmark: BenchmarkName) -> clap::Command {
    let command = clap::Command::new("arm").no_binary_name(true).disable_help_flag(true);
    match benchmark {
        BenchmarkName::Tasks => TasksArgs::augment_args(command),
        BenchmarkName::Drag => DragsArgs::augment_args(command),
        BenchmarkName::Perception => QuestionsArgs::augment_args(command),
        BenchmarkName::Repair => RepairsArgs::augment_args(command),
        BenchmarkName::Explain => ExplanationsArgs::augment_args(command),
        BenchmarkName::Trajectory => TrajectoriesArgs::augment_args(command),
    }
}

impl ArmArgs {
    /// Reads flags.
    pub fn parse(
        benchmark: BenchmarkName,
        label: &str,
        flags: &[String],
        prices: Option<&str>,
    ) -> Result<Self, Failure> {
        let refused = |error: clap::Error| refused(&format!("arm `{label}`"), &error);
        let matches = command(benchmark).try_get_matches_from(flags).map_err(refused)?;
        let mut args = match benchmark {
            BenchmarkName::Tasks => Self::Tasks(Box::new(TasksArgs::from_arg_matches(&matches).map_err(refused)?)),
            BenchmarkName::Drag => {
                let args = DragsArgs::from_arg_matches(&matches).map_err(refused)?;
                Self::Drags(Box::new(args.with_ids()?))
            }
            BenchmarkName::Perception => {
                Self::Questions(Box::new(QuestionsArgs::from_arg_matches(&matches).map_err(refused)?))
            }
            BenchmarkName::Repair => Self::Repairs(Box::new(RepairsArgs::from_arg_matches(&matches).map_err(refused)?)),
            BenchmarkName::Explain => {
                Self::Explanations(Box::new(ExplanationsArgs::from_arg_matches(&matches).map_err(refused)?))
            }
            BenchmarkName::Trajectory => {
                Self::Trajectories(Box::new(TrajectoriesArgs::from_arg_matches(&matches).map_err(refused)?))
            }
        };
        args.prices_mut().given = prices.map(str::to_owned);
        Ok(args)
    }

    fn prices_mut(&mut self) -> &mut PricesArgs {
        match self {
            Self::Tasks(args) => &mut args.run.budget.prices,
            Self::Drags(args) => &mut args.run.budget.prices,
            Self::Questions(args) => &mut args.run.budget.prices,
            Self::Repairs(args) => &mut args.run.budget.prices,
            Self::Explanations(args) => &mut args.run.budget.prices,
            Self::Trajectories(args) => &mut args.repairs.run.budget.prices,
        }
    }

    /// By which prices its costs are reckoned.
    pub const fn prices(&self) -> &PricesArgs {
        match self {
            Self::Tasks(args) => &args.run.budget.prices,
            Self::Drags(args) => &args.run.budget.prices,
            Self::Questions(args) => &args.run.budget.prices,
            Self::Repairs(args) => &args.run.budget.prices,
            Self::Explanations(args) => &args.run.budget.prices,
            Self::Trajectories(args) => &args.repairs.run.budget.prices,
        }
    }

    /// Checks the arm as far as that is possible without a browser.
    pub async fn outline(&self, settings: &Settings) -> Result<Outline, Failure> {
        Ok(match self {
            Self::Tasks(args) => Outline::of(&args.asked(settings).await?),
            Self::Drags(args) => {
                let folder = args.scenes.pack.clone().unwrap_or_else(|| settings.root.scenes());
                let pack = ScenePack::read(&folder)?;
                let items = pack.chosen(&args.scenes.scenes)?.iter().map(|scene| scene.id.clone()).collect();
                args.check()?;
                Outline { items, record: None, model: args.model(), is_stream: false, most_calls: 1 }
            }
            Self::Questions(args) => {
                let (_, plan) = questions::asked(args, &scratchbed::agent::model::Budget::default())?;
                Outline::of_questions(plan, args.model())
            }
            Self::Repairs(args) => Outline::of_questions(repairs::planned(args)?, args.model()),
            Self::Explanations(args) => {
                let (_, plan) = explanations::asked(args, &scratchbed::agent::model::Budget::default(), None)?;
                Outline::of_questions(plan, args.model())
            }
            Self::Trajectories(args) => {
                let (items, model) = (args.items(settings)?, args.repairs.model());
                let most_calls = args.budgeted.most_attempts()?.into();
                Outline { items, record: None, model, is_stream: false, most_calls }
            }
        })
    }

    /// Opens what its attempts need; their folders lie in `folder`. Tasks are judged under this secret seed.
    pub async fn ready(&self, folder: &Path, judge_seed: JudgeSeed, house: &House) -> Result<ReadyArm, Failure> {
        match self {
            Self::Tasks(args) => {
                let asked = args.asked(&house.settings).await?;
                let dir = Plan { judge_seed, ..asked.plan.clone() }.open_in(folder)?;
                let Ready { arm, served } = asked.ready(dir, house).await?;
                Ok(ReadyArm::of(arm, served))
            }
            Self::Drags(args) => {
                let (arm, door) = drags::arm(args, folder, house).await?;
                Ok(ReadyArm::of(arm, door))
            }
            Self::Questions(args) => Ok(ReadyArm::of(questions::arm(args, folder)?, None)),
            Self::Repairs(args) => Ok(ReadyArm::of(repairs::arm(args, folder, house).await?, None)),
            Self::Explanations(args) => Ok(ReadyArm::of(explanations::arm(args, folder, house).await?, None)),
            Self::Trajectories(args) => Ok(ReadyArm::of(trajectories::arm(args, folder, house).await?, None)),
        }
    }
}

impl Outline {
    /// Of items that are asked about once.
    fn of_questions(plan: Plan, model: Option<String>) -> Self {
        let record = Some(plan.clone().record());
        Self { items: plan.items, record, model, is_stream: false, most_calls: 1 }
    }

    fn of(asked: &Asked<'_>) -> Self {
        Self {
            items: asked.plan.items.clone(),
            record: Some(asked.plan.clone().record()),
            model: asked.model(),
            is_stream: asked.is_stream(),
            most_calls: u64::from(asked.most_steps()),
        }
    }
}

impl ReadyArm {
    fn of<B: Benchmark + 'static>(arm: RunArm<B>, door: Option<ServedDoor>) -> Self {
        let (dir, pricing): (&RunDir, _) = (&arm.dir, arm.pricing.clone());
        let (folder, record) = (dir.path().to_owned(), dir.record().clone());
        Self { arm: Arc::new(arm), folder, record, pricing, door }
    }

    /// Ends what was opened for it.
    pub async fn close(self) {
        if let Some(door) = self.door {
            door.close().await;
        }
    }
}
