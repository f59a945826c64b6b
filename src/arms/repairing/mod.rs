//! Repairs that researchers ask for over HTTP: each is a process of its own, `scratchbed repair run` for one case, so that it can be ended
//! at once and knows no variable of the server's but keys of models.
//!
//! `args` are the flags of the server, `offer` is what may be asked for, `records` what was.

mod args;
mod offer;
mod records;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use args::RepairingArgs;

use self::offer::Offer;
use self::records::{Records, ended, server_ended};
use super::hosting::{Child, Ended, Program};
use scratchbed::benchmarks::trajectories::{
    NewRepair, RepairError, RepairHost, RepairOffer, RepairState, RepairStatus, RepairTrouble,
};
use scratchbed::model::{run_name, unix_seconds};

/// The repairs of a server.
#[derive(Debug)]
pub struct Repairing(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    offer: Offer,
    program: Program,
    limit: usize,
    /// The folder of runs.
    runs: PathBuf,
    records: Records,
    running: Mutex<BTreeMap<String, Running>>,
    closing: CancellationToken,
    tasks: TaskTracker,
}

/// A repair whose process lives.
#[derive(Debug, Clone, Default)]
struct Running {
    /// Ends the process.
    cancel: CancellationToken,
    /// Cancelled once it has ended, and that is written down.
    over: CancellationToken,
}

#[async_trait]
impl RepairHost for Repairing {
    fn offer(&self) -> RepairOffer {
        let Inner { offer, limit, .. } = &*self.0;
        RepairOffer { limit: *limit, benchmarks: offer.benchmarks(), models: offer.models() }
    }

    async fn begin(&self, wanted: NewRepair, who: &str) -> Result<RepairStatus, RepairError> {
        let (inner, who) = (Arc::clone(&self.0), who.to_owned());
        let begun = tokio::task::spawn_blocking(move || inner.begin(wanted, who)).await;
        let (status, running, child) = begun.map_err(|error| RepairError::Machine(error.to_string()))??;
        self.0.attend(status.clone(), running, child);
        Ok(status)
    }

    fn list(&self) -> Vec<RepairStatus> {
        self.0.records.list()
    }

    fn find(&self, id: &str) -> Option<RepairStatus> {
        self.0.records.find(id)
    }

    fn run(&self, id: &str) -> PathBuf {
        self.0.runs.join(id)
    }

    async fn cancel(&self, id: &str) -> Result<RepairStatus, RepairError> {
        let status = self.find(id).ok_or_else(|| RepairError::Unknown(id.to_owned()))?;
        let running = self.0.running().get(id).cloned();
        let Some(Running { cancel, over: ends }) = running else {
            return Err(RepairError::Over { id: id.to_owned(), state: status.state });
        };
        cancel.cancel();
        ends.cancelled().await;
        self.find(id).ok_or_else(|| RepairError::Unknown(id.to_owned()))
    }

    async fn close(&self) {
        self.0.closing.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }
}

impl Inner {
    fn running(&self) -> MutexGuard<'_, BTreeMap<String, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks what is wanted, takes a place, and starts the process. What fails gives the place back.
    fn begin(&self, wanted: NewRepair, who: String) -> Result<(RepairStatus, Running, Child), RepairError> {
        if self.closing.is_cancelled() {
            return Err(RepairError::Closing);
        }
        let (asked, flags) = self.offer.flags(wanted)?;
        let asked_at = unix_seconds();
        let id = run_name(asked_at, &format!("http-{}-{}", asked.agent, asked.mode));
        let running = self.move_in(&id)?;
        let status = RepairStatus { id, state: RepairState::Running, asked, who, asked_at, error: None };
        match self.start(&status, flags) {
            Ok(child) => Ok((status, running, child)),
            Err(error) => {
                self.running().remove(&status.id);
                Err(RepairError::NotBegun(error.to_string()))
            }
        }
    }

    fn move_in(&self, id: &str) -> Result<Running, RepairError> {
        let mut all = self.running();
        if all.len() >= self.limit {
            return Err(RepairError::Full(self.limit));
        }
        Ok(all.entry(id.to_owned()).or_default().clone())
    }

    fn start(&self, status: &RepairStatus, flags: Vec<String>) -> std::io::Result<Child> {
        let folder = format!("--hosted-in={}", self.runs.join(&status.id).display());
        let words: Vec<String> =
            ["repair", "run"].map(str::to_owned).into_iter().chain(flags).chain([folder]).collect();
        let child = self.program.start(&words, &self.records.log(&status.id))?;
        self.records.keep(status.clone())?;
        Ok(child)
    }

    /// Waits for the end of a process; a caller or the end of the server ends it.
    fn attend(self: &Arc<Self>, status: RepairStatus, running: Running, mut child: Child) {
        let inner = Arc::clone(self);
        self.tasks.spawn(async move {
            let (state, error) = tokio::select! {
                ended = child.ended() => outcome(&status.id, ended),
                () = running.cancel.cancelled() => {
                    child.stop().await;
                    (RepairState::Cancelled, None)
                }
                () = inner.closing.cancelled() => {
                    child.stop().await;
                    (RepairState::Cancelled, Some(server_ended()))
                }
            };
            if let Err(error) = inner.records.keep(ended(&status, state, error)) {
                tracing::warn!(%error, repair = status.id, "how a repair ended is not on disk");
            }
            inner.running().remove(&status.id);
            running.over.cancel();
        });
    }
}

/// How a repair stands whose process ended by itself.
fn outcome(id: &str, how: Ended) -> (RepairState, Option<RepairTrouble>) {
    match how {
        Ended::Well => (RepairState::Ended, None),
        Ended::Refused { code, message, .. } => (RepairState::Failed, Some(RepairTrouble { code, message })),
        Ended::Broken { code, message } => {
            tracing::warn!(repair = id, code, reason = message, "the process of a repair has failed");
            let message = "the machine failed it; the server's log has the cause".to_owned();
            (RepairState::Failed, Some(RepairTrouble { code, message }))
        }
    }
}
