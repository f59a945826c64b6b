//! Builds the projects of a task in one page, cached by content.

use std::fs;
use std::path::{Path, PathBuf};

use super::evidence::Projects;
use crate::compile::kept;
use crate::compile::{BuildError, Source, compile};
use crate::page::Page;
use crate::session::retry::while_broken;
use crate::session::{Fleet, Lease};
use crate::taskset::{TaskEntry, is_sb3};

/// Builds the initial and the golden project of a task. What was built before is taken from `cache`.
///
/// # Errors
/// As [`build`].
pub async fn build_ends(fleet: &Fleet, cache: &Path, entry: &TaskEntry) -> Result<(Vec<u8>, Vec<u8>), BuildError> {
    attempted(fleet, cache, entry, async |builder| builder.ends().await).await
}

/// Builds what a check of this task needs. What was built before is taken from `cache`.
///
/// # Errors
/// When a text has a fault, a file can't be read, or the editor fails repeatedly.
pub async fn build(fleet: &Fleet, cache: &Path, entry: &TaskEntry) -> Result<Projects, BuildError> {
    attempted(fleet, cache, entry, async |builder| builder.all().await).await
}

/// Builds in a page of its own, and in another one when that breaks.
async fn attempted<T>(
    fleet: &Fleet,
    cache: &Path,
    entry: &TaskEntry,
    work: impl AsyncFn(&mut Builder<'_>) -> Result<T, BuildError>,
) -> Result<T, BuildError> {
    let once = || async {
        let mut builder = Builder { fleet, cache, entry, lease: None };
        let built = work(&mut builder).await;
        if let Some(lease) = builder.lease {
            fleet.release(lease).await;
        }
        built
    };
    while_broken("building a task's projects", BuildError::is_broken, once).await
}

struct Builder<'a> {
    fleet: &'a Fleet,
    cache: &'a Path,
    entry: &'a TaskEntry,
    /// Taken for the first text that was not built before.
    lease: Option<Lease>,
}

impl Builder<'_> {
    async fn all(&mut self) -> Result<Projects, BuildError> {
        let (initial, golden) = self.ends().await?;
        let second_solutions = self.each(self.entry.second_solutions()).await?;
        let slow_solutions = self.each(self.entry.slow_solutions()).await?;
        Ok(Projects { golden, initial, second_solutions, slow_solutions })
    }

    async fn each(&mut self, paths: Vec<PathBuf>) -> Result<Vec<Vec<u8>>, BuildError> {
        let mut built = Vec::new();
        for path in paths {
            built.push(self.one(&path).await?);
        }
        Ok(built)
    }

    async fn ends(&mut self) -> Result<(Vec<u8>, Vec<u8>), BuildError> {
        Ok((self.one(&self.entry.initial()).await?, self.one(&self.entry.golden()).await?))
    }

    async fn one(&mut self, path: &Path) -> Result<Vec<u8>, BuildError> {
        let unreadable = |source| BuildError::Read { path: path.to_owned(), source };
        if is_sb3(path) {
            return fs::read(path).map_err(unreadable);
        }
        let cache = self.cache;
        kept(cache, path, async || Ok(compile(self.page().await?, &Source::read(path)?).await?.write()?)).await
    }

    async fn page(&mut self) -> Result<&Page, BuildError> {
        let lease = match self.lease.take() {
            Some(lease) => lease,
            None => self.fleet.acquire().await?,
        };
        Ok(&self.lease.insert(lease).page)
    }
}
