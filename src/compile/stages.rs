//! Pictures of the initial stages of tasks, for task lists: drawn one after another in the background on first request,
//! cached on disk by content.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::built::put;
use super::projects::ProjectSource;
use crate::compile::{BuildError, draw, fingerprint};
use crate::model::sha256_hex;
use crate::session::{Fleet, TurnKind};
use crate::taskset::TaskEntry;

/// The state of a task's picture.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Known {
    /// It is being drawn, or waits for it.
    Coming,
    /// It is in this file.
    Drawn(PathBuf),
    /// It can't be drawn; the log says why.
    Failed,
}

/// A task's picture, if it exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stage {
    /// The PNG file, 480 x 360 pixels.
    Drawn(Vec<u8>),
    /// It is not there yet.
    Coming,
    None,
}

/// Draws and keeps the pictures; cheap to clone.
#[derive(Debug, Clone)]
pub struct Stages {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    fleet: Fleet,
    projects: ProjectSource,
    cache: PathBuf,
    known: Mutex<HashMap<String, Known>>,
    /// One is drawn at a time.
    turn: Semaphore,
}

impl Stages {
    /// Draws in pages of this fleet, from these projects, and keeps the pictures below `cache`.
    pub fn new(fleet: Fleet, projects: ProjectSource, cache: PathBuf) -> Self {
        let inner = Inner { fleet, projects, cache, known: Mutex::default(), turn: Semaphore::new(1) };
        Self { inner: Arc::new(inner) }
    }

    /// The picture of a task. A missing one is drawn in the background.
    pub fn of(&self, entry: &TaskEntry) -> Stage {
        let id = entry.task.id.to_string();
        let before = self.known().insert_if_new(&id);
        match before {
            Some(Known::Drawn(file)) => fs::read(file).map_or(Stage::None, Stage::Drawn),
            Some(Known::Failed) => Stage::None,
            Some(Known::Coming) => Stage::Coming,
            None => {
                let (own, entry) = (self.clone(), entry.clone());
                tokio::spawn(async move {
                    let known = own.drawn(&entry).await.map_or_else(
                        |error| {
                            tracing::warn!(task = %id, %error, "a task's stage can't be drawn");
                            Known::Failed
                        },
                        Known::Drawn,
                    );
                    own.known().set(&id, known);
                });
                Stage::Coming
            }
        }
    }

    async fn drawn(&self, entry: &TaskEntry) -> Result<PathBuf, String> {
        let message = |error: &dyn std::error::Error| crate::model::with_causes(error);
        let _one = self.inner.turn.acquire().await.map_err(|error| error.to_string())?;
        let sb3 = self.inner.projects.initial(entry).await.map_err(|error| message(&error))?;
        let file = place(&self.inner.cache, &sb3);
        if file.is_file() {
            return Ok(file);
        }
        let picture = self.draw(&sb3).await.map_err(|error| message(&error))?;
        put(&file, &picture).map_err(|error| error.to_string())?;
        Ok(file)
    }

    /// As one session among the others: it waits for its turn, and gives it up after each picture.
    async fn draw(&self, sb3: &[u8]) -> Result<Vec<u8>, BuildError> {
        let fleet = &self.inner.fleet;
        let lease = fleet.acquire().await?;
        let turn = fleet.turns().take(TurnKind::Page).await;
        let drawn = draw(&lease.page, sb3, Duration::ZERO).await;
        drop(turn);
        fleet.release(lease).await;
        Ok(drawn?.stage)
    }

    fn known(&self) -> Names<'_> {
        Names(self.inner.known.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

struct Names<'a>(std::sync::MutexGuard<'a, HashMap<String, Known>>);

impl Names<'_> {
    /// What was known; a name that is new counts as coming from now on.
    fn insert_if_new(&mut self, id: &str) -> Option<Known> {
        let before = self.0.get(id).cloned();
        if before.is_none() {
            self.0.insert(id.to_owned(), Known::Coming);
        }
        before
    }

    fn set(&mut self, id: &str, known: Known) {
        self.0.insert(id.to_owned(), known);
    }
}

/// Where the picture of a project is kept: by the project and by what draws it.
fn place(cache: &Path, sb3: &[u8]) -> PathBuf {
    let seed = format!("{}\n{}\n", fingerprint(), sha256_hex(sb3));
    cache.join(format!("{}.png", sha256_hex(seed.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_kept_by_what_it_shows() {
        let cache = Path::new("cache");
        assert_eq!(place(cache, b"one"), place(cache, b"one"));
        assert_ne!(place(cache, b"one"), place(cache, b"two"));
    }
}
