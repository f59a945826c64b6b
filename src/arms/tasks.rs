//! Tasks as an arm: the flags of `run`, and what they ask for.

mod prepare;

use clap::{ArgGroup, Args};
use serde_json::json;

use super::pack::PackArgs;
use crate::flags::actor::ActorArgs;
use crate::flags::choice::ChoiceArgs;
use crate::flags::count::CountArgs;
use crate::flags::env;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::run::RunFlags;
use scratchbed::benchmarks::tasks::{Actor, Tasks};
use scratchbed::experiment::{Benchmark as _, Plan};
use scratchbed::model::{EditorGeneration, Extras, ItemId, JudgeSeed, KeptPictures, LimitOverrides, Mode};
use scratchbed::taskset::{TaskEntry, TaskSet};

pub use prepare::{Asked, Ready};

/// What sessions have beyond the published benchmark.
#[derive(Debug, Clone, Copy, Args)]
pub struct ExtrasArgs {
    /// Let the agent add whole scripts, run the project and see the stage in composite mode: no setting of the published
    /// benchmark.
    #[arg(long)]
    extended: bool,
    /// Answer each of its actions with a report of what it met and changed: no setting of the published benchmark.
    #[arg(long)]
    report: bool,
}

/// What to run.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("which").required(true).args(["task", "split", "all"])))]
pub struct TasksArgs {
    #[command(flatten)]
    actor: ActorArgs,
    /// How it acts.
    #[arg(long, value_parser = named::<Mode>())]
    mode: Mode,
    // With the oracle, a split and all tasks are those that have a list for the mode.
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    pack: PackArgs,
    /// Act on sessions of this server instead of own ones; judging stays in this process.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Which editor the sessions show: the current one by default. Judging stays with the current one.
    #[arg(long, value_name = "EDITOR", conflicts_with_all = ["server", "write_records"], value_parser = named::<EditorGeneration>())]
    editor: Option<EditorGeneration>,
    /// The server's token; of no use without --server.
    #[arg(long, env = env::TOKEN, hide_env = true, hide_env_values = true)]
    token: Option<String>,
    /// How often an agent may decide, instead of as often as each task says; `done` is one of the decisions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_steps: Option<u32>,
    /// Seconds that an attempt may last, instead of each task's own.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    wall: Option<u32>,
    /// The secret seed of the run's judgements in place of one that is drawn, to make an earlier run again. Whoever knows it can
    /// answer from a table.
    #[arg(long, value_name = "N")]
    judge_seed: Option<u32>,
    #[command(flatten)]
    pub run: RunFlags,
    /// Which pictures are kept of each attempt, for replays, videos and the live view. Left out, models and programs get `all`,
    /// in both modes: pictures are taken while they think. Built-in agents, which do not think, get `sampled`; with --server
    /// all get `agent`.
    #[arg(long, value_name = "WHICH", value_parser = named::<KeptPictures>())]
    keep_pictures: Option<KeptPictures>,
    /// The former name of `--keep-pictures all`.
    #[arg(long, hide = true, conflicts_with_all = ["server", "keep_pictures"])]
    record: bool,
    #[command(flatten)]
    extras: ExtrasArgs,
    /// Write beside each bundled task that the mouse oracle solved how many actions it needed (mouse.json): `check` asks
    /// for it, and the limit of primitive mode is made from it.
    #[arg(long, conflicts_with_all = ["skip_step", "pack"])]
    pub write_records: bool,
    #[command(flatten)]
    pub count: CountArgs,
}

impl TasksArgs {
    const fn limits(&self) -> LimitOverrides {
        LimitOverrides { max_steps: self.max_steps, wall_s: self.wall }
    }

    fn editor(&self) -> EditorGeneration {
        self.editor.unwrap_or_default()
    }

    const fn extras(&self) -> Extras {
        Extras { extended: self.extras.extended, report: self.extras.report }
    }

    /// Which pictures are kept of attempts by this actor. Those that a session takes for its own log belong to its server.
    fn pictures(&self, actor: &Actor) -> Result<KeptPictures, Failure> {
        if self.server.is_some() && self.keep_pictures.is_some_and(KeptPictures::films) {
            let message = "a server's sessions take their own pictures; a run keeps those that the agent was shown";
            let failure = Failure::new(Status::Usage, "no_pictures_of_server", message);
            return Err(failure.hinted("start the server with --record-dir, or leave --server out"));
        }
        let usual = match actor {
            _ if self.record => KeptPictures::All,
            _ if self.server.is_some() => KeptPictures::Agent,
            Actor::Oracle { .. } | Actor::Noop | Actor::Random { .. } => KeptPictures::Sampled,
            _ => KeptPictures::All,
        };
        Ok(self.keep_pictures.unwrap_or(usual))
    }

    /// What the run sets out to do with these tasks.
    fn plan(&self, actor: &Actor, set: &TaskSet, entries: &[TaskEntry]) -> Result<Plan, Failure> {
        let (agent, kind) = self.actor.names();
        let unusual = [
            (self.extras.extended, "extended sessions"),
            (self.extras.report, "actions are answered with reports"),
            (self.judge_seed.is_some(), "the secret seed of judgements was given"),
        ];
        let given = unusual.into_iter().filter(|(is_given, _)| *is_given).map(|(_, note)| note.to_owned());
        let mut options = json!({
            "agent": actor.options(), "limits": self.limits(), "report": self.extras.report,
            "keep_pictures": self.pictures(actor)?,
        });
        // Runs of older versions, which have none, can still be resumed.
        if !self.editor().is_current() {
            options["editor"] = json!(self.editor());
        }
        Ok(Plan {
            benchmark: Tasks::NAME,
            agent,
            name: format!("{kind}-{}", self.mode),
            mode: Some(self.mode),
            setting: if self.extras.extended { "extended" } else { "plain" }.to_owned(),
            options,
            set: set.version()?,
            attempts: self.run.attempts,
            items: entries.iter().map(|entry| ItemId::from(&entry.task.id)).collect(),
            split: self.choice.split.clone().or_else(|| self.choice.all.then(|| "all".to_owned())),
            server: self.server.clone(),
            notes: actor.notes().into_iter().chain(given).collect(),
            judge_seed: self.judge_seed.map_or(JudgeSeed::Drawn, |seed| JudgeSeed::Given(seed.into())),
        })
    }
}
