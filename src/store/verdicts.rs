//! Verdicts that this checkout has given itself, apart from the runs whose projects they are on. Whoever hands over a
//! run can write any grade into it and renew all digests, so a grade counts only if its verdict is here.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{ByDigest, RunDir, StoreError};
use crate::model::{JudgeSeed, TaskId, VerdictRecord, sha256_hex};

/// What the secret key of a checkout is kept under.
const KEY: &[u8] = b"key of judge seeds";

/// What is kept of a run that was begun here.
#[derive(Debug, Serialize, Deserialize)]
struct BegunRun {
    judge_seed: Option<u64>,
    /// Attempts that were in its folder before, by the names of their folders: this checkout goes on with a run that was begun
    /// elsewhere.
    #[serde(skip_serializing_if = "BTreeSet::is_empty", default)]
    elsewhere: BTreeSet<String>,
}

impl BegunRun {
    /// One with no attempts but its own.
    const fn own(judge_seed: Option<u64>) -> Self {
        Self { judge_seed, elsewhere: BTreeSet::new() }
    }
}

/// The folder of these verdicts, by the digests of task, project and judge.
#[derive(Debug, Clone)]
pub struct VerdictStore {
    records: ByDigest,
}

impl VerdictStore {
    /// The verdicts in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { records: ByDigest::private(folder) }
    }

    /// Returns the verdict of a judge on a project, both by their digests, under this secret seed; `None` if this checkout has not given
    /// it.
    ///
    /// # Errors
    /// When its file can't be read.
    pub fn find(
        &self,
        task: &TaskId,
        project: &str,
        judge: &str,
        judge_seed: Option<u64>,
    ) -> Result<Option<VerdictRecord>, StoreError> {
        let found: Option<VerdictRecord> = self.records.get(&key(task, project, judge, judge_seed))?;
        let is_it =
            |found: &VerdictRecord| found.task == *task && found.project == project && found.grade.judge == judge;
        Ok(found.filter(|found| is_it(found) && found.judge_seed == judge_seed))
    }

    /// Returns the secret seed under which this checkout judges a project that was made elsewhere, by its digest. Each project has its
    /// own, so that what one may read out of its seed, test by test, is of no use to another. The key to all of them is drawn when it is
    /// first asked for.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn judge_seed(&self, project: &str) -> Result<u64, StoreError> {
        let place = sha256_hex(KEY);
        let mut key: Option<String> = self.records.get(&place)?;
        if key.is_none() {
            let drawn = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
            self.records.put(&place, &drawn)?;
            // That of another process, if it was first.
            key = self.records.get(&place)?.or(Some(drawn));
        }
        Ok(JudgeSeed::keyed(&key.unwrap_or_default(), project))
    }

    /// Keeps that a run was begun here, and with which secret seed. A run that has attempts already keeps what is known of it: nothing
    /// if it was begun elsewhere.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_begun(&self, run: &RunDir) -> Result<(), StoreError> {
        if RunDir::has_attempts(run.path()) {
            return Ok(());
        }
        self.records.replace(&self.place(run), &BegunRun::own(run.record().judge_seed))
    }

    /// Whether the run in this folder was begun here, with the secret seed that its record names. Whoever hands over a folder can write
    /// any seed into it, or none.
    ///
    /// # Errors
    /// When what is kept can't be read.
    pub fn has_begun(&self, run: &RunDir) -> Result<bool, StoreError> {
        Ok(self.begun(run)?.is_some())
    }

    /// Whether an attempt of a run, by the name of its folder, was made here: the run was begun here, and the attempt did not come with
    /// its folder.
    ///
    /// # Errors
    /// When what is kept can't be read.
    pub fn has_made(&self, run: &RunDir, attempt: &str) -> Result<bool, StoreError> {
        Ok(self.begun(run)?.is_some_and(|begun| !begun.elsewhere.contains(attempt)))
    }

    /// What is kept of a run, if its record names the secret seed that it was begun with.
    fn begun(&self, run: &RunDir) -> Result<Option<BegunRun>, StoreError> {
        let begun: Option<BegunRun> = self.records.get(&self.place(run))?;
        Ok(begun.filter(|begun| begun.judge_seed == run.record().judge_seed))
    }

    /// The run with a secret seed that is drawn now, if it was not begun here: the seed in its record, or that there is none, may be the
    /// choice of whoever handed it over, and serves no judgement to come. Any other run as it is.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn with_own_seed(&self, run: RunDir) -> Result<RunDir, StoreError> {
        if self.has_begun(&run)? { Ok(run) } else { self.take_over(run, Some(JudgeSeed::draw())) }
    }

    /// Goes on with a run that was begun elsewhere, under this secret seed. The attempts in its folder are none of ours: they are not
    /// judged again under this seed, and the record of the run says that they came with it.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn take_over(&self, run: RunDir, judge_seed: Option<u64>) -> Result<RunDir, StoreError> {
        // Before the seed stands in the record: until it does, the run counts as one that was not begun here.
        self.records.replace(&self.place(&run), &BegunRun { judge_seed, elsewhere: run.complete()? })?;
        run.taken_over(judge_seed)
    }

    /// Keeps the secret seed under which an attempt was judged that is brought from one run to another, where it was made here in the
    /// first; what the files of either say is nothing to go by. `attempt` is the name of its folder. An attempt that was there before under
    /// this name is no longer what is kept.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_taken(&self, from: &RunDir, to: &Path, attempt: &str) -> Result<(), StoreError> {
        if !self.has_made(from, attempt)? {
            return Ok(());
        }
        self.records.replace(&self.place_taken(to, attempt), &BegunRun::own(from.record().judge_seed))
    }

    /// The secret seed under which an attempt was judged that was brought to this run; `None` where that was not kept here.
    ///
    /// # Errors
    /// When what is kept can't be read.
    pub fn taken(&self, run: &Path, attempt: &str) -> Result<Option<JudgeSeed>, StoreError> {
        let kept: Option<BegunRun> = self.records.get(&self.place_taken(run, attempt))?;
        Ok(kept.map(|kept| kept.judge_seed.map_or(JudgeSeed::Absent, JudgeSeed::Given)))
    }

    fn place(&self, run: &RunDir) -> String {
        sha256_hex(format!("run\n{}", self.within(run.path())).as_bytes())
    }

    fn place_taken(&self, run: &Path, attempt: &str) -> String {
        sha256_hex(format!("taken\n{}\n{attempt}", self.within(run)).as_bytes())
    }

    /// What a run is known by: where it lies, seen from the folder that has these verdicts, so that a checkout may be moved.
    fn within(&self, run: &Path) -> String {
        let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let path = whole(run);
        let around = self.records.folder().parent().map(whole);
        let within = around.as_deref().and_then(|around| path.strip_prefix(around).ok()).unwrap_or(&path);
        within.display().to_string()
    }

    /// Keeps a verdict, in place of an earlier one of the same judge on the same project.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep(&self, verdict: &VerdictRecord) -> Result<(), StoreError> {
        let VerdictRecord { task, project, judge_seed, grade } = verdict;
        self.records.replace(&key(task, project, &grade.judge, *judge_seed), verdict)
    }
}

fn key(task: &TaskId, project: &str, judge: &str, judge_seed: Option<u64>) -> String {
    sha256_hex(format!("{task}\n{project}\n{judge}\n{judge_seed:?}").as_bytes())
}

#[cfg(test)]
#[path = "verdicts_tests.rs"]
mod tests;
