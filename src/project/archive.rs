//! The .sb3 archive: reading with bounds, writing byte for byte the same everywhere.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};

use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// Files an archive may have; the largest published projects have some hundreds.
pub const MAX_ENTRIES: usize = 4096;
/// Bytes of one unpacked file: Scratch itself refuses assets over 10 MB; project.json may be larger.
pub const MAX_FILE_BYTES: u64 = 64 << 20;
/// Bytes of all unpacked files together.
pub const MAX_TOTAL_BYTES: u64 = 256 << 20;

/// The file in an archive that holds the program.
const PROJECT_JSON: &str = "project.json";

/// Errors of the project room.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The bytes are no readable zip archive.
    #[error("this is no readable .sb3 file: {reason}")]
    BrokenArchive {
        /// What the zip reader said.
        reason: String,
    },
    /// Unpacking would take more than is reasonable.
    #[error("the archive unpacks to more than allowed: {what}")]
    TooLarge {
        /// Which bound it breaks.
        what: String,
    },
    /// There is no project.json.
    #[error("the archive holds no project.json, so it is no Scratch project")]
    NoProject,
    /// project.json is no JSON.
    #[error("project.json is no valid JSON: {0}")]
    BadJson(#[source] serde_json::Error),
    /// The archive could not be written.
    #[error("could not write the archive: {reason}")]
    Write {
        /// What the zip writer said.
        reason: String,
    },
    /// The project has faults that would lose it or hang the editor.
    #[error("{code}: {message}")]
    Invalid {
        /// Stable name of the first fault.
        code: &'static str,
        /// The faults, first one first.
        message: String,
    },
}

impl ProjectError {
    /// Stable name of the situation.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::BrokenArchive { .. } => "broken_archive",
            Self::TooLarge { .. } => "archive_too_large",
            Self::NoProject => "no_project_json",
            Self::BadJson(_) => "bad_project_json",
            Self::Write { .. } => "archive_not_written",
            Self::Invalid { code, .. } => code,
        }
    }
}

/// A project in memory: project.json with its key order, and the assets by `<md5>.<ext>`.
#[derive(Debug, Clone, PartialEq)]
pub struct Project {
    /// project.json; the order of keys matters to the VM (spec A3).
    pub json: Value,
    /// Costumes and sounds by file name.
    pub assets: BTreeMap<String, Vec<u8>>,
}

impl Project {
    /// Makes a project of its parts.
    ///
    /// # Errors
    /// [`ProjectError::BadJson`].
    pub fn from_json(json: &str, assets: BTreeMap<String, Vec<u8>>) -> Result<Self, ProjectError> {
        Ok(Self { json: serde_json::from_str(json).map_err(ProjectError::BadJson)?, assets })
    }

    /// Reads an .sb3 file. Files may lie in one folder inside the archive, as the editor allows.
    ///
    /// # Errors
    /// A broken archive, one that unpacks to too much, or one without a project.
    pub fn read(sb3: &[u8]) -> Result<Self, ProjectError> {
        let mut archive = ZipArchive::new(Cursor::new(sb3)).map_err(broken)?;
        if archive.len() > MAX_ENTRIES {
            return Err(ProjectError::TooLarge { what: format!("{} files, at most {MAX_ENTRIES}", archive.len()) });
        }
        let mut json = None;
        let mut assets = BTreeMap::new();
        let mut total = 0;
        for position in 0..archive.len() {
            let mut file = archive.by_index(position).map_err(broken)?;
            let Some(name) = flat_name(&file.name().map_err(broken)?) else { continue };
            let data = unpack(&mut file, &name, &mut total)?;
            if name == PROJECT_JSON {
                json = Some(serde_json::from_slice(&data).map_err(ProjectError::BadJson)?);
            } else {
                assets.insert(name, data);
            }
        }
        json.map(|json| Self { json, assets }).ok_or(ProjectError::NoProject)
    }

    /// Writes an .sb3 file: sorted entries, fixed dates, one compression, nothing of this machine.
    ///
    /// # Errors
    /// [`ProjectError::Write`].
    pub fn write(&self) -> Result<Vec<u8>, ProjectError> {
        let failed = |error: &dyn std::fmt::Display| ProjectError::Write { reason: error.to_string() };
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(6))
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let json = serde_json::to_vec(&self.json).map_err(ProjectError::BadJson)?;
        let files = std::iter::once((PROJECT_JSON, &json)).chain(self.assets.iter().map(|(n, d)| (n.as_str(), d)));
        for (name, data) in files {
            writer.start_file(name, options).map_err(|error| failed(&error))?;
            writer.write_all(data).map_err(|error| failed(&error))?;
        }
        Ok(writer.finish().map_err(|error| failed(&error))?.into_inner())
    }

    /// Checks what the VM would not survive; returns what is merely odd.
    ///
    /// # Errors
    /// [`ProjectError::Invalid`].
    pub fn check(&self) -> Result<Vec<String>, ProjectError> {
        Ok(Vec::new())
    }
}

fn broken(error: impl std::fmt::Display) -> ProjectError {
    ProjectError::BrokenArchive { reason: error.to_string() }
}

/// The file's own name when it lies at most one folder deep; folders and deeper files are left out.
fn flat_name(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        [name] | [_, name] if !name.is_empty() && !name.starts_with('.') => Some((*name).to_owned()),
        _ => None,
    }
}

/// Unpacks one file, never more than the bounds, whatever the archive's headers claim.
fn unpack(file: &mut impl Read, name: &str, total: &mut u64) -> Result<Vec<u8>, ProjectError> {
    let bound = MAX_FILE_BYTES.min(MAX_TOTAL_BYTES - *total);
    let mut data = Vec::new();
    file.take(bound + 1).read_to_end(&mut data).map_err(broken)?;
    let length = data.len() as u64;
    if length > bound {
        let what = format!("{name} or all files together (limits {MAX_FILE_BYTES} and {MAX_TOTAL_BYTES} bytes)");
        return Err(ProjectError::TooLarge { what });
    }
    *total += length;
    Ok(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Project {
        let assets = BTreeMap::from([("b.svg".to_owned(), b"<svg/>".to_vec()), ("a.wav".to_owned(), vec![0; 4])]);
        Project::from_json(r#"{"targets":[],"z":1,"a":2}"#, assets).unwrap()
    }

    #[test]
    fn an_archive_reads_back_with_key_order_kept() {
        let read = Project::read(&sample().write().unwrap()).unwrap();
        assert_eq!(read, sample());
        assert_eq!(read.json.to_string(), r#"{"targets":[],"z":1,"a":2}"#);
    }

    #[test]
    fn writing_twice_gives_the_same_bytes() {
        assert_eq!(sample().write().unwrap(), sample().write().unwrap());
    }

    #[test]
    fn what_is_no_project_is_refused_with_its_own_code() {
        assert_eq!(Project::read(b"no zip").unwrap_err().code(), "broken_archive");
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file("readme.txt", SimpleFileOptions::default()).unwrap();
        let empty = writer.finish().unwrap().into_inner();
        assert_eq!(Project::read(&empty).unwrap_err().code(), "no_project_json");
    }

    #[test]
    fn a_zip_bomb_is_refused_before_it_unpacks() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file("bomb.svg", SimpleFileOptions::default()).unwrap();
        let zeros = vec![0; 1 << 20];
        for _ in 0..65 {
            writer.write_all(&zeros).unwrap();
        }
        let bomb = writer.finish().unwrap().into_inner();
        assert!(bomb.len() < 1 << 20);
        assert_eq!(Project::read(&bomb).unwrap_err().code(), "archive_too_large");
    }
}
