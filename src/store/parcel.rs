//! An attempt as one archive, with the record of its run, and back: how attempts travel between machines.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::run_dir::ATTEMPTS;
use super::unpacker::Unpacker;
use super::{RunDir, StoreError, UnpackLimits};
use crate::files::make_private_folders;

/// The record of a run.
const RUN: &str = "run.json";
/// What attempts are called that are being unpacked.
const UNFINISHED: &str = "unpacking";

/// An attempt of a run as an archive; `place` is its folder, relative to the run's.
///
/// # Errors
/// When its files can't be read.
pub fn pack_attempt(dir: &RunDir, place: &str) -> Result<Vec<u8>, StoreError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let unwritable = |error: zip::result::ZipError| StoreError::Unwritable { path: place.into(), source: error.into() };
    let mut files = vec![dir.path().join(RUN)];
    collect(&dir.path().join(place), &mut files)?;
    for file in files {
        let name = file.strip_prefix(dir.path()).unwrap_or(&file).to_string_lossy().into_owned();
        let bytes = fs::read(&file).map_err(StoreError::unreadable(&file))?;
        archive.start_file(name, SimpleFileOptions::default()).map_err(unwritable)?;
        archive.write_all(&bytes).map_err(StoreError::unwritable(&file))?;
    }
    Ok(archive.finish().map_err(unwritable)?.into_inner())
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) -> Result<(), StoreError> {
    let mut entries = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>())
        .map_err(StoreError::unreadable(folder))?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Unpacks an attempt into the folder of its run, which is begun with the run's record if there is none. Whether it was new:
/// an attempt that lies there already stays.
///
/// # Errors
/// When the archive is none of an attempt, or too large, or the disk refuses.
pub fn unpack_attempt(archive: &[u8], run: &Path) -> Result<bool, StoreError> {
    let mut archive = Unpacker::open(Cursor::new(archive), run, UnpackLimits::LARGE, no_attempt)?;
    let names = archive.names();
    make_private_folders(&run.join(ATTEMPTS)).map_err(StoreError::unwritable(run))?;
    archive.check_room(names.iter(), run)?;
    // One name for all: whoever unpacks holds the run's lock.
    let unfinished = run.join(UNFINISHED);
    let _ = fs::remove_dir_all(&unfinished);
    let mut attempt = None;
    for name in &names {
        let path = match name.strip_prefix(ATTEMPTS).and_then(|rest| rest.strip_prefix('/')) {
            Some(within) => {
                attempt = within.split('/').next();
                unfinished.join(within)
            }
            None if name == RUN && run.join(RUN).is_file() => continue,
            // In its place when it is whole.
            None if name == RUN => unfinished.join(RUN),
            None => return Err(no_attempt(run, "it holds more than an attempt")),
        };
        archive.unpack(name, &path)?;
    }
    let name = attempt.ok_or_else(|| no_attempt(run, "it holds no attempt"))?;
    if unfinished.join(RUN).is_file() {
        fs::rename(unfinished.join(RUN), run.join(RUN)).map_err(StoreError::unwritable(run))?;
    }
    let place = run.join(ATTEMPTS).join(name);
    let is_new = !place.exists();
    if is_new {
        fs::rename(unfinished.join(name), &place).map_err(StoreError::unwritable(&place))?;
    }
    fs::remove_dir_all(&unfinished).map_err(StoreError::unwritable(&unfinished))?;
    Ok(is_new)
}

/// Why an archive for this run holds no attempt.
fn no_attempt(run: &Path, reason: &str) -> StoreError {
    let source = std::io::Error::new(std::io::ErrorKind::InvalidData, reason.to_owned());
    StoreError::Unreadable { path: run.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::model::RunRecord;

    #[test]
    fn an_attempt_travels_whole_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let record =
            RunRecord { id: "arm".to_owned(), judge_seed: Some(7), ..crate::store::fakes::run(&["fourth_drum"]) };
        let dir = RunDir::create(folder.path(), record).unwrap();
        let item = "fourth_drum".parse().unwrap();
        let attempt = dir.begin(&item, 1, 0).unwrap();
        attempt.keep_project(b"sb3").unwrap();
        let archive = pack_attempt(&dir, "attempts/fourth_drum.1").unwrap();
        let other = folder.path().join("elsewhere/arm");
        assert!(unpack_attempt(&archive, &other).unwrap());
        assert!(!unpack_attempt(&archive, &other).unwrap());
        assert_eq!(fs::read(other.join("attempts/fourth_drum.1/project.sb3")).unwrap(), b"sb3");
        assert_eq!(RunDir::open(&other).unwrap().record(), dir.record());
        assert!(!other.join(UNFINISHED).exists());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&other), mode(&other.join(RUN))), (0o700, 0o600), "it has a secret seed");
        assert!(unpack_attempt(b"no archive", &other).is_err());
    }
}
