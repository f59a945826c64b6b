//! Reading a session's log again: its events in order, its files by digest, and whether anything was altered.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::StoreError;
use super::log_dir::{FINAL, INITIAL, LOG};
use crate::model::{Chain, Event, EventKind, LOG_FORMAT, sha256_hex};

/// Where the log of an attempt's session is, below the attempt's folder.
pub const SESSION: &str = "session";

#[derive(Debug, Clone)]
pub struct StoredLog {
    path: PathBuf,
    /// The events in the order of the file.
    pub events: Vec<Event>,
    /// What is wrong with the files; empty for an unaltered log.
    pub faults: Vec<Fault>,
}

/// Something about a log's files that is not as the session left it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum Fault {
    /// A line does not follow from those before it.
    BrokenChain {
        /// Its number, from 1.
        line: usize,
    },
    /// A line is not an event, or not the next one.
    BadLine {
        /// Its number, from 1.
        line: usize,
    },
    /// The last event is not the session's end.
    Unfinished,
    /// A file's contents do not match its name.
    AlteredFile {
        /// Its name below the log's folder.
        file: String,
    },
    /// A file that an event names is not there.
    MissingFile {
        /// Its name below the log's folder.
        file: String,
    },
}

impl StoredLog {
    /// Reads the log in a folder, or that of the attempt in a folder.
    ///
    /// # Errors
    /// When there is none, or it is of a newer format. What was altered is in [`Self::faults`].
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let below = folder.join(SESSION);
        let path = if folder.join(LOG).is_file() || !below.join(LOG).is_file() { folder.to_owned() } else { below };
        let file = path.join(LOG);
        let bytes = fs::read(&file).map_err(StoreError::unreadable(&file))?;
        let (events, faults) = Self::read_lines(&bytes);
        let mut log = Self { path, events, faults };
        if let Some(EventKind::Opened(opened)) = log.events.first().map(|event| &event.what)
            && opened.format > LOG_FORMAT
        {
            return Err(StoreError::NewerFormat { path: file, found: opened.format, known: LOG_FORMAT });
        }
        log.check_files();
        Ok(log)
    }

    /// Reads the file of events: those that are events, and what is wrong with the rest.
    pub fn read_lines(bytes: &[u8]) -> (Vec<Event>, Vec<Fault>) {
        let (mut events, mut faults) = (Vec::new(), Vec::new());
        let (mut chain, mut whole) = (Chain::default(), true);
        let torn = bytes.last().is_some_and(|last| *last != b'\n');
        let lines = bytes.strip_suffix(b"\n").unwrap_or(bytes).split(|byte| *byte == b'\n');
        let count = lines.clone().count();
        for (index, line) in lines.enumerate() {
            // A line without its end was broken off, wherever in a letter that was.
            let whole_line = std::str::from_utf8(line).ok().filter(|_| !torn || index + 1 < count);
            let Some(line) = whole_line else {
                faults.push(Fault::BadLine { line: index + 1 });
                whole = false;
                continue;
            };
            if whole && !chain.follows(line) {
                // All links after a break fail too; one fault is enough.
                whole = false;
                faults.push(Fault::BrokenChain { line: index + 1 });
            }
            let turn = index as u64 + 1;
            match serde_json::from_str::<Event>(line) {
                Ok(event) => {
                    let first = matches!(event.what, EventKind::Opened(_));
                    if event.seq != turn || first != (index == 0) {
                        faults.push(Fault::BadLine { line: index + 1 });
                    }
                    events.push(event);
                }
                Err(_) => faults.push(Fault::BadLine { line: index + 1 }),
            }
        }
        if !matches!(events.last().map(|event| &event.what), Some(EventKind::Closed(_))) {
            faults.push(Fault::Unfinished);
        }
        (events, faults)
    }

    /// Every file that an event names must be there and hold what it is named for.
    fn check_files(&mut self) {
        let mut files: Vec<(String, String)> = Vec::new();
        // A project that was refused is not kept.
        let done: BTreeSet<u64> = self
            .events
            .iter()
            .filter(|event| matches!(&event.what, EventKind::Reply(reply) if reply.code == "ok"))
            .filter_map(|event| event.request)
            .collect();
        for event in &self.events {
            let (image, media_type) = match &event.what {
                EventKind::Observation(seen) => (seen.image.as_deref(), seen.media_type.as_deref()),
                EventKind::Frame(frame) => (Some(frame.image.as_str()), Some(frame.media_type.as_str())),
                EventKind::Request(request) if request.api == "load_project" => {
                    if !done.contains(&event.seq) {
                        continue;
                    }
                    let sha = request.args.get("project").and_then(serde_json::Value::as_str).unwrap_or_default();
                    if is_digest(sha) {
                        files.push((format!("projects/{sha}.sb3"), sha.to_owned()));
                    } else {
                        self.faults.push(Fault::MissingFile { file: format!("projects/{sha}") });
                    }
                    continue;
                }
                _ => continue,
            };
            if let Some(image) = image {
                if !is_digest(image) {
                    self.faults.push(Fault::MissingFile { file: format!("images/{image}") });
                    continue;
                }
                let name = format!("images/{image}.{}", super::log_dir::extension(media_type.unwrap_or_default()));
                files.push((name, image.to_owned()));
            }
        }
        files.sort();
        files.dedup();
        for (file, sha) in files {
            match fs::read(self.path.join(&file)) {
                Ok(bytes) if sha256_hex(&bytes) == sha => {}
                Ok(_) => self.faults.push(Fault::AlteredFile { file }),
                Err(_) => self.faults.push(Fault::MissingFile { file }),
            }
        }
    }

    /// The folder of the log.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The project that the session began with.
    ///
    /// # Errors
    /// When it was not kept.
    pub fn initial(&self) -> Result<Vec<u8>, StoreError> {
        self.file(Path::new(INITIAL))
    }

    /// The project that the session ended with.
    ///
    /// # Errors
    /// When it was not kept.
    pub fn last(&self) -> Result<Vec<u8>, StoreError> {
        self.file(Path::new(FINAL))
    }

    /// A project file that a call loaded.
    ///
    /// # Errors
    /// When it was not kept.
    pub fn project(&self, sha: &str) -> Result<Vec<u8>, StoreError> {
        self.file_of(sha, &Path::new("projects").join(format!("{sha}.sb3")))
    }

    /// A picture.
    ///
    /// # Errors
    /// When it was not kept.
    pub fn image(&self, sha: &str, media_type: &str) -> Result<Vec<u8>, StoreError> {
        self.file_of(sha, &Path::new("images").join(format!("{sha}.{}", super::log_dir::extension(media_type))))
    }

    /// A file by its name in an event, which may be any text.
    fn file_of(&self, sha: &str, name: &Path) -> Result<Vec<u8>, StoreError> {
        if is_digest(sha) {
            return self.file(name);
        }
        Err(StoreError::unreadable(&self.path)(std::io::Error::other("the log names a file by no digest")))
    }

    fn file(&self, name: &Path) -> Result<Vec<u8>, StoreError> {
        let path = self.path.join(name);
        fs::read(&path).map_err(StoreError::unreadable(&path))
    }
}

/// Whether a text is a SHA-256 digest in hexadecimal: only such ones become parts of paths.
pub(super) fn is_digest(sha: &str) -> bool {
    sha.len() == 64 && sha.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClosedEvent, FrameEvent, Opened};

    fn opened() -> EventKind {
        EventKind::Opened(Opened {
            format: LOG_FORMAT,
            session: "s".into(),
            task: None,
            stage: crate::model::StageSize::Large,
            extras: crate::model::Extras::default(),
            editor: crate::model::EditorGeneration::default(),
            started_at: 0.0,
            version: "0".into(),
            browser: "b".into(),
            program: "p🦊".into(),
        })
    }

    /// A folder with a log of three events and one picture.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let sha = sha256_hex(b"picture");
        fs::create_dir(folder.path().join("images")).unwrap();
        fs::write(folder.path().join(format!("images/{sha}.png")), b"picture").unwrap();
        let frame = EventKind::Frame(FrameEvent { image: sha, media_type: "image/png".into() });
        let closed = EventKind::Closed(ClosedEvent { program: "p".into(), reason: None, attempt: None });
        let mut chain = Chain::default();
        let lines: Vec<String> = [opened(), frame, closed]
            .into_iter()
            .zip(1..)
            .map(|(what, seq)| Event { seq, at_ms: 0.0, request: None, what })
            .map(|event| chain.tie(&serde_json::to_string(&event).unwrap()) + "\n")
            .collect();
        fs::write(folder.path().join(LOG), lines.concat()).unwrap();
        folder
    }

    fn alter(folder: &Path, change: impl Fn(String) -> String) -> Vec<Fault> {
        let file = folder.join(LOG);
        fs::write(&file, change(fs::read_to_string(&file).unwrap())).unwrap();
        StoredLog::open(folder).unwrap().faults
    }

    #[test]
    fn an_untouched_log_has_no_faults() {
        let folder = folder();
        let log = StoredLog::open(folder.path()).unwrap();
        assert_eq!((log.faults, log.events.len()), (vec![], 3));
    }

    /// Cut at every byte, the last one included: within letters too.
    #[test]
    fn a_log_that_is_cut_anywhere_opens_with_faults() {
        let folder = folder();
        let file = folder.path().join(LOG);
        let text = fs::read_to_string(&file).unwrap();
        for end in 0..text.len() {
            fs::write(&file, &text.as_bytes()[..end]).unwrap();
            let log = StoredLog::open(folder.path()).unwrap();
            assert!(!log.faults.is_empty(), "cut at {end}");
            let bad = log.faults.iter().filter(|fault| matches!(fault, Fault::BadLine { .. })).count();
            assert!(bad <= 1, "cut at {end}: {:?}", log.faults);
        }
    }

    #[test]
    fn every_byte_that_is_altered_is_told() {
        let folder = folder();
        let file = folder.path().join(LOG);
        let whole = fs::read(&file).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&file, &bytes).unwrap();
            // A format that is newer is refused as a whole.
            assert!(StoredLog::open(folder.path()).map_or(true, |log| !log.faults.is_empty()), "byte {at}");
        }
    }

    #[test]
    fn a_name_that_is_no_digest_leads_to_no_file() {
        let folder = folder();
        fs::write(folder.path().join("secret.png"), b"secret").unwrap();
        let log = StoredLog::open(folder.path()).unwrap();
        assert!(log.image("../secret", "image/png").is_err() && log.project("../secret").is_err());
        let altered = alter(folder.path(), |text| text.replace(&sha256_hex(b"picture"), "../secret"));
        assert!(altered.contains(&Fault::MissingFile { file: "images/../secret".into() }), "{altered:?}");
    }

    #[test]
    fn what_was_altered_is_named() {
        let altered = alter(folder().path(), |text| text.replace("\"browser\":\"b\"", "\"browser\":\"c\""));
        assert_eq!(altered, [Fault::BrokenChain { line: 1 }]);
        let cut = alter(folder().path(), |text| text.split_inclusive('\n').take(2).collect());
        assert_eq!(cut, [Fault::Unfinished]);
        let folder = folder();
        let picture = fs::read_dir(folder.path().join("images")).unwrap().next().unwrap().unwrap().path();
        fs::write(&picture, b"another").unwrap();
        assert!(matches!(StoredLog::open(folder.path()).unwrap().faults[..], [Fault::AlteredFile { .. }]));
        fs::remove_file(&picture).unwrap();
        assert!(matches!(StoredLog::open(folder.path()).unwrap().faults[..], [Fault::MissingFile { .. }]));
    }
}
