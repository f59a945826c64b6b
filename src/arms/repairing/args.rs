//! Flags of a server that makes repairs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use clap::Args;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::offer::Offer;
use super::records::Records;
use super::{Inner, Repairing};
use crate::arms::hosting::Program;
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::LedgerArgs;
use crate::flags::settings::{Settings, own_binary};
use scratchbed::http::Access;

/// Where it is kept which repairs were asked for, below the folder of runs.
const ASKED: &str = "repair-asked";

/// Which repairs a server makes.
#[derive(Debug, Clone, Args)]
pub struct RepairingArgs {
    /// Make repairs under a budget that researchers ask for over HTTP, so many at a time. Each has browsers of its own.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64), requires = "benches")]
    repairs: Option<u16>,
    /// A folder of benchmarks of faults, or one of them: their cases can be repaired so.
    #[arg(long, value_name = "FOLDER", requires = "repairs")]
    benches: Option<PathBuf>,
    /// A TOML file with the models that may be asked so: `[models.NAME]` with `endpoint`, `model` and, if it needs a key,
    /// `api_key_env`; and settings by the names of the flags of `repair run`. Callers name them by NAME.
    #[arg(long, value_name = "FILE", requires = "repairs")]
    repair_models: Option<PathBuf>,
}

impl RepairingArgs {
    /// What makes the repairs, if any are made.
    pub fn open(
        &self,
        access: &Access,
        ledger: &LedgerArgs,
        settings: &Settings,
    ) -> Result<Option<Repairing>, Failure> {
        let (Some(limit), Some(benches)) = (self.repairs, &self.benches) else { return Ok(None) };
        if !access.takes_orders() {
            let message = "--repairs is for researchers, and this server has none";
            return Err(Failure::new(Status::Usage, "repairs_for_nobody", message).hinted(
                "add --researcher-token TOKEN; on a server without any token, --open-runs lets whoever reaches the port \
                 ask for repairs",
            ));
        }
        let offer = Offer::open(benches, self.repair_models.as_deref(), ledger)?;
        let program = Program {
            binary: own_binary()?,
            root: settings.root.to_path_buf(),
            chromium: settings.chromium.clone(),
            variables: offer.keys.clone(),
        };
        let runs = settings.root.runs();
        let records =
            Records::open(&runs.join(ASKED)).map_err(|error| Failure::infrastructure("repairs_unreadable", &error))?;
        Ok(Some(Repairing(Arc::new(Inner {
            offer,
            program,
            limit: limit.into(),
            runs: runs.join("repair"),
            records,
            running: Mutex::new(BTreeMap::new()),
            closing: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }))))
    }
}
