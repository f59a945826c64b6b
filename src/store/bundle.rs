//! Bundles: runs in one zip file, with the digest of each file in them. A bundle is read packed or unpacked, and so are the
//! runs of an experiment's folder. Digests tell of accidents, not of forgers, who renew them: the runs are foreign.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::grades::is_grade;
use super::unpacker::{UnpackLimits, Unpacker, inside};
use super::{RunDir, StoreError};
use crate::model::sha256_of;

/// What says of a folder that it is an unpacked bundle, and what is in it.
pub const BUNDLE_FILE: &str = "bundle.json";
/// Version of the form of bundles. Raise it with any change that an older reader would misread.
pub const BUNDLE_FORMAT: u32 = 1;

/// Bytes of the record of a bundle for each of its files, a path and a digest, where there are many.
const RECORD_BYTES: u64 = 256;
/// The same where there are few, whose paths may all be long ones.
const LONGEST_LINE: u64 = 1024;
/// Bytes of the record of a bundle besides.
const RECORD_HEAD: u64 = 64 << 10;

/// What a bundle holds, as `bundle.json` says it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleRecord {
    /// Version of this form; [`BUNDLE_FORMAT`].
    pub format: u32,
    /// The version of scratchbed that packed it.
    pub version: String,
    /// When, in seconds since 1970.
    pub made_at: f64,
    /// The folders of its runs, from its root.
    pub runs: Vec<String>,
    /// SHA-256 of each file, by its path from the root; this record has none.
    pub files: BTreeMap<String, String>,
}

/// Runs that were found in one place. What was unpacked for them is removed with this.
#[derive(Debug)]
pub struct OpenedRuns {
    pub runs: Vec<RunDir>,
    /// What the bundle says of itself, if it is one.
    pub bundle: Option<BundleRecord>,
    unpacked: Option<TempDir>,
}

impl OpenedRuns {
    /// The temporary folder of a packed bundle.
    pub fn unpacked(&self) -> Option<&Path> {
        self.unpacked.as_ref().map(TempDir::path)
    }
}

/// Opens the run in a folder, the runs of an experiment's folder, or those of a bundle, packed or not.
///
/// # Errors
/// When there are none, one can't be read, or a bundle is not as it was packed, or too large.
pub fn open_runs(path: &Path) -> Result<OpenedRuns, StoreError> {
    open_runs_within(path, UnpackLimits::USUAL)
}

/// The same with other limits on what is unpacked.
///
/// # Errors
/// As [`open_runs`].
pub fn open_runs_within(path: &Path, limits: UnpackLimits) -> Result<OpenedRuns, StoreError> {
    if path.is_file() {
        let folder = unpacked(path, limits)?;
        let opened = of_bundle(folder.path(), path)?;
        return Ok(OpenedRuns { unpacked: Some(folder), ..opened });
    }
    if path.join("run.json").is_file() {
        return Ok(OpenedRuns { runs: vec![RunDir::open(path)?], bundle: None, unpacked: None });
    }
    if path.join(BUNDLE_FILE).is_file() {
        let bytes = path.join(BUNDLE_FILE).metadata().map_or(0, |file| file.len());
        check_record(path, bytes, limits.files, limits)?;
        return of_bundle(path, path);
    }
    let mut folders: Vec<PathBuf> = fs::read_dir(path).into_iter().flatten().flatten().map(|one| one.path()).collect();
    folders.retain(|folder| folder.join("run.json").is_file());
    folders.sort();
    let runs = folders.iter().map(|folder| RunDir::open(folder)).collect::<Result<Vec<_>, _>>()?;
    if runs.is_empty() {
        return Err(StoreError::NoRun { path: path.to_owned() });
    }
    Ok(OpenedRuns { runs, bundle: None, unpacked: None })
}

/// The runs of a bundle that lies unpacked in `folder`; errors name `place`.
fn of_bundle(folder: &Path, place: &Path) -> Result<OpenedRuns, StoreError> {
    let bundle = record(folder, place)?;
    // Grades in a bundle count for nothing, so `regrade` may replace them.
    for (file, digest) in bundle.files.iter().filter(|(file, _)| !is_grade(file)) {
        let altered = || StoreError::BundleAltered { path: place.to_owned(), file: file.clone() };
        let content = File::open(folder.join(inside(file).ok_or_else(altered)?)).map_err(|_| altered())?;
        if sha256_of(content).map_err(|_| altered())? != *digest {
            return Err(altered());
        }
    }
    let lost = || no_bundle(place, "it names a run outside of itself");
    let open = |name: &String| RunDir::open(&folder.join(inside(name).ok_or_else(lost)?)).map(RunDir::foreign);
    let runs = bundle.runs.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    Ok(OpenedRuns { runs, bundle: Some(bundle), unpacked: None })
}

fn record(folder: &Path, place: &Path) -> Result<BundleRecord, StoreError> {
    let file = folder.join(BUNDLE_FILE);
    let bytes = fs::read(&file).map_err(|_| no_record(place))?;
    read_record(&bytes, &file)
}

/// A record of this version of the form, or an older one; errors name `place`.
fn read_record(bytes: &[u8], place: &Path) -> Result<BundleRecord, StoreError> {
    /// All that is looked at of a record that may be a newer one; nothing else of it is kept.
    #[derive(Deserialize)]
    struct Formatted {
        #[serde(default)]
        format: u64,
    }
    let malformed = |source| StoreError::Malformed { path: place.to_owned(), source };
    let Formatted { format } = serde_json::from_slice(bytes).map_err(malformed)?;
    if format > u64::from(BUNDLE_FORMAT) {
        let found = u32::try_from(format).unwrap_or(u32::MAX);
        return Err(StoreError::NewerFormat { path: place.to_owned(), found, known: BUNDLE_FORMAT });
    }
    serde_json::from_slice(bytes).map_err(malformed)
}

/// Refuses a record of more bytes than so many files need, before any of it is read.
fn check_record(path: &Path, bytes: u64, files: usize, limits: UnpackLimits) -> Result<(), StoreError> {
    let most = (LONGEST_LINE * files as u64).min(RECORD_BYTES * limits.files as u64) + RECORD_HEAD;
    if bytes > most { Err(StoreError::RecordTooLarge { path: path.to_owned(), bytes, most }) } else { Ok(()) }
}

fn no_bundle(path: &Path, reason: &str) -> StoreError {
    StoreError::NoBundle { path: path.to_owned(), reason: reason.to_owned() }
}

fn no_record(path: &Path) -> StoreError {
    no_bundle(path, &format!("it has no {BUNDLE_FILE}"))
}

/// Unpacks the files of a bundle that its record lists into a temporary folder, with the record.
fn unpacked(path: &Path, limits: UnpackLimits) -> Result<TempDir, StoreError> {
    let file = File::open(path).map_err(StoreError::unreadable(path))?;
    let mut archive = Unpacker::open(file, path, limits, no_bundle)?;
    let bytes = archive.listed_bytes(BUNDLE_FILE).ok_or_else(|| no_record(path))?;
    check_record(path, bytes, archive.file_count(), limits)?;
    // Should the archive have said too little, no more than that is unpacked.
    let record = archive.read(BUNDLE_FILE, bytes)?.ok_or_else(|| no_record(path))?;
    let bundle = read_record(&record, path)?;
    let folder =
        tempfile::Builder::new().prefix("scratchbed-bundle-").tempdir().map_err(StoreError::unwritable(path))?;
    archive.check_room(bundle.files.keys(), folder.path())?;
    fs::write(folder.path().join(BUNDLE_FILE), record).map_err(StoreError::unwritable(path))?;
    for file in bundle.files.keys() {
        let altered = || StoreError::BundleAltered { path: path.to_owned(), file: file.clone() };
        let target = folder.path().join(inside(file).ok_or_else(altered)?);
        if !archive.unpack(file, &target)? {
            return Err(altered());
        }
    }
    Ok(folder)
}

#[cfg(test)]
#[path = "bundle_tests.rs"]
mod tests;
