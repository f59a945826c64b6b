//! Errors of a project file, found before its content is examined.

use scratchbed_model::{Blame, Coded};

/// Errors of reading or writing a project file.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The bytes are not a zip archive, or a damaged one.
    #[error("the file is no readable .sb3 archive: {0}")]
    BrokenArchive(String),
    /// The archive would unpack to more than a project may hold.
    #[error("the archive unpacks to too much: {0}")]
    TooLarge(String),
    /// A file in the archive has a name that unpackers understand in different ways, or one that another has.
    #[error("the archive's file {name:?} can't be accepted: {why}")]
    BadName { name: String, why: &'static str },
    /// Unpackers keep one of two files with the same name, and not all of them the same one.
    #[error("two files of the archive have the same name")]
    SameNames,
    /// The archive holds no `project.json`.
    #[error("the archive holds no project.json")]
    NoProjectJson,
    /// `project.json` can't be parsed.
    #[error("project.json is not valid JSON: {0}")]
    BadJson(#[source] serde_json::Error),
    /// A text holds a character that stands for something else here.
    #[error("project.json can't be accepted: {0}")]
    Reserved(#[from] scratchbed_model::half_characters::ReservedCharacter),
    /// The JSON is not that of a Scratch 3 project.
    #[error("this is no Scratch 3 project: {0}")]
    NotAProject(&'static str),
    /// The project has faults that the editor's machine would not survive.
    #[error("{message}")]
    Invalid {
        /// Stable name of the first fault.
        code: &'static str,
        /// The faults, first one first.
        message: String,
    },
    /// Writing the archive failed.
    #[error("the archive could not be written")]
    Write(#[source] zip::result::ZipError),
}

impl Coded for ProjectError {
    fn code(&self) -> &str {
        match self {
            Self::BrokenArchive(_) => "broken_archive",
            Self::TooLarge(_) => "archive_too_large",
            Self::BadName { .. } | Self::SameNames => "bad_entry_name",
            Self::Invalid { code, .. } => code,
            Self::NoProjectJson => "no_project_json",
            Self::BadJson(_) => "bad_project_json",
            Self::Reserved(_) => "reserved_character",
            Self::NotAProject(_) => "not_a_project",
            Self::Write(_) => "archive_not_written",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::BrokenArchive(_) | Self::BadName { .. } | Self::SameNames => {
                "save the project from the Scratch editor again: File, Save to your computer"
            }
            Self::NoProjectJson => "an .sb3 file is a zip archive with project.json at its top or one folder deep",
            Self::NotAProject(_) => {
                "projects of Scratch 1 and 2 must be opened and saved in the Scratch 3 editor first"
            }
            Self::Reserved(_) => "characters from U+10F800 to U+10FFFF mean nothing to Scratch; write others",
            Self::TooLarge(_) | Self::BadJson(_) | Self::Invalid { .. } | Self::Write(_) => return None,
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        if matches!(self, Self::Write(_)) { Blame::Testbed } else { Blame::Input }
    }
}

impl ProjectError {
    /// Whether the file is not a project at all, as opposed to one that asks too much or has faults.
    pub const fn is_no_project(&self) -> bool {
        match self {
            Self::BrokenArchive(_) | Self::NoProjectJson | Self::NotAProject(_) | Self::Write(_) => true,
            Self::TooLarge(_)
            | Self::BadName { .. }
            | Self::SameNames
            | Self::BadJson(_)
            | Self::Reserved(_)
            | Self::Invalid { .. } => false,
        }
    }
}
