//! A pool: normalised gold projects with what was measured of them and under which licence they come.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::BugsError;
use super::record::{Doubt, ReferenceRecord};
use crate::files::{hold_lock, write_whole};
use crate::project::Project;

/// Version of the format of pools.
const FORMAT: u32 = 1;
/// The index of a pool.
const INDEX: &str = "pool.json";
/// The record of a project.
pub const RECORD: &str = "record.json";
/// The file that is locked; no project's name begins with a dot.
const LOCK: &str = ".lock";

/// A folder of gold projects.
#[derive(Debug, Clone, PartialEq)]
pub struct Pool {
    folder: PathBuf,
    index: PoolIndex,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolIndex {
    format: u32,
    /// Which thresholds its projects pass: `paper`, `relaxed`, or `none`.
    profile: String,
    projects: Vec<PoolEntry>,
}

/// A project of a pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolEntry {
    /// Its name, which is that of its folder.
    pub id: String,
    /// SHA-256 of `golden.sb3`.
    pub sha256: String,
    /// Projects of one group are alike, and stay in the same fold.
    pub group: String,
}

/// Where a project comes from, and what may be done with it (section 2.1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Licence {
    pub source: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub url: Option<String>,
    /// The licence by its SPDX expression; absent where it is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub spdx: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub attribution: Option<String>,
    /// The day on which it was fetched, such as 2026-11-26.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub retrieved: Option<String>,
    /// SHA-256 of the file as it came.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sha256_original: Option<String>,
    /// What was done to it, such as `converted` and `fault injected`.
    #[serde(default)]
    pub changes: Vec<String>,
    #[serde(default)]
    pub share_alike: bool,
    /// Whether it may be passed on. What has no known licence is used and never exported.
    #[serde(default)]
    pub publish: bool,
}

impl Pool {
    /// Begins a pool without projects in an empty or new folder.
    ///
    /// # Errors
    /// When the folder can't be written.
    pub fn create(folder: &Path, profile: &str) -> Result<Self, BugsError> {
        let index = PoolIndex { format: FORMAT, profile: profile.to_owned(), projects: Vec::new() };
        let pool = Self { folder: folder.to_owned(), index };
        pool.save()?;
        Ok(pool)
    }

    /// Opens a pool.
    ///
    /// # Errors
    /// When there is none, or its index is broken.
    pub fn open(folder: &Path) -> Result<Self, BugsError> {
        if !folder.join(INDEX).is_file() {
            return Err(BugsError::NoPool(folder.to_owned()));
        }
        Ok(Self { folder: folder.to_owned(), index: read_json(&folder.join(INDEX))? })
    }

    /// Which thresholds its projects pass.
    pub fn profile(&self) -> &str {
        &self.index.profile
    }

    /// The projects by their names.
    pub fn entries(&self) -> &[PoolEntry] {
        &self.index.projects
    }

    /// The entry of a project.
    ///
    /// # Errors
    /// When the pool has no such project.
    pub fn entry(&self, id: &str) -> Result<&PoolEntry, BugsError> {
        let known = self.index.projects.iter().find(|entry| entry.id == id);
        known.ok_or_else(|| BugsError::NoProject { id: id.to_owned(), pool: self.folder.clone() })
    }

    /// The folder of a project.
    pub fn folder_of(&self, id: &str) -> PathBuf {
        self.folder.join(id)
    }

    /// Adds or replaces a project, whose other files lie in its folder already.
    ///
    /// # Errors
    /// When a file can't be written.
    pub fn add(&mut self, entry: PoolEntry, golden: &[u8]) -> Result<(), BugsError> {
        write(&self.folder_of(&entry.id).join("golden.sb3"), golden)?;
        self.index.projects.retain(|known| known.id != entry.id);
        self.index.projects.push(entry);
        self.index.projects.sort_by(|one, other| one.id.cmp(&other.id));
        self.save()
    }

    /// Takes all out whose names are not wanted any more; their files stay.
    ///
    /// # Errors
    /// When the index can't be written.
    pub fn keep(&mut self, is_wanted: impl Fn(&str) -> bool) -> Result<(), BugsError> {
        let before = self.index.projects.len();
        self.index.projects.retain(|entry| is_wanted(&entry.id));
        if self.index.projects.len() == before { Ok(()) } else { self.save() }
    }

    /// Writes a file about a project as JSON.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn note<T: Serialize>(&self, id: &str, file: &str, value: &T) -> Result<(), BugsError> {
        write_json(&self.folder_of(id).join(file), value)
    }

    /// Writes a file of a project.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn put(&self, id: &str, file: &str, bytes: &[u8]) -> Result<(), BugsError> {
        write(&self.folder_of(id).join(file), bytes)
    }

    /// Removes a file about a project, if it is there.
    ///
    /// # Errors
    /// When it can't be removed.
    pub fn remove(&self, id: &str, file: &str) -> Result<(), BugsError> {
        let file = self.folder_of(id).join(file);
        match fs::remove_file(&file) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(BugsError::File { file, source }),
            _ => Ok(()),
        }
    }

    /// Reads a file about a project; `None` where there is none.
    ///
    /// # Errors
    /// When it is broken.
    pub fn noted<T: DeserializeOwned>(&self, id: &str, file: &str) -> Result<Option<T>, BugsError> {
        let file = self.folder_of(id).join(file);
        if file.is_file() { read_json(&file).map(Some) } else { Ok(None) }
    }

    /// Waits until no other process changes what people say of the projects, and keeps others from it until the returned file is dropped.
    /// Whoever reads reviews or a record and writes them again holds it meanwhile, since what another one has written between would be
    /// lost. It is not to be asked for twice.
    ///
    /// # Errors
    /// When the folder can't be written, or its file system has no locks.
    pub fn lock(&self) -> Result<File, BugsError> {
        let file = self.folder.join(LOCK);
        hold_lock(&file).map_err(|source| BugsError::File { file, source })
    }

    /// The record of what a project is for, as it counts for the project that the pool has now, and why it is not confirmed if it says so.
    ///
    /// # Errors
    /// When the pool has no such project, or its record is missing or broken.
    pub fn record(&self, id: &str) -> Result<(ReferenceRecord, Option<Doubt>), BugsError> {
        let entry = self.entry(id)?;
        let record: ReferenceRecord = read_json(&self.folder_of(id).join(RECORD))?;
        Ok(record.counted(&entry.sha256))
    }

    /// The same of a project that may have none.
    ///
    /// # Errors
    /// When the record is broken.
    pub fn record_of(&self, entry: &PoolEntry) -> Result<Option<(ReferenceRecord, Option<Doubt>)>, BugsError> {
        let record: Option<ReferenceRecord> = self.noted(&entry.id, RECORD)?;
        Ok(record.map(|record| record.counted(&entry.sha256)))
    }

    fn save(&self) -> Result<(), BugsError> {
        write_json(&self.folder.join(INDEX), &self.index)
    }

    /// The gold project.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn golden(&self, id: &str) -> Result<Project, BugsError> {
        read_project(&self.folder_of(id).join("golden.sb3"))
    }

    /// Where a project comes from.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn licence(&self, id: &str) -> Result<Licence, BugsError> {
        read_json(&self.folder_of(id).join("licence.json"))
    }
}

pub(super) fn read_project(file: &Path) -> Result<Project, BugsError> {
    let bytes = fs::read(file).map_err(|source| BugsError::File { file: file.to_owned(), source })?;
    Project::read(&bytes).map_err(|source| BugsError::Project { file: file.to_owned(), source })
}

pub(super) fn read_json<T: DeserializeOwned>(file: &Path) -> Result<T, BugsError> {
    let text = fs::read_to_string(file).map_err(|source| BugsError::File { file: file.to_owned(), source })?;
    serde_json::from_str(&text)
        .map_err(|error| BugsError::Malformed { file: file.to_owned(), message: error.to_string() })
}

pub(super) fn write_json<T: Serialize>(file: &Path, value: &T) -> Result<(), BugsError> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| BugsError::Malformed { file: file.to_owned(), message: error.to_string() })?;
    write(file, format!("{text}\n").as_bytes())
}

/// Writes a file as a whole or not at all; its folder is made.
///
/// # Errors
/// When it can't be written.
pub fn write(file: &Path, bytes: &[u8]) -> Result<(), BugsError> {
    let failed = |source| BugsError::File { file: file.to_owned(), source };
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    write_whole(file, bytes).map_err(failed)
}
