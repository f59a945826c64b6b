//! The folder of one run: created once, read again to resume or to report.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::attempt_dir::{AttemptDir, Lines, RECORD, read_lines};
use super::disk::Disk;
use super::foreign::{ANSWERS, HANDED_OVER, HANDED_OVER_ANSWERS, HandedOver, is_in_bundle, noted};
use super::lock::RunLock;
use super::own_files::{is_own_file, no_own_file, refuse_links_in};
use super::{StoreError, format1};
use crate::model::{AttemptRecord, ItemId, RUN_FORMAT, RunRecord};

/// The folder of attempts within that of a run.
pub(super) const ATTEMPTS: &str = "attempts";

/// The folder of one run.
#[derive(Debug, Clone)]
pub struct RunDir {
    path: PathBuf,
    record: RunRecord,
    disk: Disk,
    /// Whether it came in a bundle.
    is_foreign: bool,
    /// What was in its folder whenever a checkout took it over.
    handed_over: Vec<HandedOver>,
    /// Held by writers to the run, not by readers.
    _lock: Option<RunLock>,
}

impl RunDir {
    /// Creates the folder of a new run below `runs`.
    ///
    /// # Errors
    /// When the disk refuses, or a run of this name exists.
    pub fn create(runs: &Path, record: RunRecord) -> Result<Self, StoreError> {
        Self::create_on(Disk::default(), runs, record)
    }

    /// Begins a run in this very folder, whose name the record has as its id.
    ///
    /// # Errors
    /// When the disk refuses, or something lies there.
    pub fn create_in(folder: &Path, record: RunRecord) -> Result<Self, StoreError> {
        // A process that died between the folder and its first file left an empty one; any other stays, and is refused.
        let _ = fs::remove_dir(folder);
        Self::create(folder.parent().unwrap_or(folder), record)
    }

    /// The run with more items and attempts than it set out with.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn grown(mut self, items: Vec<ItemId>, attempts: u32) -> Result<Self, StoreError> {
        if items.is_empty() && attempts == self.record.attempts {
            return Ok(self);
        }
        self.record.items.extend(items);
        self.record.attempts = attempts;
        keep_record(&self.disk, &self.path, &self.record)?;
        Ok(self)
    }

    /// The run with another secret seed of its judgements, before anything was judged.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn with_judge_seed(mut self, seed: Option<u64>) -> Result<Self, StoreError> {
        self.record.judge_seed = seed;
        keep_record(&self.disk, &self.path, &self.record)?;
        Ok(self)
    }

    /// The run as one that this checkout goes on with under this secret seed, though it was begun elsewhere. The seed that its record
    /// named, the attempts that came with it, and the answers of models are kept apart, and the record says so.
    ///
    /// # Errors
    /// When the disk refuses.
    pub(super) fn taken_over(mut self, seed: Option<u64>) -> Result<Self, StoreError> {
        let all = self.complete()?;
        let attempts: BTreeSet<String> = all.into_iter().filter(|name| !self.is_claimed(name)).collect();
        if !attempts.is_empty() {
            self.handed_over.push(HandedOver { judge_seed: self.record.judge_seed, attempts });
            self.disk.write_private_json(&self.path.join(HANDED_OVER), &self.handed_over)?;
        }
        let came = self.handed_over.iter().map(|part| part.attempts.len()).sum::<usize>();
        if came > 0 {
            // Also where an earlier try got as far as the file.
            self.record.notes = noted(std::mem::take(&mut self.record.notes), came);
        }
        self.set_answers_aside()?;
        self.with_judge_seed(seed)
    }

    /// Nobody here has asked for the answers that came with a run: they answer no request to come.
    fn set_answers_aside(&self) -> Result<(), StoreError> {
        let answers = self.path.join(ANSWERS);
        if answers.is_file() {
            fs::rename(&answers, self.path.join(HANDED_OVER_ANSWERS)).map_err(StoreError::unwritable(&answers))?;
        }
        Ok(())
    }

    pub(super) fn create_on(disk: Disk, runs: &Path, record: RunRecord) -> Result<Self, StoreError> {
        let path = runs.join(&record.id);
        disk.make_lasting_folders(runs)?;
        // Fails on a folder that exists: two runs never share one.
        disk.make_folder(&path)?;
        keep_record(&disk, &path, &record)?;
        let lock = Some(RunLock::take(&path)?);
        disk.sync_folder(runs)?;
        Ok(Self { path, record, disk, is_foreign: false, handed_over: Vec::new(), _lock: lock })
    }

    /// The same run on another disk.
    #[cfg(test)]
    pub(super) fn on(self, disk: Disk) -> Self {
        Self { disk, ..self }
    }

    /// Opens the folder of an earlier run, of this format or an older one.
    ///
    /// # Errors
    /// When it is not a run directory, something else than files and folders lies in it, or it is one of a newer format.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let run = Self::of_record(path)?;
        // Through a link, what lies elsewhere would be read as of this run, and written to.
        refuse_links_in(path)?;
        Ok(run)
    }

    /// Whether the folder is a run's, also of one that can't be opened for what else lies there.
    pub fn is_at(folder: &Path) -> bool {
        Self::of_record(folder).is_ok()
    }

    /// The run as its record tells it, enough to list it: what else lies there is not looked at.
    pub(super) fn of_record(path: &Path) -> Result<Self, StoreError> {
        let file = path.join("run.json");
        if file.exists() && !is_own_file(&file) {
            return Err(no_own_file(&file));
        }
        let record: RunRecord = read(&file)?;
        let (is_foreign, came) = (is_in_bundle(path), path.join(HANDED_OVER));
        let handed_over = if is_own_file(&came) { read(&came)? } else { Vec::new() };
        Ok(Self { path: path.to_owned(), record, disk: Disk::default(), is_foreign, handed_over, _lock: None })
    }

    /// The same run as one that came in a bundle.
    pub(super) fn foreign(self) -> Self {
        Self { is_foreign: true, ..self }
    }

    /// Returns true for a run of a bundle: its outcomes, tests, scores and costs are claims of whoever packed it, and
    /// so are its grades.
    pub const fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// Returns true for an attempt, by the name of its folder, of which no more is known than whoever handed it over says: all of a
    /// bundle, and those that were in the folder of a run when this checkout took it over.
    pub fn is_claimed(&self, attempt: &str) -> bool {
        self.is_foreign || self.handed_over.iter().any(|part| part.attempts.contains(attempt))
    }

    /// Returns true for a run with such attempts.
    pub fn has_claims(&self) -> bool {
        self.is_foreign || !self.handed_over.is_empty()
    }

    /// Opens the folder of an earlier run to resume it, which one process may do at a time.
    ///
    /// # Errors
    /// As [`Self::open`]; [`StoreError::NoRun`] when nothing was begun there, [`StoreError::Foreign`] when it came in a
    /// bundle, [`StoreError::OlderFormat`] when an older version began it, [`StoreError::InUse`] when another process works on it.
    pub fn resume(path: &Path) -> Result<Self, StoreError> {
        if !path.join("run.json").exists() {
            return Err(StoreError::NoRun { path: path.to_owned() });
        }
        let opened = Self::open(path)?;
        if opened.is_foreign {
            return Err(StoreError::Foreign { path: path.to_owned() });
        }
        let found = opened.record.format;
        if found < RUN_FORMAT {
            return Err(StoreError::OlderFormat { path: path.to_owned(), found, known: RUN_FORMAT });
        }
        Ok(Self { _lock: Some(RunLock::take(path)?), ..opened })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Refuses if the disk has no room for one more attempt.
    ///
    /// # Errors
    /// [`StoreError::DiskFull`].
    pub fn check_room(&self) -> Result<(), StoreError> {
        if self.disk.has_room(&self.path) { Ok(()) } else { Err(StoreError::DiskFull { path: self.path.clone() }) }
    }

    /// What the run set out to do.
    pub const fn record(&self) -> &RunRecord {
        &self.record
    }

    /// The records in a file of the run, one a line, and the file for more of them. A last line that was broken off is cut
    /// away.
    ///
    /// # Errors
    /// When the disk refuses, or another line can't be read.
    pub fn lines<T: DeserializeOwned>(&self, name: &str) -> Result<(Vec<T>, Lines), StoreError> {
        let path = self.path.join(name);
        let (records, whole) = if path.is_file() { read_lines(&path)? } else { (Vec::new(), 0) };
        Ok((records, Lines::go_on(&self.disk, &path, whole)?))
    }

    /// Keeps a file that the run's figures need besides its records.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep(&self, name: &str, value: &impl Serialize) -> Result<(), StoreError> {
        self.disk.write_json(&self.path.join(name), value)
    }

    /// Keeps files in a folder of the run, which is named by what is in it: those that are there already are the same.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_files<'a>(
        &self,
        folder: &str,
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), StoreError> {
        let folder = self.path.join(folder);
        self.disk.make_lasting_folders(&folder)?;
        for (name, text) in files {
            let path = folder.join(name);
            if !path.is_file() {
                self.disk.write(&path, text.as_bytes())?;
            }
        }
        Ok(())
    }

    /// What was kept under a name; `None` where nothing was.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn kept<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let path = self.path.join(name);
        if !path.is_file() {
            return Ok(None);
        }
        let bytes = fs::read(&path).map_err(StoreError::unreadable(&path))?;
        serde_json::from_slice(&bytes).map(Some).map_err(|source| StoreError::Malformed { path, source })
    }

    /// The folder of a recorded attempt, relative to the run's.
    pub fn place<D>(record: &AttemptRecord<D>) -> String {
        format!("{ATTEMPTS}/{}", name(&record.item, record.attempt, record.retry))
    }

    /// The folder of a try, relative to the run's; `retry` is 0 for the first.
    pub fn place_of(item: &ItemId, attempt: u32, retry: u32) -> String {
        format!("{ATTEMPTS}/{}", name(item, attempt, retry))
    }

    /// Begins a try at an attempt; `retry` is 0 for the first. What a try of this name left that was broken off is thrown
    /// away.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn begin(&self, item: &ItemId, attempt: u32, retry: u32) -> Result<AttemptDir, StoreError> {
        let path = self.path.join(ATTEMPTS).join(name(item, attempt, retry));
        if path.is_dir() {
            self.disk.remove_folder(&path)?;
        }
        AttemptDir::create(&self.disk, path)
    }

    /// The complete tries at an attempt, the first one first.
    ///
    /// # Errors
    /// When one can't be read or is of a newer format.
    pub fn tries<D: DeserializeOwned>(&self, item: &ItemId, attempt: u32) -> Result<Vec<AttemptRecord<D>>, StoreError> {
        let file = |retry| self.path.join(ATTEMPTS).join(name(item, attempt, retry)).join(RECORD);
        (0..).map(file).take_while(|file| file.is_file()).map(|file| read(&file)).collect()
    }

    /// The complete tries at an attempt before this one; a try that was broken off leaves a gap.
    ///
    /// # Errors
    /// When one can't be read or is of a newer format.
    pub fn earlier<D: DeserializeOwned>(
        &self,
        item: &ItemId,
        attempt: u32,
        retry: u32,
    ) -> Result<Vec<AttemptRecord<D>>, StoreError> {
        (0..retry).filter_map(|retry| self.one(item, attempt, retry).transpose()).collect()
    }

    /// The record of a try, if it is complete.
    ///
    /// # Errors
    /// When it can't be read or is of a newer format.
    pub fn one<D: DeserializeOwned>(
        &self,
        item: &ItemId,
        attempt: u32,
        retry: u32,
    ) -> Result<Option<AttemptRecord<D>>, StoreError> {
        let file = self.path.join(ATTEMPTS).join(name(item, attempt, retry)).join(RECORD);
        if file.is_file() { read(&file).map(Some) } else { Ok(None) }
    }

    /// All complete tries with the names of their folders, sorted by these.
    ///
    /// # Errors
    /// When one can't be read or is of a newer format.
    pub fn attempts<D: DeserializeOwned>(&self) -> Result<Vec<(String, AttemptRecord<D>)>, StoreError> {
        let mut found = Vec::new();
        for (folder, record) in [(ATTEMPTS, RECORD), format1::TRIALS] {
            let folder = self.path.join(folder);
            if !folder.is_dir() {
                continue;
            }
            for entry in fs::read_dir(&folder).map_err(StoreError::unreadable(&folder))? {
                let entry = entry.map_err(StoreError::unreadable(&folder))?;
                let file = entry.path().join(record);
                if file.is_file() {
                    found.push((entry.file_name().to_string_lossy().into_owned(), file));
                }
            }
        }
        found.sort();
        found.into_iter().map(|(name, file)| Ok((name, read(&file)?))).collect()
    }
}

/// Writes what a run set out to do. With its secret seed no other user of the machine may read it.
fn keep_record(disk: &Disk, path: &Path, record: &RunRecord) -> Result<(), StoreError> {
    let file = path.join("run.json");
    if record.judge_seed.is_some() { disk.write_private_json(&file, record) } else { disk.write_json(&file, record) }
}

/// The name of a try's folder.
fn name(item: &ItemId, attempt: u32, retry: u32) -> String {
    if retry == 0 { format!("{item}.{attempt}") } else { format!("{item}.{attempt}.r{retry}") }
}

/// Reads a record after checking its format: a newer one may have other fields, and an older one has.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let bytes = fs::read(path).map_err(StoreError::unreadable(path))?;
    let malformed = |source| StoreError::Malformed { path: path.to_owned(), source };
    let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(malformed)?;
    let found = value["format"].as_u64().and_then(|format| u32::try_from(format).ok()).unwrap_or(0);
    if found > RUN_FORMAT {
        return Err(StoreError::NewerFormat { path: path.to_owned(), found, known: RUN_FORMAT });
    }
    let value = if found == 1 { format1::upgraded(value) } else { value };
    serde_json::from_value(value).map_err(malformed)
}

#[cfg(test)]
#[path = "run_dir_tests.rs"]
mod tests;
