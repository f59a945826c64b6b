//! Initial projects built from their texts, cached in a folder by content.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;

use super::project_file::build_file;
use super::projects::{InitialProjects, ProjectSource, ProjectSourceError};
use super::workbench::Workbench;
use crate::compile::{BuildError, fingerprint};
use crate::files::write_whole;
use crate::model::sha256_hex;
use crate::project::Project;
use crate::session::Fleet;
use crate::taskset::{TaskEntry, TasksetError, is_sb3, project_digest};

/// Builds initial projects through the editor.
#[derive(Debug)]
pub struct BuiltProjects {
    fleet: Fleet,
    bench: Workbench,
    /// Whether projects are being built ahead: the page is then given back at the end of that.
    is_ahead: AtomicBool,
}

impl BuiltProjects {
    /// Builds in pages of this fleet and keeps what it built below `cache`.
    pub fn over(fleet: Fleet, cache: PathBuf) -> ProjectSource {
        Arc::new(Self::new(fleet, cache))
    }

    /// As [`BuiltProjects::over`], and begins at once to build those of the tasks that were not built before, so that the
    /// first session of a task need not wait for it.
    pub fn ahead_of<'a>(fleet: Fleet, cache: PathBuf, tasks: impl IntoIterator<Item = &'a TaskEntry>) -> ProjectSource {
        let texts: BTreeSet<PathBuf> = tasks.into_iter().map(TaskEntry::initial).collect();
        let built = Arc::new(Self::new(fleet, cache));
        let own = Arc::clone(&built);
        own.is_ahead.store(true, Ordering::SeqCst);
        tokio::spawn(async move {
            own.bench.build_ahead(&texts, |_, _| {}).await;
            own.is_ahead.store(false, Ordering::SeqCst);
            own.bench.clear().await;
        });
        built
    }

    fn new(fleet: Fleet, cache: PathBuf) -> Self {
        Self { bench: Workbench::new(fleet.clone(), cache), fleet, is_ahead: AtomicBool::new(false) }
    }
}

#[async_trait]
impl InitialProjects for BuiltProjects {
    async fn initial(&self, task: &TaskEntry) -> Result<Vec<u8>, ProjectSourceError> {
        let text = task.initial();
        let failed = |source| ProjectSourceError { task: task.task.id.clone(), source };
        if is_sb3(&text) {
            return build_file(&self.fleet, &text).await.map_err(failed);
        }
        let built = self.bench.build(&text).await;
        if !self.is_ahead.load(Ordering::SeqCst) {
            self.bench.clear().await;
        }
        built.map_err(failed)
    }
}

/// A project built from a text: taken from `cache` if it was built before, else made and kept there.
///
/// # Errors
/// When the text can't be read, or as `make` says.
pub async fn kept(
    cache: &Path,
    text: &Path,
    make: impl AsyncFnOnce() -> Result<Vec<u8>, BuildError>,
) -> Result<Vec<u8>, BuildError> {
    let place = place(cache, text)?;
    if let Some(sb3) = whole(&place) {
        return Ok(sb3);
    }
    let sb3 = make().await?;
    keep(&place, &sb3);
    Ok(sb3)
}

/// A task's project as [`build_file`] makes it, taken from `cache` if it was built before, and kept there otherwise.
///
/// # Errors
/// As [`build_file`].
pub async fn build_kept(fleet: &Fleet, cache: &Path, text: &Path) -> Result<Vec<u8>, BuildError> {
    if is_sb3(text) {
        return build_file(fleet, text).await;
    }
    kept(cache, text, async || build_file(fleet, text).await).await
}

/// Whether a project was built before from a text as it is now.
pub(super) fn is_kept(cache: &Path, text: &Path) -> bool {
    place(cache, text).is_ok_and(|place| whole(&place).is_some())
}

/// A kept file, if it is intact: every part of the archive has its checksum. One that a crash left half written is made
/// again.
pub(super) fn whole(place: &Path) -> Option<Vec<u8>> {
    fs::read(place).ok().filter(|sb3| Project::read(sb3).is_ok())
}

/// Where a project built from a text is kept.
pub(super) fn place(cache: &Path, text: &Path) -> Result<PathBuf, TasksetError> {
    Ok(cache.join(format!("{}.sb3", key(text)?)))
}

/// What a built project depends on: its text, the files beside it, and what builds it.
fn key(text: &Path) -> Result<String, TasksetError> {
    let seed = format!("{}\n{}\n", fingerprint(), project_digest(text)?);
    Ok(sha256_hex(seed.as_bytes()))
}

/// Keeps a built project. One that can't be kept is built again the next time.
pub(super) fn keep(place: &Path, sb3: &[u8]) {
    if let Err(error) = put(place, sb3) {
        tracing::warn!(%error, path = %place.display(), "a built project could not be kept");
    }
}

/// Puts a file in its place, and makes the folder for it.
pub(super) fn put(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    write_whole(path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EditorGeneration;
    use crate::page::LaunchOptions;
    use crate::session::{BrowserPool, FleetOptions};

    fn project() -> Vec<u8> {
        let costume = "0123456789abcdef0123456789abcdef.svg".to_owned();
        let json = r#"{"targets": [], "monitors": [], "extensions": [], "meta": {}}"#;
        Project::from_json(json, [(costume, vec![7; 400])].into()).unwrap().write().unwrap()
    }

    #[tokio::test]
    async fn a_project_that_was_built_before_takes_no_page() {
        let nowhere = LaunchOptions::new(Some("/nowhere/chromium".into()), "/nowhere/guard".into());
        let options = FleetOptions { editor_url: String::new(), editor: EditorGeneration::Current, warm: 0 };
        let fleet = Fleet::start(BrowserPool::new(nowhere, 1), options);
        let cache = tempfile::tempdir().unwrap();
        let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("tasks/create/kite_gusts/golden.txt");
        assert!(build_kept(&fleet, cache.path(), &text).await.is_err(), "there is no browser");
        keep(&place(cache.path(), &text).unwrap(), &project());
        assert_eq!(build_kept(&fleet, cache.path(), &text).await.unwrap(), project());
    }

    #[test]
    fn a_kept_file_that_was_damaged_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("below/kept.sb3");
        assert_eq!(whole(&place), None);
        let sb3 = project();
        keep(&place, &sb3);
        assert_eq!(whole(&place), Some(sb3.clone()));
        for damaged in [Vec::new(), sb3[..sb3.len() / 2].to_vec(), vec![0; sb3.len()]] {
            fs::write(&place, damaged).unwrap();
            assert_eq!(whole(&place), None);
        }
    }
}
