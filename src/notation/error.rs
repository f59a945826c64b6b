//! Errors of a project's text.

use scratchbed_model::{Blame, Coded};
use scratchbed_project::near::near;

/// A fault in a project's text, with its line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TextError {
    /// Line number, from 1.
    pub line: usize,
    pub problem: LineError,
}

/// A fault on one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The first line is not the format's name and version.
    #[error("a project's text begins with `scratchbed project 1`")]
    NoHeader,
    /// A tab before the first word.
    #[error("a tab in the indentation, which is of spaces, two a level")]
    Tab,
    /// Too many spaces before the first word, or too few.
    #[error("{found} {}, {expected} expected", if *found == 1 { "space" } else { "spaces" })]
    Indentation { found: usize, expected: usize },
    /// The line begins with a word that has no meaning there.
    #[error("`{word}` means nothing here")]
    UnknownWord {
        word: String,
        /// One that has a meaning there and reads like it.
        near: Option<&'static str>,
    },
    /// The line lacks something.
    #[error("{0} expected")]
    Expected(&'static str),
    /// A line break inside of a text is a backslash before it, and here the script ends behind one.
    #[error("the line ends with a backslash, so that it goes on in the next, and the script ends here")]
    NotContinued,
    /// The line has something left over.
    #[error("`{left}` is left over at the end")]
    LeftOver {
        left: String,
        /// A word that could stand there and reads like the first of it.
        near: Option<&'static str>,
    },
    /// A name is given twice.
    #[error("there are two {what} named \"{name}\"")]
    Duplicate { what: &'static str, name: String },
    /// Those with one name are not numbered in their order.
    #[error("of the {what} named \"{name}\" this one is written as #{number}, and it is #{expected}")]
    Number { what: &'static str, name: String, number: usize, expected: usize },
    /// A file name that leaves the text's folder.
    #[error("\"{0}\" leaves the folder of the text")]
    Outside(String),
    /// The stage is missing or not first.
    #[error("`stage` comes first and once")]
    StageFirst,
    /// A target without a costume.
    #[error("\"{0}\" has no costume")]
    NoCostume(String),
    /// A costume number that does not exist.
    #[error("\"{0}\" has no costume with the number that is current")]
    BadCurrent(String),
    /// Only some sprites have a layer, or two have the same.
    #[error("layers are given to all sprites, each rank from 1 once, or to none")]
    Layers,
    /// Only some monitors have a layer, or two have the same.
    #[error("layers are given to all monitors of a project, each rank from 1 once, or to none")]
    MonitorLayers,
    /// A remark on its own line inside a script.
    #[error("inside of a script, a remark stands at the end of a block's line")]
    RemarkAlone,
    /// A script with nothing in it.
    #[error("the script is empty")]
    EmptyScript,
    /// A monitor of something that is not declared in this target.
    #[error("there is no {what} named \"{name}\" here to be shown")]
    NotDeclared {
        /// `variable` or `list`.
        what: &'static str,
        name: String,
        /// The nearest name that is declared.
        near: Option<String>,
    },
    /// A file that the text names is not there.
    #[error("the file \"{0}\" is missing")]
    MissingFile(String),
    /// A file that is neither picture nor sound.
    #[error("\"{0}\" is not a kind of file that Scratch knows: svg, png, jpg, bmp, gif; wav, mp3")]
    FileKind(String),
    /// A file whose contents do not match its name.
    #[error("\"{file}\" holds no {kind}")]
    NotItsKind {
        file: String,
        /// The kind according to its name.
        kind: String,
    },
}

impl LineError {
    /// A word that has no meaning where only these have one.
    pub(super) fn unknown(word: &str, known: impl IntoIterator<Item = &'static str>) -> Self {
        Self::UnknownWord { word: word.to_owned(), near: near(word, known) }
    }

    /// What may have been meant.
    pub fn near(&self) -> Option<&str> {
        match self {
            Self::UnknownWord { near, .. } | Self::LeftOver { near, .. } => *near,
            Self::NotDeclared { near, .. } => near.as_deref(),
            _ => None,
        }
    }
}

impl TextError {
    /// The same with the line that names the file, for a fault of a file: files are looked up after the text was read.
    pub fn located_in(self, text: &str) -> Self {
        let (LineError::MissingFile(file) | LineError::FileKind(file) | LineError::NotItsKind { file, .. }) =
            &self.problem
        else {
            return self;
        };
        let quoted = format!("\"{file}\"");
        let line = text.lines().position(|line| line.contains(&quoted)).map_or(self.line, |index| index + 1);
        Self { line, ..self }
    }
}

impl Coded for TextError {
    fn code(&self) -> &str {
        match self.problem {
            LineError::NoHeader => "no_text_header",
            LineError::Tab | LineError::Indentation { .. } => "bad_indentation",
            LineError::UnknownWord { .. } | LineError::Expected(_) | LineError::LeftOver { .. } => "bad_text_line",
            LineError::Duplicate { .. } | LineError::Number { .. } => "duplicate_name",
            LineError::Outside(_) => "path_outside",
            LineError::StageFirst => "stage_not_first",
            LineError::NoCostume(_) => "no_costume",
            LineError::BadCurrent(_) => "bad_current_costume",
            LineError::Layers | LineError::MonitorLayers => "bad_layers",
            LineError::RemarkAlone | LineError::EmptyScript | LineError::NotContinued => "bad_script",
            LineError::NotDeclared { .. } => "unknown_name",
            LineError::MissingFile(_) => "missing_file",
            LineError::FileKind(_) => "bad_file_kind",
            LineError::NotItsKind { .. } => "bad_file_content",
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match &self.problem {
            LineError::MissingFile(_) => "paths are relative to the text file".to_owned(),
            LineError::NotItsKind { .. } => "save it again, or name it after its contents".to_owned(),
            problem => problem.near().map_or_else(
                || "docs/PROJECT-TEXT.md describes the format".to_owned(),
                |near| format!("did you mean {}?", serde_json::json!(near)),
            ),
        })
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}
