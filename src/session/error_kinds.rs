//! An error of every kind, for tests that go through all of them.

use std::time::Duration;

use super::attempt::{AttemptEnd, Over};
use super::error::SessionError;
use crate::model::Mode;
use crate::page::{KeyError, Loss, PageError};
use crate::project::ProjectError;
use crate::store::StoreError;

/// Errors of sessions, at least one of each kind.
///
/// # Panics
/// When a kind is missing.
pub fn every_kind() -> Vec<SessionError> {
    let (limit, session) = (Duration::from_secs(60), "s".to_owned());
    let over = |over| SessionError::AttemptOver { session: "s".to_owned(), over };
    let mut kinds = vec![
        SessionError::Unknown(session.clone()),
        SessionError::Full { limit: 1 },
        SessionError::Expired(session.clone()),
        SessionError::CallerFull { limit: 1 },
        over(Over::Ended(AttemptEnd::Done)),
        over(Over::Steps(1)),
        over(Over::Time(limit)),
        SessionError::NotYours(session.clone()),
        SessionError::Guest,
        SessionError::OtherMode { own: Mode::Composite },
        SessionError::NotInAttempt("reset".to_owned()),
        SessionError::Busy { retry_after_s: 1 },
        SessionError::TooManyStreams { limit: 1, whose: "of yours" },
        SessionError::Ended(session),
        SessionError::ShuttingDown,
        SessionError::Deadline { limit },
        SessionError::SessionBusy { limit, retry_after_s: 1 },
        SessionError::NotInTime { limit },
        SessionError::NotRecovered { source: PageError::EditorNotReady { limit } },
        SessionError::Project(ProjectError::NoProjectJson),
        SessionError::LoadFailed { message: "m".to_owned() },
        SessionError::Log(StoreError::NoRun { path: "/".into() }),
        SessionError::LogFull,
        SessionError::LogBroken,
        SessionError::DiskFull,
    ];
    kinds.extend(of_pages(limit).into_iter().map(SessionError::Page));
    assert!(kinds.iter().all(is_listed));
    kinds
}

fn of_pages(limit: Duration) -> Vec<PageError> {
    let losses = [Loss::Browser, Loss::Renderer, Loss::Closed, Loss::Hung, Loss::Left];
    let mut kinds: Vec<PageError> = losses.into_iter().map(PageError::Lost).collect();
    kinds.extend([
        PageError::ChromiumMissing { looked_for: Vec::new() },
        PageError::LaunchFailed { reason: "r".to_owned() },
        PageError::Timeout { what: "w".to_owned(), limit },
        PageError::Refused { code: "editor_not_ready".to_owned(), message: "m".to_owned(), hint: None },
        PageError::Script { name: "n".to_owned(), message: "m".to_owned() },
        PageError::NotReached { reason: "r".to_owned() },
        PageError::EditorNotReady { limit },
        PageError::Key(KeyError::Unknown("k".to_owned())),
    ]);
    kinds
}

/// Whoever adds a kind adds it to the list above, too: this does not compile without it.
const fn is_listed(error: &SessionError) -> bool {
    match error {
        SessionError::Unknown(_)
        | SessionError::Full { .. }
        | SessionError::Expired(_)
        | SessionError::CallerFull { .. }
        | SessionError::AttemptOver { .. }
        | SessionError::NotYours(_)
        | SessionError::Guest
        | SessionError::OtherMode { .. }
        | SessionError::NotInAttempt(_)
        | SessionError::Busy { .. }
        | SessionError::TooManyStreams { .. }
        | SessionError::Ended(_)
        | SessionError::ShuttingDown
        | SessionError::Deadline { .. }
        | SessionError::SessionBusy { .. }
        | SessionError::NotInTime { .. }
        | SessionError::NotRecovered { .. }
        | SessionError::Project(_)
        | SessionError::LoadFailed { .. }
        | SessionError::Log(_)
        | SessionError::LogFull
        | SessionError::LogBroken
        | SessionError::DiskFull
        | SessionError::Page(_) => true,
    }
}

#[test]
fn of_all_errors_of_sessions_these_void_an_attempt() {
    use crate::model::{Blame, Coded, codes::voids};
    let all = every_kind();
    let voiding: Vec<&str> = all.iter().map(Coded::code).filter(|code| voids(code)).collect();
    let wanted = [
        "shutting_down",
        "not_in_time",
        "page_not_recovered",
        "log_unwritable",
        "log_broken",
        "disk_full",
        "browser_lost",
    ];
    assert_eq!(voiding, wanted);
    assert!(all.iter().all(|error| !voids(error.code()) || error.blame() == Blame::Testbed));
}
