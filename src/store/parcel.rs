//! An attempt as one archive, with the record of its run, and back: how attempts travel between machines.

use std::fs;
use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::run_dir::ATTEMPTS;
use super::{RunDir, StoreError};

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
/// When the archive is none of an attempt, or the disk refuses.
pub fn unpack_attempt(archive: &[u8], run: &Path) -> Result<bool, StoreError> {
    let unreadable = |reason: &str| StoreError::Unreadable {
        path: run.to_owned(),
        source: std::io::Error::new(std::io::ErrorKind::InvalidData, reason.to_owned()),
    };
    let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(|error| unreadable(&error.to_string()))?;
    fs::create_dir_all(run.join(ATTEMPTS)).map_err(StoreError::unwritable(run))?;
    // One name for all: whoever unpacks holds the run's lock.
    let unfinished = run.join(UNFINISHED);
    let _ = fs::remove_dir_all(&unfinished);
    let mut attempt = None;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| unreadable(&error.to_string()))?;
        let name = entry.enclosed_name().ok_or_else(|| unreadable("a name leads out of the archive"))?;
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(StoreError::unreadable(&name))?;
        let within = name.strip_prefix(ATTEMPTS).ok();
        let path = match within {
            Some(within) => {
                attempt = within.components().next().map(|first| first.as_os_str().to_owned());
                unfinished.join(within)
            }
            None if name == Path::new(RUN) && run.join(RUN).is_file() => continue,
            None if name == Path::new(RUN) => run.join(RUN),
            None => return Err(unreadable("it holds more than an attempt")),
        };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(StoreError::unwritable(parent))?;
        }
        fs::write(&path, &bytes).map_err(StoreError::unwritable(&path))?;
    }
    let name = attempt.ok_or_else(|| unreadable("it holds no attempt"))?;
    let place = run.join(ATTEMPTS).join(&name);
    let is_new = !place.exists();
    if is_new {
        fs::rename(unfinished.join(&name), &place).map_err(StoreError::unwritable(&place))?;
    }
    fs::remove_dir_all(&unfinished).map_err(StoreError::unwritable(&unfinished))?;
    Ok(is_new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RunRecord;

    #[test]
    fn an_attempt_travels_whole_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let record = RunRecord { id: "arm".to_owned(), ..crate::store::fakes::run(&["fourth_drum"]) };
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
        assert!(unpack_attempt(b"no archive", &other).is_err());
    }
}
