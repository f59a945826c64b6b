//! green_flag and stop: trying the project out, with what is seen and said.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stage::{StagePicture, picture_of_stage};
use crate::action::{Action, ActionError, Context, Done, NoArgs};
use crate::model::Mode;
use crate::page::PageFn;
use crate::page_fn;

const GREEN_FLAG: PageFn<Wait, Played> = page_fn!("composite", "play-project").in_every_editor();
const STOP: PageFn<(), Stopped> = page_fn!("composite", "stop-project").in_every_editor();

/// The longest wait, in seconds.
const LONGEST_S: f64 = 10.0;
/// How much longer the page may take for it on a machine with too much to do.
const GRACE: Duration = Duration::from_secs(12);

const fn one_second() -> f64 {
    1.0
}

/// Arguments of `green_flag`, which extended sessions alone have.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GreenFlagArgs {
    /// Seconds to wait, 0 to 10; shorter when all scripts end before.
    #[serde(default = "one_second")]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub seconds: f64,
}

/// What `play-project.js` is asked for.
#[derive(Debug, Clone, Copy, Serialize)]
struct Wait {
    seconds: f64,
}

/// The result of `play-project.js`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Seconds that the project has played.
    pub seconds: f64,
    /// Whether scripts still run; they go on.
    pub running: bool,
    /// What sprites said or thought meanwhile, in order; the first 50, 200 characters of each.
    pub said: Vec<Said>,
    /// The question that the project waits for an answer to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<String>,
    /// What is shown on the stage of variables, lists and the like.
    pub monitors: Vec<Shown>,
}

/// Something said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// Seconds after the green flag.
    pub at: f64,
    /// Who; a clone has the name of its sprite.
    pub sprite: String,
    /// The words.
    pub text: String,
    /// Whether it was only thought.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub thought: bool,
}

/// A monitor on the stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// Its label.
    pub label: String,
    /// What it shows; the items of a list are joined by commas. 200 characters at most.
    pub value: String,
}

/// What happened since the green flag, with the stage as it is then.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Run {
    /// What happened.
    #[serde(flatten)]
    pub played: Played,
    /// The stage.
    #[serde(flatten)]
    pub stage: StagePicture,
}

/// `green_flag`.
#[derive(Debug)]
pub struct GreenFlag;

impl Action for GreenFlag {
    const NAME: &'static str = "green_flag";
    const MODE: Mode = Mode::Composite;
    const EXTENDED: bool = true;
    const DOC: &'static str = "Click the green flag, wait, and see the stage: its picture, what was said, and the values shown. Scripts \
        that have not ended run on until stop.";
    type Args = GreenFlagArgs;
    type Data = Run;

    async fn perform(context: Context<'_>, args: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        if !(0.0..=LONGEST_S).contains(&args.seconds) {
            return Err(ActionError::invalid(format!("seconds must be between 0 and {LONGEST_S}")));
        }
        let limit = Duration::from_secs_f64(args.seconds) + GRACE;
        let played = context.live.page().call_within(&GREEN_FLAG, &Wait { seconds: args.seconds }, limit).await?;
        let stage = picture_of_stage(context.live).await?;
        Ok(Done::new(Run { played, stage }).executed_as(&args))
    }
}

/// What `stop` stopped; extended sessions alone have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stopped {
    /// Scripts that were running.
    pub stopped: u32,
}

/// `stop`.
#[derive(Debug)]
pub struct Stop;

impl Action for Stop {
    const NAME: &'static str = "stop";
    const MODE: Mode = Mode::Composite;
    const EXTENDED: bool = true;
    const DOC: &'static str = "Stop all scripts, as the stop sign does.";
    type Args = NoArgs;
    type Data = Stopped;

    async fn perform(context: Context<'_>, _: Self::Args) -> Result<Done<Self::Data>, ActionError> {
        Ok(Done::new(context.live.page().call(&STOP, &()).await?))
    }
}
