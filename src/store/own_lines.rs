//! Files of records in a run's folder to which one process at a time adds: ratings of people and of judges, each of which is
//! on the disk before the next one is asked for.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::disk::Appended;
use super::{RunDir, StoreError};

/// A file of records, one a line, held by this process alone.
#[derive(Debug)]
pub struct OwnLines {
    file: Appended,
}

impl RunDir {
    /// The records in a file below the run's folder, and the file for more of them. Its folder is made if needed. A last
    /// line that was broken off is cut away; a whole one that only lacks its end gets it.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when another process adds to it; when the disk refuses, or another line can't be read.
    pub fn own_lines<T: DeserializeOwned>(&self, name: &str) -> Result<(Vec<T>, OwnLines), StoreError> {
        let path = self.path().join(name);
        let disk = self.disk();
        disk.make_lasting_folders(path.parent().unwrap_or(self.path()))?;
        let mut file = disk.append_to(&path, false)?;
        if !file.lock().map_err(StoreError::unwritable(&path))? {
            return Err(StoreError::InUse { path });
        }
        let Found { records, whole, lacks_end } = found(&path)?;
        file.cut(whole).map_err(StoreError::unwritable(&path))?;
        if lacks_end {
            file.append(b"\n").map_err(StoreError::unwritable(&path))?;
        }
        Ok((records, OwnLines { file }))
    }

    /// The records in such a file, for readers.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn kept_lines<T: DeserializeOwned>(&self, name: &str) -> Result<Vec<T>, StoreError> {
        Ok(found(&self.path().join(name))?.records)
    }

    /// The names of the files with this extension in a folder of the run, sorted; none where there is no such folder.
    ///
    /// # Errors
    /// When the folder can't be read.
    pub fn names_in(&self, folder: &str, extension: &str) -> Result<Vec<String>, StoreError> {
        let folder = self.path().join(folder);
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(StoreError::unreadable(&folder))? {
            let name = entry.map_err(StoreError::unreadable(&folder))?.file_name().to_string_lossy().into_owned();
            names.extend(name.strip_suffix(extension).map(str::to_owned));
        }
        names.sort();
        Ok(names)
    }
}

impl OwnLines {
    /// Appends a record, and has it on the disk when this returns.
    ///
    /// # Errors
    /// When the disk refuses. What was written of the line is taken back, so that the next one can be tried.
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), StoreError> {
        let path = self.file.path().to_owned();
        let malformed = |source| StoreError::Malformed { path: path.clone(), source };
        let mut line = serde_json::to_vec(record).map_err(malformed)?;
        line.push(b'\n');
        let unwritable = StoreError::unwritable(&path);
        let before = self.file.len();
        let written = before.and_then(|before| {
            let added = self.file.append(&line).and_then(|()| self.file.sync());
            added.inspect_err(|_| drop(self.file.cut(before)))
        });
        written.map_err(unwritable)
    }
}

/// What is in a file.
struct Found<T> {
    records: Vec<T>,
    /// Bytes that are records.
    whole: u64,
    /// Whether the last one has no line end, as some editors leave it.
    lacks_end: bool,
}

fn found<T: DeserializeOwned>(path: &Path) -> Result<Found<T>, StoreError> {
    let bytes = std::fs::read(path).map_err(StoreError::unreadable(path))?;
    let lines = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let malformed = |source| StoreError::Malformed { path: path.to_owned(), source };
    let texts = bytes[..lines].split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let mut records: Vec<T> = texts.map(serde_json::from_slice).collect::<Result<_, _>>().map_err(malformed)?;
    // Half a record is no JSON.
    let last = serde_json::from_slice(&bytes[lines..]).ok();
    let lacks_end = last.is_some();
    records.extend(last);
    Ok(Found { records, whole: if lacks_end { bytes.len() } else { lines } as u64, lacks_end })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fakes::run;

    fn numbers(dir: &RunDir) -> Vec<u32> {
        dir.kept_lines("ratings/ada.jsonl").unwrap()
    }

    #[test]
    fn half_a_line_is_cut_away_and_a_whole_one_stays() {
        let folder = tempfile::tempdir().unwrap();
        let dir = RunDir::create(folder.path(), run(&["a"])).unwrap();
        let (read, mut lines) = dir.own_lines::<u32>("ratings/ada.jsonl").unwrap();
        assert_eq!(read, Vec::<u32>::new());
        lines.append(&1).unwrap();
        lines.append(&2).unwrap();
        drop(lines);
        let file = dir.path().join("ratings/ada.jsonl");
        for (text, known, after) in
            [("1\n2\n{\"sc", vec![1, 2], "1\n2\n9\n"), ("1\n2", vec![1, 2], "1\n2\n9\n"), ("\n", vec![], "\n9\n")]
        {
            std::fs::write(&file, text).unwrap();
            assert_eq!(numbers(&dir), known, "{text:?}");
            let (read, mut lines) = dir.own_lines::<u32>("ratings/ada.jsonl").unwrap();
            lines.append(&9).unwrap();
            assert_eq!((read, std::fs::read_to_string(&file).unwrap().as_str()), (known, after), "{text:?}");
        }
        assert_eq!(dir.names_in("ratings", ".jsonl").unwrap(), ["ada"]);
        assert_eq!(dir.names_in("judges", ".jsonl").unwrap(), Vec::<String>::new());
    }

    #[test]
    fn one_at_a_time_adds_and_a_broken_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let dir = RunDir::create(folder.path(), run(&["a"])).unwrap();
        let held = dir.own_lines::<u32>("ratings/ada.jsonl").unwrap();
        assert!(matches!(dir.own_lines::<u32>("ratings/ada.jsonl"), Err(StoreError::InUse { .. })));
        assert!(dir.own_lines::<u32>("ratings/eva.jsonl").is_ok(), "another file");
        drop(held);
        let file = dir.path().join("ratings/ada.jsonl");
        std::fs::write(&file, "1\nno\n2\n").unwrap();
        assert!(matches!(dir.own_lines::<u32>("ratings/ada.jsonl"), Err(StoreError::Malformed { .. })));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "1\nno\n2\n");
    }
}
