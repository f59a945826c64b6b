//! Who can act in `scratchbed run`: the oracle, which knows the solution, and programs of the user's.
//!
//! How attempts are carried out is in `experiment`; what is printed of them is in `mod.rs`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value};

use crate::agent::ProcessAgent;
use crate::certify;
use crate::cli::choice::ChoiceArgs;
use crate::cli::failure::{Failure, Status};
use crate::cli::fleet;
use crate::cli::output::bar;
use crate::cli::program::ProgramArgs;
use crate::cli::settings::Settings;
use crate::experiment::{Job, MakeAgent};
use crate::model::{Coded, Mode};
use crate::project::Project;
use crate::session::Fleet;
use crate::solver::{MouseAgent, OracleAgent};
use crate::solver::{MousePlan, Oracle, OracleError};
use crate::taskset::{TaskEntry, TaskSet};

/// Who can act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AgentName {
    /// Knows the solution: plays the list of calls that comes with each task in composite mode, and works with mouse and
    /// keyboard in primitive mode.
    Oracle,
    /// A program of yours (`--command`), started anew for each attempt: it reads a JSON object a line and answers each
    /// with a line, the call to make.
    Command,
}

/// Who acts.
#[derive(Debug, Args)]
pub struct AgentArgs {
    /// Who acts.
    #[arg(long, value_enum)]
    agent: AgentName,
    /// The program, as `sh` reads it. It gets `{"instruction", "step", "steps", "observation", "last", …}` by the line on
    /// standard input and prints `{"api", "args", "note"}` for each; `done` or `failed` ends the attempt.
    #[arg(long, value_name = "COMMAND", required_if_eq("agent", "command"))]
    command: Option<String>,
    #[command(flatten)]
    running: ProgramArgs,
    /// What the program is shown before each decision: options of `observe` as a JSON object, or `off` for a program that
    /// calls `observe` itself.
    #[arg(long, value_name = "JSON|off", default_value = "{}", value_parser = look)]
    observe: Look,
    /// The agent's name in records and tables, instead of the program's command line.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Leave this action out of the oracle's list, counted from 1, to see that the task then fails.
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    skip_step: Option<usize>,
    /// Have the mouse oracle look at pictures too, so that `scratchbed demonstrations` has them.
    #[arg(long)]
    pictures: bool,
}

/// Options of the observation before each decision, if there is one.
#[derive(Debug, Clone)]
struct Look(Option<Map<String, Value>>);

fn look(text: &str) -> Result<Look, String> {
    if text == "off" {
        return Ok(Look(None));
    }
    let options = serde_json::from_str(text);
    options
        .map(|options| Look(Some(options)))
        .map_err(|error| format!("neither `off` nor a JSON object such as {{\"picture\": \"off\"}}: {error}"))
}

/// Where the agents act.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// Where things are.
    pub settings: &'a Settings,
    /// The browsers of this process.
    pub fleet: &'a Fleet,
    /// How agents act.
    pub mode: Mode,
    /// Whether sessions live in this process.
    pub has_sessions: bool,
}

impl AgentArgs {
    /// The name in records.
    pub fn name(&self) -> String {
        let usual = || match self.agent {
            AgentName::Oracle => "oracle",
            AgentName::Command => self.command.as_deref().unwrap_or_default(),
        };
        self.name.clone().unwrap_or_else(|| usual().to_owned())
    }

    /// A word for the names of folders.
    pub const fn kind(&self) -> &'static str {
        match self.agent {
            AgentName::Oracle => "oracle",
            AgentName::Command => "command",
        }
    }

    /// What sets the run apart from a plain one.
    pub fn notes(&self) -> Vec<String> {
        self.skip_step.map(|step| format!("step {step} of each list left out")).into_iter().collect()
    }

    /// Whether the oracle finds its own way instead of following a list.
    pub fn is_by_mouse(&self, mode: Mode) -> bool {
        self.agent == AgentName::Oracle && mode == Mode::Primitive && self.skip_step.is_none()
    }

    /// The tasks to run. The mouse finds its own way; for composite mode tasks without a list of calls are left out, and
    /// one asked for by name must have one.
    pub fn chosen(&self, set: &TaskSet, choice: &ChoiceArgs, mode: Mode) -> Result<Vec<TaskEntry>, Failure> {
        let selected = set.select(&choice.selection())?.into_iter().cloned();
        if self.agent == AgentName::Command || self.is_by_mouse(mode) {
            return Ok(selected.collect());
        }
        let mut entries = Vec::new();
        for entry in selected {
            match Oracle::new(&entry, mode) {
                Err(OracleError::NoActions { .. }) if choice.task.is_empty() => {}
                oracle => entries.push(oracle.map(|_| entry).map_err(|error| no_oracle(&error))?),
            }
        }
        if entries.is_empty() {
            let message = format!("none of the {} tasks has a list of {mode} actions", set.all().len());
            return Err(Failure::new(Status::Input, "no_oracle_actions", message)
                .hinted("`scratchbed task list` shows which tasks have an oracle; imported tasks have none"));
        }
        Ok(entries)
    }

    /// Who attempts each task.
    pub async fn jobs(&self, scene: Scene<'_>, entries: Vec<TaskEntry>) -> Result<Vec<Job>, Failure> {
        let Scene { settings, fleet, mode, has_sessions } = scene;
        if self.is_by_mouse(mode) || has_sessions {
            fleet::build_ahead(fleet, &fleet::built_projects(settings), &self.wanted(mode, &entries)).await;
        }
        let progress = bar("plans", entries.len() as u64);
        let mut jobs = Vec::new();
        for task in entries {
            progress.inc(1);
            let agent = match self.agent {
                AgentName::Command => self.program(mode),
                AgentName::Oracle if self.is_by_mouse(mode) => self.mouse(scene, &task).await?,
                AgentName::Oracle => self.lister(mode, &task).map_err(|error| no_oracle(&error))?,
            };
            jobs.push(Job { task, agent });
        }
        progress.finish_and_clear();
        Ok(jobs)
    }

    /// The project texts that a run needs: the mouse oracle knows both ends of each task.
    fn wanted(&self, mode: Mode, entries: &[TaskEntry]) -> BTreeSet<PathBuf> {
        let both = self.is_by_mouse(mode);
        let of = |entry: &TaskEntry| {
            std::iter::once(entry.initial()).chain(both.then(|| entry.golden())).collect::<Vec<_>>()
        };
        entries.iter().flat_map(of).collect()
    }

    /// Plays as the user's program says.
    fn program(&self, mode: Mode) -> MakeAgent {
        let program = self.running.program(self.command.as_deref().unwrap_or_default());
        let (limit, Look(options)) = (self.running.limit(), self.observe.clone());
        Box::new(move || Box::new(ProcessAgent::new(program.clone(), mode, limit, options.clone())))
    }

    /// Plays the list of calls that comes with a task.
    fn lister(&self, mode: Mode, task: &TaskEntry) -> Result<MakeAgent, OracleError> {
        let oracle = Oracle::new(task, mode)?;
        let oracle = match self.skip_step {
            Some(step) => oracle.without(step)?,
            None => oracle,
        };
        Ok(Box::new(move || Box::new(OracleAgent::new(oracle.clone(), mode))))
    }

    /// Plays a task with the mouse, knowing its initial and its golden project.
    async fn mouse(&self, scene: Scene<'_>, task: &TaskEntry) -> Result<MakeAgent, Failure> {
        let built = certify::build_ends(scene.fleet, &fleet::built_projects(scene.settings), task).await;
        let (initial, golden) = built.map_err(|error| Failure::of(Status::Input, error.code(), &error))?;
        let read =
            |sb3: &[u8]| Project::read(sb3).map_err(|error| Failure::of(Status::Input, "project_invalid", &error));
        let plan = MousePlan::new(&read(&initial)?, &read(&golden)?);
        let plan = plan.map_err(|error| Failure::of(Status::Input, error.code(), &error))?;
        let pictures = self.pictures;
        Ok(Box::new(move || Box::new(MouseAgent::new(&plan, pictures))))
    }
}

fn no_oracle(error: &OracleError) -> Failure {
    Failure::of(Status::Input, error.code(), error).hinted("`scratchbed task list` shows which tasks have an oracle")
}
