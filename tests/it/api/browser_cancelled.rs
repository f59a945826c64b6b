//! Requests that are dropped at random moments, for every route and tool in turn: no place, page or turn is missing
//! afterwards.

use std::time::{Duration, Instant};

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use scratchbed::compile::build_kept;
use scratchbed::files::Checkout;
use scratchbed::session::Start;

use crate::api::isolation::Doors;
use crate::support::browsers::{in_shared_browsers, sessions};
use crate::support::route_table::{Caller, DIALECT, May, ROUTES, TOOLS};
use crate::support::{day, everything, of_the_day, root};

/// Moments at which each is dropped: on a day, which has its own, and with `SCRATCHBED_TESTS=all`.
const CUTS: [usize; 2] = [1, 4];
/// What opens a page or loads a project takes longer, and is dropped more often.
const LONG: [&str; 13] = [
    "POST /sessions",
    "POST /sessions/{id}/reset",
    "PUT /sessions/{id}/project",
    "POST /tasks/{id}/verdict",
    "POST /reset_environment",
    "POST /load_project",
    "POST /evaluate",
    "POST /sessions/{id}/load_project",
    "POST /sessions/{id}/evaluate",
    "primitive start_task",
    "composite start_task",
    "primitive submit",
    "composite submit",
];
const LONG_CUTS: [usize; 2] = [2, 6];
/// Over MCP a call goes on when its caller is gone, and the next one waits for its place.
const TOOL_CUTS: [usize; 2] = [1, 3];
/// Places of the sessions.
const PLACES: usize = 3;
/// How long what was dropped may take to be cleaned away.
const REST_LIMIT: Duration = Duration::from_secs(60);

enum By {
    Own,
    Dialect,
    /// Over connections that outlive their calls: those of clients that go away keep their place for ten minutes.
    Tool {
        primitive: String,
        composite: String,
    },
}

async fn call(doors: &Doors, by: &By, caller: Caller, name: &str, id: &str) {
    match by {
        By::Own => drop(doors.own(caller, name, id).await),
        By::Dialect => drop(doors.dialect(caller, name, id).await),
        By::Tool { primitive, composite } => {
            let connection = if name.starts_with("primitive") { primitive } else { composite };
            drop(doors.call_tool(caller, name, connection, id).await);
        }
    }
}

/// The id of a session of the agent's that lives, made anew if a call has ended it.
async fn session(doors: &Doors, id: &mut String) {
    if doors.state.sessions.inspect(id).await.is_err() {
        for left in doors.state.sessions.list().await {
            doors.state.sessions.delete(&left.id).await.unwrap_or_default();
        }
        *id = doors.begin(None).await;
    }
}

/// Ends all sessions but that of this id, and waits until no page is lent but its own.
async fn at_rest(doors: &Doors, kept: Option<&str>) {
    let sessions = &doors.state.sessions;
    let deadline = Instant::now() + REST_LIMIT;
    let fleet = sessions.fleet();
    let own = usize::from(kept.is_some());
    while fleet.status().lent > own || fleet.turns().status().work.0 > 0 || fleet.turns().status().waiting > 0 {
        assert!(Instant::now() < deadline, "{:?} {:?}", fleet.status(), fleet.turns().status());
        // Over MCP a task may still be started by a call whose answer nobody waits for: it is the connection's.
        for left in sessions.list().await {
            if kept != Some(left.id.as_str()) {
                sessions.delete(&left.id).await.unwrap_or_default();
            }
        }
        // Pages that judge are kept for the next project.
        doors.state.judges.close().await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn requests_that_are_dropped_at_any_moment_leave_nothing_taken() {
    in_shared_browsers(async {
        let mut doors = Doors::over(sessions(PLACES).await);
        let golden = root().join("tasks/create/kite_gusts/golden.txt");
        let cache = Checkout::at(root()).projects();
        doors.project = build_kept(doors.state.sessions.fleet(), &cache, &golden).await.unwrap();
        let mut random = Pcg64::seed_from_u64(day() as u64);
        let mut id = String::new();
        let primitive = doors.connect(Caller::Owner, "primitive").await.unwrap();
        let composite = doors.connect(Caller::Owner, "composite").await.unwrap();
        for (by, rows) in [(By::Own, ROUTES), (By::Dialect, DIALECT), (By::Tool { primitive, composite }, TOOLS)] {
            // An eighth of them on each day.
            for (may, name) in of_the_day(rows, rows.len().div_ceil(8)) {
                let is_long = LONG.contains(name);
                let caller = if *may == May::Researcher { Caller::Admin } else { Caller::Owner };
                let cuts = match by {
                    By::Tool { .. } => TOOL_CUTS,
                    _ if is_long => LONG_CUTS,
                    _ => CUTS,
                };
                for _ in 0..cuts[usize::from(everything())] {
                    session(&doors, &mut id).await;
                    let most = if is_long { 400 } else { 40 };
                    let patience = Duration::from_millis(random.random_range(0..most));
                    let _ = tokio::time::timeout(patience, call(&doors, &by, caller, name, &id)).await;
                }
                if is_long {
                    at_rest(&doors, Some(&id)).await;
                }
            }
        }
        at_rest(&doors, None).await;
        let all = futures::future::join_all((0..PLACES).map(|_| doors.state.sessions.create(Start::default()))).await;
        assert!(all.iter().all(Result::is_ok), "a place is lost");
        doors.state.drain().await;
    });
}
