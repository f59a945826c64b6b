//! `scratchbed drag run`: has agents make single drags, and prints the figures of the paper's tables 2 and 9.

use std::path::Path;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::SceneArgs;
use super::scene_sessions::SceneSessions;
use crate::cli::door::{Behind, ServedDoor};
use crate::cli::output::Output;
use crate::cli::run::House;
use crate::cli::runs::{RunFlags, say_outcomes};
use crate::cli::spending::say_spending;
use crate::flags::agents::{AgentName, AskArgs, among};
use crate::flags::budget::{count_recorded, pricing};
use crate::flags::count::CountArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::ids::IdsArgs;
use crate::flags::model::Preset;
use crate::flags::prompts::{PromptArgs, note_prompts};
use crate::flags::settings::Settings;
use scratchbed::agent::QuestionPrompts;
use scratchbed::agent::model::{Budget, Effort};
use scratchbed::benchmarks::drag::Drags;
use scratchbed::benchmarks::drag::ask::{Decider, Help, Options, Outside, Setting, Staged, prompts};
use scratchbed::benchmarks::drag::figures::{CLASSES, Split};
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, Plan};
use scratchbed::grade::{Count, Spending};
use scratchbed::http::{Access, AccessError, Scope};
use scratchbed::model::{Mode, Outcome, sha256_hex};
use scratchbed::perceive::{Convention, Family};
use scratchbed::report::{drag_text, write_drag_report};

const AGENTS: &[AgentName] =
    &[AgentName::Oracle, AgentName::Random, AgentName::Centre, AgentName::Model, AgentName::Command];

/// What help an agent gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum HelpName {
    /// None.
    Baseline,
    /// Where to press.
    GtStart,
    /// Rules of thumb.
    Knowledge,
    /// Both: where to press, and rules of thumb.
    #[value(name = "gt-start+knowledge")]
    GtStartKnowledge,
}

/// What an agent's coordinates mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Coordinates {
    /// By the model's name.
    Auto,
    /// Pixels of the screenshot.
    Pixels,
    /// Thousandths of its width and height.
    Thousandths,
    /// Pixels of the screenshot resized to multiples of 28.
    SmartResize,
}

/// Each setting is a run of its own. The exit code is 0 when all attempts ended with an answer of the agent's, right or
/// wrong, and 1 when some did not.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub scenes: SceneArgs,
    #[command(flatten)]
    ids: IdsArgs,
    /// Who says the drags.
    #[arg(long, value_parser = among(AGENTS))]
    agent: AgentName,
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    pub run: RunFlags,
    /// What help the agent gets; several may be named, with commas.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "baseline")]
    setting: Vec<HelpName>,
    /// Show the list of elements beside the screenshot; agents may then name elements by number.
    #[arg(long)]
    element_list: bool,
    #[command(flatten)]
    prompts: PromptArgs,
    /// What the agent's coordinates mean.
    #[arg(long, value_enum, default_value = "auto")]
    coordinates: Coordinates,
    #[command(flatten)]
    count: CountArgs,
}

impl From<HelpName> for Help {
    fn from(name: HelpName) -> Self {
        match name {
            HelpName::Baseline => Self::Baseline,
            HelpName::GtStart => Self::GtStart,
            HelpName::Knowledge => Self::Knowledge,
            HelpName::GtStartKnowledge => Self::GtStartKnowledge,
        }
    }
}

impl RunArgs {
    fn convention(&self) -> Convention {
        match (self.coordinates, self.ask.model(self.agent)) {
            (Coordinates::Auto, Some(name)) => Convention::of_model(&name.model, Family::Drag),
            (Coordinates::Auto | Coordinates::Pixels, _) => Convention::Pixels,
            (Coordinates::Thousandths, _) => Convention::Thousandths,
            (Coordinates::SmartResize, _) => Convention::SmartResize,
        }
    }

    /// What one run may spend.
    fn budget(&self) -> Result<Budget, Failure> {
        self.run.budget.budget(self.model().as_deref())
    }

    /// With the names in the file of `--ids`.
    pub fn with_ids(mut self) -> Result<Self, Failure> {
        let ids = self.ids.names()?;
        self.scenes.scenes.extend(ids);
        Ok(self)
    }

    /// Checks what can be checked without a browser.
    pub fn check(&self) -> Result<(), Failure> {
        self.prompts.read(prompts)?;
        self.ask.asker(self.agent, &self.preset(), None, &Budget::default())?;
        Ok(())
    }

    /// The model that is asked, if there is one.
    pub fn model(&self) -> Option<String> {
        self.ask.model(self.agent).map(|name| name.model)
    }

    /// As the reference asks: models that think do so briefly, the others answer with some freedom.
    fn preset(&self) -> Preset {
        match self.ask.model(self.agent) {
            Some(name) if name.is_gpt5() => Preset { effort: Some(Effort::Low), ..Preset::default() },
            _ => Preset { temperature: Some(0.7), top_p: Some(0.9), ..Preset::default() },
        }
    }
}

/// One run after the other.
pub async fn run(args: RunArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let args = &args.with_ids()?;
    if args.run.resume().is_some() && args.setting.len() > 1 {
        return Err(Failure::new(Status::Usage, "one_setting", "only one setting can be resumed at a time".to_owned())
            .hinted("name the one of the run"));
    }
    args.budget()?;
    let prompts = args.prompts.read(prompts)?;
    let sessions = SceneSessions::start(&args.scenes, args.run.jobs(), settings).await?;
    let door = match args.agent {
        AgentName::Command => Some(Door::open(&sessions, args, settings).await?),
        _ => None,
    };
    let done = all_settings(args, &prompts, (&sessions, door.as_ref()), settings, out).await;
    if let Some(door) = door {
        door.close().await;
    }
    sessions.close().await;
    let (answers, complete) = done?;
    out.answer(&json!({"runs": answers}));
    Ok(Status::of(complete))
}

async fn all_settings(
    args: &RunArgs,
    prompts: &QuestionPrompts,
    (sessions, door): (&SceneSessions, Option<&Door>),
    settings: &Settings,
    out: Output,
) -> Result<(Vec<Value>, bool), Failure> {
    let staged = sessions.staged(&args.scenes).await?;
    let mut answers = Vec::new();
    let mut complete = true;
    for help in &args.setting {
        let setting = Setting { help: (*help).into(), element_list: args.element_list };
        let dir = plan(args, setting, prompts, &staged).open(&settings.root.runs().join("drag"), args.run.resume())?;
        let budget = args.budget()?;
        let pricing = pricing(&args.run.budget.prices, dir.record())?;
        count_recorded(&budget, &dir)?;
        let drags = drags(args, (setting, prompts), (sessions, door), staged.clone(), &budget)?;
        dir.keep(CLASSES, &drags.classes())?;
        let records = args.run.carry_out(&drags, &dir).await?;
        let summary = drags.figures(&records, Count::Ours);
        let reference = args.count.reference().then(|| drags.figures(&records, Count::Reference));
        complete &= records.iter().all(|record| record.detail.is_some());
        let page = write_drag_report(&dir, &records, (&summary, reference.as_ref()), &drags)?;
        out.say(drag_text(dir.record(), &summary, reference.as_ref()));
        if let Some(all) = summary.rows.iter().find(|row| row.split == Split::All) {
            say_outcomes(&all.outcomes, out);
        }
        out.say(format!("report    {}", page.display()));
        let passed = |outcome: Outcome| outcome == Outcome::Passed;
        let spending = Spending::of(records.iter().map(|record| (&record.cost, passed(record.outcome))), &pricing);
        say_spending(&spending, "drag that passed", out);
        answers.push(json!({
            "run": dir.path(),
            "report": page,
            "setting": setting.name(),
            "summary": summary,
            "reference": reference,
            "costs": spending,
        }));
    }
    Ok((answers, complete))
}

/// The drags of one setting.
fn drags(
    args: &RunArgs,
    (setting, prompts): (Setting, &QuestionPrompts),
    (sessions, door): (&SceneSessions, Option<&Door>),
    staged: Vec<Staged>,
    budget: &Budget,
) -> Result<Drags, Failure> {
    let options = Options {
        setting,
        prompts: prompts.clone(),
        convention: args.convention(),
        decider: decider(args, door, budget)?,
        outside: door.map(|door| door.outside.clone()),
    };
    Ok(Drags::new(sessions.sessions().clone(), staged, options))
}

/// Drags as an arm of an experiment, with what serves their sessions to a program.
pub async fn arm(args: &RunArgs, folder: &Path, house: &House) -> Result<(RunArm<Drags>, Option<ServedDoor>), Failure> {
    let [help] = args.setting[..] else {
        let failure = Failure::new(Status::Usage, "one_setting", "an arm has one setting");
        return Err(failure.hinted("give a list, which makes an arm of each: setting = [\"baseline\", \"gt-start\"]"));
    };
    let setting = Setting { help: help.into(), element_list: args.element_list };
    let prompts = args.prompts.read(prompts)?;
    let sessions = SceneSessions::over(house.fleet.clone(), &args.scenes, house.jobs, &house.settings)?;
    let staged = sessions.staged(&args.scenes).await?;
    let dir = plan(args, setting, &prompts, &staged).open_in(folder)?;
    let door = match args.agent {
        AgentName::Command => Some(Door::open(&sessions, args, &house.settings).await?),
        _ => None,
    };
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    let benchmark = drags(args, (setting, &prompts), (&sessions, door.as_ref()), staged, &Budget::default())?;
    dir.keep(CLASSES, &benchmark.classes())?;
    Ok((RunArm { benchmark, dir, pricing }, door.map(|door| door.served)))
}

fn decider(args: &RunArgs, door: Option<&Door>, budget: &Budget) -> Result<Decider, Failure> {
    let asker = args.ask.asker(args.agent, &args.preset(), door.map(|door| door.outside.url.as_str()), budget)?;
    Ok(match (asker, args.agent) {
        (Some(asker), _) => Decider::Asked(asker),
        (None, AgentName::Random) => Decider::Random { seed: args.ask.seed },
        (None, AgentName::Centre) => Decider::Centre,
        (None, _) => Decider::Oracle,
    })
}

fn plan(args: &RunArgs, setting: Setting, prompts: &QuestionPrompts, staged: &[Staged]) -> Plan {
    let digests: Vec<Value> = staged.iter().map(|one| json!([one.scene, sha256_hex(&one.sb3)])).collect();
    let agent = args.ask.options(args.agent, &args.preset());
    let mut options = json!({"agent": agent, "coordinates": args.convention()});
    note_prompts(&mut options, args.agent, prompts);
    Plan {
        benchmark: Drags::NAME,
        agent: args.ask.name(args.agent),
        name: format!("{}-{}", args.ask.readable(args.agent), setting.name()),
        mode: Some(Mode::Primitive),
        setting: setting.name(),
        options,
        set: sha256_hex(Value::from(digests).to_string().as_bytes()),
        attempts: args.run.attempts,
        items: staged.iter().map(|one| one.scene.id.clone()).collect(),
        ..Plan::default()
    }
}

/// The HTTP API over the sessions of the trials, for programs.
struct Door {
    outside: Outside,
    served: ServedDoor,
}

impl Door {
    async fn open(sessions: &SceneSessions, args: &RunArgs, settings: &Settings) -> Result<Self, Failure> {
        let secret = format!("{}{}", uuid::Uuid::new_v4().simple(), uuid::Uuid::new_v4().simple());
        let mut outside = Outside { url: String::new(), secret };
        let access = |address| {
            let refused = |error: AccessError| Failure::of(Status::Usage, "token_required", &error);
            let mut access = Access::new(address, None).map_err(refused)?;
            for scene in sessions.pack.chosen(&args.scenes.scenes)? {
                for attempt in 1..=args.run.attempts {
                    let owner = outside.owner(scene.id.as_str(), attempt);
                    access = access.admitting_digest(Scope::Guest, owner).map_err(refused)?;
                }
            }
            Ok(access)
        };
        let behind = Behind {
            sessions: sessions.sessions().clone(),
            tasks: sessions.tasks().clone(),
            projects: sessions.projects(),
        };
        let served = ServedDoor::open(behind, access, |api| api, settings).await?;
        outside.url.clone_from(&served.url);
        Ok(Self { outside, served })
    }

    async fn close(self) {
        self.served.close().await;
    }
}
