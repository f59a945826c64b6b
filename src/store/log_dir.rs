//! The folder of one session's log: appended as the session goes on, never changed afterwards.
//!
//! ```text
//! <folder>/log.jsonl              one event a line, each chained to the one before
//! <folder>/initial.sb3            the project that the session began with
//! <folder>/final.sb3              the project that it ended with
//! <folder>/images/<sha256>.<ext>  pictures, each once
//! <folder>/projects/<sha256>.sb3  project files that calls loaded
//! ```
//! Writing happens on its own thread, so that a slow disk does not slow the session.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::StoreError;
use super::disk::{Appended, Disk};
use crate::project::Project;

/// The file of events.
pub(super) const LOG: &str = "log.jsonl";
/// The file of the project that the session began with.
pub(super) const INITIAL: &str = "initial.sb3";
/// The file of the project that the session ended with.
pub(super) const FINAL: &str = "final.sb3";
/// Bytes that may wait for the disk before the log counts as broken. No session ever waits for the disk.
const WAITING_BYTES: u64 = 256 << 20;
/// Bytes that the log of one session may have before it counts as broken.
const LOG_BYTES: u64 = 4 << 30;
/// How long after a failure writing is tried again.
const RETRY: Duration = Duration::from_millis(if cfg!(test) { 5 } else { 500 });
/// How often it is tried again when the session has ended.
const LAST_TRIES: u32 = 3;

/// What is to be written.
enum Piece {
    Line(Arc<str>),
    Project { file: &'static str, project: Box<Project> },
    File { folder: &'static str, name: String, bytes: Arc<[u8]> },
}

impl Piece {
    fn bytes(&self) -> u64 {
        let bytes = match self {
            Self::Line(line) => line.len() + 1,
            Self::Project { project, .. } => project.assets.values().map(Vec::len).sum(),
            Self::File { bytes, .. } => bytes.len(),
        };
        bytes as u64
    }
}

#[derive(Debug, Default)]
struct Health {
    /// Whether the last piece could not be written.
    failing: AtomicBool,
    /// Whether there will be no more.
    closing: AtomicBool,
    waiting: AtomicU64,
    taken: AtomicU64,
}

/// Told of each write that failed.
type OnFailure = Box<dyn Fn() + Send>;

/// Writes one session's log. Dropping it waits until all is written.
#[derive(Debug)]
pub struct LogWriter {
    path: PathBuf,
    pieces: Option<Sender<Piece>>,
    health: Arc<Health>,
    thread: Option<JoinHandle<()>>,
}

impl LogWriter {
    /// Creates the folder, which must not hold a log yet; `failed` is called for each write that fails.
    ///
    /// # Errors
    /// When the disk refuses, or there is a log already.
    pub fn create(path: &Path, failed: impl Fn() + Send + 'static) -> Result<Self, StoreError> {
        Self::create_on(Disk::default(), path, failed)
    }

    pub(super) fn create_on(disk: Disk, path: &Path, failed: impl Fn() + Send + 'static) -> Result<Self, StoreError> {
        disk.make_folders(path)?;
        let log = disk.append_to(&path.join(LOG), true)?;
        let (pieces, work) = channel();
        let (folder, health) = (path.to_owned(), Arc::new(Health::default()));
        let mut writing =
            Writing { folder, disk, log, whole: 0, health: Arc::clone(&health), failed: Box::new(failed) };
        let thread = std::thread::Builder::new()
            .name("session-log".into())
            .spawn(move || writing.write_all(&work))
            .map_err(StoreError::unwritable(path))?;
        Ok(Self { path: path.to_owned(), pieces: Some(pieces), health, thread: Some(thread) })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the log is not written as it should be: the disk refuses, lags far behind, or the log has become too
    /// large. What was sent is tried again until it is written.
    pub fn is_broken(&self) -> bool {
        self.health.failing.load(Ordering::Relaxed)
            || self.health.waiting.load(Ordering::Relaxed) > WAITING_BYTES
            || self.is_too_large()
    }

    /// Whether the log has become larger than that of one session may be. No disk is the reason, but what the session did.
    pub fn is_too_large(&self) -> bool {
        self.health.taken.load(Ordering::Relaxed) > LOG_BYTES
    }

    /// Appends an event, given as one line of JSON without its line end.
    pub fn line(&self, line: Arc<str>) {
        self.send(Piece::Line(line));
    }

    /// Keeps the project that the session began with.
    pub fn initial(&self, project: Project) {
        self.send(Piece::Project { file: INITIAL, project: Box::new(project) });
    }

    /// Keeps the project that the session ended with.
    pub fn last(&self, project: Project) {
        self.send(Piece::Project { file: FINAL, project: Box::new(project) });
    }

    /// Keeps a picture under its digest.
    pub fn image(&self, sha: &str, media_type: &str, bytes: Arc<[u8]>) {
        let name = format!("{sha}.{}", extension(media_type));
        self.send(Piece::File { folder: "images", name, bytes });
    }

    /// Keeps a project file under its digest.
    pub fn project(&self, sha: &str, bytes: Arc<[u8]>) {
        self.send(Piece::File { folder: "projects", name: format!("{sha}.sb3"), bytes });
    }

    fn send(&self, piece: Piece) {
        let bytes = piece.bytes();
        self.health.waiting.fetch_add(bytes, Ordering::Relaxed);
        self.health.taken.fetch_add(bytes, Ordering::Relaxed);
        if let Some(pieces) = &self.pieces
            && pieces.send(piece).is_err()
        {
            tracing::error!(path = %self.path.display(), "the session's log is no longer written");
        }
    }
}

impl Drop for LogWriter {
    fn drop(&mut self) {
        self.pieces = None;
        self.health.closing.store(true, Ordering::Relaxed);
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!(path = %self.path.display(), "the session's log was broken off");
        }
    }
}

/// The thread's side of it.
struct Writing {
    folder: PathBuf,
    disk: Disk,
    log: Appended,
    /// Bytes of the log's complete lines.
    whole: u64,
    health: Arc<Health>,
    failed: OnFailure,
}

impl Writing {
    /// Writes until the session drops its end. A piece that can't be written is tried again: a log has no gaps.
    fn write_all(&mut self, work: &Receiver<Piece>) {
        let mut last_tries = LAST_TRIES;
        while let Ok(piece) = work.recv() {
            while let Err(error) = self.write_piece(&piece) {
                (self.failed)();
                if !self.health.failing.swap(true, Ordering::Relaxed) {
                    tracing::error!(path = %self.folder.display(), %error, "the session's log can't be written");
                }
                if self.health.closing.load(Ordering::Relaxed) {
                    if last_tries == 0 {
                        tracing::error!(path = %self.folder.display(), "the end of the session's log is lost");
                        return;
                    }
                    last_tries -= 1;
                }
                std::thread::park_timeout(RETRY);
            }
            self.health.failing.store(false, Ordering::Relaxed);
            self.health.waiting.fetch_sub(piece.bytes(), Ordering::Relaxed);
        }
        if let Err(error) = self.sync() {
            tracing::error!(path = %self.folder.display(), %error, "the session's log may not be on the disk");
        }
    }

    /// Syncs the log and its name to the disk; other files are there when they are written.
    fn sync(&self) -> Result<(), StoreError> {
        self.log.sync().map_err(StoreError::unwritable(self.log.path()))?;
        self.disk.sync_folder(&self.folder)?;
        self.disk.sync_folder(self.folder.parent().unwrap_or(&self.folder))
    }

    fn write_piece(&mut self, piece: &Piece) -> Result<(), StoreError> {
        match piece {
            Piece::Line(line) => self.write_line(line).map_err(StoreError::unwritable(&self.folder.join(LOG))),
            Piece::Project { file, project } => match project.write() {
                Ok(sb3) => self.disk.write(&self.folder.join(file), &sb3),
                Err(error) => {
                    tracing::warn!(%error, file, "a session's project can't be kept");
                    Ok(())
                }
            },
            Piece::File { folder: kind, name, bytes } => {
                let below = self.folder.join(kind);
                let file = below.join(name);
                if file.exists() {
                    return Ok(());
                }
                self.disk.make_folders(&below)?;
                self.disk.write(&file, bytes)
            }
        }
    }

    /// Appends a line, after what was written of it before was cut off again.
    fn write_line(&mut self, line: &str) -> std::io::Result<()> {
        if self.health.failing.load(Ordering::Relaxed) {
            self.log.cut(self.whole)?;
        }
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        self.log.append(&bytes)?;
        self.whole += bytes.len() as u64;
        Ok(())
    }
}

/// The file name extension of a picture.
pub(super) fn extension(media_type: &str) -> &'static str {
    match media_type {
        "image/jpeg" => "jpg",
        "image/webp" => "webp",
        _ => "png",
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc;
    use std::time::Instant;

    use super::*;

    /// A file lies where the folder of pictures belongs, which no user may write to, and then it does no more.
    #[test]
    fn a_log_that_fails_says_so_goes_on_trying_and_has_no_gap() {
        let folder = tempfile::tempdir().unwrap();
        let (sender, failures) = mpsc::channel();
        let writer = LogWriter::create(folder.path(), move || sender.send(()).unwrap_or_default()).unwrap();
        let images = folder.path().join("images");
        fs::write(&images, b"in the way").unwrap();
        writer.line("one".into());
        writer.image("sha", "image/png", b"picture".as_slice().into());
        writer.line("two".into());
        failures.recv_timeout(Duration::from_secs(20)).unwrap();
        // Reported before it is marked; by the second time it is.
        failures.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(writer.is_broken());
        fs::remove_file(&images).unwrap();
        while writer.is_broken() {
            std::thread::yield_now();
        }
        drop(writer);
        assert_eq!(fs::read_to_string(folder.path().join(LOG)).unwrap(), "one\ntwo\n");
        assert_eq!(fs::read(images.join("sha.png")).unwrap(), b"picture");
    }

    #[test]
    fn a_log_can_be_too_large_while_the_disk_is_well() {
        let folder = tempfile::tempdir().unwrap();
        let writer = LogWriter::create(folder.path(), || {}).unwrap();
        assert!(!writer.is_broken());
        writer.health.taken.store(LOG_BYTES + 1, Ordering::Relaxed);
        assert!(writer.is_too_large() && writer.is_broken());
        writer.health.taken.store(0, Ordering::Relaxed);
        writer.health.failing.store(true, Ordering::Relaxed);
        assert!(!writer.is_too_large() && writer.is_broken());
    }

    #[test]
    fn what_ends_while_the_disk_refuses_ends_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let writer = LogWriter::create(folder.path(), || {}).unwrap();
        fs::write(folder.path().join("images"), b"in the way").unwrap();
        writer.image("sha", "image/png", b"picture".as_slice().into());
        let began = Instant::now();
        drop(writer);
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        assert_eq!(fs::read(folder.path().join("images")).unwrap(), b"in the way");
    }
}
