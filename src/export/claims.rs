//! What is said of runs that came in a bundle: nobody here has seen how their figures came about, and whoever alters a
//! bundle renews its digests.

use crate::model::shown_name;
use crate::store::RunDir;

/// Runs that a note names.
const NAMED: usize = 5;

/// The note on those of some runs that came in bundles, with all that is recorded of them; `None` if there are none.
pub fn claims<'a>(runs: impl IntoIterator<Item = &'a RunDir>) -> Option<String> {
    noted(runs, "outcomes, tests, scores, times and costs are as claimed by the file")
}

/// The same where this checkout has judged the projects itself.
pub fn claims_beside_verdicts<'a>(runs: impl IntoIterator<Item = &'a RunDir>) -> Option<String> {
    noted(
        runs,
        "the projects were judged by this checkout; how attempts ended, their steps, times and costs are as claimed by \
         the file",
    )
}

fn noted<'a>(runs: impl IntoIterator<Item = &'a RunDir>, what: &str) -> Option<String> {
    let foreign = runs.into_iter().filter(|run| run.is_foreign());
    let mut names: Vec<String> = foreign.map(|run| shown_name(&run.record().id)).collect();
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    (!names.is_empty()).then(|| format!("{}{more}: {what}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{fakes, open_runs, pack_runs};

    #[test]
    fn a_note_names_the_runs_of_bundles_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let own = RunDir::create(folder.path(), fakes::run(&["a"])).unwrap();
        assert_eq!(claims([&own]), None);
        let file = folder.path().join("b.zip");
        pack_runs(&[&own; 7], &[], &file, &|| ()).unwrap();
        let opened = open_runs(&file).unwrap();
        let note = claims(std::iter::once(&own).chain(&opened.runs)).unwrap();
        assert_eq!(
            note,
            "r, r, r, r, r and 2 more: outcomes, tests, scores, times and costs are as claimed by the file"
        );
        assert!(claims_beside_verdicts(&opened.runs).unwrap().contains("judged by this checkout"));
    }
}
