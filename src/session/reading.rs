//! Reads strangers' project files off the threads that answer calls, a few at a time: a file of the allowed size takes
//! up to a second of work and a few hundred megabytes while it is unpacked and checked.

use std::sync::{Arc, LazyLock};

use tokio::sync::Semaphore;

use crate::project::{Project, ProjectError};

/// How many files are read at the same time, at most.
const AT_ONCE: usize = 2;

static READING: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(AT_ONCE)));

/// A project file that has been read and checked.
#[derive(Debug)]
pub struct CheckedProject {
    pub project: Project,
    /// Oddities that are not faults, in words.
    pub warnings: Vec<String>,
    /// The same project rewritten, for a page to load: what was checked is what a page gets, no matter what else the
    /// file held.
    pub packed: Vec<u8>,
}

/// The same for a page alone, for which it may have to wait: it takes no more memory than the file.
#[derive(Debug)]
pub(super) struct PackedProject {
    pub sb3: Vec<u8>,
    pub warnings: Vec<String>,
}

/// Reads and checks a project file for a page.
///
/// # Errors
/// As [`read_project`].
pub(super) async fn read_packed(sb3: &[u8]) -> Result<PackedProject, ProjectError> {
    let CheckedProject { warnings, packed, .. } = read_project(sb3).await?;
    Ok(PackedProject { sb3: packed, warnings })
}

/// Reads and checks a project file.
///
/// # Errors
/// When it is not a project, is over the limits, or has faults that the editor's machine would not survive.
pub async fn read_project(sb3: &[u8]) -> Result<CheckedProject, ProjectError> {
    // Held by the work itself, which continues when the caller goes away. The semaphore is never closed.
    let permit = Arc::clone(&READING).acquire_owned().await;
    let sb3 = sb3.to_vec();
    let work = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let project = Project::read(&sb3)?;
        let warnings = project.check()?;
        let packed = project.pack()?;
        Ok(CheckedProject { project, warnings, packed })
    });
    match work.await {
        Ok(read) => read,
        Err(ended) => match ended.try_into_panic() {
            // A fault of ours: no verdict on the file.
            Ok(panic) => std::panic::resume_unwind(panic),
            // Cancelled, because the whole program ends.
            Err(_) => std::future::pending().await,
        },
    }
}
