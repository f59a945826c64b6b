//! Why no pack could be made. What is merely missing from a checkout is in the report.

use std::path::PathBuf;

use crate::model::{Blame, Coded};

/// Errors of importing and writing a pack.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The folder does not look like a checkout of the reference repository.
    #[error("{folder} is not a ScratchWorld checkout: it has no folder `{missing}`", folder = folder.display())]
    NoCheckout { folder: PathBuf, missing: &'static str },
    #[error("can't read {path}", path = path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// The destination is not empty.
    #[error("{folder} is not empty", folder = folder.display())]
    Taken { folder: PathBuf },
    /// The destination holds something other than a pack, which not even force replaces.
    #[error("{folder} is not empty and not a task pack", folder = folder.display())]
    NotAPack { folder: PathBuf },
    #[error("can't write {path}", path = path.display())]
    Unwritable { path: PathBuf, source: std::io::Error },
}

impl Coded for ImportError {
    fn code(&self) -> &str {
        match self {
            Self::NoCheckout { .. } => "no_checkout_of_scratchworld",
            Self::Unreadable { .. } => "checkout_unreadable",
            Self::Taken { .. } => "pack_exists",
            Self::NotAPack { .. } => "not_a_pack",
            Self::Unwritable { .. } => "pack_not_written",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoCheckout { .. } => {
                "name the folder that holds `tasks/<type>/<name>.json` and `scratch-gui/static/*.sb3`"
            }
            Self::Taken { .. } => "choose another --out, or replace the pack with --force",
            Self::NotAPack { .. } => "choose another --out; --force replaces packs only",
            Self::Unreadable { .. } | Self::Unwritable { .. } => return None,
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        if matches!(self, Self::Unwritable { .. }) { Blame::Testbed } else { Blame::Input }
    }
}
