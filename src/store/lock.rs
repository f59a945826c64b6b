//! A lock on a run: one process at a time works on it, however it ends.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;

use super::StoreError;

/// The file that is locked. It stays; the lock goes with the process.
pub(super) const FILE: &str = "lock";

/// The right to add to a run's folder, held until the last copy is dropped.
#[derive(Debug, Clone)]
pub(super) struct RunLock {
    _file: Arc<File>,
}

impl RunLock {
    /// Takes it.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when another process, or another value here, has it; when the disk refuses.
    pub(super) fn take(run: &Path) -> Result<Self, StoreError> {
        let path = run.join(FILE);
        let file = File::options().create(true).append(true).open(&path).map_err(StoreError::unwritable(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: Arc::new(file) }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse { path: run.to_owned() }),
            Err(TryLockError::Error(error)) => Err(StoreError::unwritable(&path)(error)),
        }
    }
}
