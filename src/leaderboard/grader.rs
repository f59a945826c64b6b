//! Who graded the attempts of an entry, when and with which judge, and whether this checkout knows or a file claims so.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::benchmarks::tasks::regrade::JudgedAgain;
use crate::export::iso;
use crate::model::{sha256_hex, shown_name};
use crate::store::RunDir;

/// Letters of a digest that are shown.
const SHOWN: usize = 12;

/// Where the rates of an entry come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum GradeSource {
    /// The current judges have judged all of its projects in this checkout.
    Again,
    /// They have judged some; the rates are by the first verdicts.
    Sample,
    /// The verdicts were given when the run was made.
    First,
    /// The run came in a bundle, or attempts with its folder, which says what became of them. Nobody here knows.
    Claimed,
}

/// Who graded, when, and with what.
#[derive(Debug, Serialize)]
pub(super) struct Grader {
    pub(super) graded: GradeSource,
    /// Who gave the verdicts that the rates are by.
    graded_by: &'static str,
    /// The day in UTC; the day of the run where the verdicts are its own.
    graded_on: String,
    /// The version of scratchbed that judged, the digest of its judges, and the browser, as far as they are known.
    judge: String,
    /// Whether this checkout has given all of the verdicts, so that none is a claim.
    checked: bool,
}

impl Grader {
    /// Of a run, of which this checkout has judged all or some projects again.
    pub(super) fn of(run: &RunDir, has_all: bool, again: &JudgedAgain) -> Self {
        let graded = match (has_all, run.has_claims(), again.judged) {
            (true, ..) => GradeSource::Again,
            (false, true, _) => GradeSource::Claimed,
            (false, false, 0) => GradeSource::First,
            (false, false, _) => GradeSource::Sample,
        };
        let record = run.record();
        let (graded_on, judge) = match graded {
            GradeSource::Again if again.judged == 0 => ("–".to_owned(), "nothing to judge".to_owned()),
            GradeSource::Again => (day(again.last_at), judge(again)),
            _ => (day(record.started_at), format!("scratchbed {}", shown_name(&record.version))),
        };
        Self { graded, graded_by: by(graded), graded_on, judge, checked: graded == GradeSource::Again }
    }
}

const fn by(source: GradeSource) -> &'static str {
    match source {
        GradeSource::Again => "this checkout",
        GradeSource::Sample | GradeSource::First => "the run when it was made",
        GradeSource::Claimed => "as claimed by the file",
    }
}

fn judge(again: &JudgedAgain) -> String {
    let all = |names: &BTreeSet<String>| names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let digests = all(&again.judges);
    // The judges of several tasks have one digest together.
    let digest = if again.judges.len() == 1 { digests } else { sha256_hex(digests.as_bytes()) };
    let digest: String = digest.chars().take(SHOWN).collect();
    let browsers = all(&again.browsers);
    let browsers = if browsers.is_empty() { String::new() } else { format!(", {browsers}") };
    format!("scratchbed {}, judge {digest}{browsers}", all(&again.versions))
}

/// A day in UTC.
pub(super) fn day(seconds: f64) -> String {
    iso(seconds).chars().take(10).collect()
}
