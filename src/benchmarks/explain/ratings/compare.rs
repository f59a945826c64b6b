//! How far those who rated a run agree, two by two: people with each other, and with judges.

use std::collections::BTreeMap;

use serde::Serialize;

use super::judge::Asked;
use super::subjects::check;
use super::{JUDGES, Judgement, Key, LINES, RATINGS, RatingError, Scored};
use crate::grade::Agreement;
use crate::store::RunDir;

/// All scores of one who rated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ratings {
    pub name: String,
    pub is_judge: bool,
    pub scores: BTreeMap<Key, u8>,
}

impl Ratings {
    /// The name as tables have it.
    pub fn shown(&self) -> String {
        if self.is_judge { format!("{} (judge)", self.name) } else { self.name.clone() }
    }
}

/// Two who rated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    pub one: String,
    pub other: String,
    /// Absent where they have no explanation in common.
    pub agreement: Option<Agreement>,
}

/// Who has rated a run: people first, then judges.
///
/// # Errors
/// When the run is of something else, or a file can't be read.
pub fn ratings(dir: &RunDir) -> Result<Vec<Ratings>, RatingError> {
    check(dir)?;
    let mut found = Vec::new();
    for name in dir.names_in(RATINGS, LINES)? {
        let lines: Vec<Scored> = dir.kept_lines(&format!("{RATINGS}/{name}{LINES}"))?;
        let scores = last(lines.iter().map(|scored| (scored.key(), scored.score)));
        found.push(Ratings { name, is_judge: false, scores });
    }
    for name in dir.names_in(JUDGES, LINES)? {
        let lines: Vec<Judgement> = dir.kept_lines(&format!("{JUDGES}/{name}{LINES}"))?;
        let asked = dir.kept::<Asked>(&format!("{JUDGES}/{name}.json"))?;
        let scores = last(lines.iter().map(|one| (one.key(), one.score)));
        found.push(Ratings { name: asked.map_or(name, |asked| asked.judge), is_judge: true, scores });
    }
    found.retain(|one| !one.scores.is_empty());
    Ok(found)
}

/// The last score of each; none where that was taken back.
fn last(lines: impl Iterator<Item = (Key, Option<u8>)>) -> BTreeMap<Key, u8> {
    let all: BTreeMap<Key, Option<u8>> = lines.collect();
    all.into_iter().filter_map(|(key, score)| Some((key, score?))).collect()
}

/// Compares each with each.
///
/// # Errors
/// When there are no two, or no explanation was rated by two.
pub fn compare(dir: &RunDir, ratings: &[Ratings]) -> Result<Vec<Compared>, RatingError> {
    if ratings.len() < 2 {
        let by = ratings.first().map(Ratings::shown);
        return Err(RatingError::NothingToCompare { run: dir.path().to_owned(), by });
    }
    let pairs =
        ratings.iter().enumerate().flat_map(|(at, one)| ratings[at + 1..].iter().map(move |other| (one, other)));
    let compared: Vec<Compared> = pairs
        .map(|(one, other)| {
            let shared: Vec<(u8, u8)> =
                one.scores.iter().filter_map(|(key, score)| Some((*score, *other.scores.get(key)?))).collect();
            Compared { one: one.shown(), other: other.shown(), agreement: Agreement::of(&shared) }
        })
        .collect();
    if compared.iter().all(|pair| pair.agreement.is_none()) {
        return Err(RatingError::NothingShared { raters: ratings.iter().map(Ratings::shown).collect() });
    }
    Ok(compared)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::fakes::run;
    use super::*;
    use crate::model::Coded as _;

    fn write(dir: &Path, name: &str, scores: &[(usize, Option<u8>)]) {
        let line = |(item, score): &(usize, Option<u8>)| {
            serde_json::json!({"item": format!("i{item}"), "attempt": 1, "score": score, "evidence": ""}).to_string()
        };
        std::fs::create_dir_all(dir.join("ratings")).unwrap();
        let text = scores.iter().map(line).collect::<Vec<_>>().join("\n");
        std::fs::write(dir.join(format!("ratings/{name}.jsonl")), text + "\n").unwrap();
    }

    /// The worked example of section 6.6.
    #[test]
    fn two_files_are_compared_score_by_score() {
        let folder = tempfile::tempdir().unwrap();
        let dir = run(folder.path());
        let scored = |scores: [u8; 5]| scores.into_iter().map(Some).enumerate().collect::<Vec<_>>();
        let mut ada = scored([5, 4, 3, 1, 2]);
        // What was changed, and what was taken back.
        ada.splice(0..0, [(3, Some(5)), (9, Some(4)), (9, None)]);
        write(dir.path(), "ada", &ada);
        write(dir.path(), "eva", &[scored([5, 4, 2, 1, 3]), vec![(9, Some(1)), (10, Some(1))]].concat());
        let found = ratings(&dir).unwrap();
        let compared = compare(&dir, &found).unwrap();
        assert_eq!((compared.len(), compared[0].one.as_str(), compared[0].other.as_str()), (1, "ada", "eva"));
        let agreement = compared[0].agreement.clone().unwrap();
        assert_eq!((agreement.n, agreement.exact, agreement.within_one), (5, 0.6, 1.0));
        assert!((agreement.good.unwrap().value - 1.0).abs() < 1e-9, "four or better: both of the same two");
        let weighted = agreement.weighted.unwrap();
        assert!((weighted.value - 0.9).abs() < 1e-9 && weighted.low <= 0.9 && weighted.high >= 0.9, "{weighted:?}");
        assert_eq!(compare(&dir, &found).unwrap(), compared, "the seed is fixed");
    }

    #[test]
    fn where_there_is_nothing_to_compare_it_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let dir = run(folder.path());
        let refused = || {
            let error = compare(&dir, &ratings(&dir).unwrap()).unwrap_err();
            (error.code().to_owned(), error.to_string(), error.hint().unwrap())
        };
        let (code, text, hint) = refused();
        assert!(code == "nothing_to_compare" && text.contains("nobody") && hint.contains("--rater"), "{text}");
        write(dir.path(), "ada", &[(1, Some(5))]);
        assert!(refused().1.contains("ada alone"));
        write(dir.path(), "eva", &[(2, Some(5)), (1, None)]);
        let (code, text, hint) = refused();
        assert!(code == "nothing_rated_by_two" && text.contains("ada, eva") && hint.contains("--seed"), "{text}");
        std::fs::write(dir.path().join("ratings/eva.jsonl"), "{\"item\": \"i1\", \"attempt\": 1, \"score\": 7}\n")
            .unwrap();
        let error = ratings(&dir).unwrap_err();
        assert_eq!((error.code(), error.blame()), ("run_malformed", crate::model::Blame::Input));
    }
}
