//! Looking at the page: the picture, and the numbered elements that actions refer to.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::settle;
use crate::action::ActionError;
use crate::action::registry::{Action, Context, Done, Kind};
use crate::model::{Element, Mode, Rect, SettleReason};
use crate::page::scripts;
use crate::perceive::{ElementList, Word, explained};
use crate::session::{Live, Observed};

/// A part of an observation that can be left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// With it.
    #[default]
    On,
    /// Without it.
    Off,
}

/// What to leave out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObserveArgs {
    /// `off` leaves the screenshot only (the paper's ablation); indexes then stand for nothing.
    #[serde(default)]
    pub elements: Switch,
    /// `off` lists only what the page itself tells, without text read from the picture.
    #[serde(default)]
    pub ocr: Switch,
}

/// Whether text was read from the picture. It alters the list, so it is always said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// It was.
    Read,
    /// It was switched off.
    Off,
    /// It was asked for, but this testbed runs without text recognition.
    Unavailable,
}

/// One look at the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observation {
    /// Number of the observation within its session, from 1.
    pub number: u64,
    /// The viewport as a PNG in base64: 1280x720 pixels.
    pub screenshot: String,
    /// The elements by index; absent when switched off.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub elements: Option<Vec<Element>>,
    /// The same as the paper's text table, for prompts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub table: Option<String>,
    /// Whether text was read from the picture.
    pub reading: Reading,
    /// Whether the page was at rest when it was looked at.
    pub settle: SettleReason,
}

/// Looks at the page and remembers the numbering for the actions that follow.
#[derive(Debug)]
pub struct Observe;

impl Action for Observe {
    const NAME: &'static str = "observe";
    const MODE: Mode = Mode::Primitive;
    const KIND: Kind = Kind::Observe;
    const DOC: &'static str =
        "Look at the page: a screenshot and the numbered list of the elements in it. Indexes refer to the last list.";
    type Args = ObserveArgs;
    type Data = Observation;

    async fn perform(context: Context<'_>, args: ObserveArgs) -> Result<Done<Observation>, ActionError> {
        Ok(Done::new(observe(context.live, args).await?).executed_as(&args))
    }
}

/// Looks at the page once it is at rest.
///
/// # Errors
/// When the page is lost, or its picture can't be read.
pub async fn observe(live: &mut Live, args: ObserveArgs) -> Result<Observation, ActionError> {
    let wants_list = args.elements == Switch::On;
    let page = live.page();
    let settle = settle(page).await?;
    let listed = async { if wants_list { page.call(&scripts::LIST_ELEMENTS, &()).await.map(Some) } else { Ok(None) } };
    let (png, seen) = tokio::try_join!(page.screenshot(), listed)?;
    let screenshot = STANDARD.encode(&png);
    let (reading, words) = match &seen {
        Some(seen) if args.ocr == Switch::On => read(live, png, explained(&seen.elements)).await?,
        _ => (Reading::Off, Vec::new()),
    };
    let list = seen.map(|seen| ElementList::fuse(&seen.elements, &words));
    let table = list.as_ref().map(ElementList::table);
    live.memory.observations += 1;
    let number = live.memory.observations;
    live.memory.observed = list.map(|list| {
        let (elements, points) = list.into_parts();
        Observed { number, elements, points }
    });
    let elements = live.memory.observed.as_ref().map(|observed| observed.elements.clone());
    Ok(Observation { number, screenshot, elements, table, reading, settle })
}

/// Reads the words that the page does not explain. Reading takes all of a core for a while, which must not
/// hold up other sessions.
async fn read(live: &mut Live, png: Vec<u8>, explained: Vec<Rect>) -> Result<(Reading, Vec<Word>), ActionError> {
    let Some(mut reader) = live.take_reader() else { return Ok((Reading::Unavailable, Vec::new())) };
    let failed = |error: String| ActionError::refused("ocr_failed", error, "observe again with ocr=off");
    let task = tokio::task::spawn_blocking(move || {
        let words = image::load_from_memory(&png)
            .map_err(|error| error.to_string())
            .and_then(|picture| reader.read(&picture.to_rgba8(), &explained).map_err(|error| error.to_string()));
        (reader, words)
    });
    let (reader, words) = task.await.map_err(|error| failed(error.to_string()))?;
    live.put_reader(reader);
    let words = words.map_err(failed)?;
    Ok((Reading::Read, words.into_iter().map(|word| Word { text: word.text, position: word.position }).collect()))
}
