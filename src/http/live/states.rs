//! What live sessions show, cached: looked up when something changed, at a limited rate, and shared by all watchers.
//! A look alters nothing: no numbering, no snapshot, no idle time.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::sync::Mutex;

use crate::model::{Element, Point, sha256_hex, unix_seconds};
use crate::notation::program::Program;
use crate::page::{PageError, PageFn, scripts};
use crate::page_fn;
use crate::perceive::ElementList;
use crate::project::Project;
use crate::session::{Activity, Live, SessionError, SessionHandle};

const RUNNING: PageFn<(), bool> = page_fn!("page", "running").in_every_editor();

/// How long a look may take, waiting for calls of the session not counted.
const LIMIT: Duration = Duration::from_secs(10);
/// Two looks at one session are at least this far apart.
const LEAST_PAUSE: Duration = Duration::from_millis(400);
/// Two looks are at most this far apart once a reason for one is there.
const MOST_PAUSE: Duration = Duration::from_secs(4);
/// Looking may take this share of a session's time: one in so many.
const SHARE: u32 = 8;
/// After a call the page may change for a while; one more look this long after the first shows it.
const SECOND_LOOK: Duration = Duration::from_secs(1);
/// Elements are listed for this long after a request for them: watchers repeat it at least this often.
const WANTED: Duration = Duration::from_secs(40);
/// The state of a session that is not watched is dropped after this time.
const KEPT: Duration = Duration::from_secs(60);

/// What a session shows at one moment.
#[derive(Debug, Clone)]
pub struct LiveState {
    /// Raised whenever a look shows something else than the one before.
    pub version: u64,
    /// When it was taken, in seconds since 1970.
    pub taken_at: f64,
    /// The page as a PNG.
    pub picture: Bytes,
    pub picture_digest: String,
    /// What can be operated or read, as the page reports it; absent unless requested.
    pub elements: Option<Arc<Vec<Element>>>,
    pub pointer: Option<Point>,
    /// Whether the project runs.
    pub running: bool,
    /// Name of the target being edited.
    pub editing_target: String,
    /// The program after the last call.
    pub program: Arc<Program>,
    pub program_digest: String,
}

/// The last look at one session, and when the next one is due.
#[derive(Debug)]
pub struct Slot {
    last: Option<Arc<LiveState>>,
    calls: u64,
    began: Instant,
    cost: Duration,
    second: bool,
    /// When elements were last requested: while one watcher wants them, every look has them.
    wanted_elements: Option<Instant>,
}

impl Default for Slot {
    fn default() -> Self {
        Self { last: None, calls: 0, began: Instant::now(), cost: Duration::ZERO, second: false, wanted_elements: None }
    }
}

/// The last looks at all watched sessions.
#[derive(Debug, Default)]
pub struct LiveStates {
    slots: Mutex<HashMap<String, Arc<Mutex<Slot>>>>,
}

impl LiveStates {
    /// The slot of a session.
    pub async fn slot(&self, id: &str) -> Arc<Mutex<Slot>> {
        let mut slots = self.slots.lock().await;
        slots.retain(|_, slot| {
            // It is in use, or was a short while ago.
            Arc::strong_count(slot) > 1 || slot.try_lock().is_ok_and(|slot| slot.began.elapsed() < KEPT)
        });
        Arc::clone(slots.entry(id.to_owned()).or_default())
    }
}

impl Slot {
    /// The last look, or a new one when there is a reason for it and it is due.
    ///
    /// # Errors
    /// When the session has ended or its page is lost.
    pub async fn latest(
        &mut self,
        session: &SessionHandle,
        with_elements: bool,
    ) -> Result<Arc<LiveState>, SessionError> {
        let activity = session.activity().borrow().clone();
        if with_elements {
            self.wanted_elements = Some(Instant::now());
        }
        match &self.last {
            Some(state) if self.due(&activity, with_elements).is_none_or(|due| due > Instant::now()) => {
                Ok(Arc::clone(state))
            }
            _ => self.take(session, &activity).await,
        }
    }

    /// When the next look is due; `None` while there is no reason for one.
    pub fn due(&self, activity: &Activity, with_elements: bool) -> Option<Instant> {
        let Some(state) = &self.last else { return Some(self.began) };
        let next = self.began + (self.cost * SHARE).clamp(LEAST_PAUSE, MOST_PAUSE);
        if activity.calls != self.calls || state.running || (with_elements && state.elements.is_none()) {
            return Some(next);
        }
        self.second.then(|| next.max(self.began + SECOND_LOOK))
    }

    async fn take(&mut self, session: &SessionHandle, activity: &Activity) -> Result<Arc<LiveState>, SessionError> {
        let began = Instant::now();
        let with_elements = self.wanted_elements.is_some_and(|asked| asked.elapsed() < WANTED);
        let acted = self.last.is_none() || activity.calls != self.calls;
        let (seen, cost) = session
            .run_unlogged(LIMIT, move |live| {
                Box::pin(async move {
                    let began = Instant::now();
                    (see(live, with_elements).await, began.elapsed())
                })
            })
            .await?;
        let seen = seen?;
        let state = Arc::new(self.compare(seen, acted));
        let (calls, wanted_elements) = (activity.calls, self.wanted_elements);
        *self = Self { last: Some(Arc::clone(&state)), calls, began, cost, second: acted, wanted_elements };
        Ok(state)
    }

    /// The new look, with a new version if it shows anything new.
    fn compare(&self, seen: Seen, acted: bool) -> LiveState {
        let last = self.last.as_deref();
        let (program, program_digest) = match last {
            // Between calls only values change, and those are shown as the last call left them.
            Some(last) if !acted => (Arc::clone(&last.program), last.program_digest.clone()),
            _ => digested(Program::of(&seen.project)),
        };
        let picture_digest = sha256_hex(&seen.picture);
        let mut state = LiveState {
            version: 1,
            taken_at: unix_seconds(),
            picture: seen.picture,
            picture_digest,
            elements: seen.elements.map(Arc::new),
            pointer: seen.pointer,
            running: seen.running,
            editing_target: seen.editing_target,
            program,
            program_digest,
        };
        if let Some(last) = last {
            state.version = last.version + u64::from(!state.shows_the_same_as(last));
        }
        state
    }
}

impl LiveState {
    fn shows_the_same_as(&self, other: &Self) -> bool {
        self.picture_digest == other.picture_digest
            && self.elements == other.elements
            && self.pointer == other.pointer
            && self.running == other.running
            && self.editing_target == other.editing_target
            && self.program_digest == other.program_digest
    }
}

fn digested(program: Program) -> (Arc<Program>, String) {
    let digest = sha256_hex(&serde_json::to_vec(&program).unwrap_or_default());
    (Arc::new(program), digest)
}

/// What a look takes from the page.
struct Seen {
    picture: Bytes,
    elements: Option<Vec<Element>>,
    pointer: Option<Point>,
    running: bool,
    editing_target: String,
    project: Project,
}

async fn see(live: &mut Live, with_elements: bool) -> Result<Seen, PageError> {
    let page = &*live.page();
    let listed =
        async { if with_elements { page.call(&scripts::LIST_ELEMENTS, &()).await.map(Some) } else { Ok(None) } };
    let (picture, listed, running) = tokio::try_join!(page.screenshot(), listed, page.call(&RUNNING, &()))?;
    let pointer = page.pointer();
    // The page's list, numbered for display; the agent's own numbering stays as it is.
    let elements = listed.map(|listed| ElementList::fuse(&listed.elements, &[]).into_parts().0);
    let (json, editing_target) = live
        .snapshot()
        .map(|kept| (kept.project.json.clone(), kept.editing_target.clone().unwrap_or_default()))
        .unwrap_or_default();
    // Assets are not part of the text.
    let project = Project { json, assets: BTreeMap::new() };
    Ok(Seen { picture: picture.into(), elements, pointer, running, editing_target, project })
}
