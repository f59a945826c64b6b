//! The chaos test: a real server, agents that use it and disconnect halfway, hostile files and callers, and random
//! damage from a seed.
//!
//! It shows that nothing is lost and nothing hangs: every call is answered, no agent and no file voids anything, a
//! solution passes with the same trace all the time, memory is level, and at rest no place, page, turn, file or process
//! is missing or left over. Sessions that only work are `endurance`'s business.

mod answers;
mod attacks;
mod foreign;
mod harms;
mod hostile;
mod memory;
mod programs;
mod report;
mod server;
mod standing;
mod tally;
mod visitor;
mod witness;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

pub use self::answers::AnswerCounts;
use self::attacks::attack;
use self::hostile::HostileCaller;
pub use self::memory::{MemoryReport, MemorySample};
use self::report::differences;
pub use self::report::{ChaosReport, Rest};
use self::server::Server;
pub use self::tally::{Losses, Tally, Voids};
use self::visitor::Visitor;
use self::witness::Witness;
use crate::meter::process_tree;
use crate::model::Coded;

/// How long the server may take to come to rest.
const REST_LIMIT: Duration = Duration::from_secs(120);
/// It is at rest when nothing has changed for so many polls, half a second apart.
const STILL: usize = 10;
/// How often progress is reported.
const TELL: Duration = Duration::from_secs(1);

#[derive(Debug, Clone)]
pub struct ChaosPlan {
    /// The program to attack: our own binary.
    pub program: PathBuf,
    /// The checkout that it serves.
    pub root: PathBuf,
    /// Where the server's log goes.
    pub log: PathBuf,
    /// Agents at once, each with one session at a time.
    pub agents: usize,
    pub time: Duration,
    /// What the run is drawn from.
    pub seed: u64,
}

/// Why a chaos run failed.
#[derive(Debug, thiserror::Error)]
pub enum ChaosError {
    /// No folder for the server's files.
    #[error("no folder for the server's files: {0}")]
    Folder(#[source] std::io::Error),
    /// The solution that is judged all the time could not be built, or does not pass on a server that nobody attacks.
    #[error("there is no solution to be judged again and again: {0}")]
    NoWitness(String),
    /// The server did not start.
    #[error("the server did not start: {0}")]
    NotStarted(#[source] std::io::Error),
    #[error("no HTTP client: {0}")]
    NoClient(#[source] reqwest::Error),
}

impl Coded for ChaosError {
    fn code(&self) -> &'static str {
        "no_chaos"
    }
}

/// Runs as planned; `progress` gets the elapsed seconds.
///
/// # Errors
/// When the server can't be started at all, or no solution passes on it before it is attacked.
pub async fn run(plan: &ChaosPlan, progress: impl Fn(u64)) -> Result<ChaosReport, ChaosError> {
    let started = Instant::now();
    let mut server = Server::start(plan).await?;
    let witness = Witness::new(&server, plan).await?;
    // A lap without attacks: what a server that has worked holds at rest is what there should be afterwards.
    quiet_lap(&server, plan, 0).await;
    let before = rest(&server).await;
    let until = Instant::now() + plan.time;
    let (mut agents, judged, harms, memory, ()) = tokio::join!(
        wild_lap(&server, plan, until),
        witness.judge_foreign_files(plan.seed, until),
        attack(&server, plan.seed, until),
        memory::watch(&server, until),
        report_progress(until, plan.time, progress),
    );
    agents.add(judged);
    // The last cut-off request may still be in flight; then every place must be free again, and every page answer.
    rest(&server).await;
    let last = quiet_lap(&server, plan, 1).await;
    let after = rest(&server).await;
    let missing = (plan.agents as u64).saturating_sub(last.sessions);
    agents.add(last);
    let mut breaches = agents.breaches.clone();
    breaches.extend(differences(&before, &after));
    breaches.extend(memory.breach());
    if missing > 0 {
        breaches.push(format!("of {} places, {missing} were not there at the end", plan.agents));
    }
    if !server.is_alive() {
        breaches.push("the server has ended".to_owned());
    }
    server.stop().await;
    let harms = harms.into_iter().map(|(kind, times)| (kind.to_owned(), times)).collect();
    let seconds = started.elapsed().as_secs_f64();
    Ok(ChaosReport { seed: plan.seed, agents, harms, memory, before, after, breaches, seconds })
}

/// Steady agents at every place, one session each.
async fn quiet_lap(server: &Server, plan: &ChaosPlan, seed: u64) -> Tally {
    let now = Instant::now();
    sum(join_all((0..plan.agents).map(|number| Visitor::new(number, server, seed, false).visit(now))).await)
}

/// All agents at once until the time is up: of four, two are wild, one is a hostile caller, and one does nothing wrong.
async fn wild_lap(server: &Server, plan: &ChaosPlan, until: Instant) -> Tally {
    let agents = (0..plan.agents).map(|number| match number % 4 {
        1 => Visitor::new(number, server, plan.seed, false).visit(until).boxed_local(),
        3 => HostileCaller::new(number, server, plan.seed).visit(until).boxed_local(),
        _ => Visitor::new(number, server, plan.seed, true).visit(until).boxed_local(),
    });
    sum(join_all(agents).await)
}

fn sum(tallies: Vec<Tally>) -> Tally {
    let mut all = Tally::default();
    for tally in tallies {
        all.add(tally);
    }
    all
}

async fn report_progress(until: Instant, time: Duration, progress: impl Fn(u64)) {
    while Instant::now() < until {
        tokio::time::sleep(TELL.min(until.saturating_duration_since(Instant::now()))).await;
        progress(time.saturating_sub(until.saturating_duration_since(Instant::now())).as_secs());
    }
}

/// Waits until nothing changes any more, and looks.
async fn rest(server: &Server) -> Rest {
    let deadline = Instant::now() + REST_LIMIT;
    let mut last = look(server).await;
    let mut still = 0;
    while Instant::now() < deadline && (still < STILL || last.sessions > 0) {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = look(server).await;
        let same = (now.sessions, now.browsers, now.processes, now.files)
            == (last.sessions, last.browsers, last.processes, last.files);
        still = if same { still + 1 } else { 0 };
        last = now;
    }
    last
}

async fn look(server: &Server) -> Rest {
    let health = async {
        let response = server.ask_as_judge(Method::GET, "/health").send().await.ok()?;
        response.json::<Value>().await.ok()
    };
    // A server that does not answer gets numbers that no server at rest has.
    let health = health.await.unwrap_or_else(|| json!({"sessions": usize::MAX, "browsers": 0}));
    let number = |name: &str| health[name].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
    let root = server.process_id();
    let (processes, memory) =
        tokio::task::spawn_blocking(move || (process_tree::tree(root).len(), process_tree::memory(root)))
            .await
            .unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "megabytes for people")]
    let memory_mb = memory as f64 / 1e6;
    let files = std::fs::read_dir(format!("/proc/{root}/fd")).into_iter().flatten().count();
    Rest {
        sessions: number("sessions"),
        browsers: number("browsers"),
        processes,
        files,
        temporary: server.temporary_files(),
        memory_mb,
    }
}
