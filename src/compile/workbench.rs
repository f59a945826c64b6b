//! A page in which projects are built, one after another, and the folder that caches them by content.
//!
//! One page is enough: a project takes it some hundredths of a second, and opening a second one costs about what it
//! saves (docs/adr/0020).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tokio::sync::Mutex;

use super::built::{is_kept, keep, place, whole};
use crate::compile::{BuildError, Source, compile};
use crate::session::retry::while_broken;
use crate::session::{Fleet, Lease};
use crate::taskset::{TaskEntry, is_sb3};

/// Builds projects in one page, which is opened for the first that was not built before.
#[derive(Debug)]
pub struct Workbench {
    fleet: Fleet,
    cache: PathBuf,
    page: Mutex<Option<Lease>>,
}

impl Workbench {
    /// Builds in a page of this fleet and keeps what it built below `cache`.
    pub fn new(fleet: Fleet, cache: PathBuf) -> Self {
        Self { fleet, cache, page: Mutex::default() }
    }

    /// The .sb3 file of a project text, taken from the cache if it was built before.
    ///
    /// # Errors
    /// When the text has a fault, a file can't be read, or the editor fails repeatedly.
    pub async fn build(&self, text: &Path) -> Result<Vec<u8>, BuildError> {
        let place = place(&self.cache, text)?;
        if let Some(sb3) = whole(&place) {
            return Ok(sb3);
        }
        let source = Source::read(text)?;
        let sb3 = while_broken("building a project", BuildError::is_broken, || self.once(&source)).await?;
        keep(&place, &sb3);
        Ok(sb3)
    }

    /// Builds those of the texts that were not built before; `progress` gets the number done and the total.
    /// A text that cannot be built is skipped; the caller that asks for it gets the error.
    pub async fn build_ahead(&self, texts: &BTreeSet<PathBuf>, progress: impl Fn(usize, usize)) {
        let missing: Vec<&PathBuf> = texts.iter().filter(|text| !is_sb3(text) && !is_kept(&self.cache, text)).collect();
        for (done, text) in missing.iter().enumerate() {
            progress(done, missing.len());
            match self.build(text).await {
                Ok(_) => {}
                // Without a page the others can't be built either.
                Err(error @ BuildError::Page(_)) => return tracing::warn!(%error, "projects are not built ahead"),
                Err(error) => tracing::debug!(%error, text = %text.display(), "a project is not built ahead"),
            }
        }
    }

    /// Gives the page back; building goes on with a new one.
    pub async fn clear(&self) {
        if let Some(lease) = self.page.lock().await.take() {
            self.fleet.release(lease).await;
        }
    }

    async fn once(&self, source: &Source) -> Result<Vec<u8>, BuildError> {
        let mut place = self.page.lock().await;
        let lease = match place.take() {
            Some(lease) => lease,
            None => self.fleet.acquire().await?,
        };
        // The lease stays in place while it works, so that a cancelled caller does not lose it.
        let built = compile(&place.insert(lease).page, source).await;
        let is_broken = built.as_ref().is_err_and(BuildError::is_broken);
        if let Some(broken) = place.take_if(|_| is_broken) {
            self.fleet.release(broken).await;
        }
        Ok(built?.write()?)
    }
}

/// The texts of what tasks start from, of what solves them, and of their other solutions.
pub fn texts_of<'a>(entries: impl IntoIterator<Item = &'a TaskEntry>) -> BTreeSet<PathBuf> {
    let of = |entry: &TaskEntry| {
        let ends = [entry.initial(), entry.golden()];
        let others = entry.second_solutions().into_iter().chain(entry.slow_solutions());
        ends.into_iter().chain(others).filter(|path| !is_sb3(path)).collect::<Vec<_>>()
    };
    entries.into_iter().flat_map(of).collect()
}
