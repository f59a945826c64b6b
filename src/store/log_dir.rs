//! The folder of one session's log: appended as the session goes on, never changed afterwards.
//!
//! ```text
//! <folder>/log.jsonl              one event a line, each chained to the one before
//! <folder>/initial.sb3            the project that the session began with
//! <folder>/final.sb3              the project that it ended with
//! <folder>/images/<sha256>.<ext>  pictures, each once
//! <folder>/projects/<sha256>.sb3  project files that calls brought
//! ```
//! Writing happens on a thread of its own, so that a slow disk does not slow the session.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::StoreError;
use super::attempt_dir::write;
use crate::project::Project;

/// The file of events.
pub(super) const LOG: &str = "log.jsonl";
/// The file of the project that the session began with.
pub(super) const INITIAL: &str = "initial.sb3";
/// The file of the project that the session ended with.
pub(super) const FINAL: &str = "final.sb3";
/// Pieces of work that may wait for the disk; then the session waits, because a log has no gaps.
const QUEUE: usize = 1024;

/// What is to be written.
enum Piece {
    Line(Arc<str>),
    Project { file: &'static str, project: Box<Project> },
    File { folder: &'static str, name: String, bytes: Arc<[u8]> },
}

/// Writes one session's log. Dropping it waits until all is written.
#[derive(Debug)]
pub struct LogWriter {
    path: PathBuf,
    pieces: Option<SyncSender<Piece>>,
    thread: Option<JoinHandle<()>>,
}

impl LogWriter {
    /// Creates the folder, which must not hold a log yet.
    ///
    /// # Errors
    /// When the disk refuses, or there is a log already.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(path).map_err(StoreError::unwritable(path))?;
        let log = path.join(LOG);
        let file = OpenOptions::new().create_new(true).append(true).open(&log).map_err(StoreError::unwritable(&log))?;
        let (pieces, work) = sync_channel(QUEUE);
        let folder = path.to_owned();
        let thread = std::thread::Builder::new()
            .name("session-log".into())
            .spawn(move || write_all(&folder, file, &work))
            .map_err(StoreError::unwritable(path))?;
        Ok(Self { path: path.to_owned(), pieces: Some(pieces), thread: Some(thread) })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
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
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!(path = %self.path.display(), "the session's log was broken off");
        }
    }
}

/// Writes until the session lets go; the first failure ends the log, and is told.
fn write_all(folder: &Path, mut log: File, work: &Receiver<Piece>) {
    while let Ok(piece) = work.recv() {
        if let Err(error) = write_piece(folder, &mut log, piece) {
            tracing::error!(path = %folder.display(), %error, "the session's log can't be written");
            return;
        }
    }
}

fn write_piece(folder: &Path, log: &mut File, piece: Piece) -> Result<(), StoreError> {
    match piece {
        Piece::Line(line) => {
            let mut bytes = Vec::with_capacity(line.len() + 1);
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
            log.write_all(&bytes).map_err(StoreError::unwritable(&folder.join(LOG)))
        }
        Piece::Project { file, project } => match project.write() {
            Ok(sb3) => write(&folder.join(file), &sb3),
            Err(error) => {
                tracing::warn!(%error, file, "a session's project can't be kept");
                Ok(())
            }
        },
        Piece::File { folder: kind, name, bytes } => {
            let below = folder.join(kind);
            let file = below.join(name);
            if file.exists() {
                return Ok(());
            }
            fs::create_dir_all(&below).map_err(StoreError::unwritable(&below))?;
            write(&file, &bytes)
        }
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
