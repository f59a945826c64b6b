//! Who acts in a run of tasks: the oracle, which knows the solution, language models, programs of the user's, and floors;
//! and how the agents for each task are put together.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::items::{Attempter, Job, MakeAgent};
use super::models::{AwmActor, ModelActor};
use super::outside::{Door, Isolation, Outside, Via};
use super::planning::PlannerActor;
use crate::agent::llm::AnswerStore;
use crate::agent::{Agent, NoopAgent, Observing, ProcessAgent, Program, RandomAgent, RunAs};
use crate::certify;
use crate::compile::BuildError;
use crate::model::{Blame, Coded, Mode, sha256_hex};
use crate::project::{Project, ProjectError};
use crate::session::Fleet;
use crate::solver::{DeriveError, MouseAgent, MousePlan, Oracle, OracleAgent, OracleError};
use crate::taskset::{Selection, TaskEntry, TaskSet, TasksetError};

#[derive(Debug, Clone)]
pub enum Actor {
    /// Knows the solution: plays the list of calls that comes with each task in composite mode, and works with mouse and
    /// keyboard in primitive mode.
    Oracle {
        /// This action is left out of each list, counted from 1.
        skip_step: Option<usize>,
        /// Whether the mouse looks at pictures too.
        pictures: bool,
    },
    /// A program of the user's, started for each attempt.
    Command {
        program: Program,
        /// How long one answer may take.
        limit: Duration,
        /// Options of the observation before each decision, if there is one.
        look: Option<Map<String, Value>>,
        via: Via,
        isolation: Isolation,
        /// Decides what chance decides, for a program that works by itself.
        seed: u64,
    },
    /// A language model.
    Model(ModelActor),
    /// A language model with workflow memory.
    Awm(AwmActor),
    /// Language models, one of which plans.
    Planner(PlannerActor),
    /// Does nothing: the floor.
    Noop,
    /// Acts at random: the floor of partial success.
    Random { seed: u64 },
}

/// Why an actor can't attempt a task.
#[derive(Debug, thiserror::Error)]
pub enum ActorError {
    #[error(transparent)]
    Taskset(#[from] TasksetError),
    #[error(transparent)]
    List(#[from] OracleError),
    #[error("none of the {tasks} tasks has a list of {mode} actions")]
    NoLists { tasks: usize, mode: Mode },
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Mouse(#[from] DeriveError),
}

impl Coded for ActorError {
    fn code(&self) -> &str {
        match self {
            Self::Taskset(error) => error.code(),
            Self::List(error) => error.code(),
            Self::NoLists { .. } => "no_oracle_actions",
            Self::Build(error) => error.code(),
            Self::Project(_) => "project_invalid",
            Self::Mouse(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Taskset(error) => error.hint(),
            Self::List(_) => Some("`scratchbed task list` shows which tasks have an oracle".to_owned()),
            Self::NoLists { .. } => {
                Some("`scratchbed task list` shows which tasks have an oracle; imported tasks have none".to_owned())
            }
            Self::Build(_) | Self::Project(_) | Self::Mouse(_) => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Build(error) if error.is_broken() => Blame::Testbed,
            _ => Blame::Input,
        }
    }
}

/// Where agents are put together.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    /// The browsers of this process.
    pub fleet: &'a Fleet,
    /// Where built projects are kept.
    pub cache: &'a Path,
    pub mode: Mode,
    /// Whether sessions live in this process.
    pub has_sessions: bool,
    /// Where the answers of models are kept.
    pub answers: &'a Arc<AnswerStore>,
    /// Where programs find the sessions, if one is to work by itself.
    pub door: Option<&'a Door>,
}

impl Actor {
    /// Everything that decides what it does, for records.
    pub fn options(&self) -> Value {
        match self {
            Self::Oracle { skip_step, pictures } => json!({"skip_step": skip_step, "pictures": pictures}),
            Self::Command { program, look, via: Via::Lines, isolation, .. } => {
                json!({"command": program.command(), "observe": look, "isolation": isolation.to_string()})
            }
            Self::Command { program, via, isolation, seed, .. } => {
                let (via, isolation) = (via.to_string(), isolation.to_string());
                json!({"command": program.command(), "via": via, "isolation": isolation, "seed": seed})
            }
            Self::Model(actor) => actor.options(),
            Self::Awm(actor) => actor.options(),
            Self::Planner(actor) => actor.options(),
            Self::Noop => Value::Null,
            Self::Random { seed } => json!({"seed": seed}),
        }
    }

    /// In whose terms its agents see and act.
    pub const fn observing(&self) -> Observing {
        match self {
            Self::Model(actor) => actor.style.observing,
            Self::Awm(actor) => actor.style.observing,
            Self::Planner(actor) => actor.style.observing,
            _ => Observing::Native,
        }
    }

    /// Whether it is a program that looks and acts without being asked.
    pub const fn works_by_itself(&self) -> bool {
        matches!(self, Self::Command { via: Via::Http | Via::Mcp, .. })
    }

    /// The user as whom its program runs, if it is another one.
    pub const fn user(&self) -> Option<&RunAs> {
        match self {
            Self::Command { program, .. } => program.user(),
            _ => None,
        }
    }

    /// What sets its run apart from a plain one.
    pub fn notes(&self) -> Vec<String> {
        match self {
            Self::Oracle { skip_step: Some(step), .. } => vec![format!("step {step} of each list left out")],
            Self::Awm(actor) if !actor.memory.grows() => vec!["no attempt learns from those before it".to_owned()],
            Self::Command { via, isolation, .. } => {
                let way =
                    (*via != Via::Lines).then(|| format!("the program works over {}", via.to_string().to_uppercase()));
                way.into_iter().chain([isolation.note()]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the oracle finds its own way instead of following a list.
    pub fn is_by_mouse(&self, mode: Mode) -> bool {
        matches!(self, Self::Oracle { skip_step: None, .. }) && mode == Mode::Primitive
    }

    /// The tasks that it can attempt. The mouse finds its own way; for composite mode tasks without a list of calls are left
    /// out, and one asked for by name must have one.
    ///
    /// # Errors
    /// When there are none, or a requested one can't be attempted.
    pub fn chosen(&self, set: &TaskSet, selection: &Selection, mode: Mode) -> Result<Vec<TaskEntry>, ActorError> {
        let selected = set.select(selection)?.into_iter().cloned();
        if !matches!(self, Self::Oracle { .. }) || self.is_by_mouse(mode) {
            return Ok(selected.collect());
        }
        let mut entries = Vec::new();
        for entry in selected {
            match Oracle::new(&entry, mode) {
                Err(OracleError::NoActions { .. }) if selection.ids.is_empty() => {}
                oracle => entries.push(oracle.map(|_| entry)?),
            }
        }
        if entries.is_empty() { Err(ActorError::NoLists { tasks: set.all().len(), mode }) } else { Ok(entries) }
    }

    /// The project texts that a run needs: the mouse knows both ends of each task.
    pub fn texts(&self, stage: Stage<'_>, entries: &[TaskEntry]) -> BTreeSet<PathBuf> {
        let both = self.is_by_mouse(stage.mode);
        if !both && !stage.has_sessions {
            return BTreeSet::new();
        }
        let of = |entry: &TaskEntry| [Some(entry.initial()), both.then(|| entry.golden())].into_iter().flatten();
        entries.iter().flat_map(of).collect()
    }

    /// Each task with its agent; `on_job` is called after each.
    ///
    /// # Errors
    /// When one can't be attempted.
    pub async fn jobs(
        &self,
        stage: Stage<'_>,
        entries: Vec<TaskEntry>,
        on_job: impl Fn(),
    ) -> Result<Vec<Job>, ActorError> {
        let mut jobs = Vec::new();
        for task in entries {
            if let (Self::Command { program, seed, .. }, Some(door)) = (self, stage.door) {
                let outside = Arc::new(Outside::new(door.clone(), program.clone(), *seed));
                jobs.push(Job { task, attempter: Attempter::Program(outside) });
                on_job();
                continue;
            }
            let agent = match self {
                Self::Command { program, limit, look, .. } => by_program(program, stage.mode, *limit, look.as_ref()),
                Self::Oracle { pictures, .. } if self.is_by_mouse(stage.mode) => {
                    by_mouse(stage, &task, *pictures).await?
                }
                Self::Oracle { skip_step, .. } => by_list(stage.mode, &task, *skip_step)?,
                Self::Model(actor) => by_model(actor, stage, &task),
                Self::Awm(actor) => with_workflows(actor, stage, &task),
                Self::Planner(actor) => actor.agents(&task, stage.answers),
                Self::Noop => Box::new(|_| -> Box<dyn Agent> { Box::new(NoopAgent) }),
                Self::Random { seed } => at_random(stage.mode, &task, *seed),
            };
            jobs.push(Job::new(task, agent));
            on_job();
        }
        Ok(jobs)
    }
}

/// Plays as the user's program says.
fn by_program(program: &Program, mode: Mode, limit: Duration, look: Option<&Map<String, Value>>) -> MakeAgent {
    let (program, look) = (program.clone(), look.cloned());
    Box::new(move |_| Box::new(ProcessAgent::new(program.clone(), mode, limit, look.clone())))
}

/// Plays as a model says.
fn by_model(actor: &ModelActor, stage: Stage<'_>, task: &TaskEntry) -> MakeAgent {
    let (actor, task, answers, mode) = (actor.clone(), task.clone(), Arc::clone(stage.answers), stage.mode);
    Box::new(move |attempt| Box::new(actor.agent(mode, &task, attempt, &answers)))
}

/// Plays as a model says that learns workflows.
fn with_workflows(actor: &AwmActor, stage: Stage<'_>, task: &TaskEntry) -> MakeAgent {
    let (actor, task, answers, mode) = (actor.clone(), task.clone(), Arc::clone(stage.answers), stage.mode);
    Box::new(move |attempt| Box::new(actor.agent(mode, &task, attempt, &answers)))
}

/// Acts at random, in each attempt in another way.
fn at_random(mode: Mode, task: &TaskEntry, seed: u64) -> MakeAgent {
    let id = task.task.id.clone();
    Box::new(move |attempt| {
        let digest = sha256_hex(format!("{seed} {id} {attempt}").as_bytes());
        let seed = u64::from_str_radix(&digest[..16], 16).unwrap_or_default();
        Box::new(RandomAgent::new(mode, seed))
    })
}

/// Plays the list of calls that comes with a task.
fn by_list(mode: Mode, task: &TaskEntry, skip_step: Option<usize>) -> Result<MakeAgent, OracleError> {
    let oracle = Oracle::new(task, mode)?;
    let oracle = match skip_step {
        Some(step) => oracle.without(step)?,
        None => oracle,
    };
    Ok(Box::new(move |_| Box::new(OracleAgent::new(oracle.clone(), mode))))
}

/// Plays a task with the mouse, knowing its initial and its golden project.
async fn by_mouse(stage: Stage<'_>, task: &TaskEntry, pictures: bool) -> Result<MakeAgent, ActorError> {
    let (initial, golden) = certify::build_ends(stage.fleet, stage.cache, task).await?;
    let plan = MousePlan::new(&Project::read(&initial)?, &Project::read(&golden)?)?;
    Ok(Box::new(move |_| Box::new(MouseAgent::new(&plan, pictures))))
}
