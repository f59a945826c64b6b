//! What can go wrong while a machine is set up.

use std::path::{Path, PathBuf};

use crate::model::{Blame, Coded};
use crate::ocr::OcrError;

/// Errors of the set-up room.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// System packages are missing and we are not allowed or not able to install them.
    #[error("missing: {}", .missing.join(", "))]
    SystemPackages {
        /// Names of the Debian packages.
        missing: Vec<String>,
        /// Why we do not install them ourselves.
        reason: &'static str,
    },
    /// A program that set-up needs is not there.
    #[error("`{program}` is not installed or does not run")]
    ProgramMissing { program: &'static str, source: std::io::Error },
    /// A program is there, but too old.
    #[error("`{program}` is {found}, but {wanted} or newer is needed")]
    ProgramTooOld { program: &'static str, found: String, wanted: u32 },
    /// Python is there, but too old.
    #[error("`python3` is {found}, but {wanted} or newer is needed")]
    PythonTooOld { found: String, wanted: String },
    /// A program that set-up started reported a failure.
    #[error("`{command}` failed ({status}):\n{output}")]
    CommandFailed { command: String, status: std::process::ExitStatus, output: String },
    /// The registry has something else under the name of a pinned package.
    #[error("`{spec}` is another package: its digest is {found}, {wanted} is pinned")]
    OtherPackage { spec: String, found: String, wanted: String },
    /// The text recognition models could not be prepared.
    #[error(transparent)]
    Recognition(#[from] OcrError),
    /// A file could not be read or written.
    #[error("{what} {} failed", .path.display())]
    File { what: &'static str, path: PathBuf, source: std::io::Error },
}

impl SetupError {
    /// Wraps an I/O error with what was being attempted.
    pub(super) fn file(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { what, path, source }
    }
}

impl Coded for SetupError {
    fn code(&self) -> &str {
        match self {
            Self::SystemPackages { .. } => "system_packages_missing",
            Self::ProgramMissing { .. } => "program_missing",
            Self::ProgramTooOld { .. } => "program_too_old",
            Self::CommandFailed { .. } => "command_failed",
            Self::OtherPackage { .. } => "other_package",
            Self::Recognition(error) => error.code(),
            Self::PythonTooOld { .. } => "python_too_old",
            Self::File { .. } => "file_failed",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::SystemPackages { missing, reason } => {
                Some(format!("{reason}; as root run: apt-get update && apt-get install -y {}", missing.join(" ")))
            }
            Self::ProgramMissing { program: "node" | "npm", .. } | Self::ProgramTooOld { .. } => {
                Some("install Node.js 20 or newer with npm".into())
            }
            Self::CommandFailed { command, .. } if command.starts_with("npm") => {
                Some("check that npm reaches its registry, then run the same command again".into())
            }
            Self::PythonTooOld { wanted, .. } => Some(format!("put a Python {wanted} or newer first on the path")),
            Self::CommandFailed { command, .. } if command.contains("-m pip ") => {
                Some("check that pip reaches its registry, then run the same command again".into())
            }
            Self::CommandFailed { command, .. } if command.starts_with("apt-get") => {
                Some("check that apt reaches its mirrors, or install the packages by hand".into())
            }
            Self::Recognition(error) => error.hint(),
            Self::File { .. } => Some("run inside a checkout of this project that you may write to".into()),
            Self::OtherPackage { .. } => Some("ask another mirror of the registry".into()),
            Self::ProgramMissing { .. } | Self::CommandFailed { .. } => None,
        }
    }

    fn blame(&self) -> Blame {
        Blame::Machine
    }
}
