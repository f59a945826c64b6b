//! Bundles: runs in one zip file, with the digest of each file in them. A bundle is read packed or unpacked, and so are the
//! runs of an experiment's folder.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use zip::ZipArchive;

use super::{RunDir, StoreError};
use crate::model::sha256_hex;

/// What says of a folder that it is an unpacked bundle, and what is in it.
pub const BUNDLE_FILE: &str = "bundle.json";
/// Version of the form of bundles. Raise it with any change that an older reader would misread.
pub const BUNDLE_FORMAT: u32 = 1;

/// Bytes that a bundle may unpack to.
const MOST_BYTES: u64 = 64 << 30;
/// Files that a bundle may have.
const MOST_FILES: usize = 2_000_000;

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
/// When there are none, one can't be read, or a bundle is not as it was packed.
pub fn open_runs(path: &Path) -> Result<OpenedRuns, StoreError> {
    if path.is_file() {
        let folder = unpacked(path)?;
        let opened = of_bundle(folder.path(), path)?;
        return Ok(OpenedRuns { unpacked: Some(folder), ..opened });
    }
    if path.join("run.json").is_file() {
        return Ok(OpenedRuns { runs: vec![RunDir::open(path)?], bundle: None, unpacked: None });
    }
    if path.join(BUNDLE_FILE).is_file() {
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
    for (file, digest) in &bundle.files {
        let altered = || StoreError::BundleAltered { path: place.to_owned(), file: file.clone() };
        let bytes = fs::read(folder.join(inside(file).ok_or_else(altered)?)).map_err(|_| altered())?;
        if sha256_hex(&bytes) != *digest {
            return Err(altered());
        }
    }
    let lost = || no_bundle(place, "it names a run outside of itself");
    let open = |name: &String| RunDir::open(&folder.join(inside(name).ok_or_else(lost)?));
    let runs = bundle.runs.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    Ok(OpenedRuns { runs, bundle: Some(bundle), unpacked: None })
}

fn record(folder: &Path, place: &Path) -> Result<BundleRecord, StoreError> {
    let file = folder.join(BUNDLE_FILE);
    let bytes = fs::read(&file).map_err(|_| no_bundle(place, &format!("it has no {BUNDLE_FILE}")))?;
    let malformed = |source| StoreError::Malformed { path: file.clone(), source };
    let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(malformed)?;
    let found = value["format"].as_u64().and_then(|format| u32::try_from(format).ok()).unwrap_or_default();
    if found > BUNDLE_FORMAT {
        return Err(StoreError::NewerFormat { path: place.to_owned(), found, known: BUNDLE_FORMAT });
    }
    serde_json::from_value(value).map_err(malformed)
}

fn no_bundle(path: &Path, reason: &str) -> StoreError {
    StoreError::NoBundle { path: path.to_owned(), reason: reason.to_owned() }
}

/// A path that leads nowhere else.
fn inside(name: &str) -> Option<&Path> {
    let path = Path::new(name);
    path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
}

/// Unpacks a bundle into a temporary folder. What an archive says of sizes is not trusted; bytes are counted.
fn unpacked(path: &Path) -> Result<TempDir, StoreError> {
    let file = File::open(path).map_err(StoreError::unreadable(path))?;
    let mut archive = ZipArchive::new(file).map_err(|_| no_bundle(path, "it is no zip file, or its end is missing"))?;
    if archive.len() > MOST_FILES {
        return Err(no_bundle(path, "it has too many files"));
    }
    let folder =
        tempfile::Builder::new().prefix("scratchbed-bundle-").tempdir().map_err(StoreError::unwritable(path))?;
    let mut left = MOST_BYTES;
    for at in 0..archive.len() {
        let broken = |error: zip::result::ZipError| no_bundle(path, &error.to_string());
        let entry = archive.by_index(at).map_err(broken)?;
        let name = entry.name().map_err(broken)?.into_owned();
        if entry.is_dir() {
            continue;
        }
        let within = inside(&name).ok_or_else(|| no_bundle(path, "a file would lie outside"))?;
        let target = folder.path().join(within);
        let write = || {
            fs::create_dir_all(target.parent().unwrap_or(folder.path()))?;
            io::copy(&mut entry.take(left + 1), &mut File::create(&target)?)
        };
        left = left
            .checked_sub(write().map_err(StoreError::unreadable(path))?)
            .ok_or_else(|| no_bundle(path, "it is too large"))?;
    }
    Ok(folder)
}
