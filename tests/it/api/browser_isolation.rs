//! Who may do what with a session that is there: every route and tool by the table of `route_table`.

use std::time::{Duration, Instant};

use scratchbed::session::LogState;

use crate::api::isolation::Doors;
use crate::support::browsers::{in_shared_browsers, sessions};
use crate::support::route_table::{CALLERS, Caller, DIALECT, Fate, May, ROUTES, TOOLS};
use crate::support::{day, everything};

/// One of the two dialects, or MCP.
#[derive(Debug, Clone, Copy)]
enum By {
    Own,
    Dialect,
    Tool,
}

const ALL: [(By, &[(May, &str)]); 3] = [(By::Own, ROUTES), (By::Dialect, DIALECT), (By::Tool, TOOLS)];

async fn fate(doors: &Doors, by: By, caller: Caller, name: &str, id: &str) -> Fate {
    match by {
        By::Own => doors.own(caller, name, id).await,
        By::Dialect => doors.dialect(caller, name, id).await,
        By::Tool => doors.tool(caller, name, id).await,
    }
}

/// The callers who try something, with what becomes of them: all who may not, and every other day one of those who may,
/// each time and for each row another one. `SCRATCHBED_TESTS=all` has all of them try.
fn callers(may: May, row: usize) -> Vec<(Caller, Fate)> {
    let (able, mut chosen): (Vec<_>, Vec<_>) =
        CALLERS.into_iter().zip(may.fates()).partition(|(_, fate)| *fate == Fate::Answered);
    if everything() {
        chosen.extend(able);
    } else if (day() + row).is_multiple_of(2) {
        chosen.push(able[usize::midpoint(day(), row) % able.len()]);
    }
    chosen
}

#[test]
fn a_session_is_there_for_its_owner_and_those_above_alone() {
    in_shared_browsers(async {
        let doors = Doors::over(sessions(2).await);
        let mut id = doors.begin(None).await;
        for (by, rows) in ALL {
            let of_session = [May::UserOfSession, May::EnderOfSession];
            for (row, (may, name)) in rows.iter().filter(|(may, _)| of_session.contains(may)).enumerate() {
                for (caller, expected) in callers(*may, row) {
                    assert_eq!(fate(&doors, by, caller, name, &id).await, expected, "{by:?} {name} by {caller:?}");
                    let ended = doors.state.sessions.inspect(&id).await.is_err();
                    let may_end = *may == May::EnderOfSession && expected == Fate::Answered;
                    assert_eq!(ended, may_end, "{by:?} {name} by {caller:?}");
                    if ended {
                        id = doors.begin(None).await;
                    }
                }
            }
        }
        doors.state.drain().await;
    });
}

#[test]
fn each_caller_has_a_nameless_session_of_its_own() {
    in_shared_browsers(async {
        let doors = Doors::over(sessions(3).await);
        let callers = [Caller::Owner, Caller::OtherAgent];
        for caller in callers.into_iter().cycle().take(6) {
            assert_eq!(doors.dialect(caller, "GET /viewport_size", "").await, Fate::Answered);
        }
        assert_eq!(doors.state.sessions.count().await, 2);
        for (caller, left) in callers.into_iter().zip([1, 0]) {
            assert_eq!(doors.dialect(caller, "DELETE /sessions", "").await, Fate::Answered);
            assert_eq!(doors.state.sessions.count().await, left, "{caller:?} ends its own, and can");
        }
        doors.state.drain().await;
    });
}

/// After `submit` the project stays as it is, over every transport: another verdict on an altered one would tell more.
#[test]
fn what_was_handed_in_stays_as_it_is_over_every_transport() {
    in_shared_browsers(async {
        let doors = Doors::over(sessions(1).await);
        let id = doors.begin(Some("stuck_ferry")).await;
        assert_eq!(doors.tool(Caller::Owner, "composite submit", &id).await, Fate::Answered);
        for route in [
            "POST /sessions/{id}/reset",
            "PUT /sessions/{id}/project",
            "POST /sessions/{id}/act/composite",
            "POST /sessions/{id}/act/primitive",
            "POST /sessions/{id}/composite/select_stage",
            "POST /sessions/{id}/primitive/click",
        ] {
            let refused = doors.refusal(Caller::Owner, route, &id).await;
            assert_eq!(refused, Some((409, "attempt_ended".to_owned())), "{route}");
        }
        for route in ["GET /sessions/{id}/project", "GET /sessions/{id}/screenshot", "GET /sessions/{id}/events"] {
            assert_eq!(doors.refusal(Caller::Owner, route, &id).await, None, "{route}");
        }
        doors.state.drain().await;
    });
}

/// Waits until the session's log is in this state.
async fn log_is(doors: &Doors, id: &str, wanted: LogState) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while doors.state.sessions.inspect(id).await.unwrap().log != wanted {
        assert!(Instant::now() < deadline, "the log is never {wanted:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn while_a_kept_log_can_not_be_written_nothing_is_done_and_afterwards_the_session_goes_on() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let doors = Doors::over(sessions(1).await.logging_below(folder.path()));
        let id = doors.begin(None).await;
        log_is(&doors, &id, LogState::Kept).await;
        // Where the folder of pictures belongs.
        let pictures = folder.path().join(&id).join("images");
        std::fs::write(&pictures, b"in the way").unwrap();
        let click = "POST /sessions/{id}/primitive/click";
        assert_eq!(doors.own(Caller::Owner, "GET /sessions/{id}/observation/primitive", &id).await, Fate::Answered);
        log_is(&doors, &id, LogState::Broken).await;
        for route in [click, "POST /sessions/{id}/reset"] {
            assert_eq!(doors.refusal(Caller::Owner, route, &id).await, Some((503, "log_broken".to_owned())), "{route}");
        }
        std::fs::remove_file(&pictures).unwrap();
        log_is(&doors, &id, LogState::Kept).await;
        assert_eq!(doors.refusal(Caller::Owner, click, &id).await, None);
        doors.state.drain().await;
        let log = scratchbed::store::StoredLog::open(&folder.path().join(&id)).unwrap();
        assert_eq!(log.faults, [], "the log has a gap");
    });
}
