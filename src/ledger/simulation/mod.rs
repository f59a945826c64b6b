//! A fleet whose attempts only sleep: the real ledger, the real queue, real processes that are killed and frozen. Shows that
//! nothing is lost, counted twice or left unpaid, and how fast the four calls are.
//!
//! Parts: [`run`] starts the processes, harms them, and measures; [`member()`] is what each of them does; `checks` reads from the
//! ledger what must hold.

mod checks;
mod error;
mod fleet;
mod member;
mod processes;
mod report;

pub use error::SimulationError;
pub use fleet::run;
pub use member::member;
pub use report::{Idle, Latency, Report};

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Ledger, LedgerError, Terms};

/// Where the ledger of a simulation is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Address {
    File(PathBuf),
    /// With a queue in the same database. The URL may hold a password.
    Postgres(String),
}

/// Connections of one process: of the ledger, and of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connections {
    pub ledger: u32,
    pub queue: u32,
}

impl Address {
    async fn open(&self, terms: Terms, connections: Connections) -> Result<Ledger, LedgerError> {
        let ledger = match self {
            Self::File(file) => Ledger::open(file).await?,
            Self::Postgres(url) => {
                let ledger = Ledger::connect(url, Some(connections.ledger)).await?;
                ledger.with_queue(url, connections.queue).await?
            }
        };
        Ok(ledger.with_terms(terms))
    }
}

/// How often what happens in a simulated fleet.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Times {
    pub terms: Terms,
    /// Between beats.
    pub beat: Duration,
    /// Between looks for a ticket, while there is none: at first, and at most.
    pub idle: Duration,
    pub idle_most: Duration,
    /// Between rounds of the steward.
    pub steward: Duration,
    /// How long an attempt sleeps: at least, and at most.
    pub attempt: (Duration, Duration),
}

/// What is done to processes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Harm {
    /// Between kills.
    pub kill_every: Option<Duration>,
    /// Between freezes.
    pub freeze_every: Option<Duration>,
    /// How long a frozen process stays so.
    pub freeze_for: Duration,
    /// After so many kills all harm ends; fewer are a breach. `None`: it goes on to the end.
    pub kills: Option<u32>,
}

/// A simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub ledger: Address,
    pub connections: Connections,
    /// The program that calls [`member()`], with its arguments; the path of a file is put after them.
    pub program: Vec<String>,
    /// Where processes keep their records. It must be empty.
    pub folder: PathBuf,
    /// Processes with workers; one more is a steward and nothing else.
    pub processes: u32,
    /// Workers of a process.
    pub workers: u32,
    /// Attempts of a worker at a time.
    pub slots: u32,
    pub cells: u32,
    /// Attempts at a time in each lane; each lane has an arm.
    pub lanes: Vec<u32>,
    pub times: Times,
    pub harm: Harm,
    /// How long the fleet is watched while there is nothing to do.
    pub idle: Duration,
    /// What is drawn from it: whom to harm.
    pub seed: u64,
    /// After so long the simulation is broken off.
    pub limit: Duration,
}

/// What a process reads: its part of the plan.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Spec {
    ledger: Address,
    connections: Connections,
    /// Name of the process, the same after each start.
    host: String,
    folder: PathBuf,
    /// None: it is a steward.
    workers: u32,
    slots: u32,
    times: Times,
}

/// Where a process keeps what has ended and what it could not hand in yet.
fn records(folder: &Path) -> PathBuf {
    folder.join("ended")
}

/// Where a process writes how long its calls took.
fn figures(folder: &Path) -> PathBuf {
    folder.join("figures")
}
