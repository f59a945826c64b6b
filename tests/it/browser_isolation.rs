//! Who may do what with a session that is there: every route and tool by the table of `route_table`.

use scratchbed::session::Start;

use crate::api_isolation::Doors;
use crate::api_security::AGENT;
use crate::route_table::{CALLERS, Caller, DIALECT, Fate, May, ROUTES, TOOLS};
use crate::support::sessions;

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

/// A session that belongs to [`Caller::Owner`].
async fn session(doors: &Doors) -> String {
    let owner = Some(scratchbed::model::sha256_hex(AGENT.as_bytes()));
    doors.state.sessions.create(Start { owner, ..Start::default() }).await.unwrap().id
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_there_for_its_owner_and_those_above_alone() {
    let doors = Doors::over(sessions(2).await);
    let id = session(&doors).await;
    for (by, rows) in ALL {
        for (may, name) in rows.iter().filter(|(may, _)| *may == May::UserOfSession) {
            for (caller, expected) in CALLERS.into_iter().zip(may.fates()) {
                assert_eq!(fate(&doors, by, caller, name, &id).await, expected, "{by:?} {name} by {caller:?}");
            }
        }
        for (may, name) in rows.iter().filter(|(may, _)| *may == May::EnderOfSession) {
            let mut id = session(&doors).await;
            for (caller, expected) in CALLERS.into_iter().zip(may.fates()) {
                assert_eq!(fate(&doors, by, caller, name, &id).await, expected, "{by:?} {name} by {caller:?}");
                let ended = doors.state.sessions.inspect(&id).await.is_err();
                assert_eq!(ended, expected == Fate::Answered, "{by:?} {name} by {caller:?}");
                if ended && caller != Caller::Admin {
                    id = session(&doors).await;
                }
            }
        }
    }
    doors.state.drain().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_caller_has_a_nameless_session_of_its_own() {
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
}
