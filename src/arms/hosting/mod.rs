//! A server that runs experiments: each is a process of its own that works on the server's ledger, so that neither can take the
//! other down. [`tenants`] says which ones are to be worked on, [`child`] is the process, [`checks`] has room for files that are
//! checked, [`args`] are the server's flags.
//!
//! What may be in a file from the network is said in `flags/experiment/posted.rs`.

mod args;
mod checks;
mod child;
mod tenants;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use args::{HostingArgs, check_key};
pub use child::{Child, Ended, Program, drain_with_server, end_with_server};

use self::checks::Checks;
use self::child::Nursery;
use self::tenants::{Refused, Tenants};
use super::checked::Checked;
use super::planned::planned;
use crate::flags::failure::{Failure, Status};
use crate::flags::lent_key::LentKey;
use crate::flags::settings::Settings;
use scratchbed::http::host::{exists, full, in_the_way, not_begun, wrong};
use scratchbed::http::{Host, PlannedExperiment, Problem};
use scratchbed::ledger::{Gate, Hosted, Ledger, LedgerError};

/// How often it is looked whether orders made work, which the command line may give, too.
const LOOK: Duration = Duration::from_secs(2);
/// How often it is looked whether a process has entered its experiment.
const ENTER_LOOK: Duration = Duration::from_millis(200);
/// How long it may take to enter it: browsers start first.
const ENTER_LIMIT: Duration = Duration::from_secs(120);
/// How long a new experiment waits for the process of one that is over: it ends its browsers last.
const LEAVE_LIMIT: Duration = Duration::from_secs(20);

/// The experiments of a server.
#[derive(Debug)]
pub struct Hosting(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    ledger: Ledger,
    settings: Settings,
    /// The keys that posted files may name.
    keys: Vec<LentKey>,
    checks: Checks,
    nursery: Nursery,
    tenants: Tenants,
    wake: Notify,
    closing: CancellationToken,
    tasks: TaskTracker,
}

impl Hosting {
    /// Takes up what was hosted before, and looks after it until it is closed.
    fn open(inner: Inner) -> Self {
        let inner = Arc::new(inner);
        inner.tasks.spawn(Arc::clone(&inner).look_after());
        inner.wake.notify_one();
        Self(inner)
    }
}

#[async_trait]
impl Host for Hosting {
    async fn plan(&self, file: &str) -> Result<PlannedExperiment, Problem> {
        self.0.checked(file).await.map(|(_, plan)| plan)
    }

    async fn begin(&self, file: &str, who: &str) -> Result<PlannedExperiment, Problem> {
        if self.0.closing.is_cancelled() {
            return Err(Problem::shutting_down());
        }
        // What was begun goes on, even if the caller is gone meanwhile.
        let (inner, file, who) = (Arc::clone(&self.0), file.to_owned(), who.to_owned());
        let begun = self.0.tasks.spawn(async move { inner.begin(&file, &who).await });
        begun.await.map_err(|error| Problem::internal(error.to_string()))?
    }

    fn look(&self) {
        self.0.wake.notify_one();
    }

    async fn close(&self) {
        self.0.closing.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }
}

impl Inner {
    /// A posted file with what it asks for, checked on a thread of its own: that reads the task set, and may go through all cells.
    async fn checked(self: &Arc<Self>, file: &str) -> Result<(Checked, PlannedExperiment), Problem> {
        let (inner, text, runtime) = (Arc::clone(self), file.to_owned(), tokio::runtime::Handle::current());
        let check = move || {
            runtime.block_on(async {
                let checked = Checked::posted(&text, &inner.keys, &inner.settings).await?;
                let plan = planned(&checked, Some(&inner.ledger)).await?;
                Ok::<_, Failure>((checked, plan))
            })
        };
        self.checks.run(check).await?.map_err(|failure| problem(&failure))
    }

    async fn begin(self: Arc<Self>, file: &str, who: &str) -> Result<PlannedExperiment, Problem> {
        let (checked, plan) = self.checked(file).await?;
        let name = checked.file.name.clone();
        self.move_in(&name).await?;
        let begun = self.entered(&checked, who).await;
        match begun {
            Ok(child) => {
                self.attend(name, child);
                Ok(plan)
            }
            Err(problem) => {
                self.tenants.move_out(&name);
                Err(problem)
            }
        }
    }

    /// Takes a place, for which it waits while one whose experiment is over is about to leave.
    async fn move_in(&self, name: &str) -> Result<(), Problem> {
        let until = Instant::now() + LEAVE_LIMIT;
        while !self.closing.is_cancelled() {
            match self.tenants.move_in(name) {
                Ok(()) => return Ok(()),
                Err(Refused::Running) => return Err(exists(name)),
                Err(Refused::Full(limit)) if Instant::now() >= until || !self.one_leaves().await? => {
                    return Err(full(limit));
                }
                Err(Refused::Full(_)) => tokio::time::sleep(ENTER_LOOK).await,
            }
        }
        Err(Problem::shutting_down())
    }

    /// Whether a process has nothing more to do.
    async fn one_leaves(&self) -> Result<bool, LedgerError> {
        for name in self.tenants.running() {
            // One that is not in the ledger yet is about to enter it.
            if self.is_entered(&name).await? && self.ledger.status(&name).await?.state == Gate::Closed {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Starts a process, and waits until it has entered the experiment.
    async fn entered(&self, checked: &Checked, who: &str) -> Result<Child, Problem> {
        let name = &checked.file.name;
        if self.is_entered(name).await? {
            return Err(exists(name));
        }
        let in_ours = |failure: Failure| problem(&failure);
        checked.nothing_is_lost(&self.ledger, &self.settings).await.map_err(in_ours)?;
        let mut child = self.start(checked, who).map_err(in_ours)?;
        let until = Instant::now() + ENTER_LIMIT;
        while Instant::now() < until && !self.closing.is_cancelled() {
            tokio::select! {
                ended = child.ended() => {
                    // A small experiment may be over by now.
                    return if self.is_entered(name).await? { Ok(child) } else { Err(refusal(ended)) };
                }
                () = tokio::time::sleep(ENTER_LOOK) => {}
            }
            if self.is_entered(name).await? {
                return Ok(child);
            }
        }
        child.stop().await;
        Err(not_begun("it was not entered in time"))
    }

    async fn is_entered(&self, name: &str) -> Result<bool, LedgerError> {
        Ok(self.ledger.experiments().await?.iter().any(|known| known == name))
    }

    fn start(&self, checked: &Checked, who: &str) -> Result<Child, Failure> {
        let file = checked.keep(&self.settings)?;
        let log = checked.folder(&self.settings).join("host.log");
        self.nursery.start(&file, who, &log).map_err(|error| Failure::infrastructure("experiment_not_begun", &error))
    }

    /// Waits for the end of a process; the end of the server ends it.
    fn attend(self: &Arc<Self>, name: String, mut child: Child) {
        let inner = Arc::clone(self);
        self.tasks.spawn(async move {
            let ended = tokio::select! {
                ended = child.ended() => ended,
                () = inner.closing.cancelled() => child.stop().await,
            };
            if let Ended::Refused { code, message, .. } | Ended::Broken { code, message } = &ended {
                tracing::warn!(experiment = name, code, reason = message, "the process of an experiment has failed");
            }
            inner.tenants.ended(&name, &ended);
            inner.wake.notify_one();
        });
    }

    async fn look_after(self: Arc<Self>) {
        loop {
            tokio::select! {
                () = self.wake.notified() => {}
                () = tokio::time::sleep(LOOK) => {}
                () = self.closing.cancelled() => return,
            }
            if let Err(error) = self.take_up().await {
                tracing::warn!(%error, "hosted experiments are looked after later");
            }
        }
    }

    /// Starts processes for experiments that have work and nobody who does it.
    async fn take_up(self: &Arc<Self>) -> Result<(), LedgerError> {
        for hosted in self.ledger.hosted().await? {
            if !self.tenants.is_due(&hosted.id, hosted.newest_order) {
                continue;
            }
            let goes_on = self.has_files(&hosted.id) && is_open(&self.ledger, &hosted.id).await?;
            let is_started = goes_on && self.go_on(&hosted).await;
            let waits = goes_on && self.tenants.is_full();
            if !is_started && !waits {
                self.tenants.answered(&hosted.id, hosted.newest_order);
            }
        }
        Ok(())
    }

    /// Whether an experiment's files are here: another server may host it.
    fn has_files(&self, id: &str) -> bool {
        self.settings.root.experiments().join(id).join("inputs").is_dir()
    }

    /// Goes on with an experiment, unless there is no place for it or its file is not allowed any more.
    async fn go_on(self: &Arc<Self>, hosted: &Hosted) -> bool {
        if self.tenants.is_full() {
            return false;
        }
        let started = match self.checked(&hosted.file).await {
            Ok((checked, _)) if self.tenants.move_in(&hosted.id).is_ok() => {
                self.tenants.answered(&hosted.id, hosted.newest_order);
                self.start(&checked, &hosted.who).inspect_err(|_| self.tenants.move_out(&hosted.id))
            }
            Ok(_) => return false,
            // Others are being checked: it is due again.
            Err(problem) if problem.code == "busy" => return false,
            Err(problem) => Err(Failure::new(Status::Input, problem.code, problem.detail)),
        };
        match started {
            Ok(child) => {
                self.attend(hosted.id.clone(), child);
                true
            }
            Err(failure) => {
                let (code, reason) = (failure.code(), failure.message());
                tracing::warn!(experiment = hosted.id, code, reason, "a hosted experiment does not go on");
                false
            }
        }
    }
}

/// Whether an experiment may be worked on. One that is open without work is closed by the process that finds that.
async fn is_open(ledger: &Ledger, id: &str) -> Result<bool, LedgerError> {
    Ok(ledger.status(id).await?.state == Gate::Open)
}

/// Why a process ended that entered nothing.
fn refusal(ended: Ended) -> Problem {
    match ended {
        Ended::Refused { code, message, hint } => problem(&Failure::new(Status::Input, code, message).hinted_by(hint)),
        Ended::Broken { code, message } => not_begun(format!("{code}: {message}")),
        Ended::Well => not_begun("its process ended and had entered nothing"),
    }
}

/// What the caller learns of a failure. What broke on the server is for its log.
fn problem(failure: &Failure) -> Problem {
    let (code, message) = (failure.code(), failure.message());
    if code == "experiment_not_in_ledger" {
        let detail = "the server's disk has attempts of an experiment of this name, which its ledger does not know";
        let hint = "give the file another name; the operator can enter them with `scratchbed experiment rebuild`";
        return in_the_way(code, detail, hint);
    }
    match failure.status() {
        Status::Machine | Status::Infrastructure => not_begun(failure.text()),
        _ => wrong(code, message, failure.hint()),
    }
}
