//! A cache of judgements by everything they depend on, so that nothing is judged twice.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use serde_json::Value;

use super::judging::{JudgeProject, Trial};
use crate::files::write_whole;
use crate::judge::JudgeError;
use crate::model::{Outcome, Verdict, sha256_hex};
use crate::taskset::TaskEntry;

/// A judge with a cache.
pub struct KeptJudge<J> {
    judge: J,
    folder: PathBuf,
    surroundings: String,
    fresh: bool,
    /// What this process judged, which is fresh enough.
    own: Mutex<BTreeSet<PathBuf>>,
}

impl<J> KeptJudge<J> {
    /// Keeps verdicts below `folder`. `surroundings` says what they depend on beside task, project and trial: the
    /// versions of the programs. With `fresh`, what was kept is not used, and is replaced.
    pub const fn new(judge: J, folder: PathBuf, surroundings: String, fresh: bool) -> Self {
        Self { judge, folder, surroundings, fresh, own: Mutex::new(BTreeSet::new()) }
    }

    fn may_use(&self, place: &Path) -> bool {
        !self.fresh || self.own.lock().unwrap_or_else(PoisonError::into_inner).contains(place)
    }

    fn place(&self, entry: &TaskEntry, sb3: &[u8], trial: Trial) -> Option<PathBuf> {
        let script = entry.evaluation().ok()?.digest();
        // A judge does not depend on how many steps an agent may take.
        let (limits, stage) = (&entry.task.limits, &entry.task.stage);
        let trial = serde_json::to_string(&(trial, limits.case_ms, limits.task_ms, stage, entry.contract())).ok()?;
        let key = format!("{}\n{script}\n{trial}\n{}", sha256_hex(sb3), self.surroundings);
        let name = format!("{}.json", sha256_hex(key.as_bytes()));
        Some(self.folder.join(entry.task.id.as_str()).join(name))
    }
}

/// Size and time of program files: what other versions of them judged is not used.
pub fn surroundings(programs: &[&Path]) -> String {
    let stamp = |path: &&Path| {
        let meta = fs::metadata(path).ok();
        format!("{} {:?}\n", path.display(), meta.map(|meta| (meta.len(), meta.modified().ok())))
    };
    programs.iter().map(stamp).collect()
}

#[async_trait]
impl<J: JudgeProject> JudgeProject for KeptJudge<J> {
    async fn judge(&self, entry: &TaskEntry, sb3: &[u8], trial: Trial) -> Result<Verdict, JudgeError> {
        let place = self.place(entry, sb3, trial);
        if let Some(kept) = place.as_ref().filter(|place| self.may_use(place)).and_then(|place| read(place)) {
            return Ok(kept);
        }
        let verdict = self.judge.judge(entry, sb3, trial).await?;
        if let Some(place) = place.filter(|_| verdict.outcome != Outcome::InfraError) {
            match keep(&place, &verdict) {
                Ok(()) => drop(self.own.lock().unwrap_or_else(PoisonError::into_inner).insert(place)),
                Err(error) => {
                    tracing::warn!(%error, path = %place.display(), "a judgement could not be kept");
                }
            }
        }
        Ok(verdict)
    }

    /// Traces are large, and few are asked for: none is kept.
    async fn trace(&self, entry: &TaskEntry, sb3: &[u8], trial: Trial) -> Result<Option<Value>, JudgeError> {
        self.judge.trace(entry, sb3, trial).await
    }
}

/// A file that can't be read counts as missing.
fn read(place: &Path) -> Option<Verdict> {
    serde_json::from_slice(&fs::read(place).ok()?).ok()
}

fn keep(place: &Path, verdict: &Verdict) -> std::io::Result<()> {
    fs::create_dir_all(place.parent().unwrap_or(Path::new(".")))?;
    write_whole(place, &serde_json::to_vec(verdict)?)
}
