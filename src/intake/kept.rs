//! What was found of each file, kept below the pool by digest, so that a killed scan goes on where it was.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::smoke::Smoke;
use crate::bugs::Features;
use crate::bugs::{BugsError, Licence};
use crate::files::write_whole;
use crate::judge::{editor, engine};
use crate::model::sha256_hex;
use crate::project::Project;

/// Version of what is kept. A change of what gates or features are, or of what a normalised project is, needs another.
const FORMAT: u32 = 3;
/// The folder in the pool; no project's name begins with a dot.
const FOLDER: &str = ".scan";

/// What a project fails at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// A stable name.
    pub code: String,
    /// The reason in words.
    pub reason: String,
}

impl Fault {
    pub(super) fn new(code: &str, reason: impl Into<String>) -> Self {
        Self { code: code.to_owned(), reason: reason.into() }
    }
}

/// What was found of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub(super) format: u32,
    /// Digest of what judged, and the editor's version: with others all is found anew.
    pub(super) engine: String,
    pub(super) editor: String,
    /// Its name in the pool.
    pub id: String,
    /// Where it was found.
    pub file: PathBuf,
    /// SHA-256 of the file; of a text, of what it was built to.
    pub sha256: String,
    /// `sb` or `sb2` where the editor's loader converted it.
    pub converted_from: Option<String>,
    pub licence: Option<Licence>,
    /// Gates that it failed at.
    pub gates: Vec<Fault>,
    /// Absent where it could not be read so far.
    pub features: Option<Features>,
    pub tags: Vec<String>,
    /// What was done to it, such as `converted`.
    pub changes: Vec<String>,
    pub smoke: Option<Smoke>,
}

impl Row {
    /// A row of which nothing is known but the file.
    pub(super) fn new(id: &str, file: &Path, sha256: String) -> Self {
        Self {
            format: FORMAT,
            engine: engine(),
            editor: editor(),
            id: id.to_owned(),
            file: file.to_owned(),
            sha256,
            converted_from: None,
            licence: None,
            gates: Vec::new(),
            features: None,
            tags: Vec::new(),
            changes: Vec::new(),
            smoke: None,
        }
    }

    /// Under which name it is kept.
    fn key(&self) -> String {
        let parts = format!("{}\n{}", self.sha256, self.file.display());
        sha256_hex(parts.as_bytes())[..32].to_owned()
    }

    fn is_current(&self) -> bool {
        self.format == FORMAT && self.engine == engine() && self.editor == editor()
    }
}

/// What is kept in a pool.
#[derive(Debug)]
pub(super) struct Kept {
    folder: PathBuf,
}

impl Kept {
    pub(super) fn of(pool: &Path) -> Self {
        Self { folder: pool.join(FOLDER) }
    }

    /// All rows, by file. What can't be read any more, or was found by another program, is left out.
    pub(super) fn rows(&self) -> BTreeMap<PathBuf, Row> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let rows = entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "json"));
        let rows = rows.filter_map(|entry| serde_json::from_slice::<Row>(&fs::read(entry.path()).ok()?).ok());
        rows.filter(Row::is_current).map(|row| (row.file.clone(), row)).collect()
    }

    /// Keeps a row, with its normalised project and a picture where there are any.
    pub(super) fn put(&self, row: &Row, golden: Option<&[u8]>, picture: Option<&[u8]>) -> Result<(), BugsError> {
        fs::create_dir_all(&self.folder).map_err(|source| BugsError::File { file: self.folder.clone(), source })?;
        let write = |ending: &str, bytes: &[u8]| {
            let file = self.place(row, ending);
            write_whole(&file, bytes).map_err(|source| BugsError::File { file, source })
        };
        golden.map_or(Ok(()), |golden| write("sb3", golden))?;
        picture.map_or(Ok(()), |picture| write("png", picture))?;
        let text = serde_json::to_vec_pretty(row)
            .map_err(|error| BugsError::Malformed { file: self.place(row, "json"), message: error.to_string() })?;
        // Last: a row stands for its other files.
        write("json", &text)
    }

    /// Forgets a row: its file has changed.
    pub(super) fn drop(&self, row: &Row) {
        for ending in ["json", "sb3", "png"] {
            // One that stays is overwritten or is never asked for.
            let _ = fs::remove_file(self.place(row, ending));
        }
    }

    /// The normalised project's bytes.
    pub(super) fn golden(&self, row: &Row) -> Option<Vec<u8>> {
        fs::read(self.place(row, "sb3")).ok()
    }

    pub(super) fn project(&self, row: &Row) -> Option<Project> {
        Project::read(&self.golden(row)?).ok()
    }

    pub(super) fn picture(&self, row: &Row) -> Option<Vec<u8>> {
        fs::read(self.place(row, "png")).ok()
    }

    fn place(&self, row: &Row, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", row.key()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_again_and_those_of_another_program_are_not() {
        let pool = tempfile::tempdir().unwrap();
        let kept = Kept::of(pool.path());
        assert!(kept.rows().is_empty());
        let row = Row::new("moth", Path::new("a/moth.sb"), "00".to_owned());
        kept.put(&row, Some(b"gold"), None).unwrap();
        let other = Row { editor: "9.9.9".to_owned(), ..Row::new("owl", Path::new("owl.sb"), "11".to_owned()) };
        kept.put(&other, None, Some(b"png")).unwrap();
        assert_eq!(kept.rows().into_values().collect::<Vec<_>>(), std::slice::from_ref(&row));
        assert_eq!((kept.golden(&row).as_deref(), kept.picture(&row)), (Some(b"gold".as_slice()), None));
        assert!(kept.project(&row).is_none());
        kept.drop(&row);
        assert!(kept.rows().is_empty() && kept.golden(&row).is_none());
    }
}
