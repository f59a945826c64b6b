//! Initial projects built from their texts, in pages of their own, kept in a folder by content.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::Mutex;

use super::project_file::build_file;
use super::projects::{InitialProjects, ProjectSource, ProjectSourceError};
use crate::build::{BuildError, fingerprint};
use crate::model::sha256_hex;
use crate::session::Fleet;
use crate::taskset::{TaskEntry, TasksetError, is_sb3, project_digest};

/// Builds initial projects through the editor.
#[derive(Debug)]
pub struct BuiltProjects {
    fleet: Fleet,
    cache: PathBuf,
    /// One build at a time: the same task is then built once, and sessions keep the processor.
    turn: Mutex<()>,
}

impl BuiltProjects {
    /// Builds in pages of this fleet and keeps what it built below `cache`.
    #[must_use]
    pub fn over(fleet: Fleet, cache: PathBuf) -> ProjectSource {
        Arc::new(Self { fleet, cache, turn: Mutex::default() })
    }
}

#[async_trait]
impl InitialProjects for BuiltProjects {
    async fn initial(&self, task: &TaskEntry) -> Result<Vec<u8>, ProjectSourceError> {
        let text = task.initial();
        let name = || task.task.id.to_string();
        let failed = |error| match error {
            BuildError::Page(error) => ProjectSourceError::Infrastructure { task: name(), reason: error.to_string() },
            error => ProjectSourceError::Unbuildable { task: name(), reason: error.to_string() },
        };
        if is_sb3(&text) {
            return build_file(&self.fleet, &text).await.map_err(failed);
        }
        let _turn = self.turn.lock().await;
        kept(&self.cache, &text, async || build_file(&self.fleet, &text).await).await.map_err(failed)
    }
}

/// A project built from a text: taken from `cache` if it was built before, else made and kept there.
pub(super) async fn kept(
    cache: &Path,
    text: &Path,
    make: impl AsyncFnOnce() -> Result<Vec<u8>, BuildError>,
) -> Result<Vec<u8>, BuildError> {
    let place = cache.join(format!("{}.sb3", key(text)?));
    if let Ok(sb3) = fs::read(&place) {
        return Ok(sb3);
    }
    let sb3 = make().await?;
    if let Err(error) = keep(&place, &sb3) {
        tracing::warn!(%error, path = %place.display(), "a built project could not be kept");
    }
    Ok(sb3)
}

/// What a built project depends on: its text, the files beside it, and what builds it.
fn key(text: &Path) -> Result<String, TasksetError> {
    let seed = format!("{}\n{}\n", fingerprint(), project_digest(text)?);
    Ok(sha256_hex(seed.as_bytes()))
}

/// Puts a file in its place at once.
fn keep(path: &Path, sb3: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let file = tempfile::NamedTempFile::new_in(folder)?;
    fs::write(file.path(), sb3)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}
