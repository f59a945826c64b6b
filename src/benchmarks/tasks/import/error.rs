//! Why no pack could be made. What is merely missing from a checkout is in the report.

use std::path::PathBuf;

/// Errors of importing and writing a pack.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The folder does not look like a checkout of the reference repository.
    #[error("{folder} is no ScratchWorld checkout: it has no folder `{missing}`", folder = folder.display())]
    NoCheckout {
        /// The folder.
        folder: PathBuf,
        /// What it lacks.
        missing: &'static str,
    },
    /// A file or folder can't be read.
    #[error("can't read {path}", path = path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The place for the pack is taken.
    #[error("{folder} is not empty", folder = folder.display())]
    Taken {
        /// The folder.
        folder: PathBuf,
    },
    /// The place for the pack holds something else, which not even force replaces.
    #[error("{folder} is not empty and no task pack", folder = folder.display())]
    NotAPack {
        /// The folder.
        folder: PathBuf,
    },
    /// The pack can't be written.
    #[error("can't write {path}", path = path.display())]
    Unwritable {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl ImportError {
    /// Stable, machine-readable name of the situation.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoCheckout { .. } => "no_checkout_of_scratchworld",
            Self::Unreadable { .. } => "checkout_unreadable",
            Self::Taken { .. } => "pack_exists",
            Self::NotAPack { .. } => "not_a_pack",
            Self::Unwritable { .. } => "pack_not_written",
        }
    }

    /// What to do about it, when that is known.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoCheckout { .. } => {
                Some("name the folder that holds `tasks/<type>/<name>.json` and `scratch-gui/static/*.sb3`")
            }
            Self::Taken { .. } => Some("choose another --out, or replace the pack with --force"),
            Self::NotAPack { .. } => Some("choose another --out; --force replaces packs only"),
            Self::Unreadable { .. } | Self::Unwritable { .. } => None,
        }
    }
}
