//! Whether a certificate that was kept beside a task still speaks about it.

use std::fmt;
use std::fs;
use std::path::Path;

use super::certificate::{CERTIFICATE_FILE, CERTIFICATE_FORMAT, Certificate};
use super::certify::CheckOptions;
use crate::judge::{editor, engine};
use crate::taskset::TaskEntry;

/// Why a task has no certificate that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stale {
    /// There is none.
    Missing,
    /// It can't be read, or is of another format.
    Unreadable,
    /// It refuses the task, or knows of no mutants.
    Refused,
    /// Something has changed since, in words.
    Changed(&'static str),
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("it has no certificate"),
            Self::Unreadable => f.write_str("its certificate can't be read"),
            Self::Refused => f.write_str("its certificate says that it is not sound"),
            Self::Changed(what) => write!(f, "since its certificate was made, {what}"),
        }
    }
}

/// The certificate in a task's folder, whether or not it still speaks about the task.
///
/// # Errors
/// [`Stale::Missing`] and [`Stale::Unreadable`].
pub fn kept_certificate(folder: &Path) -> Result<Certificate, Stale> {
    let text = fs::read(folder.join(CERTIFICATE_FILE)).map_err(|_| Stale::Missing)?;
    serde_json::from_slice(&text).map_err(|_| Stale::Unreadable)
}

/// The certificate beside a task, if it was made from what is there now, and at least as thoroughly as is wanted.
///
/// # Errors
/// [`Stale`], when the task must be checked.
pub fn current(entry: &TaskEntry, wanted: CheckOptions) -> Result<Certificate, Stale> {
    let certificate = kept_certificate(&entry.folder)?;
    if certificate.format != CERTIFICATE_FORMAT || certificate.task != entry.task.id {
        return Err(Stale::Unreadable);
    }
    let judged = certificate.mutation.as_ref().zip(certificate.behaviour.as_ref());
    let Some((mutation, behaviour)) = judged.filter(|_| certificate.certified) else {
        return Err(Stale::Refused);
    };
    let sources = entry.sources_digest().unwrap_or_default();
    let changes = [
        (certificate.hashes.sources != sources, "its projects, its script or its limits were changed"),
        (certificate.hashes.engine != engine(), "the part of the judge that runs in the page was changed"),
        (certificate.editor != editor(), "the editor was replaced by another version"),
        (certificate.seeds.len() < wanted.seeds, "more seeds were asked for"),
        (mutation.limit < wanted.mutants, "more mutants were asked for"),
        (behaviour.limit < wanted.behaviours, "more behavioural mutants were asked for"),
    ];
    match changes.into_iter().find(|(changed, _)| *changed) {
        Some((_, what)) => Err(Stale::Changed(what)),
        None => Ok(certificate),
    }
}
