//! A project file from its text, in a page of its own.

use std::path::Path;

use crate::build::{BuildError, Source, compile};
use crate::session::Fleet;

/// Builds the text in `path` through the editor and returns the bytes of the .sb3 file.
///
/// # Errors
/// When the text can't be read or has a fault, or the editor is in trouble.
pub async fn build_file(fleet: &Fleet, path: &Path) -> Result<Vec<u8>, BuildError> {
    let source = Source::read(path)?;
    let lease = fleet.acquire().await?;
    let project = compile(&lease.page, &source).await;
    fleet.release(lease).await;
    Ok(project?.write()?)
}
