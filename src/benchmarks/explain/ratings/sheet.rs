//! What one person has scored, in a file of the run: one object a line, the last one of an explanation counts. A score that is
//! taken back is a line without one, so that the file also tells what was changed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Distribution, Key, LINES, RATINGS, RatingError, Subject, on_scale};
use crate::model::ItemId;
use crate::store::{OwnLines, RunDir};

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scored {
    pub item: ItemId,
    pub attempt: u32,
    /// 1 to 5; none where it was taken back, or where there is only evidence so far.
    #[serde(default, deserialize_with = "on_scale")]
    pub score: Option<u8>,
    /// What the score rests on, in the person's words.
    #[serde(default)]
    pub evidence: String,
}

impl Scored {
    pub(super) fn key(&self) -> Key {
        Key { item: self.item.clone(), attempt: self.attempt }
    }
}

/// The sample of one person, with what is scored of it.
#[derive(Debug)]
pub struct Sheet {
    subjects: Vec<Subject>,
    scored: BTreeMap<Key, Scored>,
    lines: OwnLines,
}

impl Sheet {
    /// Opens the sheet of a person, which one process does at a time. What was scored before is known; of other
    /// explanations it stays in the file.
    ///
    /// # Errors
    /// When the file is in use, can't be read, or the disk refuses.
    pub fn open(dir: &RunDir, rater: &ItemId, subjects: Vec<Subject>) -> Result<Self, RatingError> {
        let (read, lines) = dir.own_lines::<Scored>(&format!("{RATINGS}/{rater}{LINES}"))?;
        let scored = read.into_iter().map(|scored| (scored.key(), scored)).collect();
        Ok(Self { subjects, scored, lines })
    }

    /// What is to be scored, in its order.
    pub fn subjects(&self) -> &[Subject] {
        &self.subjects
    }

    /// What is known of an explanation, by its place.
    pub fn scored(&self, place: usize) -> Option<&Scored> {
        self.scored.get(&self.subjects.get(place)?.key)
    }

    /// Writes a score, or takes one back; `false` if there is no such explanation or score.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn score(&mut self, place: usize, score: Option<u8>, evidence: String) -> Result<bool, RatingError> {
        let Some(Subject { key, .. }) = self.subjects.get(place) else { return Ok(false) };
        if score.is_some_and(|score| !(1..=5).contains(&score)) {
            return Ok(false);
        }
        let scored = Scored { item: key.item.clone(), attempt: key.attempt, score, evidence };
        if self.scored.get(key) != Some(&scored) {
            self.lines.append(&scored)?;
            self.scored.insert(key.clone(), scored);
        }
        Ok(true)
    }

    /// Explanations of the sample without a score.
    pub fn left(&self) -> usize {
        (0..self.subjects.len()).filter(|place| self.score_of(*place).is_none()).count()
    }

    /// How the scores of the sample are spread.
    pub fn distribution(&self) -> Distribution {
        Distribution::of((0..self.subjects.len()).filter_map(|place| self.score_of(place)))
    }

    fn score_of(&self, place: usize) -> Option<u8> {
        self.scored(place).and_then(|scored| scored.score)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fakes::{run, subject};
    use super::*;

    fn subjects() -> Vec<Subject> {
        ["a", "b", "c"].map(|name| subject(name, 1, "message_race")).to_vec()
    }

    fn scores(sheet: &Sheet) -> Vec<Option<u8>> {
        (0..3).map(|place| sheet.score_of(place)).collect()
    }

    #[test]
    fn scores_are_there_again_and_the_last_of_an_item_counts() {
        let folder = tempfile::tempdir().unwrap();
        let dir = run(folder.path());
        let ada: ItemId = "ada".parse().unwrap();
        let mut sheet = Sheet::open(&dir, &ada, subjects()).unwrap();
        for (place, score, evidence) in
            [(0, Some(4), ""), (1, Some(2), "vague"), (0, Some(5), "all three"), (1, None, "vague")]
        {
            assert!(sheet.score(place, score, evidence.to_owned()).unwrap());
        }
        assert!(!sheet.score(3, Some(1), String::new()).unwrap() && !sheet.score(0, Some(6), String::new()).unwrap());
        drop(sheet);
        let file = dir.path().join("ratings/ada.jsonl");
        let mut text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().count(), 4);
        assert!(text.starts_with(r#"{"item":"a","attempt":1,"score":4,"evidence":""}"#), "{text}");
        // It ended while a line was written.
        text.push_str(r#"{"item":"c","attempt":1,"sco"#);
        std::fs::write(&file, &text).unwrap();
        let sheet = Sheet::open(&dir, &ada, subjects()).unwrap();
        assert_eq!((scores(&sheet), sheet.left()), (vec![Some(5), None, None], 2));
        assert_eq!(
            (sheet.scored(1).unwrap().evidence.as_str(), sheet.distribution().counts),
            ("vague", [0, 0, 0, 0, 1])
        );
        assert!(Sheet::open(&dir, &ada, subjects()).is_err(), "another one scores under this name");
    }

    #[test]
    fn other_samples_keep_what_is_there_and_saying_the_same_again_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let dir = run(folder.path());
        let ada: ItemId = "ada".parse().unwrap();
        let mut sheet = Sheet::open(&dir, &ada, subjects()).unwrap();
        sheet.score(0, Some(3), String::new()).unwrap();
        sheet.score(0, Some(3), String::new()).unwrap();
        drop(sheet);
        let sheet = Sheet::open(&dir, &ada, subjects()[1..].to_vec()).unwrap();
        assert_eq!((sheet.left(), sheet.distribution().n), (2, 0));
        let text = std::fs::read_to_string(dir.path().join("ratings/ada.jsonl")).unwrap();
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn a_score_off_the_scale_is_no_line() {
        let read =
            |score: &str| serde_json::from_str::<Scored>(&format!(r#"{{"item":"a","attempt":1,"score":{score}}}"#));
        assert!(read("5").is_ok() && read("null").is_ok());
        assert!(read("6").unwrap_err().to_string().contains("1 to 5"));
        assert!(read("4.5").is_err());
    }
}
