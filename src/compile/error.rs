//! What can go wrong while a text becomes a project.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::model::{Blame, Coded};
use crate::notation::Fault;
use crate::page::PageError;
use crate::project::ProjectError;
use crate::taskset::TasksetError;

/// All faults of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults {
    pub path: Option<PathBuf>,
    /// At least one, by line.
    pub faults: Vec<Fault>,
}

/// A file before a message about it.
fn shown(path: Option<&Path>) -> String {
    path.map_or_else(String::new, |path| format!("{}: ", path.display()))
}

impl Faults {
    /// A line for a fault or warning of a file, as compilers write it: `FILE:LINE: message`.
    pub fn located(path: Option<&Path>, fault: &Fault) -> String {
        path.map_or_else(|| fault.to_string(), |path| format!("{}:{}: {}", path.display(), fault.line, fault.message))
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [one] = self.faults.as_slice() {
            return write!(out, "{}", Self::located(self.path.as_deref(), one));
        }
        write!(out, "{}the text has {} faults", shown(self.path.as_deref()), self.faults.len())?;
        for fault in &self.faults {
            write!(out, "\n {}", Self::located(self.path.as_deref(), fault))?;
            if let Some(hint) = &fault.hint {
                write!(out, "\n  hint: {hint}")?;
            }
        }
        Ok(())
    }
}

/// Errors of the build room.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("could not read {}", .path.display())]
    Read { path: PathBuf, source: std::io::Error },
    /// A file that the project is made from can't be read.
    #[error(transparent)]
    Files(#[from] TasksetError),
    #[error("{0}")]
    Faulty(Faults),
    /// The editor did not finish the scripts.
    #[error("{}the editor did not build {lines} lines of scripts within {} s", shown(path.as_deref()), .limit.as_secs())]
    TooSlow { path: Option<PathBuf>, lines: usize, limit: Duration },
    /// The page refuses, for a reason that is not in a line of the text.
    #[error("{message}")]
    Refused { code: String, message: String, hint: Option<String> },
    /// The result is not a sound project.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The editor drew something that is not a picture.
    #[error("the stage could not be drawn")]
    NoPicture,
    #[error(transparent)]
    Page(PageError),
}

impl From<PageError> for BuildError {
    fn from(error: PageError) -> Self {
        match error {
            PageError::Refused { code, message, hint } => Self::Refused { code, message, hint },
            other => Self::Page(other),
        }
    }
}

impl BuildError {
    /// Whether the testbed broke, so that nothing is known of the text: another page may build it.
    pub const fn is_broken(&self) -> bool {
        matches!(self, Self::Page(_) | Self::TooSlow { .. })
    }
}

impl Coded for BuildError {
    fn code(&self) -> &str {
        match self {
            Self::Read { .. } => "unreadable_text",
            Self::Files(error) => error.code(),
            Self::Faulty(faults) => faults.faults.first().map_or("faulty_text", |fault| fault.code.as_str()),
            Self::TooSlow { .. } => "building_too_slow",
            Self::Refused { code, .. } => code,
            Self::Project(error) => error.code(),
            Self::NoPicture => "no_picture",
            Self::Page(_) => "page_failed",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Refused { hint, .. } => hint.clone(),
            // Several have their hints with them.
            Self::Faulty(Faults { faults, .. }) => match faults.as_slice() {
                [one] => one.hint.clone(),
                _ => None,
            },
            Self::TooSlow { .. } => {
                Some("try again when the machine has less to do, or put scripts into other projects".to_owned())
            }
            Self::Project(error) => error.hint(),
            Self::Page(error) => error.hint(),
            Self::Read { .. } | Self::Files(_) | Self::NoPicture => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Page(error) => error.blame(),
            // A clock has ended it: a machine with less to do may build the same text.
            Self::TooSlow { .. } => Blame::Testbed,
            _ => Blame::Input,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_clock_has_ended_says_nothing_of_the_text_and_is_tried_again() {
        let slow = BuildError::TooSlow { path: None, lines: 9, limit: Duration::from_secs(60) };
        assert_eq!((slow.blame(), slow.is_broken()), (Blame::Testbed, true));
        let lost = BuildError::from(PageError::Lost(crate::page::Loss::Browser));
        assert_eq!((lost.blame(), lost.is_broken()), (Blame::Testbed, true));
        let refused = PageError::Refused { code: "odd".to_owned(), message: String::new(), hint: None };
        for of_text in [BuildError::from(refused), BuildError::NoPicture] {
            assert_eq!((of_text.blame(), of_text.is_broken()), (Blame::Input, false));
        }
    }
}
