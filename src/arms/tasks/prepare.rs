//! From the flags of `run` to tasks that can be attempted: first all is checked that can be without a browser, then browsers,
//! judges and doors for programs are opened.

use std::sync::Arc;
use std::time::Duration;

use super::TasksArgs;
use crate::arms::browsers;
use crate::arms::door::{Behind, ServedDoor, with_mcp};
use crate::arms::house::House;
use crate::arms::signs::bar;
use crate::flags::budget::pricing;
use crate::flags::failure::{Failure, Status};
use crate::flags::isolation;
use crate::flags::planner::Budgets;
use crate::flags::settings::Settings;
use scratchbed::agent::Observing;
use scratchbed::agent::llm::AnswerStore;
use scratchbed::agent::memory::MemoryUse;
use scratchbed::benchmarks::tasks::{
    Actor, Door, Job, LocalJudge, LocalTestbed, Memory, RemoteTestbed, Stage, Tasks, Testbed, seeded_order,
};
use scratchbed::compile::BuiltProjects;
use scratchbed::experiment::Plan;
use scratchbed::experiment::engine::RunArm;
use scratchbed::http::Access;
use scratchbed::model::{JudgeSeed, KeptPictures, Mode};
use scratchbed::session::{Passes, SessionOptions, Sessions};
use scratchbed::store::{RunDir, VerdictStore};
use scratchbed::taskset::{TaskEntry, TaskSet};

/// In-process sessions belong to the run; none expires under it.
const IDLE: Duration = Duration::from_secs(24 * 3600);

/// A run that was asked for, and found to make sense; nothing is begun.
pub struct Asked<'a> {
    args: &'a TasksArgs,
    actor: Actor,
    budgets: Budgets,
    memory: MemoryUse,
    set: TaskSet,
    entries: Vec<TaskEntry>,
    pictures: KeptPictures,
    pub plan: Plan,
}

/// Tasks that can be attempted.
pub struct Ready {
    pub arm: RunArm<Tasks>,
    /// What serves the sessions to programs.
    pub served: Option<ServedDoor>,
}

impl TasksArgs {
    /// Checks what was asked for.
    pub async fn asked(&self, settings: &Settings) -> Result<Asked<'_>, Failure> {
        let budgets = self.actor.budgets(&self.run.budget)?;
        let memory = self.actor.memory(self.run.jobs())?;
        let actor = self.actor.actor(self.mode, &budgets, &memory)?;
        if self.write_records && !actor.is_by_mouse(self.mode) {
            let message = "only the mouse oracle's actions are recorded: use --write-records with --mode primitive";
            return Err(Failure::new(Status::Usage, "no_mouse_oracle", message));
        }
        observable(actor.observing(), self)?;
        let set = self.pack.tasks(settings, &self.choice.task)?;
        let mut entries = actor.chosen(&set, &self.choice.selection(), self.mode)?;
        if memory.grows() {
            entries = seeded_order(entries, self.actor.seed);
        }
        if self.server.is_some() && actor.works_by_itself() {
            let message = "--via http and mcp are for the sessions of this process, not of a server";
            let failure = Failure::new(Status::Usage, "no_pass_of_server", message);
            return Err(failure.hinted("leave --server out, or give --via lines"));
        }
        if let Some(user) = actor.user() {
            isolation::prepare(settings)?;
            isolation::check(user, &entries, self.run.resume(), settings).await?;
        }
        let (plan, pictures) = (self.plan(&actor, &set, &entries)?, self.pictures(&actor)?);
        Ok(Asked { args: self, actor, budgets, memory, set, entries, pictures, plan })
    }
}

impl Asked<'_> {
    /// The model that is asked, if there is one.
    pub fn model(&self) -> Option<String> {
        self.args.actor.model()
    }

    /// Whether attempts learn from those before them, so that they go one after another.
    pub fn is_stream(&self) -> bool {
        self.memory.grows()
    }

    /// The most decisions that an attempt has, of all tasks.
    pub fn most_steps(&self) -> u32 {
        let own = self.entries.iter().map(|entry| entry.task.limits.of(self.args.mode).steps).max();
        self.args.max_steps.or(own).unwrap_or(1)
    }

    /// Opens what attempts need; their folders lie in `dir`.
    pub async fn ready(mut self, dir: RunDir, house: &House) -> Result<Ready, Failure> {
        let args = self.args;
        let verdicts = VerdictStore::new(house.settings.root.verdicts());
        let is_resumed = args.run.resume().is_some() && self.plan.judge_seed == JudgeSeed::Drawn;
        let dir = if is_resumed { verdicts.with_own_seed(dir)? } else { dir };
        verdicts.keep_begun(&dir)?;
        let pricing = pricing(&args.run.budget.prices, dir.record())?;
        let memory = Memory::of(&dir, &self.memory)?;
        let answers = args.actor.answers(&dir, &self.budgets)?;
        let local = match args.server {
            Some(_) => None,
            None => Some(local_testbed(args, house, self.pictures).await?),
        };
        let opened = match local.as_ref().filter(|_| self.actor.works_by_itself()) {
            Some(testbed) => Some(open_door(args, &house.settings, testbed, self.set.clone()).await?),
            None => None,
        };
        let door = opened.as_ref().map(|(door, _)| door);
        let entries = std::mem::take(&mut self.entries);
        let cache = browsers::built_projects(&house.settings);
        let tasks = Tasks {
            jobs: jobs(&self, house, (entries, &answers, door)).await?,
            testbed: match local {
                Some(testbed) => testbed,
                None => remote_testbed(args).await?,
            },
            judge: LocalJudge::over(house.judges.clone(), dir.record().judge_seed.into(), cache),
            mode: args.mode,
            limits: args.limits(),
            memory,
            pictures: self.pictures,
        };
        Ok(Ready { arm: RunArm { benchmark: tasks, dir, pricing }, served: opened.map(|(_, served)| served) })
    }
}

/// Whether a model can be shown this: not everything fits each mode, or is to be had of a server.
fn observable(observing: Observing, args: &TasksArgs) -> Result<(), Failure> {
    let (code, message, hint) = if observing == Observing::Markdown && args.mode == Mode::Primitive {
        let message = "the project as Markdown is an observation of composite mode";
        ("observation_not_in_mode", message, "give --mode composite, or another --observation")
    } else if observing != Observing::Native && args.server.is_some() {
        let message =
            "a server shows its sessions in its own way; other observations are to be had in this process only";
        ("no_published_observation", message, "give --observation native, or leave --server out")
    } else {
        return Ok(());
    };
    Err(Failure::new(Status::Usage, code, message).hinted(hint))
}

async fn jobs(
    asked: &Asked<'_>,
    house: &House,
    (entries, answers, door): (Vec<TaskEntry>, &Arc<AnswerStore>, Option<&Door>),
) -> Result<Vec<Job>, Failure> {
    let (Asked { actor, args, .. }, House { fleet, settings, .. }) = (asked, house);
    let cache = browsers::built_projects(settings);
    let stage = Stage { fleet, cache: &cache, mode: args.mode, has_sessions: args.server.is_none(), answers, door };
    browsers::build_ahead(fleet, &cache, &actor.texts(stage, &entries)).await;
    let progress = bar("plans", entries.len() as u64);
    let jobs = actor.jobs(stage, entries, || progress.inc(1)).await;
    progress.finish_and_clear();
    Ok(jobs?)
}

async fn local_testbed(args: &TasksArgs, house: &House, pictures: KeptPictures) -> Result<Arc<LocalTestbed>, Failure> {
    let House { fleet, settings, jobs, .. } = house;
    let projects = BuiltProjects::over(fleet.clone(), browsers::built_projects(settings));
    let options = SessionOptions { limit: *jobs, idle: IDLE };
    let shown = house.fleet_of(args.editor()).await?;
    Ok(LocalTestbed::with(Sessions::new(shown, options), projects, pictures, args.extras()))
}

/// Serves the sessions of a run to programs that have a pass.
async fn open_door(
    args: &TasksArgs,
    settings: &Settings,
    testbed: &Arc<LocalTestbed>,
    tasks: TaskSet,
) -> Result<(Door, ServedDoor), Failure> {
    let passes = Passes::default();
    let access = |address| Ok(Access::new(address, None)?.admitting_passes(passes.clone()));
    let behind = Behind { sessions: testbed.sessions().clone(), tasks, projects: testbed.projects() };
    let furnish = |api| with_mcp(api, false, args.extras.extended);
    let served = ServedDoor::open(behind, access, furnish, settings).await?;
    Ok((Door { testbed: Arc::clone(testbed), passes, url: served.url.clone() }, served))
}

async fn remote_testbed(args: &TasksArgs) -> Result<Arc<dyn Testbed>, Failure> {
    let server = args.server.as_deref().unwrap_or_default();
    let failed = |error| Failure::of(Status::Infrastructure, "server_unreachable", &error);
    let testbed = RemoteTestbed::with(server, args.token.clone(), args.extras()).map_err(failed)?;
    testbed.check().await.map_err(|error| failed(error).hinted("start one with `scratchbed serve`"))?;
    Ok(testbed)
}
