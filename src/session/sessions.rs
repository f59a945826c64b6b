//! The living sessions: find, list, load, end; the limit on their number and on idle time.
//!
//! Creating one is in `creation.rs`, ending all in `ended.rs`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio_util::task::TaskTracker;

use super::error::SessionError;
use super::events::SessionLog;
use super::expired::Expired;
use super::fleet::Fleet;
use super::handle::SessionHandle;
use super::info::{SessionInfo, SessionOptions};
use super::live::LoadReport;
use super::liveness::Liveness;
use super::places::{Ending, Places, SessionPlace};
use super::reading::read_packed;
use super::recent::{AttemptSession, Recent};
use super::streams::Streams;
use super::viewer::Viewer;
use crate::model::{CloseReason, RequestEvent, sha256_hex};

/// How often sessions are checked for expiry.
const SWEEP: Duration = Duration::from_secs(1);
/// How long loading a project may take.
const LOAD_LIMIT: Duration = Duration::from_secs(60);

/// How long the end of a session waits for its page to be closed.
const GONE_LIMIT: Duration = Duration::from_secs(10);

/// A session in the list.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) handle: SessionHandle,
    pub(super) info: SessionInfo,
    pub(super) initial: Option<Vec<u8>>,
    pub(super) log: SessionLog,
    pub(super) lease: Duration,
    pub(super) owner: Option<String>,
    pub(super) liveness: Arc<Liveness>,
    /// Ends the session's actor, even in the middle of a job.
    pub(super) ending: Ending,
}

/// All living sessions; cheap to clone.
#[derive(Debug, Clone)]
pub struct Sessions {
    pub(super) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) fleet: Fleet,
    options: SessionOptions,
    pub(super) entries: Mutex<BTreeMap<String, Entry>>,
    expired: Mutex<Expired>,
    recent: Mutex<Recent>,
    pub(super) places: Places,
    pub(super) streams: Streams,
    pub(super) closing: AtomicBool,
    /// The logs that are not yet complete on the disk.
    pub(super) unwritten: TaskTracker,
    /// Where the logs of sessions are kept, one folder each; nowhere when not set.
    logs: OnceLock<PathBuf>,
}

impl Sessions {
    /// An empty list over a fleet.
    pub fn new(fleet: Fleet, options: SessionOptions) -> Self {
        let shared = Arc::new(Shared {
            fleet,
            options,
            entries: Mutex::default(),
            expired: Mutex::default(),
            recent: Mutex::default(),
            places: Places::new(options.limit),
            streams: Streams::default(),
            closing: AtomicBool::new(false),
            unwritten: TaskTracker::new(),
            logs: OnceLock::new(),
        });
        tokio::spawn(expire(Arc::downgrade(&shared)));
        Self { shared }
    }

    /// Keeps the logs of all sessions below this folder. Set once.
    pub fn logging_below(self, folder: &Path) -> Self {
        // A second folder would be our own mistake; the first one stays.
        let _ = self.shared.logs.set(folder.to_owned());
        self
    }

    /// Limits the concurrent sessions of each caller, if callers are distinguished.
    pub fn sharing(self, limit_of_one: usize) -> Self {
        self.shared.places.limit_each(limit_of_one);
        self
    }

    /// The fleet under the sessions.
    pub fn fleet(&self) -> &Fleet {
        &self.shared.fleet
    }

    /// How many sessions may live at once.
    pub fn limit(&self) -> usize {
        self.shared.options.limit
    }

    /// A place for one more session; dropping it gives it back.
    pub(super) async fn reserve(&self, owner: Option<&str>) -> Result<SessionPlace, SessionError> {
        if self.shared.closing.load(Ordering::SeqCst) {
            return Err(SessionError::ShuttingDown);
        }
        self.shared.places.take_soon(owner).await
    }

    /// Adds a created session to the list.
    pub(super) async fn enter(&self, entry: Entry) {
        if entry.log.is_kept() {
            let log = entry.log.clone();
            self.shared.unwritten.spawn(async move { log.ended().await });
        }
        self.shared.entries.lock().await.insert(entry.info.id.clone(), entry);
    }

    /// Ends a session that was never announced.
    pub(super) async fn forget(&self, id: &str) {
        if let Some(entry) = self.shared.entries.lock().await.remove(id) {
            entry.ending.end();
        }
    }

    /// The lease of sessions that ask for none.
    pub(super) fn usual_lease(&self) -> Duration {
        self.shared.options.idle
    }

    /// Where a session's log is kept unless specified.
    pub(super) fn log_folder(&self, id: &str) -> Option<PathBuf> {
        self.shared.logs.get().map(|below| below.join(id))
    }

    /// The number of sessions, of all callers.
    pub async fn count(&self) -> usize {
        self.shared.entries.lock().await.len()
    }

    /// The way to a session; counts as a use of it.
    ///
    /// # Errors
    /// [`SessionError::Unknown`], [`SessionError::Expired`] or [`SessionError::ShuttingDown`].
    pub async fn get(&self, id: &str) -> Result<SessionHandle, SessionError> {
        if self.shared.closing.load(Ordering::SeqCst) {
            return Err(SessionError::ShuttingDown);
        }
        if let Some(entry) = visible(&*self.shared.entries.lock().await, id) {
            entry.liveness.touch();
            return Ok(entry.handle.clone());
        }
        Err(self.absent(id).await)
    }

    /// Counts as a use of a session and does nothing else.
    ///
    /// # Errors
    /// As [`Sessions::get`].
    pub async fn keep_alive(&self, id: &str) -> Result<SessionInfo, SessionError> {
        self.get(id).await?;
        self.inspect(id).await
    }

    /// The handle to a session for watching it, which does not count as a use.
    ///
    /// # Errors
    /// As [`Sessions::get`].
    pub async fn watch(&self, id: &str) -> Result<SessionHandle, SessionError> {
        if self.shared.closing.load(Ordering::SeqCst) {
            return Err(SessionError::ShuttingDown);
        }
        let found = visible(&*self.shared.entries.lock().await, id).map(|entry| entry.handle.clone());
        match found {
            Some(handle) => Ok(handle),
            None => Err(self.absent(id).await),
        }
    }

    /// What is known about a session, without using it.
    ///
    /// # Errors
    /// [`SessionError::Unknown`] or [`SessionError::Expired`].
    pub async fn inspect(&self, id: &str) -> Result<SessionInfo, SessionError> {
        let found = visible(&*self.shared.entries.lock().await, id).map(Entry::described);
        match found {
            Some(info) => Ok(info),
            None => Err(self.absent(id).await),
        }
    }

    /// The creator of a session; `None` if callers are not distinguished.
    ///
    /// # Errors
    /// As [`Sessions::inspect`].
    pub async fn owner(&self, id: &str) -> Result<Option<String>, SessionError> {
        let found = visible(&*self.shared.entries.lock().await, id).map(|entry| entry.owner.clone());
        match found {
            Some(owner) => Ok(owner),
            None => Err(self.absent(id).await),
        }
    }

    async fn absent(&self, id: &str) -> SessionError {
        if self.shared.expired.lock().await.has(id) {
            SessionError::Expired(id.to_owned())
        } else {
            SessionError::Unknown(id.to_owned())
        }
    }

    /// A session's log, without using the session.
    ///
    /// # Errors
    /// [`SessionError::Unknown`].
    pub async fn log(&self, id: &str) -> Result<SessionLog, SessionError> {
        let found = visible(&*self.shared.entries.lock().await, id).map(|entry| entry.log.clone());
        match found {
            Some(log) => Ok(log),
            None => Err(self.absent(id).await),
        }
    }

    /// The folder below which the logs of all sessions are kept, if they are.
    pub fn logs_below(&self) -> Option<&Path> {
        self.shared.logs.get().map(PathBuf::as_path)
    }

    /// The living sessions that were made for a task, and the last ended ones whose logs are not kept. For any
    /// caller: not to be shown to scopes below researcher.
    pub async fn attempts(&self) -> Vec<AttemptSession> {
        let mut attempts: Vec<AttemptSession> = self.shared.recent.lock().await.all().cloned().collect();
        let entries = self.shared.entries.lock().await;
        attempts.extend(entries.values().filter(|entry| entry.info.task.is_some()).map(|entry| AttemptSession {
            info: entry.described(),
            log: entry.log.clone(),
            standing: entry.handle.standing(),
        }));
        attempts
    }

    /// All sessions that there are for the caller, oldest first.
    pub async fn list(&self) -> Vec<SessionInfo> {
        let mut infos: Vec<SessionInfo> = {
            let (viewer, entries) = (Viewer::current(), self.shared.entries.lock().await);
            entries.values().filter(|entry| viewer.sees(entry.owner.as_ref())).map(Entry::described).collect()
        };
        infos.sort_by(|a, b| a.created_at.total_cmp(&b.created_at));
        infos
    }

    /// Loads another project into a session; [`Sessions::reset`] goes back to it from then on.
    ///
    /// # Errors
    /// Unknown session, bad project, browser errors. A bad project leaves the session's own in place.
    pub async fn load(&self, id: &str, sb3: Vec<u8>) -> Result<LoadReport, SessionError> {
        Viewer::current().check_free("load_project")?;
        let handle = self.get(id).await?;
        handle.must_go_on()?;
        let log = self.log(id).await?;
        let call = call("load_project", Some(("project", sha256_hex(&sb3))));
        // Before the session's turn: what is no project waits for none, and keeps it from nobody.
        let project = match read_packed(&sb3).await {
            Ok(project) => project,
            Err(error) => return Err(handle.refuse(call, error.into()).await),
        };
        let load = handle
            .run_as(call, LOAD_LIMIT, move |live| Box::pin(async move { live.load_and_tell(project).await }))
            .await??;
        // Only now: a file that is not a project must not take disk space.
        log.keep_project(&sb3);
        if let Some(entry) = self.shared.entries.lock().await.get_mut(id) {
            entry.initial = Some(sb3);
            entry.info.load = load.clone();
        }
        Ok(load)
    }

    /// Resets a session to the project it started with, in a fresh page.
    ///
    /// # Errors
    /// Unknown session, browser errors.
    pub async fn reset(&self, id: &str) -> Result<LoadReport, SessionError> {
        Viewer::current().check_free("reset")?;
        let handle = self.get(id).await?;
        handle.check_may_restart()?;
        let initial = self.shared.entries.lock().await.get(id).and_then(|entry| entry.initial.clone());
        let restarted = handle.clone();
        handle
            .run_as(call("reset", None), LOAD_LIMIT, move |live| {
                Box::pin(async move {
                    let result = live.reset(initial.as_deref()).await;
                    if result.is_ok() {
                        restarted.restart();
                    }
                    live.recorder.answer_result(&result);
                    result
                })
            })
            .await?
    }

    /// Ends a session: the call in progress has two seconds, waiting calls get an error. Returns when its
    /// page and its place are given back, which continues if the caller goes away.
    ///
    /// # Errors
    /// [`SessionError::Unknown`].
    pub async fn delete(&self, id: &str) -> Result<(), SessionError> {
        Viewer::current().check_free("end_session")?;
        let mut entries = self.shared.entries.lock().await;
        let removed = match visible(&entries, id) {
            Some(entry) if !Viewer::current().may_end(entry.owner.as_ref()) => {
                return Err(SessionError::NotYours(id.to_owned()));
            }
            Some(_) => entries.remove(id),
            None => None,
        };
        drop(entries);
        let Some(entry) = removed else { return Err(self.absent(id).await) };
        entry.log.ends_by(CloseReason::Deleted);
        self.shared.recent.lock().await.add(entry.described(), entry.log.clone());
        entry.ending.end();
        // Its page may be in a browser that hangs; then it is closed later.
        let _ = tokio::time::timeout(GONE_LIMIT, entry.handle.gone()).await;
        Ok(())
    }
}

/// A call that is not an action, for the log.
fn call(api: &str, arg: Option<(&str, String)>) -> RequestEvent {
    let args = arg.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    RequestEvent { api: api.to_owned(), args, ..RequestEvent::default() }
}

/// The session of this name, if there is one for the caller.
fn visible<'a>(entries: &'a BTreeMap<String, Entry>, id: &str) -> Option<&'a Entry> {
    entries.get(id).filter(|entry| Viewer::current().sees(entry.owner.as_ref()))
}

impl Entry {
    fn described(&self) -> SessionInfo {
        let idle = self.liveness.idle();
        let (page_lost, recovered) = self.liveness.losses();
        SessionInfo {
            idle_s: idle.as_secs_f64(),
            expires_in_s: self.lease.saturating_sub(idle).as_secs_f64(),
            page_lost,
            recovered,
            log: self.log.kept(),
            attempt: self.handle.attempt(),
            ..self.info.clone()
        }
    }
}

/// Ends sessions whose lease has expired, until the list itself is dropped.
async fn expire(shared: std::sync::Weak<Shared>) {
    loop {
        tokio::time::sleep(SWEEP).await;
        let Some(shared) = shared.upgrade() else { return };
        let mut gone = Vec::new();
        shared.entries.lock().await.retain(|id, entry| {
            let keep = entry.liveness.idle() < entry.lease;
            if !keep {
                gone.push((id.clone(), entry.described(), entry.log.clone()));
                entry.log.ends_by(CloseReason::Expired);
                entry.ending.end();
                tracing::info!(session.id = %id, "session expired");
            }
            keep
        });
        let (mut expired, mut recent) = (shared.expired.lock().await, shared.recent.lock().await);
        for (name, info, log) in gone {
            recent.add(info, log);
            expired.add(name);
        }
    }
}
