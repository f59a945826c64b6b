//! What a worker needs of its machine: arms, prepared when the first cell of theirs comes, and the way of finished attempts to
//! where all workers' files come together.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::Mutex;

use super::arm::ReadyArm;
use super::checked::Checked;
use super::house::House;
use super::pins::differences;
use super::plan::digest;
use super::signs::{brief, progress};
use scratchbed::experiment::engine::{CellRef, Machine, Prepared, entry};
use scratchbed::ledger::{Files, Ledger, Place};
use scratchbed::model::{Outcome, sha256_hex};
use scratchbed::store::{Artefacts, RunDir, pack_attempt};

/// The arms that were prepared on this machine.
#[derive(Clone)]
pub struct Arms(Arc<Inner>);

struct Inner {
    folder: PathBuf,
    ledger: Ledger,
    /// Gone when the worker ends.
    house: Mutex<Option<House>>,
    ready: Mutex<BTreeMap<(String, String), ReadyArm>>,
}

/// This machine.
pub struct ThisMachine {
    arms: Arms,
    artefacts: Artefacts,
    /// Whether the folders of attempts stay when they were delivered.
    keeps: bool,
}

impl ThisMachine {
    /// A machine whose attempts lie below `folder` until they are delivered.
    pub fn new(house: House, ledger: Ledger, folder: PathBuf, (artefacts, keeps): (Artefacts, bool)) -> Self {
        let inner = Inner { folder, ledger, house: Mutex::new(Some(house)), ready: Mutex::default() };
        Self { arms: Arms(Arc::new(inner)), artefacts, keeps }
    }

    /// Its arms.
    pub fn arms(&self) -> Arms {
        self.arms.clone()
    }
}

impl Arms {
    /// Whether attempts of an arm were made on this machine.
    pub fn is_here(&self, place: &Place) -> bool {
        self.folder(place).join("run.json").is_file()
    }

    fn folder(&self, place: &Place) -> PathBuf {
        self.0.folder.join(&place.experiment).join(&place.arm)
    }

    /// Prepares an arm, and compares it with what the ledger expects.
    async fn prepare(&self, place: &Place) -> Result<ReadyArm, String> {
        let house = self.0.house.lock().await;
        let Some(house) = house.as_ref() else { return Err("the worker stops".to_owned()) };
        let pins = self.0.ledger.pins(&place.experiment).await.map_err(|error| error.to_string())?;
        let found = differences(&pins).map_err(|failure| failure.text())?;
        if !found.is_empty() {
            return Err(format!("this program is another one: {}", found.join("; ")));
        }
        let text = self.0.ledger.file(&place.experiment).await.map_err(|error| error.to_string())?;
        let checked = Checked::of(&text, &house.settings).await.map_err(|failure| failure.text())?;
        let arm = checked.arms.iter().find(|arm| arm.label == place.arm);
        let arm = arm.ok_or_else(|| "the experiment's file has no such arm".to_owned())?;
        let judge_seed = entry::judge_seed(&pins, &place.arm);
        let ready = arm.args.ready(&self.folder(place), judge_seed, house).await.map_err(|failure| failure.text())?;
        if digest(&ready.record, arm) == place.digest {
            return Ok(ready);
        }
        let specs = self.0.ledger.specs(&place.experiment).await.map_err(|error| error.to_string())?;
        let here = entry::spec(&ready.record, arm.caps.tokens);
        let found = specs.get(&place.arm).map(|there| entry::differences(there, &here)).unwrap_or_default();
        ready.close().await;
        Err(format!("this machine would measure it in another way: {}", found.join("; ")))
    }

    /// Ends what was opened.
    pub async fn close(&self) {
        for (_, arm) in std::mem::take(&mut *self.0.ready.lock().await) {
            arm.close().await;
        }
        if let Some(house) = self.0.house.lock().await.take() {
            house.close().await;
        }
    }
}

#[async_trait]
impl Machine for ThisMachine {
    async fn arm(&self, place: &Place) -> Result<Prepared, String> {
        let key = (place.experiment.clone(), place.arm.clone());
        let mut ready = self.arms.0.ready.lock().await;
        if !ready.contains_key(&key) {
            let prepared = self.arms.prepare(place).await?;
            ready.insert(key.clone(), prepared);
        }
        let arm = &ready[&key];
        Ok(Prepared { arm: Arc::clone(&arm.arm), pricing: arm.pricing.clone() })
    }

    async fn deliver(&self, place: &Place, cell: &CellRef) -> Result<Files, String> {
        let folder = self.arms.folder(place);
        let name = archive_name(place, cell.number.into());
        let within = cell.folder();
        let archive = tokio::task::spawn_blocking(move || {
            let dir = RunDir::open(&folder).map_err(|error| error.to_string())?;
            pack_attempt(&dir, &within).map_err(|error| error.to_string())
        });
        let archive = archive.await.map_err(|error| error.to_string())??;
        let (sha256, bytes) = (sha256_hex(&archive), archive.len() as u64);
        let uri = self.artefacts.put(&name, archive).await.map_err(|error| error.to_string())?;
        Ok(Files { uri, sha256, bytes })
    }

    fn accepted(&self, place: &Place, cell: &CellRef) {
        let gone = match RunDir::open(&self.arms.folder(place)) {
            // Later attempts read what earlier ones left to be learned.
            Ok(dir) if !self.keeps && !entry::learns(dir.record()) => {
                (0..cell.number).try_for_each(|retry| dir.discard(&cell.item, cell.epoch, retry))
            }
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = gone {
            tracing::warn!(%error, "the folder of a delivered attempt stays");
        }
    }

    fn note(&self, place: &Place, outcome: Outcome, reason: Option<&str>) {
        let reason = reason.map(brief).unwrap_or_default();
        let line = format!("{}  {}  epoch {}  {}  {reason}", place.arm, place.item, place.epoch, outcome.name());
        progress(line.trim_end());
    }
}

/// The name of an attempt's archive among the artefacts.
pub fn archive_name(place: &Place, number: u64) -> String {
    format!("{}/{}/{}.{}-{number}.zip", place.experiment, place.arm, place.item, place.epoch)
}
