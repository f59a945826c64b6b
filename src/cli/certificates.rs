//! How the results of `scratchbed check` are shown, in a table and as JSON.

use serde_json::{Value, json};

use crate::arms::output::Output;
use crate::flags::failure::Failure;
use scratchbed::certify::Certificate;
use scratchbed::certify::listing::{HEAD, cells, no_cells, remarks, short};
use scratchbed::model::{Category, TaskId};
use scratchbed::report::plain_table as table;

/// What became of one task.
pub struct Checked {
    pub id: TaskId,
    pub category: Category,
    /// The certificate, or what stood in the way.
    pub finding: Finding,
}

/// What a check of one task came to.
pub enum Finding {
    /// It was checked now.
    Judged(Certificate),
    /// It was not judged: this certificate was kept beside it and is current.
    Unchanged(Certificate),
    /// It could not be checked.
    Broken(Failure),
}

impl Checked {
    /// The certificate, if there is one.
    pub const fn certificate(&self) -> Option<&Certificate> {
        match &self.finding {
            Finding::Judged(certificate) | Finding::Unchanged(certificate) => Some(certificate),
            Finding::Broken(_) => None,
        }
    }

    /// What it came to, in a word or two.
    pub fn verdict(&self) -> &'static str {
        match (&self.finding, self.certificate()) {
            (Finding::Unchanged(_), _) => "certified, unchanged",
            (_, Some(certificate)) if certificate.certified => "certified",
            (_, Some(certificate)) if certificate.reasons.is_empty() => "not certified",
            (_, Some(_)) => "REFUSED",
            (_, None) => "BROKEN",
        }
    }

    /// Whether nothing speaks against it.
    pub fn is_sound(&self) -> bool {
        self.certificate().is_some_and(|certificate| certificate.reasons.is_empty())
    }
}

/// Prints a table, what speaks against each task, and which mutants survived.
pub fn show(checked: &[Checked], missed: &[String], out: Output) {
    out.say(table(&HEAD, checked.iter().map(row)).to_string());
    for Checked { id: task, finding, .. } in checked {
        let certificate = match finding {
            Finding::Broken(failure) => {
                out.say(format!("{task}: {}", failure.text()));
                continue;
            }
            Finding::Judged(certificate) | Finding::Unchanged(certificate) => certificate,
        };
        for remark in remarks(certificate) {
            out.say(format!("{task}: {remark}"));
        }
    }
    for missed in missed {
        out.say(missed);
    }
}

fn row(checked: &Checked) -> Vec<String> {
    match checked.certificate() {
        Some(certificate) => cells(certificate, checked.verdict()),
        None => no_cells(checked.id.as_str(), checked.verdict()),
    }
}

/// What `--json` prints of a task.
pub fn summary(checked: &Checked) -> Value {
    match &checked.finding {
        Finding::Broken(failure) => {
            let reasons = [failure.text()];
            json!({"id": checked.id, "category": checked.category, "certified": false, "reasons": reasons})
        }
        Finding::Judged(certificate) => short(certificate, false),
        Finding::Unchanged(certificate) => short(certificate, true),
    }
}
