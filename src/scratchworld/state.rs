//! What the routes share: the server's own state, which sessions were made here, and the one without a name.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError};

use axum::http::HeaderMap;
use tokio::sync::{Mutex, Semaphore};

use super::fault::Fault;
use crate::benchmarks::drag::ScenePack;
use crate::http::AppState;
use crate::http::extract::authorization;
use crate::session::{SessionError, SessionHandle, Start, Viewer};

/// What the operator allowed on this port.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScratchWorldOptions {
    /// Callers may run JavaScript of their own in a session's page.
    pub page_scripts: bool,
    /// Verdicts are for every caller of this port, as in the reference; otherwise only for callers with a researcher's
    /// token.
    pub evaluate: bool,
}

/// The state of the reference-compatible application; cheap to share.
#[derive(Debug)]
pub struct ScratchWorld {
    pub api: AppState,
    pub options: ScratchWorldOptions,
    /// Drag scenes whose projects can be loaded by their files' names.
    pub drags: Option<ScenePack>,
    /// Pictures are read one at a time: each takes all cores.
    pub reading: Semaphore,
    /// The sessions of each caller. Locked only to look it up, never while a page opens.
    owners: std::sync::Mutex<HashMap<Owner, Arc<Belongings>>>,
}

/// The owner of sessions: the holder of a token, or all callers without one.
type Owner = Option<String>;

/// What one caller has here.
#[derive(Debug, Default)]
struct Belongings {
    /// Name of the session behind the routes without one, once it was used. Held while that session is made, so that
    /// two calls of the same caller do not make two.
    global: Mutex<Option<String>>,
    /// Names of the sessions that were made through this application.
    made: std::sync::Mutex<BTreeSet<String>>,
}

/// Whose page a call is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    Session(String),
    /// The page of a caller's calls without a session.
    Global,
}

impl Scope {
    /// The name that replies show.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Session(id) => Some(id),
            Self::Global => None,
        }
    }

    /// What went wrong with its session.
    pub fn fault(&self, error: SessionError) -> Fault {
        Fault::of_session(self.name().unwrap_or("global"), error)
    }
}

impl ScratchWorld {
    /// The application's state over that of a server.
    pub fn new(api: AppState, options: ScratchWorldOptions) -> Arc<Self> {
        Self::with_drags(api, options, None)
    }

    /// Adds drag scenes to the server's tasks.
    pub fn with_drags(api: AppState, options: ScratchWorldOptions, drags: Option<ScenePack>) -> Arc<Self> {
        Arc::new(Self { api, options, drags, reading: Semaphore::new(1), owners: std::sync::Mutex::default() })
    }

    /// What the caller on whose behalf this task works has here.
    fn belongings(&self) -> Arc<Belongings> {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(owners.entry(Viewer::current().owner).or_default())
    }

    /// The session that a call is for; counts as a use of it. The one without a name is made when it is first used,
    /// and again after it ended.
    ///
    /// # Errors
    /// When there is no such session, or it can't be created.
    pub(super) async fn session(&self, scope: &Scope) -> Result<SessionHandle, Fault> {
        let id = self.id(scope).await?;
        let handle = self.api.sessions.get(&id).await.map_err(|error| scope.fault(error))?;
        Ok(handle.by("compat"))
    }

    /// Refuses a call for a session that is not there. None is made for it.
    ///
    /// # Errors
    /// When there is no such session.
    pub(super) async fn check_session(&self, scope: &Scope) -> Result<(), Fault> {
        match scope {
            Scope::Session(id) => self.api.sessions.get(id).await.map(drop).map_err(|error| scope.fault(error)),
            Scope::Global => Ok(()),
        }
    }

    /// The name of that session.
    ///
    /// # Errors
    /// When none can be made.
    pub(super) async fn id(&self, scope: &Scope) -> Result<String, Fault> {
        match scope {
            Scope::Session(id) => Ok(id.clone()),
            Scope::Global => {
                let belongings = self.belongings();
                let mut global = belongings.global.lock().await;
                if let Some(id) = &*global
                    && self.api.sessions.get(id).await.is_ok()
                {
                    return Ok(id.clone());
                }
                let id = self.create().await.map_err(|error| scope.fault(error))?;
                *global = Some(id.clone());
                Ok(id)
            }
        }
    }

    /// Makes a session.
    ///
    /// # Errors
    /// When the server is full or no page is available.
    pub(super) async fn create(&self) -> Result<String, SessionError> {
        let info = self.api.sessions.create(Start::default()).await?;
        let living: BTreeSet<String> = self.api.sessions.list().await.into_iter().map(|info| info.id).collect();
        let belongings = self.belongings();
        let mut made = belongings.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.retain(|id| living.contains(id));
        made.insert(info.id.clone());
        Ok(info.id)
    }

    /// The sessions that the caller made here, forgotten by this call.
    pub(super) fn take_own(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.belongings().made.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Refuses callers that may not have verdicts.
    ///
    /// # Errors
    /// Unless the operator allows them for everyone, or the caller sends a researcher's token.
    pub(super) fn check_judge(&self, headers: &HeaderMap) -> Result<(), Fault> {
        if self.options.evaluate {
            return Ok(());
        }
        Ok(self.api.access.check_judge(authorization(headers))?)
    }
}
