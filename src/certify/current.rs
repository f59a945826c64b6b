//! Whether a stored certificate is still current.

use std::fmt;
use std::fs;
use std::path::Path;

use super::certificate::{CERTIFICATE_FILE, CERTIFICATE_FORMAT, Certificate, Mutation, OLDEST_FORMAT};
use super::evidence::CheckOptions;
use super::oracle::listed;
use super::table::needs_table;
use crate::judge::{editor, engine};
use crate::taskset::TaskEntry;

/// Why a task has no valid certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stale {
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
    current_in(entry, &entry.folder, wanted)
}

/// The same of a certificate that lies elsewhere, as those of packs do: a check that was broken off goes on after what it has certified.
///
/// # Errors
/// As [`current`].
pub fn current_in(entry: &TaskEntry, folder: &Path, wanted: CheckOptions) -> Result<Certificate, Stale> {
    let certificate = still_good_in(entry, folder, wanted)?;
    let fewer = |limit: Option<usize>, wanted: usize| limit.is_none_or(|limit| limit < wanted);
    let limit = |part: &Option<Mutation>| part.as_ref().map(|part| part.limit);
    let changes = [
        (certificate.format != CERTIFICATE_FORMAT, "certificates record more now"),
        (fewer(limit(&certificate.mutation), wanted.mutants), "more mutants were asked for"),
        (fewer(limit(&certificate.behaviour), wanted.behaviours), "more behavioural mutants were asked for"),
        (fewer(limit(&certificate.collateral), wanted.collateral), "more collateral mutants were asked for"),
        (
            fewer(certificate.benign.as_ref().map(|part| part.limit), wanted.benign),
            "more benign mutants were asked for",
        ),
        (fewer(certificate.tests.as_ref().map(|part| part.limit), wanted.late), "more mutants were to be judged on"),
        (certificate.table.is_none() && needs_table(entry), "a table of what its script draws was to be tried"),
        (certificate.unseen.is_none(), "each of its sprites was to be tried unseen"),
        (certificate.oracle != listed(entry), "its oracle.composite.json was changed, or has never been tried"),
        (is_miscounted(entry, &certificate), "the number of blocks that it expects to be changed was"),
    ];
    stale_by(&changes).map_or(Ok(certificate), Err)
}

/// The certificate beside a task whose parts are still good, though some may be missing: it was made from what is there now, perhaps
/// less thoroughly, or before certificates recorded as much as they do now.
///
/// # Errors
/// [`Stale`], when everything must be judged again.
pub fn still_good(entry: &TaskEntry, wanted: CheckOptions) -> Result<Certificate, Stale> {
    still_good_in(entry, &entry.folder, wanted)
}

fn still_good_in(entry: &TaskEntry, folder: &Path, wanted: CheckOptions) -> Result<Certificate, Stale> {
    let certificate = kept_certificate(folder)?;
    let readable = (OLDEST_FORMAT..=CERTIFICATE_FORMAT).contains(&certificate.format);
    if !readable || certificate.task != entry.task.id {
        return Err(Stale::Unreadable);
    }
    if !certificate.certified || certificate.mutation.is_none() || certificate.behaviour.is_none() {
        return Err(Stale::Refused);
    }
    let sources = entry.sources_digest().unwrap_or_default();
    let changes = [
        (certificate.hashes.sources != sources, "its projects, its script or its limits were changed"),
        (certificate.hashes.engine != engine(), "the part of the judge that runs in the page was changed"),
        (certificate.editor != editor(), "the editor was replaced by another version"),
        (certificate.seeds.len() < wanted.seeds, "more seeds were asked for"),
    ];
    stale_by(&changes).map_or(Ok(certificate), Err)
}

fn stale_by(changes: &[(bool, &'static str)]) -> Option<Stale> {
    changes.iter().find(|(changed, _)| *changed).map(|(_, what)| Stale::Changed(what))
}

/// The digests leave `expected_changed_blocks` out: no score depends on it.
fn is_miscounted(entry: &TaskEntry, certificate: &Certificate) -> bool {
    let expected = entry.task.expected_changed_blocks.and_then(|expected| usize::try_from(expected).ok());
    expected.is_some_and(|expected| expected != certificate.changed_blocks)
}
