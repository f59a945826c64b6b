//! Creating a session: a place, a page, the project in it, an actor. What it has taken is released when any step
//! fails, or the caller goes away.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;

use super::error::SessionError;
use super::events::SessionLog;
use super::handle::SessionHandle;
use super::info::{SessionInfo, Start};
use super::lease::Beginning;
use super::live::{Live, LoadReport};
use super::liveness::Liveness;
use super::places::{Ending, SessionPlace};
use super::reading::{PackedProject, read_packed};
use super::sessions::{Entry, Sessions};
use super::turns::TurnKind;
use super::viewer::Viewer;
use crate::files::has_room;
use crate::model::{KeptPictures, unix_seconds};

/// How long creating a session may take; about a second on an idle machine.
const CREATE_LIMIT: Duration = Duration::from_secs(90);
/// Refuses if a folder's disk is almost full; a missing folder is created on the first write.
fn check_room(folder: &Path) -> Result<(), SessionError> {
    if has_room(folder) { Ok(()) } else { Err(SessionError::DiskFull) }
}

/// The caller that waits for a session to be created; dropping it ends the session, so that the next caller knows that
/// its place is about to be free.
struct Waiting(Option<Ending>);

impl Waiting {
    /// Nothing is waited for any more.
    fn over(mut self) {
        self.0 = None;
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(ending) = &self.0 {
            ending.end();
        }
    }
}

/// A created session whose caller does not know of it yet; dropping it ends the session.
struct Unclaimed {
    sessions: Sessions,
    ending: Ending,
    info: Option<SessionInfo>,
}

impl Unclaimed {
    /// The caller knows of it now.
    fn claim(mut self) -> Option<SessionInfo> {
        self.info.take()
    }
}

impl Drop for Unclaimed {
    fn drop(&mut self) {
        if let Some(info) = self.info.take() {
            self.ending.end();
            tracing::info!(session.id = %info.id, "the caller of this session is gone; it is ended");
            let sessions = self.sessions.clone();
            tokio::spawn(async move { sessions.forget(&info.id).await });
        }
    }
}

impl Sessions {
    /// Refuses a caller that may not create a session, or for whom there is no place: before a body is read or a project is
    /// built for one. The place is taken later, by [`Sessions::create`], which may still refuse.
    ///
    /// # Errors
    /// [`SessionError::Guest`], [`SessionError::Full`] and [`SessionError::CallerFull`].
    pub async fn check_place(&self) -> Result<(), SessionError> {
        let viewer = Viewer::current();
        viewer.check_may_create()?;
        let entries = self.shared.entries.lock().await;
        let own =
            viewer.owner.map(|owner| entries.values().filter(|entry| entry.owner.as_ref() == Some(&owner)).count());
        self.shared.places.check(entries.len(), own)
    }

    /// Creates a session with its project loaded and the editor ready. When the caller goes away, so does the session.
    ///
    /// # Errors
    /// [`SessionError::Full`] at the limit; [`SessionError::NotInTime`] after 90 s; load and browser errors.
    pub async fn create(&self, start: Start) -> Result<SessionInfo, SessionError> {
        self.create_logged(start, None).await
    }

    /// The same with the session's log kept in this folder; `None` is a folder below that of all logs, if any.
    ///
    /// # Errors
    /// As [`Self::create`]; also when the folder can't be written, or holds a log.
    pub async fn create_logged(&self, start: Start, folder: Option<PathBuf>) -> Result<SessionInfo, SessionError> {
        let viewer = Viewer::current();
        viewer.check_may_create()?;
        if let Some(logs) = folder.as_deref().and_then(Path::parent).map(Path::to_owned).or_else(|| self.log_folder(""))
        {
            check_room(&logs)?;
        }
        // A file that is no project takes nobody's place or page, and waits for none.
        let project = match &start.project {
            Some(sb3) => Some(read_packed(sb3).await?),
            None => None,
        };
        let owner = start.owner.clone().or(viewer.owner);
        let place = self.reserve(owner.as_deref()).await?;
        let start = Start { owner, ..start };
        let (mut answer, created) = oneshot::channel();
        let sessions = self.clone();
        let (ending, waiting) = (place.ending(), Waiting(Some(place.ending())));
        // On a task of its own: opening and loading can be cancelled at any moment, but not every moment
        // leaves nothing behind.
        tokio::spawn(async move {
            let created = tokio::select! {
                created = sessions.create_in_place((start, project), folder, place) => created,
                () = answer.closed() => return,
            };
            sessions.fleet().refill();
            let _ = answer.send(created.map(|info| Unclaimed { sessions, ending, info: Some(info) }));
        });
        let in_time = tokio::time::timeout(CREATE_LIMIT, created).await;
        let created = in_time.map_err(|_| SessionError::NotInTime { limit: CREATE_LIMIT })?;
        let unclaimed = created.map_err(|_| SessionError::ShuttingDown)??;
        let info = unclaimed.claim().ok_or(SessionError::ShuttingDown)?;
        waiting.over();
        Ok(info)
    }

    async fn create_in_place(
        &self,
        (start, project): (Start, Option<PackedProject>),
        folder: Option<PathBuf>,
        place: SessionPlace,
    ) -> Result<SessionInfo, SessionError> {
        let (token, ending) = (place.token(), place.ending());
        let beginning = Beginning::of(project.as_ref());
        let lease = self.fleet().acquire_for(Some(Arc::new(place)), beginning).await?;
        let id = uuid::Uuid::new_v4().simple().to_string();
        let log = SessionLog::start(&id);
        let mut live = Live::new(lease, self.fleet().clone(), log.clone());
        live.take_turn(TurnKind::Page).await;
        // An attempt that a server keeps can be played back later, with a picture for each step. Runs name the folder, and the
        // pictures too.
        let own_folder = if folder.is_none() { self.log_folder(&id) } else { None };
        let is_kept_attempt = start.task.is_some() && start.attempt.is_some() && own_folder.is_some();
        let folder = folder.or(own_folder);
        live.recorder.pictures = if is_kept_attempt { KeptPictures::All } else { start.pictures };
        live.extras = start.extras;
        live.begin_with_stage(start.stage).await?;
        let load = match project {
            Some(project) => live.load_packed(project).await?,
            None => live.take_snapshot().await.map(|()| LoadReport::default())?,
        };
        live.begin_log(start.task.as_deref(), folder.as_deref())?;
        if live.recorder.pictures.films() {
            live.take_frame().await;
        }
        live.give_up_turn();
        let liveness = Liveness::new();
        let (fleet, own_liveness, owner) = (self.fleet().clone(), Arc::clone(&liveness), start.owner.clone());
        let handle = SessionHandle::start(&id, live, fleet, own_liveness, token, start.attempt, owner);
        let created_at = unix_seconds();
        let lease = start.lease.unwrap_or_else(|| self.usual_lease());
        let info = SessionInfo {
            id,
            task: start.task,
            instruction: start.instruction,
            attempt: handle.attempt(),
            extras: start.extras,
            editor: self.fleet().editor(),
            created_at,
            idle_s: 0.0,
            lease_s: lease.as_secs_f64(),
            expires_in_s: lease.as_secs_f64(),
            page_lost: 0,
            recovered: 0,
            log: log.kept(),
            load,
        };
        let (initial, owner) = (start.project, start.owner);
        self.enter(Entry { handle, info: info.clone(), initial, log, lease, owner, liveness, ending }).await;
        Ok(info)
    }
}
