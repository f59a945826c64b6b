//! One process of a simulated fleet: some workers, or a steward, until its standard input ends.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand::RngExt as _;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;
use uuid::Uuid;

use super::{SimulationError, Spec, figures, records};
use crate::deliver::{Call, Given, Made, Pace, Steward, Stop, Work, serve};
use crate::{Class, Ended, Finish, Lease, Ledger, LedgerError, Orders, Usage, Worker};

/// How often figures are written.
const WRITE: Duration = Duration::from_secs(1);
/// How long a step of an attempt is; its usage grows with each.
const STEP: Duration = Duration::from_millis(500);
/// Which part of an attempt's length it takes at most to bring its files away.
const UPLOAD: u32 = 5;
/// Of so many attempts the testbed spoils one.
const SPOILED: u32 = 40;

/// Does what the file at `spec` says, until standard input ends.
///
/// # Errors
/// When the file can't be read, or the ledger fails.
pub async fn member(spec: &Path) -> Result<(), SimulationError> {
    let spec: Spec = serde_json::from_slice(&std::fs::read(spec)?)?;
    std::fs::create_dir_all(records(&spec.folder))?;
    let (tell, stop) = watch::channel(Stop::GoOn);
    // A thread of its own: a read from standard input can't be given up.
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        tell.send_replace(Stop::Now);
        std::thread::park();
    });
    let ledger = spec.ledger.open(spec.times.terms, spec.connections).await?;
    if spec.workers == 0 {
        steward(&spec, ledger, stop).await;
        return Ok(());
    }
    let sleeper = Arc::new(Sleeper { spec, figures: Mutex::default() });
    sleeper.hand_in(&ledger).await?;
    let mut writer = JoinSet::new();
    let writing = Arc::clone(&sleeper);
    writer.spawn(async move {
        loop {
            sleep(WRITE).await;
            writing.write();
        }
    });
    let mut workers = JoinSet::new();
    for _ in 0..sleeper.spec.workers {
        let (ledger, sleeper, stop) = (ledger.clone(), Arc::clone(&sleeper), stop.clone());
        workers.spawn(async move { serve(&ledger, &sleeper.worker(), &sleeper, sleeper.pace(), stop).await });
    }
    while let Some(served) = workers.join_next().await {
        match served {
            Ok(served) => drop(served?),
            Err(panic) => return Err(SimulationError::Ended(panic.to_string())),
        }
    }
    sleeper.write();
    Ok(())
}

async fn steward(spec: &Spec, ledger: Ledger, mut stop: watch::Receiver<Stop>) {
    let holder = format!("{}-{}", spec.host, Uuid::new_v4().simple());
    let mut steward = Steward::new(ledger, holder, None, spec.times.beat);
    while *stop.borrow() == Stop::GoOn {
        if let Err(error) = steward.tend().await {
            tracing::warn!(%error, "a round of the steward failed");
        }
        tokio::select! {
            () = sleep(spec.times.steward) => {}
            Ok(()) = stop.changed() => {}
        }
    }
}

/// Attempts that only sleep.
struct Sleeper {
    spec: Spec,
    figures: Mutex<Vec<(Call, Duration)>>,
}

/// What lies on the disk of an attempt that has ended.
#[derive(Serialize, Deserialize)]
pub(super) struct Record {
    pub lease: Lease,
    pub finish: Finish,
}

impl Work for Sleeper {
    async fn attempt(&self, given: Given) -> Made {
        let (least, most) = self.spec.times.attempt;
        let length = rand::rng().random_range(least..=most);
        let upload = rand::rng().random_range(Duration::ZERO..=length / UPLOAD);
        let mut slept = Duration::ZERO;
        while slept < length {
            let step = STEP.min(length.saturating_sub(slept));
            sleep(step).await;
            slept += step;
            given.used.send_replace(usage(slept));
            if given.told.borrow().0 == Orders::Cancel {
                return Made::GivenBack { why: "another works on it".to_owned() };
            }
        }
        let is_spoiled = rand::rng().random_ratio(1, SPOILED);
        let finish = Finish {
            class: if is_spoiled { Class::Infra } else { Class::Counts },
            outcome: if is_spoiled { "infra_error" } else { "passed" }.to_owned(),
            code: is_spoiled.then(|| "infra_error".to_owned()),
            usage: usage(slept),
            record: json!({"slept_ms": slept.as_secs_f64() * 1000.0}),
            files: None,
        };
        let record = Record { lease: given.lease, finish };
        match self.keep(&record) {
            Ok(()) => {
                // As long as it takes to bring an attempt's files away: whoever is killed now has finished and not handed in.
                sleep(upload).await;
                Made::Finished(Box::new(record.finish))
            }
            Err(error) => Made::GivenBack { why: format!("the disk refuses: {error}") },
        }
    }

    fn ended(&self, lease: &Lease, _ended: Ended) {
        let _ = std::fs::remove_file(self.place(lease));
    }

    fn measured(&self, call: Call, took: Duration) {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner).push((call, took));
    }
}

impl Sleeper {
    fn worker(&self) -> Worker {
        let host = self.spec.host.clone();
        let id = format!("{host}-{}", Uuid::new_v4().simple());
        Worker { id, host, build: "simulation".to_owned(), pins: json!({}), slots: self.spec.slots }
    }

    const fn pace(&self) -> Pace {
        let times = &self.spec.times;
        Pace {
            beat: times.beat,
            idle: times.idle,
            idle_most: times.idle_most,
            steward: Some(times.steward),
            grace: Duration::ZERO,
            patience: Duration::from_secs(600),
        }
    }

    fn place(&self, lease: &Lease) -> PathBuf {
        records(&self.spec.folder).join(format!("{}.json", lease.token))
    }

    /// Writes a record whole and onto the disk, before its result is handed in.
    fn keep(&self, record: &Record) -> std::io::Result<()> {
        let (place, new) = (self.place(&record.lease), self.place(&record.lease).with_extension("new"));
        let mut file = std::fs::File::create(&new)?;
        file.write_all(serde_json::to_string(record)?.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(new, place)
    }

    /// Hands in what this host had finished when it was killed.
    async fn hand_in(&self, ledger: &Ledger) -> Result<(), LedgerError> {
        for record in ended(&self.spec.folder) {
            let ended = ledger.end(&record.lease, &record.finish).await?;
            self.ended(&record.lease, ended);
        }
        Ok(())
    }

    /// Appends what was measured to the host's file.
    fn write(&self) {
        let figures_now = std::mem::take(&mut *self.figures.lock().unwrap_or_else(PoisonError::into_inner));
        let mut text = String::new();
        for (call, took) in figures_now {
            let _ = writeln!(text, "{call} {}", took.as_micros());
        }
        let file = std::fs::File::options().create(true).append(true).open(figures(&self.spec.folder));
        if let Err(error) = file.and_then(|mut file| file.write_all(text.as_bytes())) {
            tracing::warn!(%error, "figures are lost");
        }
    }
}

/// The records of a host that are whole.
pub(super) fn ended(folder: &Path) -> Vec<Record> {
    let entries = std::fs::read_dir(records(folder)).into_iter().flatten().flatten();
    let json = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "json"));
    json.filter_map(|path| serde_json::from_slice(&std::fs::read(path).ok()?).ok()).collect()
}

/// What so long a sleep costs: a micro-dollar and a token a millisecond.
fn usage(slept: Duration) -> Usage {
    let ms = u64::try_from(slept.as_millis()).unwrap_or(u64::MAX);
    Usage { micro_usd: Some(ms), input_tokens: ms, output_tokens: 1, calls: 1, ..Usage::default() }
}
