//! Which runs somebody handed over: those of bundles. What stands in their records is a claim, and so is that of attempts which came
//! with the folder of a run that this checkout goes on with.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::BUNDLE_FILE;
use crate::files::Checkout;
use crate::model::pluralise;

/// How far above a run its bundle may be, as `pack_runs` puts it.
const LEVELS: usize = 2;

/// The file of a run with what was in its folder when this checkout took it over.
pub(super) const HANDED_OVER: &str = "handed_over.json";
/// Answers of models in the folder of a run, and where those are kept that came with it.
pub const ANSWERS: &str = "answers.jsonl";
pub(super) const HANDED_OVER_ANSWERS: &str = "handed_over_answers.jsonl";
/// The end of the note on it in the record of the run.
const NOTE: &str = "came with the folder of the run: outcomes, tests, times and costs are as claimed there";

/// Attempts that were in the folder of a run when this checkout took it over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HandedOver {
    /// The secret seed that the record of the run named then. It says under what they may have been judged, and serves no other
    /// judgement.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) judge_seed: Option<u64>,
    /// The names of their folders.
    pub(super) attempts: BTreeSet<String>,
}

/// The notes of a run with the one on so many attempts that came with its folder, in place of an earlier one.
pub(super) fn noted(mut notes: Vec<String>, attempts: usize) -> Vec<String> {
    notes.retain(|note| !note.ends_with(NOTE));
    notes.push(format!("{} {NOTE}", pluralise(attempts, "attempt")));
    notes
}

/// As much of a bundle's record as says which runs are its own.
#[derive(Deserialize)]
struct Listed {
    runs: Vec<PathBuf>,
}

/// Returns true for the folder of a run in an unpacked bundle, whichever way the folder was named.
pub(super) fn is_in_bundle(run: &Path) -> bool {
    let run = run.canonicalize().unwrap_or_else(|_| run.to_owned());
    let mut bundles = run.ancestors().skip(1).take(LEVELS).filter(|folder| folder.join(BUNDLE_FILE).is_file());
    // A bundle that was unpacked into a checkout lies among the runs that were made there.
    bundles.any(|folder| !Checkout::at(folder).is_there() || lists(folder, &run))
}

/// What can't be read may list any run.
fn lists(folder: &Path, run: &Path) -> bool {
    let record = File::open(folder.join(BUNDLE_FILE)).map(BufReader::new).ok();
    let listed = record.and_then(|record| serde_json::from_reader::<_, Listed>(record).ok());
    listed.is_none_or(|listed| listed.runs.iter().any(|name| folder.join(name) == run))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn runs_of_a_bundle_are_foreign_and_those_beside_it_in_a_checkout_are_not() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let run = |name: &str| {
            let run = root.join("runs").join(name);
            fs::create_dir_all(&run).unwrap();
            run
        };
        let (own, theirs) = (run("own"), run("theirs"));
        assert!(!is_in_bundle(&own) && !is_in_bundle(&theirs));
        fs::write(root.join(BUNDLE_FILE), r#"{"runs": ["runs/theirs"], "files": {}}"#).unwrap();
        assert!(is_in_bundle(&own) && is_in_bundle(&theirs), "a bundle may leave out what it brings");
        fs::create_dir_all(root.join("scratch-gui")).unwrap();
        fs::write(root.join("scratch-gui/package.json"), "{}").unwrap();
        assert!(!is_in_bundle(&own) && is_in_bundle(&theirs));
        assert!(is_in_bundle(&root.join("runs/own/../theirs")));
        fs::write(root.join(BUNDLE_FILE), "{").unwrap();
        assert!(is_in_bundle(&own), "nothing says that it is not");
    }
}
