//! Builds a project file from its text, in a page of its own.

use std::path::{Path, PathBuf};

use crate::compile::{BuildError, Compiled, Faults, Source, compile_noting};
use crate::project::Project;
use crate::session::Fleet;
use crate::taskset::is_sb3;

/// Builds the text in `path` through the editor and returns the bytes of the .sb3 file; one that is an .sb3 file
/// already, as packs have them, is only read.
///
/// # Errors
/// When the file can't be read or has a fault, or the editor is in trouble.
pub async fn build_file(fleet: &Fleet, path: &Path) -> Result<Vec<u8>, BuildError> {
    build_file_with(fleet, path, Vec::new()).await
}

/// As [`build_file`], of a text that may also use the assets in `folders`.
///
/// # Errors
/// As there.
pub async fn build_file_with(fleet: &Fleet, path: &Path, folders: Vec<PathBuf>) -> Result<Vec<u8>, BuildError> {
    if is_sb3(path) {
        let unreadable = |source| BuildError::Read { path: path.to_owned(), source };
        let sb3 = std::fs::read(path).map_err(unreadable)?;
        Project::read(&sb3)?.check()?;
        return Ok(sb3);
    }
    let source = Source::read_with(path, folders)?;
    let lease = fleet.acquire().await?;
    let compiled = compile_noting(&lease.page, &source).await;
    fleet.release(lease).await;
    let Compiled { project, warnings } = compiled?;
    for warning in &warnings {
        tracing::warn!("{}", Faults::located(Some(path), warning));
    }
    Ok(project.write()?)
}
