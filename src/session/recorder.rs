//! Records a session: each call with its answer, the page's events in between, the program.
//!
//! Each call synchronises the page's clock with the session's, using the quickest call so far.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio::task::JoinHandle;

use super::SessionError;
use super::events::SessionLog;
use super::frames;
use crate::model::{
    DroppedEvent, EditorGeneration, EventKind, Extras, FrameEvent, KeptPictures, ObservationEvent, Opened, PageChange,
    ProgramEvent, ReplyEvent, RequestEvent, StageSize, sha256_hex,
};
use crate::page::results::{Noted, PageRecord};
use crate::project::{Fingerprint, Project};

/// Bytes of a call's arguments that are noted, as JSON; of larger ones the digest is.
const ARGUMENT_BYTES: usize = 16 << 10;

/// Calls that change nothing.
const LOOKS: [&str; 3] = ["observe", "screenshot", "block_catalogue"];

/// Sampled pictures take at most this part of a session's time. Making a picture smaller, on another thread, costs about as
/// much again on a machine whose cores are busy.
const SHARE: u32 = 25;

/// Notes the events of one session.
#[derive(Debug)]
pub struct Recorder {
    log: SessionLog,
    /// The call that is being carried out: its event's number, and when its turn began.
    open: Option<(u64, Instant)>,
    /// What the call's job reported about its answer.
    reply: Option<ReplyEvent>,
    program: Option<Fingerprint>,
    page_clock: Option<PageClock>,
    /// Whether the log has begun. Preparing the session is not part of it.
    begun: bool,
    /// Which pictures the log has.
    pub(super) pictures: KeptPictures,
    /// What the current call needs a frame for.
    needs: Need,
    /// The last frame, while it is made smaller and noted.
    noting: Option<JoinHandle<FrameEvent>>,
    /// The last frame that is noted.
    shown: Option<FrameEvent>,
    /// Whether something may have changed the page since that no frame is owed for.
    is_stale: bool,
    /// The action whose frame is still to be taken.
    owed: Option<u64>,
    pace: Pace,
}

/// What a call needs a frame for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Nothing: it is no call of an agent, or has a picture of its own.
    None,
    /// It changes the page.
    Act,
    /// It shows the page, in words.
    Look,
}

/// How the page's clock relates to the session's.
#[derive(Debug, Clone, Copy)]
struct PageClock {
    /// Session's time minus page's time, in milliseconds.
    offset: f64,
    /// Longest error of it, in milliseconds.
    error: f64,
}

/// How much time pictures have taken.
#[derive(Debug, Clone, Copy)]
struct Pace {
    began: Instant,
    spent: Duration,
}

impl Pace {
    fn begin() -> Self {
        Self { began: Instant::now(), spent: Duration::ZERO }
    }

    /// Whether a picture may be taken where they must not slow the attempt.
    fn has_time(&self) -> bool {
        self.spent * SHARE <= self.began.elapsed()
    }
}

impl Recorder {
    pub(super) fn new(log: SessionLog) -> Self {
        Self {
            log,
            open: None,
            reply: None,
            program: None,
            page_clock: None,
            begun: false,
            pictures: KeptPictures::Agent,
            needs: Need::None,
            noting: None,
            shown: None,
            is_stale: true,
            owed: None,
            pace: Pace::begin(),
        }
    }

    pub const fn log(&self) -> &SessionLog {
        &self.log
    }

    /// Digest of the program as far as it is known.
    pub fn program(&self) -> String {
        self.program.as_ref().map(Fingerprint::digest).unwrap_or_default()
    }

    /// Notes something that happens now, in the window of the current call.
    pub fn note(&self, what: EventKind) {
        self.note_at(self.log.now(), what);
    }

    fn note_at(&self, at_ms: f64, what: EventKind) {
        if self.begun {
            self.log.note_at(at_ms, self.request(), what);
        }
    }

    /// Keeps a picture that the agent is shown, and returns its digest; `None` when the log has no pictures.
    pub fn seen(&self, media_type: &str, bytes: &[u8]) -> Option<String> {
        (self.pictures != KeptPictures::None).then(|| self.log.keep_image(media_type, bytes))
    }

    /// Notes a look at the page.
    pub fn observed(&mut self, observation: ObservationEvent) {
        if let (Some(image), Some(media_type), None) = (&observation.image, &observation.media_type, &observation.place)
        {
            self.shows(FrameEvent { image: image.clone(), media_type: media_type.clone() });
        }
        self.note(EventKind::Observation(observation));
    }

    /// The agent is shown the page: its picture is also that of the action before, as looks change nothing.
    fn shows(&mut self, frame: FrameEvent) {
        self.needs = Need::None;
        if !self.pictures.films() {
            return;
        }
        if let Some(owed) = self.owed.take() {
            self.log.note(Some(owed), EventKind::Frame(frame.clone()));
        }
        // An earlier frame that is still being made smaller is noted all the same.
        self.noting = None;
        self.shown = Some(frame);
        self.is_stale = false;
    }

    /// Notes a picture of a part of the page that the agent is shown.
    pub fn part_seen(&self, media_type: &str, bytes: &[u8]) {
        if let Some(image) = self.seen(media_type, bytes) {
            self.note(EventKind::Frame(FrameEvent { image, media_type: media_type.to_owned() }));
        }
    }

    /// Notes a picture of the page, a PNG that was taken for the recording. It is made smaller on another thread, and noted
    /// when that is done; only the next frame waits for it. It shows what the action left that is owed one, and what the
    /// current call looks at. Taking it, and waiting for the one before, has kept the session since `began`.
    pub(super) async fn frame(&mut self, png: Vec<u8>, began: Instant) {
        self.frames_noted().await;
        self.pace.spent += began.elapsed();
        if self.begun {
            self.is_stale = false;
            let (log, at_ms) = (self.log.clone(), self.log.now());
            let (owed, current) = (self.owed.take(), self.request());
            self.noting = Some(tokio::task::spawn_blocking(move || {
                let frame = frames::keep(&log, &png);
                if owed.is_some() {
                    log.note_at(at_ms, owed, EventKind::Frame(frame.clone()));
                }
                if current.is_some() || owed.is_none() {
                    log.note_at(at_ms, current, EventKind::Frame(frame.clone()));
                }
                frame
            }));
        }
    }

    /// Notes for a look without a picture that the page shows what the last frame has: looks change nothing.
    pub(super) async fn still_shows(&mut self) {
        let is_shown = self.owed.is_none() && !self.is_stale;
        if self.pictures.films() && self.needs == Need::Look && is_shown {
            self.frames_noted().await;
            if let Some(frame) = self.shown.clone() {
                self.note(EventKind::Frame(frame));
            }
        }
    }

    /// Waits until the last frame is noted.
    pub(super) async fn frames_noted(&mut self) {
        if let Some(noting) = self.noting.take() {
            self.shown = noting.await.ok();
        }
    }

    /// Whether a picture is to be taken now that the current call is answered: after a look, because its caller is likely to
    /// think now. That of an action is only owed, as a look is likely to follow.
    pub(super) fn wants_frame(&mut self) -> bool {
        if !self.pictures.films() {
            return false;
        }
        match self.needs {
            Need::None => false,
            Need::Act => {
                self.owed = self.request();
                false
            }
            Need::Look => (self.owed.is_some() || self.is_stale) && self.has_time(),
        }
    }

    /// Whether a picture is to be taken before this call, which may change the page. One that there is no time for is given up.
    pub(super) fn wants_frame_before(&mut self, call: &RequestEvent) -> bool {
        let wanted = self.owes_frame() && !is_look(call) && self.has_time();
        if !wanted && self.owes_frame() && call.mode.is_some() && !is_look(call) {
            self.give_up_frame();
        }
        wanted
    }

    /// The picture that is owed will not be taken.
    pub(super) fn give_up_frame(&mut self) {
        self.owed = None;
        self.is_stale = true;
    }

    /// Whether the picture of an action is still to be taken.
    pub(super) const fn owes_frame(&self) -> bool {
        self.owed.is_some()
    }

    fn has_time(&self) -> bool {
        self.pictures == KeptPictures::All || self.pace.has_time()
    }

    /// Sets how the current call is answered; the answer is noted once the page's notes are in.
    pub fn answer(&mut self, reply: ReplyEvent) {
        self.reply = Some(reply);
    }

    /// The same from the result of a call that is not an action.
    pub fn answer_result<T>(&mut self, result: &Result<T, SessionError>) {
        let reply = match result {
            Ok(_) => ReplyEvent { code: "ok".into(), ..ReplyEvent::default() },
            Err(error) => ReplyEvent::failed(error),
        };
        self.answer(reply);
    }

    /// Whether the current call is answered as a success, even if the page is lost afterwards.
    pub(super) fn succeeds(&self) -> bool {
        self.reply.as_ref().is_some_and(|reply| reply.code == "ok")
    }

    pub(super) fn opened(
        &mut self,
        (task, stage, extras): (Option<&str>, StageSize, Extras),
        (editor, browser): (EditorGeneration, &str),
        project: Option<&Project>,
    ) {
        self.program = project.map(Fingerprint::of);
        if let Some(project) = project {
            self.log.keep_initial(project);
        }
        let opened = Opened {
            format: crate::model::LOG_FORMAT,
            session: self.log.session().to_owned(),
            task: task.map(str::to_owned),
            stage,
            extras,
            editor,
            started_at: self.log.started_at(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            browser: browser.to_owned(),
            program: self.program(),
        };
        self.begun = true;
        // The time that it took to get here is no one's to spend.
        self.pace = Pace::begin();
        self.note_at(0.0, EventKind::Opened(opened));
    }

    pub(super) fn begin(&mut self, mut request: RequestEvent) {
        self.reply = None;
        shorten(&mut request.args);
        self.needs = match request.mode {
            None => Need::None,
            Some(_) if is_look(&request) => Need::Look,
            Some(_) => Need::Act,
        };
        self.is_stale |= request.mode.is_none();
        self.open = Some((self.log.note(None, EventKind::Request(request)), Instant::now()));
    }

    /// Notes the answer of the current call, and returns it; `late` when its limit ended it.
    pub(super) fn end(&mut self, late: bool, answered: Instant) -> Option<ReplyEvent> {
        let (request, began) = self.open.take()?;
        let mut reply = self.reply.take().unwrap_or_else(|| ReplyEvent { code: "ok".into(), ..ReplyEvent::default() });
        if late {
            "deadline_exceeded".clone_into(&mut reply.code);
        }
        reply.duration_ms = hundredths(answered.duration_since(began));
        self.log.note(Some(request), EventKind::Reply(reply.clone()));
        Some(reply)
    }

    /// Notes what a page noted; the call that brought it was sent and answered at these times of the session.
    pub(super) fn page(&mut self, record: PageRecord, sent: f64, answered: f64) {
        let clock = PageClock { offset: f64::midpoint(sent, answered) - record.now, error: (answered - sent) / 2.0 };
        let best = self.page_clock.filter(|known| known.error <= clock.error).unwrap_or(clock);
        self.page_clock = Some(best);
        for note in record.notes {
            let what = match note.what {
                Noted::Input(input) => EventKind::Input(input),
                Noted::Workspace(change) => EventKind::Workspace(change),
                Noted::Vm(change) => EventKind::Vm(change),
            };
            self.note_at((note.at + best.offset).clamp(0.0, answered), what);
        }
        if record.dropped > 0 {
            self.note(EventKind::Dropped(DroppedEvent { count: record.dropped }));
        }
    }

    /// Notes that the program is another one, if it is.
    pub(super) fn program_is(&mut self, project: &Project) {
        let now = Fingerprint::of(project);
        let sprites = self.program.as_ref().map(|before| before.changed(&now)).unwrap_or_default();
        self.program = Some(now);
        if !sprites.is_empty() {
            self.note(EventKind::Program(ProgramEvent { program: self.program(), sprites }));
        }
    }

    /// Notes what became of the page. A new one has a clock of its own.
    pub(super) fn page_changed(&mut self, change: &str, reason: Option<String>) {
        self.page_clock = None;
        self.is_stale = true;
        // What an action left on a page that is gone can't be shown any more.
        self.owed = None;
        self.note(EventKind::Page(PageChange { change: change.to_owned(), reason }));
    }

    fn request(&self) -> Option<u64> {
        self.open.map(|(request, _)| request)
    }
}

/// Whether a call changes nothing.
fn is_look(call: &RequestEvent) -> bool {
    call.mode.is_some() && LOOKS.contains(&call.api.as_str())
}

/// Keeps a digest of arguments that no honest call has, so that a call can't fill the log with what it was refused for.
fn shorten(args: &mut Map<String, Value>) {
    let text = serde_json::to_string(args).unwrap_or_default();
    if text.len() > ARGUMENT_BYTES {
        args.clear();
        args.insert("left_out_bytes".to_owned(), text.len().into());
        args.insert("left_out_sha256".to_owned(), sha256_hex(text.as_bytes()).into());
    }
}

/// Milliseconds to the hundredth.
pub(super) fn hundredths(time: Duration) -> f64 {
    (time.as_secs_f64() * 100_000.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_without_measure_are_noted_by_their_digest() {
        let mut small = Map::from_iter([("text".to_owned(), Value::from("x".repeat(10_000)))]);
        let before = small.clone();
        shorten(&mut small);
        assert_eq!(small, before);
        let mut large = Map::from_iter([("junk".to_owned(), Value::from("x".repeat(1 << 20)))]);
        shorten(&mut large);
        assert_eq!(large["left_out_bytes"], (1 << 20) + 11);
        assert_eq!(large["left_out_sha256"].as_str().map(str::len), Some(64));
    }
}
