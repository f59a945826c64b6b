//! Why an answer is no patch, and why a patch is not carried out. What a caller does about it, such as asking again, is not known here.

use scratchbed_model::{Blame, Coded, Layer};
use scratchbed_project::Problem;

/// Why an answer can't be read as operations: the layers `extraction` and `schema` (EcoScratch, section 5).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// There is no JSON in the answer.
    #[error("there is no patch in the answer")]
    NoJson,
    /// There is more than one patch in it, and they differ.
    #[error("the answer has {0} different patches, and only one can be meant")]
    SeveralJson(usize),
    /// The answer ends in the middle of its JSON.
    #[error("the answer ends in the middle of the patch")]
    Cut,
    /// The model declined to answer.
    #[error("the model declined to answer")]
    Refused,
    /// The JSON is of another form; `operation` is its number from 0, if it is one operation.
    #[error("{}{message}", numbered(*.operation))]
    Shape { operation: Option<usize>, message: String },
    /// An operation that is not add, remove or replace.
    #[error("{}`{name}` is none of add, remove and replace", numbered(Some(*.operation)))]
    Op { operation: usize, name: String },
    /// More operations than the cap allows.
    #[error("the patch has {count} operations, at most {most} are allowed")]
    TooManyOps { count: usize, most: usize },
    /// The JSON is too long or too deep.
    #[error("the patch is too large: {0}")]
    TooLarge(String),
}

impl AnswerError {
    /// The layer at which the answer failed.
    pub const fn layer(&self) -> Layer {
        match self {
            Self::NoJson | Self::SeveralJson(_) | Self::Cut | Self::Refused => Layer::Extraction,
            Self::Shape { .. } | Self::Op { .. } | Self::TooManyOps { .. } | Self::TooLarge(_) => Layer::Schema,
        }
    }

    /// Which operation is wrong, from 0, where it is one.
    pub const fn operation(&self) -> Option<usize> {
        match self {
            Self::Shape { operation, .. } => *operation,
            Self::Op { operation, .. } => Some(*operation),
            _ => None,
        }
    }
}

impl Coded for AnswerError {
    fn code(&self) -> &str {
        match self {
            Self::NoJson => "no_json",
            Self::SeveralJson(_) => "several_json",
            Self::Cut => "cut",
            Self::Refused => "refused",
            Self::Shape { .. } => "shape",
            Self::Op { .. } => "op",
            Self::TooManyOps { .. } => "too_many_ops",
            Self::TooLarge(_) => "too_large",
        }
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

/// Why operations are not carried out: the layer `application` (EcoScratch, section 5). The project is then as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// The policy keeps the place as it is, or takes no such value there.
    #[error("operation {}: nothing may be changed at {pointer} in this way: {why}", .operation + 1)]
    PathDenied { operation: usize, pointer: String, why: &'static str },
    /// The place is not there; `nearest` are pointers to members like the one that is missing.
    #[error("operation {}: there is nothing at {pointer}{}", .operation + 1, likened(.nearest))]
    NoSuchPath { operation: usize, pointer: String, nearest: Vec<String> },
    /// The pointer leads into a list by what is no index of it.
    #[error("operation {}: {pointer} has a bad index, the list has {length} items", .operation + 1)]
    BadIndex { operation: usize, pointer: String, length: usize },
    /// The path is no JSON Pointer, or one at which nothing can be done.
    #[error("operation {}: {pointer} is no pointer to a place that can be changed; in keys, ~ is ~0 and / is ~1", .operation + 1)]
    BadPointer { operation: usize, pointer: String },
    /// The project has faults that it did not have before: the machine would not survive them, or the caller takes none of them.
    #[error("{}", listed(.problems))]
    Invalid {
        /// `invalid:` and the code of the first fault, or the fault's own code if that has a prefix.
        code: String,
        /// All new faults.
        problems: Vec<Problem>,
    },
    /// The program is the one that it was.
    #[error("the patch changes nothing in the program")]
    NoChange,
}

impl PatchError {
    /// Which operation can't be made, from 0.
    pub const fn operation(&self) -> Option<usize> {
        match self {
            Self::PathDenied { operation, .. }
            | Self::NoSuchPath { operation, .. }
            | Self::BadIndex { operation, .. }
            | Self::BadPointer { operation, .. } => Some(*operation),
            Self::Invalid { .. } | Self::NoChange => None,
        }
    }

    /// Its pointer, as the patch has it.
    pub fn pointer(&self) -> Option<&str> {
        match self {
            Self::PathDenied { pointer, .. }
            | Self::NoSuchPath { pointer, .. }
            | Self::BadIndex { pointer, .. }
            | Self::BadPointer { pointer, .. } => Some(pointer),
            Self::Invalid { .. } | Self::NoChange => None,
        }
    }

    /// Pointers to the nearest members that are there, the nearest first, at most five.
    pub fn nearest(&self) -> &[String] {
        match self {
            Self::NoSuchPath { nearest, .. } => nearest,
            _ => &[],
        }
    }
}

impl Coded for PatchError {
    fn code(&self) -> &str {
        match self {
            Self::PathDenied { .. } => "path_denied",
            Self::NoSuchPath { .. } => "no_such_path",
            Self::BadIndex { .. } => "bad_index",
            Self::BadPointer { .. } => "bad_pointer",
            Self::Invalid { code, .. } => code,
            Self::NoChange => "no_change",
        }
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

fn numbered(operation: Option<usize>) -> String {
    operation.map(|number| format!("operation {}: ", number + 1)).unwrap_or_default()
}

fn likened(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; there is {}", nearest.join(", ")) }
}

fn listed(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
