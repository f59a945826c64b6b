//! The `.sb3` archive: reading it within bounds, and writing it the same way every time.
//!
//! Whether the project inside makes sense is for `validate`.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};

use scratchbed_model::half_characters;
use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::ProjectError;
use super::budget::count_values;
use super::entry_name::{PROJECT_JSON, Place, place_of};

/// Level at which everything is deflated; part of what makes two builds the same bytes.
const DEFLATE_LEVEL: i64 = 6;

/// How much an archive may hold. The Scratch website accepts 5 MB of project.json and 10 MB an asset; the
/// defaults leave room above that. Values are counted before any is built, since a value takes up to a hundred times the
/// bytes of its text.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub entries: usize,
    /// Bytes of one unpacked entry.
    pub entry_bytes: u64,
    pub json_bytes: u64,
    /// Values in project.json: objects, lists, texts, numbers and the rest.
    pub json_values: usize,
    /// Bytes of all unpacked entries.
    pub total_bytes: u64,
    /// Unpacked size over packed size of one entry; deflate itself can reach 1032.
    pub ratio: u64,
    /// Entries smaller than this, in unpacked bytes, may have any ratio: silence and plain bitmaps shrink that
    /// well.
    pub ratio_from: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entries: 4096,
            entry_bytes: 32 << 20,
            json_bytes: 8 << 20,
            json_values: 1_000_000,
            total_bytes: 128 << 20,
            ratio: 200,
            ratio_from: 4 << 20,
        }
    }
}

/// A project file taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Project {
    /// `project.json`; the order of keys is kept, since it decides the order in which scripts run.
    pub json: Value,
    /// Costumes and sounds by `<md5>.<extension>`.
    pub assets: BTreeMap<String, Vec<u8>>,
}

impl Project {
    /// Makes a project of its parts.
    ///
    /// # Errors
    /// Fails when the text is not JSON, or has more values than a project may have.
    pub fn from_json(json: &str, assets: BTreeMap<String, Vec<u8>>) -> Result<Self, ProjectError> {
        Ok(Self { json: read_json(json.as_bytes(), Limits::default().json_values)?, assets })
    }

    /// Reads an archive within the usual limits.
    ///
    /// # Errors
    /// As [`Project::read_within`].
    pub fn read(bytes: &[u8]) -> Result<Self, ProjectError> {
        Self::read_within(bytes, Limits::default())
    }

    /// Reads an archive. Files that are neither `project.json` nor an asset are left out.
    ///
    /// # Errors
    /// Fails on a broken archive, one over the limits, and one without a Scratch 3 project in it.
    pub fn read_within(bytes: &[u8], limits: Limits) -> Result<Self, ProjectError> {
        let mut archive =
            ZipArchive::new(Cursor::new(bytes)).map_err(|e| ProjectError::BrokenArchive(no_archive(&e)))?;
        if archive.len() > limits.entries {
            return Err(ProjectError::TooLarge(format!("{} entries, at most {}", archive.len(), limits.entries)));
        }
        if archive.has_duplicate_names() {
            return Err(ProjectError::SameNames);
        }
        let mut total = 0;
        let mut json = None;
        let mut assets = BTreeMap::new();
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).map_err(|e| ProjectError::BrokenArchive(e.to_string()))?;
            let name = entry.name().map_err(|e| ProjectError::BrokenArchive(e.to_string()))?.into_owned();
            let place = place_of(&name)?;
            let limit = if place == Place::Project { limits.json_bytes } else { limits.entry_bytes };
            if place == Place::Nowhere {
                continue;
            }
            let content = unpack(&mut entry, &name, limit, limits)?;
            total += content.len() as u64;
            if total > limits.total_bytes {
                return Err(ProjectError::TooLarge(format!("more than {} bytes in all", limits.total_bytes)));
            }
            let twice = match place {
                Place::Project => json.replace(content).is_some(),
                Place::Asset(asset) => assets.insert(asset, content).is_some(),
                Place::Nowhere => false,
            };
            if twice {
                return Err(ProjectError::BadName { name, why: "the archive holds it twice" });
            }
        }
        let json = json.ok_or(ProjectError::NoProjectJson)?;
        let json = read_json(&json, limits.json_values)?;
        check_is_project(&json)?;
        Ok(Self { json, assets })
    }

    /// Writes the archive: the same project gives the same bytes on every machine at any time.
    ///
    /// # Errors
    /// Fails when the zip format can't hold the content.
    pub fn write(&self) -> Result<Vec<u8>, ProjectError> {
        let deflated = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(DEFLATE_LEVEL));
        self.write_as(deflated)
    }

    /// The same archive without compression, for a page that unpacks it at once.
    ///
    /// # Errors
    /// As [`Project::write`].
    pub fn pack(&self) -> Result<Vec<u8>, ProjectError> {
        self.write_as(SimpleFileOptions::default().compression_method(CompressionMethod::Stored))
    }

    fn write_as(&self, options: SimpleFileOptions) -> Result<Vec<u8>, ProjectError> {
        let options = options.last_modified_time(DateTime::DEFAULT).unix_permissions(0o644);
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let json = half_characters::write_json(serde_json::to_vec(&self.json).map_err(ProjectError::BadJson)?);
        let assets = self.assets.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        // project.json first, as the editor writes it; the map keeps the assets sorted.
        for (name, bytes) in std::iter::once((PROJECT_JSON, json.as_slice())).chain(assets) {
            zip.start_file(name, options).map_err(ProjectError::Write)?;
            zip.write_all(bytes).map_err(|e| ProjectError::Write(e.into()))?;
        }
        Ok(zip.finish().map_err(ProjectError::Write)?.into_inner())
    }
}

/// The values of a `project.json`, of which there are not too many.
fn read_json(json: &[u8], limit: usize) -> Result<Value, ProjectError> {
    let json = half_characters::read_json(json)?;
    count_values(&json, limit)?;
    serde_json::from_slice(&json).map_err(ProjectError::BadJson)
}

/// Unpacks one entry; the declared sizes are not trusted; the actual bytes are counted.
fn unpack(
    entry: &mut (impl Read + EntrySizes),
    name: &str,
    limit: u64,
    limits: Limits,
) -> Result<Vec<u8>, ProjectError> {
    let mut content = Vec::new();
    entry
        .by_ref()
        .take(limit + 1)
        .read_to_end(&mut content)
        .map_err(|e| ProjectError::BrokenArchive(format!("{name}: {e}")))?;
    let size = content.len() as u64;
    if size > limit {
        return Err(ProjectError::TooLarge(format!("{name} is over {limit} bytes")));
    }
    if size >= limits.ratio_from && size / entry.packed().max(1) > limits.ratio {
        return Err(ProjectError::TooLarge(format!("{name} unpacks to over {} times its size", limits.ratio)));
    }
    Ok(content)
}

/// The packed size of an archive's entry.
trait EntrySizes {
    /// In bytes, as the archive declares it.
    fn packed(&self) -> u64;
}

/// Why a file is not an archive, in words for its sender.
fn no_archive(error: &zip::result::ZipError) -> String {
    match error {
        // The library misses a structure at the end of the file that only it has a name for.
        zip::result::ZipError::InvalidArchive(_) => "it is no zip archive, or its end is missing".to_owned(),
        error => error.to_string(),
    }
}

impl<R: Read> EntrySizes for zip::read::ZipFile<'_, R> {
    fn packed(&self) -> u64 {
        self.compressed_size()
    }
}

/// Tells Scratch 3 projects from those of Scratch 2 and from other JSON.
fn check_is_project(json: &Value) -> Result<(), ProjectError> {
    if json.get("objName").is_some() {
        return Err(ProjectError::NotAProject("it has the form of Scratch 2"));
    }
    if !json.get("targets").is_some_and(Value::is_array) {
        return Err(ProjectError::NotAProject("it has no list of targets"));
    }
    Ok(())
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
