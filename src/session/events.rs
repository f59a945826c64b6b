//! A session's event log: one clock, one order, bounded memory, and optionally a folder.
//!
//! Writers append; readers ask for what came after a number and may wait for more. Without a folder only the
//! newest events and pictures are there to be read.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::acts::OutsideActs;
use super::info::LogState;
use crate::model::{
    AttemptState, Chain, CloseReason, ClosedEvent, Event, EventKind, FrameEvent, sha256_hex, unix_seconds,
};
use crate::project::Project;
use crate::store::{LogWriter, StoreError};

/// Bytes of events that a session keeps in memory: some hours of acting, without observations with long lists.
const EVENT_BYTES: usize = 4 << 20;
/// Bytes of pictures that a session keeps in memory: about a hundred screenshots.
const IMAGE_BYTES: usize = 8 << 20;

/// Bytes of the project that a session which is not kept leaves in memory.
const PROJECT_BYTES: usize = 4 << 20;

/// Bytes of a project's assets.
fn size_of(project: &Project) -> usize {
    project.assets.values().map(Vec::len).sum()
}

/// An event as a line of JSON.
#[derive(Debug, Clone)]
pub struct Line {
    pub seq: u64,
    pub json: Arc<str>,
}

/// Events in a row, as readers get them.
#[derive(Debug, Clone)]
pub struct Lines {
    pub lines: Vec<Line>,
    /// The oldest event that is still there to be read; higher than asked for when some are gone.
    pub first: u64,
    pub last: u64,
    /// Whether the session has ended, so that there will be no more.
    pub closed: bool,
}

/// A picture by its digest.
#[derive(Debug, Clone)]
pub struct Image {
    pub media_type: Arc<str>,
    pub bytes: Arc<[u8]>,
}

/// A session's log; cheap to clone. It outlives the session while there are readers.
#[derive(Debug, Clone)]
pub struct SessionLog {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    session: String,
    started: Instant,
    started_at: f64,
    state: Mutex<State>,
    newest: watch::Sender<u64>,
    /// Whether the session has ended and all that is kept of it is on the disk.
    complete: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct State {
    chain: Chain,
    lines: VecDeque<Line>,
    bytes: usize,
    last: u64,
    closed: bool,
    images: VecDeque<(String, Image)>,
    image_bytes: usize,
    /// Frames by the digests of the PNGs that they were made of.
    frames: HashMap<String, FrameEvent>,
    writer: Option<LogWriter>,
    reason: Option<CloseReason>,
    /// What it ended with, if the log is not kept.
    project: Option<Project>,
    outside: OutsideActs,
    /// Whether the log goes to a folder, which stays so when it is closed.
    is_kept: bool,
}

impl SessionLog {
    /// A log that begins now.
    pub fn start(session: &str) -> Self {
        let started_at = unix_seconds();
        let shared = Shared {
            session: session.to_owned(),
            started: Instant::now(),
            started_at,
            state: Mutex::default(),
            newest: watch::Sender::new(0),
            complete: watch::Sender::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Keeps everything in a folder from now on; called before the first event. `failed` is called for each write
    /// that fails.
    ///
    /// # Errors
    /// When the disk refuses, or there is a log already.
    pub fn keep_in(&self, folder: &Path, failed: impl Fn() + Send + 'static) -> Result<(), StoreError> {
        let writer = LogWriter::create(folder, failed)?;
        let mut state = self.state();
        state.writer = Some(writer);
        state.is_kept = true;
        Ok(())
    }

    /// Whether the log goes to a folder.
    pub fn is_kept(&self) -> bool {
        self.state().is_kept
    }

    pub fn kept(&self) -> LogState {
        let state = self.state();
        match &state.writer {
            Some(writer) if writer.is_broken() => LogState::Broken,
            _ if state.is_kept => LogState::Kept,
            _ => LogState::Memory,
        }
    }

    /// Why nothing more may be done in the session, whose log must be kept: it is too large, or can't be written now.
    pub fn objection(&self) -> Option<super::SessionError> {
        match &self.state().writer {
            Some(writer) if writer.is_too_large() => Some(super::SessionError::LogFull),
            Some(writer) if writer.is_broken() => Some(super::SessionError::LogBroken),
            _ => None,
        }
    }

    pub fn session(&self) -> &str {
        &self.shared.session
    }

    /// Wall time at the clock's 0, in seconds since 1970.
    pub fn started_at(&self) -> f64 {
        self.shared.started_at
    }

    /// Milliseconds since the session began.
    pub fn now(&self) -> f64 {
        self.shared.started.elapsed().as_secs_f64() * 1000.0
    }

    /// Notes an event that happens now. Returns its number, which few care about.
    pub fn note(&self, request: Option<u64>, what: EventKind) -> u64 {
        self.note_at(self.now(), request, what)
    }

    /// Notes an event that happened at `at_ms`. Returns its number; a log that is closed takes nothing more.
    pub fn note_at(&self, at_ms: f64, request: Option<u64>, what: EventKind) -> u64 {
        let closes = matches!(what, EventKind::Closed(_));
        let mut state = self.state();
        if state.closed {
            return state.last;
        }
        let seq = state.last + 1;
        match &what {
            EventKind::Request(call) => state.outside.requested(seq, call),
            EventKind::Reply(reply) => state.outside.answered(request, reply),
            _ => {}
        }
        // A hundredth of a millisecond is finer than anything that is measured here.
        let at_ms = (at_ms * 100.0).round() / 100.0;
        match serde_json::to_string(&Event { seq, at_ms, request, what }) {
            Ok(json) => state.append(seq, &json),
            Err(error) => tracing::error!(%error, "an event can't be noted"),
        }
        if closes {
            state.closed = true;
            let shared = Arc::clone(&self.shared);
            let end = move |writer: Option<LogWriter>| {
                drop(writer);
                shared.complete.send_replace(true);
            };
            match state.writer.take() {
                // Dropping it waits for the disk, on a thread that may wait.
                Some(writer) => drop(std::thread::spawn(move || end(Some(writer)))),
                None => end(None),
            }
        }
        let last = state.last;
        drop(state);
        self.shared.newest.send_replace(last);
        last
    }

    /// What callers from outside did to the session so far. No flood of events makes it forget.
    pub fn outside_acts(&self) -> OutsideActs {
        self.state().outside.clone()
    }

    /// Waits until the session has ended and its log is on disk.
    pub async fn ended(&self) {
        // The sender lives in what `self` refers to.
        let _ = self.shared.complete.subscribe().wait_for(|complete| *complete).await;
    }

    /// Sets why the session is about to end; only the first reason counts.
    pub fn ends_by(&self, reason: CloseReason) {
        self.state().reason.get_or_insert(reason);
    }

    /// Ends the log with the project as it is, and with how the attempt stood.
    pub fn close(&self, program: String, project: Option<Project>, attempt: Option<AttemptState>) {
        let reason = {
            let mut state = self.state();
            match (&state.writer, project) {
                (Some(writer), Some(project)) => writer.last(project),
                (None, Some(project)) if size_of(&project) <= PROJECT_BYTES => state.project = Some(project),
                _ => {}
            }
            state.reason
        };
        self.note(None, EventKind::Closed(ClosedEvent { program, reason, attempt }));
    }

    /// The project that the session ended with, if the log is only in memory and the project is not too large.
    pub fn last_project(&self) -> Option<Project> {
        self.state().project.clone()
    }

    /// Keeps a picture and returns its digest.
    pub fn keep_image(&self, media_type: &str, bytes: &[u8]) -> String {
        let sha = sha256_hex(bytes);
        let mut state = self.state();
        if state.images.iter().any(|(known, _)| *known == sha) {
            return sha;
        }
        let bytes: Arc<[u8]> = bytes.into();
        if let Some(writer) = &state.writer {
            writer.image(&sha, media_type, Arc::clone(&bytes));
        }
        state.image_bytes += bytes.len();
        state.images.push_back((sha.clone(), Image { media_type: media_type.into(), bytes }));
        while state.image_bytes > IMAGE_BYTES && state.images.len() > 1 {
            let gone = state.images.pop_front().map_or(0, |(_, image)| image.bytes.len());
            state.image_bytes -= gone;
        }
        sha
    }

    /// The picture that was kept of the same pixels as the PNG of this digest, if it is still there.
    pub(super) fn known_frame(&self, png: &str) -> Option<FrameEvent> {
        let state = self.state();
        let shown = state.images.iter().find(|(sha, image)| sha == png && &*image.media_type == "image/png");
        let shown = shown.map(|(sha, _)| FrameEvent { image: sha.clone(), media_type: "image/png".to_owned() });
        let known = shown.or_else(|| state.frames.get(png).cloned())?;
        (state.is_kept || state.images.iter().any(|(sha, _)| *sha == known.image)).then_some(known)
    }

    /// Notes which picture was kept for a PNG.
    pub(super) fn frame_is_known(&self, png: String, frame: FrameEvent) {
        self.state().frames.insert(png, frame);
    }

    /// Keeps the project that the session begins with, when the log is kept.
    pub fn keep_initial(&self, project: &Project) {
        if let Some(writer) = &self.state().writer {
            writer.initial(project.clone());
        }
    }

    /// Keeps a project file that a call loaded, when the log is kept.
    pub fn keep_project(&self, sb3: &[u8]) {
        if let Some(writer) = &self.state().writer {
            writer.project(&sha256_hex(sb3), sb3.into());
        }
    }

    /// A picture that is still in memory.
    pub fn image(&self, sha: &str) -> Option<Image> {
        self.state().images.iter().find(|(known, _)| known == sha).map(|(_, image)| image.clone())
    }

    /// The events after number `after`, at most `limit`; waits up to `wait` for the first of them.
    pub async fn after(&self, after: u64, limit: usize, wait: Duration) -> Lines {
        let mut newest = self.shared.newest.subscribe();
        let more = newest.wait_for(|newest| *newest > after);
        // What there is by then is the answer in either case.
        let _ = tokio::time::timeout(wait, more).await;
        self.state().after(after, limit)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No code that holds the lock leaves a half-made state behind.
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn append(&mut self, seq: u64, json: &str) {
        let json: Arc<str> = self.chain.tie(json).into();
        if let Some(writer) = &self.writer {
            writer.line(Arc::clone(&json));
        }
        self.last = seq;
        self.bytes += json.len();
        self.lines.push_back(Line { seq, json });
        while self.bytes > EVENT_BYTES && self.lines.len() > 1 {
            let gone = self.lines.pop_front().map_or(0, |line| line.json.len());
            self.bytes -= gone;
        }
    }

    fn after(&self, after: u64, limit: usize) -> Lines {
        let first = self.lines.front().map_or(self.last + 1, |line| line.seq);
        let skip = usize::try_from(after.saturating_add(1).saturating_sub(first)).unwrap_or(usize::MAX);
        let lines = self.lines.iter().skip(skip).take(limit).cloned().collect();
        Lines { lines, first, last: self.last, closed: self.closed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::DroppedEvent;

    fn event(count: u64) -> EventKind {
        EventKind::Dropped(DroppedEvent { count })
    }

    const NOW: Duration = Duration::ZERO;

    #[tokio::test]
    async fn readers_get_what_came_after_a_number() {
        let log = SessionLog::start("s");
        for count in 0..5 {
            log.note(None, event(count));
        }
        let read = log.after(2, 2, NOW).await;
        assert_eq!((read.lines.iter().map(|line| line.seq).collect::<Vec<_>>(), read.last), (vec![3, 4], 5));
        assert!(log.after(5, 9, NOW).await.lines.is_empty());
        assert!(log.after(u64::MAX, 9, NOW).await.lines.is_empty(), "nothing comes after the last number");
        log.close("p".into(), None, None);
        assert_eq!(log.note(None, event(9)), 6, "a closed log takes nothing more");
        log.ended().await;
        assert!(log.after(5, 9, NOW).await.closed);
    }

    #[tokio::test]
    async fn a_reader_can_wait_for_the_next_event() {
        let log = SessionLog::start("s");
        let reader = log.clone();
        let waiting = tokio::spawn(async move { reader.after(0, 9, Duration::from_secs(30)).await });
        tokio::task::yield_now().await;
        log.note(None, event(1));
        assert_eq!(waiting.await.unwrap().lines.len(), 1);
    }

    #[tokio::test]
    async fn memory_is_bounded_and_says_what_is_gone() {
        let log = SessionLog::start("s");
        let text = "x".repeat(EVENT_BYTES / 10);
        for _ in 0..30 {
            let error = crate::model::ReplyEvent { message: Some(text.clone()), ..Default::default() };
            log.note(None, EventKind::Reply(error));
        }
        let read = log.after(0, 99, NOW).await;
        assert!(read.lines.len() < 10 && read.first == read.lines[0].seq && read.last == 30);
        let old = log.keep_image("image/png", &vec![0; IMAGE_BYTES / 2]);
        for fill in 1..4 {
            let _ = log.keep_image("image/png", &vec![fill; IMAGE_BYTES / 2]);
        }
        assert!(log.image(&old).is_none());
    }

    #[tokio::test]
    async fn a_kept_log_is_on_disk_with_its_pictures() {
        let folder = tempfile::tempdir().unwrap();
        let log = SessionLog::start("s");
        log.keep_in(folder.path(), || {}).unwrap();
        log.note(None, event(1));
        let sha = log.keep_image("image/png", b"picture");
        log.close("p".into(), None, None);
        futures::future::join(log.ended(), log.ended()).await;
        assert_eq!((log.is_kept(), log.kept()), (true, LogState::Kept), "where it is does not change with its end");
        drop(log);
        let text = std::fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
        assert!(text.starts_with("{\"seq\":1,") && text.ends_with("\"}\n"), "{text}");
        assert_eq!(std::fs::read(folder.path().join(format!("images/{sha}.png"))).unwrap(), b"picture");
        assert!(SessionLog::start("s").keep_in(folder.path(), || {}).is_err(), "two sessions never share a folder");
    }
}
