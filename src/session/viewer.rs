//! The caller on whose behalf work is done, which decides which sessions are visible.
//!
//! It goes with the task, not with the arguments: no route of any transport can forget to check. The transports
//! identify the caller. Calls from inside the process see everything, until strangers may call: from then on, work
//! without a viewer sees nothing.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};

use super::SessionError;
use super::passes::Pass;
use crate::model::Mode;

/// Whether this process serves strangers.
static STRANGERS: AtomicBool = AtomicBool::new(false);
/// Owns no session: owners are digests.
const NO_ONE: &str = "nobody";

tokio::task_local! {
    static VIEWER: Viewer;
}

/// Which sessions a caller sees besides those it created itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// None, and it may not create any: its own was made for it.
    Guest,
    /// None: to it the others do not exist.
    Own,
    /// All, but it may end only its own.
    Use,
    /// All, and it may end them.
    End,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer {
    /// What its sessions are marked with; `None` for callers without a token.
    pub owner: Option<String>,
    /// What it may do with the sessions of others.
    pub reach: Reach,
    /// What binds it to one attempt, if anything does.
    pub pass: Option<Pass>,
}

impl Viewer {
    /// Carries out a future on behalf of this caller.
    pub async fn scope<F: Future>(self, work: F) -> F::Output {
        VIEWER.scope(self, work).await
    }

    /// On whose behalf the running task works.
    pub fn current() -> Self {
        VIEWER.try_with(Self::clone).unwrap_or_else(|_| Self::default_for(STRANGERS.load(Ordering::SeqCst)))
    }

    /// From now on this process serves strangers, for good: work without a viewer sees
    /// nothing.
    pub fn strangers_may_call() {
        STRANGERS.store(true, Ordering::SeqCst);
    }

    fn default_for(strangers: bool) -> Self {
        if strangers {
            Self { owner: Some(NO_ONE.to_owned()), reach: Reach::Own, pass: None }
        } else {
            Self { owner: None, reach: Reach::End, pass: None }
        }
    }

    pub(super) fn sees(&self, owner: Option<&String>) -> bool {
        self.reach >= Reach::Use || self.owner.as_ref() == owner
    }

    pub(super) fn may_end(&self, owner: Option<&String>) -> bool {
        self.reach >= Reach::End || self.owner.as_ref() == owner
    }

    /// Whether it may create sessions. To be asked before a body is read or a project is built for one.
    ///
    /// # Errors
    /// [`SessionError::Guest`] when it works in the one that was made for it.
    pub fn check_may_create(&self) -> Result<(), SessionError> {
        if self.reach > Reach::Guest { Ok(()) } else { Err(SessionError::Guest) }
    }

    /// Whether it may look and act in this mode.
    ///
    /// # Errors
    /// [`SessionError::OtherMode`] when it is bound to an attempt in the other mode.
    pub fn check_mode(&self, mode: Mode) -> Result<(), SessionError> {
        match self.pass.as_ref().map(Pass::mode) {
            Some(own) if own != mode => Err(SessionError::OtherMode { own }),
            _ => Ok(()),
        }
    }

    /// Refuses callers that are bound to an attempt: of such a call neither steps nor the mode are counted.
    ///
    /// # Errors
    /// [`SessionError::NotInAttempt`] for those.
    pub fn check_free(&self, call: &str) -> Result<(), SessionError> {
        if self.pass.is_some() { Err(SessionError::NotInAttempt(call.to_owned())) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_caller_sees_its_own_and_those_inside_see_all() {
        let (mine, other) = ("me".to_owned(), "you".to_owned());
        let agent = Viewer { owner: Some(mine.clone()), reach: Reach::Own, pass: None };
        let (own, foreign) = agent
            .clone()
            .scope(async { (Viewer::current().sees(Some(&mine)), Viewer::current().sees(Some(&other))) })
            .await;
        assert!(own && !foreign && !agent.sees(None));
        let guest = Viewer { reach: Reach::Guest, ..agent.clone() };
        assert!(guest.sees(Some(&mine)) && !guest.sees(Some(&other)));
        assert!(guest.check_may_create().is_err() && agent.check_may_create().is_ok());
        let pass = super::super::Passes::default().issue(Mode::Composite).pass.clone();
        let bound = Viewer { pass: Some(pass), ..guest };
        assert_eq!(bound.check_mode(Mode::Composite).map_err(|error| error.to_string()), Ok(()));
        assert!(bound.check_mode(Mode::Primitive).is_err() && bound.check_free("reset").is_err());
        assert!(agent.check_mode(Mode::Primitive).is_ok() && agent.check_free("reset").is_ok());
        let researcher = Viewer { reach: Reach::Use, ..agent };
        assert!(researcher.sees(Some(&other)) && !researcher.may_end(Some(&other)) && researcher.may_end(Some(&mine)));
        assert!(Viewer::current().may_end(Some(&other)));
    }

    #[test]
    fn where_strangers_call_work_without_a_viewer_sees_nothing() {
        let unsaid = Viewer::default_for(true);
        assert!(!unsaid.sees(None) && !unsaid.sees(Some(&"me".to_owned())) && !unsaid.may_end(None));
        assert!(Viewer::default_for(false).may_end(None));
    }
}
