//! The projects of a task, built in one page and kept by content.

use std::fs;
use std::path::Path;

use super::certify::Projects;
use crate::build::{BuildError, Source, compile};
use crate::page::Page;
use crate::runner::built::kept;
use crate::runner::retry::while_broken;
use crate::session::{Fleet, Lease};
use crate::taskset::{TaskEntry, is_sb3};

/// Builds what a check of this task needs. What was built before is taken from `cache`.
///
/// # Errors
/// When a text has a fault, a file can't be read, or the editor is in trouble time and again.
pub async fn build(fleet: &Fleet, cache: &Path, entry: &TaskEntry) -> Result<Projects, BuildError> {
    let is_broken = |error: &BuildError| matches!(error, BuildError::Page(_));
    while_broken("building a task's projects", is_broken, async || once(fleet, cache, entry).await).await
}

async fn once(fleet: &Fleet, cache: &Path, entry: &TaskEntry) -> Result<Projects, BuildError> {
    let mut builder = Builder { fleet, cache, entry, lease: None };
    let projects = builder.all().await;
    if let Some(lease) = builder.lease {
        fleet.release(lease).await;
    }
    projects
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
        let golden = self.one(&self.entry.golden()).await?;
        let initial = self.one(&self.entry.initial()).await?;
        let mut second_solutions = Vec::new();
        for path in self.entry.second_solutions() {
            second_solutions.push(self.one(&path).await?);
        }
        Ok(Projects { golden, initial, second_solutions })
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
