//! Single drags as an arm: the flags of `drag run`, and what they ask for.

pub mod sessions;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use self::sessions::SceneSessions;
use super::door::{Behind, ServedDoor};
use super::house::House;
use crate::flags::agents::{AgentName, AskArgs, among};
use crate::flags::budget::pricing;
use crate::flags::count::CountArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::ids::IdsArgs;
use crate::flags::model::Preset;
use crate::flags::named::named;
use crate::flags::prompts::{PromptArgs, note_prompts};
use crate::flags::run::RunFlags;
use crate::flags::settings::Settings;
use scratchbed::agent::QuestionPrompts;
use scratchbed::agent::model::{Budget, Effort};
use scratchbed::benchmarks::drag::Drags;
use scratchbed::benchmarks::drag::ask::{Decider, Help, Options, Outside, Setting, Staged, prompts};
use scratchbed::benchmarks::drag::figures::CLASSES;
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, Plan};
use scratchbed::http::{Access, AccessError, Scope};
use scratchbed::model::{EditorGeneration, Mode, sha256_hex};
use scratchbed::perceive::{Convention, Family};

const AGENTS: &[AgentName] =
    &[AgentName::Oracle, AgentName::Random, AgentName::Centre, AgentName::Model, AgentName::Command];

/// What help an agent gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HelpName {
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
pub struct DragsArgs {
    #[command(flatten)]
    pub scenes: SceneArgs,
    #[command(flatten)]
    pub ids: IdsArgs,
    /// Who says the drags.
    #[arg(long, value_parser = among(AGENTS))]
    pub agent: AgentName,
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    pub run: RunFlags,
    /// What help the agent gets; several may be named, with commas.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "baseline")]
    pub setting: Vec<HelpName>,
    /// Show the list of elements beside the screenshot; agents may then name elements by number.
    #[arg(long)]
    pub element_list: bool,
    #[command(flatten)]
    pub prompts: PromptArgs,
    /// What the agent's coordinates mean.
    #[arg(long, value_enum, default_value = "auto")]
    coordinates: Coordinates,
    #[command(flatten)]
    pub count: CountArgs,
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

impl DragsArgs {
    fn convention(&self) -> Convention {
        match (self.coordinates, self.ask.model(self.agent)) {
            (Coordinates::Auto, Some(name)) => Convention::of_model(&name.model, Family::Drag),
            (Coordinates::Auto | Coordinates::Pixels, _) => Convention::Pixels,
            (Coordinates::Thousandths, _) => Convention::Thousandths,
            (Coordinates::SmartResize, _) => Convention::SmartResize,
        }
    }

    /// What one run may spend.
    pub fn budget(&self) -> Result<Budget, Failure> {
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

    /// Refuses what an editor can't do.
    pub fn fits(&self, editor: EditorGeneration) -> Result<(), Failure> {
        if self.element_list && !editor.is_current() {
            let text = format!("there is no list of elements in the {editor} editor");
            let failure = Failure::new(Status::Usage, "not_in_this_editor", text);
            return Err(failure.hinted("leave --element-list out, or take --editor current"));
        }
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

/// Which scenes a subcommand works on.
#[derive(Debug, Args)]
pub struct SceneArgs {
    /// Scenes by name; all if none is given.
    pub scenes: Vec<String>,
    /// The folder of the scenes; the bundled ones by default.
    #[arg(long, value_name = "DIR")]
    pub pack: Option<PathBuf>,
    /// The editor that shows the scenes: by default the reference one if all of them are published ones, which were made in
    /// it, else the current one. The reference editor is fetched on first use.
    #[arg(long, value_parser = named::<EditorGeneration>())]
    pub editor: Option<EditorGeneration>,
}

/// The drags of one setting.
pub fn drags(
    args: &DragsArgs,
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
pub async fn arm(
    args: &DragsArgs,
    folder: &Path,
    house: &House,
) -> Result<(RunArm<Drags>, Option<ServedDoor>), Failure> {
    let [help] = args.setting[..] else {
        let failure = Failure::new(Status::Usage, "one_setting", "an arm has one setting");
        return Err(failure.hinted("give a list, which makes an arm of each: setting = [\"baseline\", \"gt-start\"]"));
    };
    let setting = Setting { help: help.into(), element_list: args.element_list };
    let prompts = args.prompts.read(prompts)?;
    let sessions = SceneSessions::within(house, &args.scenes).await?;
    args.fits(sessions.editor())?;
    let staged = sessions.staged(&args.scenes).await?;
    let dir = plan(args, setting, &prompts, (&staged, sessions.editor())).open_in(folder)?;
    let door = match args.agent {
        AgentName::Command => Some(Door::open(&sessions, args, &house.settings).await?),
        _ => None,
    };
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    let benchmark = drags(args, (setting, &prompts), (&sessions, door.as_ref()), staged, &Budget::default())?;
    dir.keep(CLASSES, &benchmark.classes())?;
    Ok((RunArm { benchmark, dir, pricing }, door.map(|door| door.served)))
}

fn decider(args: &DragsArgs, door: Option<&Door>, budget: &Budget) -> Result<Decider, Failure> {
    let asker = args.ask.asker(args.agent, &args.preset(), door.map(|door| door.outside.url.as_str()), budget)?;
    Ok(match (asker, args.agent) {
        (Some(asker), _) => Decider::Asked(asker),
        (None, AgentName::Random) => Decider::Random { seed: args.ask.seed },
        (None, AgentName::Centre) => Decider::Centre,
        (None, _) => Decider::Oracle,
    })
}

/// What a run of one setting sets out to do.
pub fn plan(
    args: &DragsArgs,
    setting: Setting,
    prompts: &QuestionPrompts,
    (staged, editor): (&[Staged], EditorGeneration),
) -> Plan {
    let digests: Vec<Value> = staged.iter().map(|one| json!([one.scene, sha256_hex(&one.sb3)])).collect();
    let agent = args.ask.options(args.agent, &args.preset());
    let mut options = json!({"agent": agent, "coordinates": args.convention()});
    // Runs of older versions, which have none, can still be resumed.
    if !editor.is_current() {
        options["editor"] = json!(editor);
    }
    note_prompts(&mut options, args.agent, prompts);
    Plan {
        benchmark: Drags::NAME,
        agent: args.ask.name(args.agent),
        name: format!(
            "{}-{}{}",
            args.ask.readable(args.agent),
            setting.name(),
            if editor.is_current() { "" } else { "-reference" }
        ),
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
pub struct Door {
    outside: Outside,
    served: ServedDoor,
}

impl Door {
    /// Opens it for the scenes of these flags.
    pub async fn open(sessions: &SceneSessions, args: &DragsArgs, settings: &Settings) -> Result<Self, Failure> {
        let secret = format!("{}{}", uuid::Uuid::new_v4().simple(), uuid::Uuid::new_v4().simple());
        let mut outside = Outside { url: String::new(), secret };
        let access = |address| {
            let refused = |error: AccessError| Failure::of(Status::Usage, "token_required", &error);
            let mut access = Access::new(address, None).map_err(refused)?;
            for scene in sessions.pack.chosen(&args.scenes.scenes)? {
                for attempt in 1..=args.run.attempts {
                    let owner = outside.owner(scene.id.as_str(), attempt);
                    access = access.admitting_digest(Scope::Guest, owner, None).map_err(refused)?;
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

    /// Closes it.
    pub async fn close(self) {
        self.served.close().await;
    }
}
