//! Our own check in front of the editor's virtual machine, which accepts or silently drops much of what is
//! wrong (a `next` cycle overflows its stack, an unknown extension leaves it without targets).
//!
//! `shape` looks at targets and assets, `graph` at blocks and what they refer to, `ids` at names by which the machine finds what
//! is no project's. Errors are what the machine can't survive; warnings are what it repairs or ignores, and what a load report
//! should name.

mod graph;
mod ids;
mod shape;

use std::fmt;

pub use ids::INHERITED as INHERITED_PROPERTIES;
pub use shape::EXTENSIONS as BUILT_IN_EXTENSIONS;

use super::view::targets;
use super::{Project, ProjectError};

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The project loads, but not all of it is as in the file.
    Warning,
    /// The project must not be loaded.
    Error,
}

/// Something wrong with a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Stable name of the situation.
    pub code: &'static str,
    pub severity: Severity,
    /// Name of the target it is in.
    pub target: Option<String>,
    /// Id of the block it is at.
    pub block: Option<String>,
    pub message: String,
}

impl Problem {
    fn new(code: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self { code, severity, target: None, block: None, message: message.into() }
    }

    fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, message)
    }

    /// One that lets the project load; its place is unknown so far.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, message)
    }

    /// The same, in the target of this name.
    pub fn in_target(mut self, name: &str) -> Self {
        self.target = Some(name.to_owned());
        self
    }

    /// The same, at the block with this id.
    pub fn at_block(mut self, id: &str) -> Self {
        self.block = Some(id.to_owned());
        self
    }
}

/// Checks a project; no problems means an empty list.
pub fn validate(project: &Project) -> Vec<Problem> {
    let mut problems = shape::check(project);
    problems.extend(ids::check(project));
    for target in targets(&project.json) {
        problems.extend(graph::check(target).into_iter().map(|problem| problem.in_target(target.name())));
    }
    problems
}

impl Project {
    /// Checks what the editor's machine would not survive; returns what is merely odd, in words.
    ///
    /// # Errors
    /// Fails with the code of the first error and the words of all.
    pub fn check(&self) -> Result<Vec<String>, ProjectError> {
        let (errors, warnings): (Vec<_>, Vec<_>) =
            validate(self).into_iter().partition(|p| p.severity == Severity::Error);
        let words = |problems: &[Problem]| problems.iter().map(ToString::to_string).collect::<Vec<_>>();
        match errors.first() {
            Some(first) => Err(ProjectError::Invalid { code: first.code, message: words(&errors).join("; ") }),
            None => Ok(words(&warnings)),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        match (&self.target, &self.block) {
            (Some(target), Some(block)) => write!(f, " (in \"{target}\", block {block})"),
            (Some(target), None) => write!(f, " (in \"{target}\")"),
            (None, _) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
