//! The folders of session logs below one folder, for reviewing sessions: found by name, read without checking
//! each file, with the verdict on the project that the session left.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::StoreError;
use super::disk::Disk;
use super::log_dir::{FINAL, LOG, extension};
use super::log_read::{SESSION, StoredLog, is_digest};
use super::run_dir::read;
use super::runs::is_plain;
use crate::model::{Event, Verdict};

/// The file of the verdict on what the session left. The session itself never writes it.
const VERDICT: &str = "verdict.json";
/// Bytes that a log may have to be shown.
const SHOWN_BYTES: u64 = 256 << 20;

/// The folder below which sessions keep their logs.
#[derive(Debug, Clone)]
pub struct SessionDirs {
    path: PathBuf,
}

/// The folder of one session's log.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SessionDir {
    path: PathBuf,
}

impl SessionDirs {
    /// The logs below a folder, which may not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The folders with a log, at most `most`: those that were written to last, newest first.
    pub fn newest(&self, most: usize) -> Vec<SessionDir> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let dated = |entry: fs::DirEntry| {
            let dir = SessionDir { path: entry.path() };
            let written = fs::metadata(dir.path.join(LOG)).and_then(|about| about.modified()).ok()?;
            is_plain(&dir.name()).then_some((written, dir))
        };
        let mut dirs: Vec<(SystemTime, SessionDir)> = entries.filter_map(dated).collect();
        dirs.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
        dirs.into_iter().take(most).map(|(_, dir)| dir).collect()
    }

    /// The folder of the session of this name; `None` when none is kept.
    pub fn find(&self, name: &str) -> Option<SessionDir> {
        let dir = SessionDir { path: self.path.join(name) };
        (is_plain(name) && dir.path.join(LOG).is_file()).then_some(dir)
    }
}

impl SessionDir {
    /// The log in a folder, or that of the attempt in a folder; `None` when there is none.
    pub fn open(folder: &Path) -> Option<Self> {
        let places = [folder.to_owned(), folder.join(SESSION)];
        places.into_iter().find(|path| path.join(LOG).is_file()).map(|path| Self { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the folder, which is the session's.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// How long the log is by now, in bytes.
    pub fn bytes(&self) -> u64 {
        fs::metadata(self.path.join(LOG)).map_or(0, |about| about.len())
    }

    /// The events so far. A line that is being written is left out; whether the log was altered is not checked.
    ///
    /// # Errors
    /// When the log can't be read, or is larger than is shown.
    pub fn events(&self) -> Result<Vec<Event>, StoreError> {
        let file = self.path.join(LOG);
        if self.bytes() > SHOWN_BYTES {
            return Err(StoreError::unreadable(&file)(io::Error::other("it is larger than is shown")));
        }
        let bytes = fs::read(&file).map_err(StoreError::unreadable(&file))?;
        Ok(StoredLog::read_lines(&bytes).0)
    }

    /// A picture that an event names; `None` when the file is gone.
    pub fn image(&self, sha: &str, media_type: &str) -> Option<Vec<u8>> {
        let name = format!("{sha}.{}", extension(media_type));
        is_digest(sha).then(|| fs::read(self.path.join("images").join(name)).ok())?
    }

    /// The project that the session ended with; `None` while it goes on, and when it was not kept.
    pub fn last(&self) -> Option<Vec<u8>> {
        fs::read(self.path.join(FINAL)).ok()
    }

    /// The verdict on that project, if one was given.
    pub fn verdict(&self) -> Option<Verdict> {
        read(&self.path.join(VERDICT)).ok()
    }

    /// Keeps a verdict on the project that the session left.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_verdict(&self, verdict: &Verdict) -> Result<(), StoreError> {
        Disk::default().write_json(&self.path.join(VERDICT), verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below(folder: &Path, name: &str) -> PathBuf {
        let path = folder.join(name);
        fs::create_dir_all(path.join("images")).unwrap();
        fs::write(path.join(LOG), "").unwrap();
        path
    }

    #[test]
    fn sessions_are_found_by_name_and_no_name_leads_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let logs = folder.path().join("logs");
        below(folder.path(), "outside");
        let (first, second) = (below(&logs, "first"), below(&logs, "second"));
        let old = SystemTime::now() - std::time::Duration::from_secs(60);
        fs::File::options().write(true).open(first.join(LOG)).unwrap().set_modified(old).unwrap();
        fs::create_dir(logs.join("no-log")).unwrap();
        let dirs = SessionDirs::new(&logs);
        let names = |most| dirs.newest(most).iter().map(SessionDir::name).collect::<Vec<_>>();
        assert_eq!((names(9), names(1)), (vec!["second".to_owned(), "first".to_owned()], vec!["second".to_owned()]));
        assert!(dirs.find("first").is_some() && dirs.find("no-log").is_none());
        for name in ["../outside", "..", "", "/etc", "a/b"] {
            assert!(dirs.find(name).is_none(), "{name}");
        }
        fs::write(second.join("images/x.png"), "secret").unwrap();
        assert_eq!(dirs.find("second").unwrap().image("x", "image/png"), None, "only digests name pictures");
    }

    #[test]
    fn a_verdict_is_kept_with_the_session() {
        let folder = tempfile::tempdir().unwrap();
        let dir = SessionDir::open(&below(folder.path(), "s")).unwrap();
        assert_eq!(dir.verdict(), None);
        let verdict = serde_json::json!({
            "task": "kite_gusts", "outcome": "failed", "passed_tests": 1, "total_tests": 2, "details": [],
            "seed": 1, "clock": "virtual", "hashes": crate::model::Hashes::default(),
        });
        let verdict: Verdict = serde_json::from_value(verdict).unwrap();
        dir.keep_verdict(&verdict).unwrap();
        assert_eq!(dir.verdict(), Some(verdict));
        assert_eq!(dir.last(), None);
    }
}
