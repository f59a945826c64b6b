//! The look itself: take the picture, list the elements, read text, remember the numbering.

use serde::Serialize;

use super::args::{ElementsMode, ObserveArgs, OcrMode};
use super::listing::{Listing, Shown};
use super::picture::{Shot, describe};
use super::reply::{ListSize, Observation, Picture, Reading, Sizes};
use crate::action::{Action, ActionError, Context, Done, Kind, settle};
use crate::model::{Mode, ObservationEvent, PicturePlace, Rect};
use crate::ocr::{self, Area};
use crate::page::{Page, PageError, scripts};
use crate::perceive::{ElementList, Seen, Word, explained};
use crate::session::{Live, Observed, observation_id};

/// Looks at the page and remembers the numbering for the actions that follow.
#[derive(Debug)]
pub struct Observe;

impl Action for Observe {
    const NAME: &'static str = "observe";
    const MODE: Mode = Mode::Primitive;
    const KIND: Kind = Kind::Observe;
    const DOC: &'static str = "Look at the page: a screenshot and the numbered list of the elements in it. Indexes refer to \
        the last list. Options make the picture and the list smaller; the reply says how much each part takes.";
    type Args = ObserveArgs;
    type Data = Observation;

    async fn perform(context: Context<'_>, args: ObserveArgs) -> Result<Done<Observation>, ActionError> {
        let args = args.resolved()?;
        Ok(Done::new(look(context.live, &args).await?).executed_as(&args))
    }
}

/// Looks at the page once it is at rest.
///
/// # Errors
/// When an option makes no sense, the page is lost, or its picture can't be read.
pub async fn observe(live: &mut Live, args: ObserveArgs) -> Result<Observation, ActionError> {
    look(live, &args.resolved()?).await
}

async fn look(live: &mut Live, args: &ObserveArgs) -> Result<Observation, ActionError> {
    let wanted = args.filter()?;
    let shot = Shot::of(args)?;
    let reads = args.reads() && live.has_reader();
    let page = live.page();
    let settle = settle(page).await?;
    let taken = take(page, shot, reads, args.elements != ElementsMode::Off).await?;
    let (reading, words) = match (taken.to_read, &taken.seen) {
        (Some(png), Some(_)) if args.ocr == OcrMode::All => read(live, png, Vec::new()).await?,
        (Some(png), Some(seen)) => read(live, png, explained(seen)).await?,
        _ if args.reads() => (Reading::Unavailable, Vec::new()),
        _ => (Reading::Off, Vec::new()),
    };
    let (screenshot, picture) = match &taken.file {
        Some(file) => describe(args, file).map(|(text, picture)| (text, Some(picture)))?,
        None => (String::new(), None),
    };
    let list = taken.seen.map(|seen| match args.ocr {
        OcrMode::All => ElementList::number(&seen, &words),
        OcrMode::Unexplained | OcrMode::Off => ElementList::fuse(&seen, &words),
    });
    let before = live.memory.observed.take();
    let number = live.memory.begin_observation(Mode::Primitive);
    let listed = list.map(|list| match before.filter(|_| args.elements == ElementsMode::Changed) {
        Some(before) => Listing::changed(&before, number, list, wanted),
        None => Listing::full(number, list, wanted),
    });
    let (observed, listed) = listed.map_or_else(Default::default, |listed| (Some(listed.observed), listed.shown));
    let sizes = Sizes {
        picture_bytes: taken.file.as_ref().map_or(0, Vec::len),
        elements: ListSize {
            listed: listed.count,
            present: observed.as_ref().map_or(0, |observed| observed.elements.len()),
            bytes: size(listed.elements.as_ref()) + size(listed.changes.as_ref()),
        },
        table_bytes: listed.table.as_ref().map_or(0, String::len),
    };
    let picture_seen = taken.file.as_deref().zip(picture.as_ref());
    note(live, number, picture_seen, observed.as_ref().filter(|_| args.elements != ElementsMode::Off));
    live.memory.observed = observed;
    let Shown { elements, changes, table, .. } = listed;
    let id = observation_id(number);
    Ok(Observation { id, number, screenshot, picture, elements, changes, table, reading, settle, sizes })
}

/// Notes the look in the session's log: the picture as it was sent, and every element that has a number.
fn note(live: &mut Live, number: u64, picture: Option<(&[u8], &Picture)>, observed: Option<&Observed>) {
    let place = picture.map(|(_, it)| PicturePlace { left: it.left, top: it.top, scale: it.scale });
    let whole = PicturePlace { left: 0, top: 0, scale: 1.0 };
    let kept = picture.and_then(|(file, it)| Some((live.recorder.seen(&it.media_type, file)?, it.media_type.clone())));
    let (image, media_type) = kept.unzip();
    live.recorder.observed(ObservationEvent {
        number,
        image,
        media_type,
        place: place.filter(|place| *place != whole),
        elements: observed.map(|observed| observed.elements.clone()),
        text: None,
    });
}

/// Bytes of a part as JSON; none when it is absent.
fn size(part: Option<&impl Serialize>) -> usize {
    part.and_then(|part| serde_json::to_vec(part).ok()).map_or(0, |json| json.len())
}

/// What came from the page.
struct Taken {
    /// The picture that was asked for.
    file: Option<Vec<u8>>,
    /// The whole viewport without loss, for text recognition.
    to_read: Option<Vec<u8>>,
    seen: Option<Vec<Seen>>,
}

/// Takes picture and list at the same time, so that they show the same moment. A picture for text recognition
/// that the agent does not get costs another 50 ms.
async fn take(page: &Page, shot: Shot, reads: bool, lists: bool) -> Result<Taken, PageError> {
    let file = async {
        match shot {
            Shot::None => Ok(None),
            Shot::Whole => page.screenshot().await.map(Some),
            Shot::Special(capture) => page.capture(&capture).await.map(Some),
        }
    };
    let extra = async { if reads && shot != Shot::Whole { page.screenshot().await.map(Some) } else { Ok(None) } };
    let seen = async { if lists { page.call(&scripts::LIST_ELEMENTS, &()).await.map(Some) } else { Ok(None) } };
    let (file, extra, seen) = tokio::try_join!(file, extra, seen)?;
    let to_read = if reads && shot == Shot::Whole { file.clone() } else { extra };
    Ok(Taken { file, to_read, seen: seen.map(|seen| seen.elements) })
}

/// A word on the page. The picture has the page's size, so pixels of one are pixels of the other.
fn seen(word: ocr::Word) -> Word {
    let at = word.position;
    Word { text: word.text, position: Rect::new(at.x, at.y, at.width, at.height) }
}

/// All words in a picture of the viewport; none where the testbed has no text recognition.
///
/// # Errors
/// When the picture can't be read.
pub(in crate::action) async fn read_words(live: &mut Live, png: Vec<u8>) -> Result<Vec<Word>, ActionError> {
    Ok(read(live, png, Vec::new()).await?.1)
}

/// Reads the words that are in none of the `explained` boxes. Reading takes all of a core for a while, which must
/// not hold up other sessions.
async fn read(live: &mut Live, png: Vec<u8>, explained: Vec<Rect>) -> Result<(Reading, Vec<Word>), ActionError> {
    let Some(mut reader) = live.take_reader() else { return Ok((Reading::Unavailable, Vec::new())) };
    let failed = |error: String| ActionError::refused("ocr_failed", error, "observe again with ocr=off");
    let explained: Vec<Area> = explained.iter().map(|at| Area::new(at.x, at.y, at.width, at.height)).collect();
    let task = tokio::task::spawn_blocking(move || {
        let words = image::load_from_memory(&png)
            .map_err(|error| error.to_string())
            .and_then(|picture| reader.read(&picture.to_rgba8(), &explained).map_err(|error| error.to_string()));
        (reader, words)
    });
    let (reader, words) = task.await.map_err(|error| failed(error.to_string()))?;
    live.put_reader(reader);
    let words = words.map_err(failed)?;
    Ok((Reading::Read, words.into_iter().map(seen).collect()))
}
