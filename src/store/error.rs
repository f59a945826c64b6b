//! What can go wrong with run directories.

use std::path::{Path, PathBuf};

use crate::model::{Blame, Coded};

/// Errors of the store room.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file or folder can't be written.
    #[error("{} can't be written", .path.display())]
    Unwritable { path: PathBuf, source: std::io::Error },
    /// The disk has no room for one more attempt.
    #[error("the disk of {} is full", .path.display())]
    DiskFull { path: PathBuf },
    /// A file or folder can't be read.
    #[error("{} can't be read", .path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// A record does not have the declared shape.
    #[error("{} is no record of this format", .path.display())]
    Malformed { path: PathBuf, source: serde_json::Error },
    /// There is no run in the folder, and it is no bundle or folder of runs.
    #[error("{} holds no run", .path.display())]
    NoRun { path: PathBuf },
    /// A bundle can't be read, or is not one.
    #[error("{} is no bundle of runs: {reason}", .path.display())]
    NoBundle { path: PathBuf, reason: String },
    /// A file of a bundle is not as it was packed.
    #[error("{}: {file} is not what was packed", .path.display())]
    BundleAltered { path: PathBuf, file: String },
    /// An archive holds more than is unpacked.
    #[error("{} unpacks to more than {} MiB", .path.display(), .bytes >> 20)]
    TooLarge { path: PathBuf, bytes: u64 },
    /// A bundle says more of its files than there is to say.
    #[error("{}: its bundle.json has {bytes} bytes, and for its files {most} are enough", .path.display())]
    RecordTooLarge { path: PathBuf, bytes: u64, most: u64 },
    /// The disk has no room for what an archive holds.
    #[error("{} unpacks to {} MiB, for which {} has no room", .path.display(), .bytes >> 20, .folder.display())]
    NoRoom { path: PathBuf, folder: PathBuf, bytes: u64 },
    /// What a run of a bundle has can't be taken over as if it had been made here.
    #[error("{} came in a bundle, and only runs that were made here are continued", .path.display())]
    Foreign { path: PathBuf },
    /// Another process works on the run.
    #[error("{} is being worked on by another process", .path.display())]
    InUse { path: PathBuf },
    /// The run was begun by an older program, whose records are not enough to resume it.
    #[error("{} has format {found}, and this program goes on with runs of format {known} alone", .path.display())]
    OlderFormat { path: PathBuf, found: u32, known: u32 },
    /// A record was written by a newer program.
    #[error("{} has format {found}, this program reads up to {known}", .path.display())]
    NewerFormat { path: PathBuf, found: u32, known: u32 },
}

impl StoreError {
    pub(super) fn unwritable(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Unwritable { path: path.to_owned(), source }
    }

    pub(super) fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Unreadable { path: path.to_owned(), source }
    }
}

impl Coded for StoreError {
    fn code(&self) -> &str {
        match self {
            Self::Unwritable { .. } => "run_unwritable",
            Self::DiskFull { .. } | Self::NoRoom { .. } => "disk_full",
            Self::Unreadable { .. } => "run_unreadable",
            Self::Malformed { .. } => "run_malformed",
            Self::NoRun { .. } => "no_run",
            Self::NoBundle { .. } => "no_bundle",
            Self::BundleAltered { .. } => "bundle_altered",
            Self::TooLarge { .. } => "bundle_too_large",
            Self::RecordTooLarge { .. } => "bundle_record_too_large",
            Self::Foreign { .. } => "run_foreign",
            Self::InUse { .. } => "run_in_use",
            Self::OlderFormat { .. } => "run_format_older",
            Self::NewerFormat { .. } => "run_format_newer",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::BundleAltered { .. } | Self::RecordTooLarge { .. } => {
                Some("get the bundle again from where it was made".to_owned())
            }
            Self::NoRun { .. } => {
                Some("name the folder that the run printed, below runs/, that of an experiment, or a bundle".to_owned())
            }
            Self::TooLarge { .. } => {
                Some("if you trust whoever made it, `--large-bundles` unpacks up to 64 GiB".to_owned())
            }
            Self::NoRoom { .. } => Some("make room there, or set TMPDIR to a folder on a larger disk".to_owned()),
            Self::DiskFull { .. } => Some("make room: an attempt begins only where 200 MiB are free".to_owned()),
            Self::OlderFormat { .. } | Self::Foreign { .. } => Some("start a new run".to_owned()),
            _ => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::NoRun { .. }
            | Self::NoBundle { .. }
            | Self::BundleAltered { .. }
            | Self::TooLarge { .. }
            | Self::RecordTooLarge { .. }
            | Self::OlderFormat { .. }
            | Self::Foreign { .. } => Blame::Input,
            _ => Blame::Testbed,
        }
    }
}
