//! What can go wrong with a session, apart from what its jobs do.

use std::time::Duration;

use super::attempt::Over;
use crate::model::{Blame, Coded, Mode};
use crate::page::PageError;
use crate::project::ProjectError;

/// Errors of the session room.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("no session `{0}`")]
    Unknown(String),
    /// All places are taken; living sessions are never ended to make room.
    #[error("all {limit} sessions are in use")]
    Full { limit: usize },
    /// The session was not used for as long as its lease.
    #[error("session `{0}` has expired: it was not called for as long as its lease")]
    Expired(String),
    /// The caller has as many sessions as one caller may have.
    #[error("all {limit} sessions that one caller may have are in use")]
    CallerFull { limit: usize },
    /// The attempt has ended, or has reached its limit: its project stays as it is.
    #[error("the attempt of session `{session}` {over}; its project can be looked at but no longer changed")]
    AttemptOver { session: String, over: Over },
    #[error("session `{0}` was created by someone else")]
    NotYours(String),
    /// The caller works in the session that was made for it, and makes none.
    #[error("this token opens one session and makes no others")]
    Guest,
    /// The caller is bound to an attempt in one mode.
    #[error("this token is for an attempt in {own} mode")]
    OtherMode { own: Mode },
    /// The caller is bound to an attempt, and this is no part of it.
    #[error("this token is for the actions and observations of one attempt; `{0}` is none of them")]
    NotInAttempt(String),
    #[error("too many calls are waiting")]
    Busy {
        /// Seconds after which the queue is likely to be shorter.
        retry_after_s: u32,
    },
    /// The caller keeps as many streams, or calls that wait for news, open as one may.
    #[error("{limit} streams or waiting calls {whose} are open, and there may be no more")]
    TooManyStreams { limit: usize, whose: &'static str },
    /// The session was deleted or expired while the call waited.
    #[error("session `{0}` has ended")]
    Ended(String),
    #[error("the testbed is shutting down")]
    ShuttingDown,
    #[error("the call did not finish within {limit:?}")]
    Deadline { limit: Duration },
    /// The session's own earlier calls, or a page that it had lost, took all the time that a call may wait; nothing was done.
    #[error("nothing was done: the session was busy with its own earlier calls, or with a new page, for {limit:?}")]
    SessionBusy {
        limit: Duration,
        /// Seconds after which it is likely to be less busy.
        retry_after_s: u32,
    },
    /// Its turn, or a page to work in, was not available in time; nothing was done.
    #[error("nothing was done: the testbed had no time or no page for the call within {limit:?}")]
    NotInTime { limit: Duration },
    #[error("the session's page is gone and could not be replaced")]
    NotRecovered { source: PageError },
    /// The project file can't be used.
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error("the editor could not load the project: {message}")]
    LoadFailed { message: String },
    #[error("the session's log can't be kept")]
    Log(#[from] crate::store::StoreError),
    /// The session's log must be kept, and the session has made it as large as one may be.
    #[error("the session's log is as large as one may be, so no action may be carried out in it any more")]
    LogFull,
    /// The session's log must be kept, but can't be written now.
    #[error("the session's log can't be written, so no action may be carried out in it")]
    LogBroken,
    /// Logs must be kept, but the disk is almost full.
    #[error("the disk for the logs of sessions is full")]
    DiskFull,
    #[error(transparent)]
    Page(#[from] PageError),
}

impl Coded for SessionError {
    fn code(&self) -> &str {
        match self {
            Self::Unknown(_) => "unknown_session",
            Self::Expired(_) => "session_expired",
            Self::NotYours(_) => "not_your_session",
            Self::NotInTime { .. } => "not_in_time",
            Self::SessionBusy { .. } => "session_busy",
            Self::Guest => "one_session_only",
            Self::OtherMode { .. } => "mode_not_allowed",
            Self::NotInAttempt(_) => "not_in_attempt",
            Self::Busy { .. } => "busy",
            Self::TooManyStreams { .. } => "too_many_streams",
            Self::Full { .. } => "too_many_sessions",
            Self::CallerFull { .. } => "too_many_of_your_sessions",
            Self::AttemptOver { over: Over::Ended(_), .. } => "attempt_ended",
            Self::AttemptOver { .. } => "limit_reached",
            Self::Ended(_) => "session_ended",
            Self::ShuttingDown => "shutting_down",
            Self::Deadline { .. } => "deadline_exceeded",
            Self::NotRecovered { .. } => "page_not_recovered",
            Self::Project(error) => error.code(),
            Self::LoadFailed { .. } => "load_failed",
            Self::LogFull => "log_full",
            Self::LogBroken => "log_broken",
            Self::DiskFull => "disk_full",
            Self::Log(_) => "log_unwritable",
            Self::Page(PageError::Lost(loss)) => loss.code(),
            Self::Page(PageError::Refused { code, .. }) => code,
            Self::Page(_) => "page_error",
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Unknown(_)
            | Self::Expired(_)
            | Self::Ended(_)
            | Self::Full { .. }
            | Self::CallerFull { .. }
            | Self::AttemptOver { .. }
            | Self::Guest
            | Self::OtherMode { .. }
            | Self::NotInAttempt(_)
            | Self::NotYours(_)
            | Self::Busy { .. }
            | Self::SessionBusy { .. }
            | Self::LogFull
            | Self::TooManyStreams { .. } => Blame::Caller,
            Self::Project(_) | Self::LoadFailed { .. } => Blame::Input,
            _ => Blame::Testbed,
        }
    }
}
