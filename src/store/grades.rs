//! Grades that were given later, beside the first: one file a judge, and none is ever replaced by that of another.

use std::fs;
use std::path::Path;

use super::disk::Disk;
use super::run_dir::read;
use super::{RunDir, StoreError};
use crate::model::GradeRecord;

/// The folder of later grades in that of an attempt.
const GRADES: &str = "grades";
/// Letters of a judge's digest in the name of its grade.
const NAMED_BY: usize = 16;

impl RunDir {
    /// The grade of an attempt by this judge; `None` where it gave none.
    ///
    /// # Errors
    /// When it can't be read or is of a newer format.
    pub fn grade(&self, name: &str, judge: &str) -> Result<Option<GradeRecord>, StoreError> {
        let Some(file) = self.attempt_path(name).map(|path| path.join(GRADES).join(file_name(judge))) else {
            return Ok(None);
        };
        if !file.is_file() {
            return Ok(None);
        }
        let grade: GradeRecord = read(&file)?;
        Ok((grade.judge == judge).then_some(grade))
    }

    /// All later grades of an attempt, the oldest first.
    ///
    /// # Errors
    /// When one can't be read or is of a newer format.
    pub fn grades(&self, name: &str) -> Result<Vec<GradeRecord>, StoreError> {
        let folder = self.attempt_path(name).map(|path| path.join(GRADES));
        let entries = folder.into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        let files = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|ext| ext == "json"));
        let mut grades = files.map(|file| read::<GradeRecord>(&file)).collect::<Result<Vec<_>, _>>()?;
        grades.sort_by(|one, other| one.graded_at.total_cmp(&other.graded_at));
        Ok(grades)
    }

    /// Keeps a grade beside what is recorded of an attempt.
    ///
    /// # Errors
    /// When the disk refuses, or there is no such attempt.
    pub fn keep_grade(&self, name: &str, grade: &GradeRecord) -> Result<(), StoreError> {
        let path = self.attempt_path(name).ok_or_else(|| StoreError::NoRun { path: self.path().join(name) })?;
        let (disk, folder) = (Disk::default(), path.join(GRADES));
        disk.make_folders(&folder)?;
        disk.write_json(&folder.join(file_name(&grade.judge)), grade)
    }
}

/// Returns true for the path of a later grade, from the root of a bundle.
pub(super) fn is_grade(file: &str) -> bool {
    Path::new(file).parent().and_then(Path::file_name).is_some_and(|folder| folder == GRADES)
}

fn file_name(judge: &str) -> String {
    let short: String = judge.chars().filter(char::is_ascii_hexdigit).take(NAMED_BY).collect();
    format!("{short}.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AttemptRecord, Cost, Outcome, RUN_FORMAT};
    use crate::store::fakes;

    #[test]
    fn grades_of_two_judges_stand_beside_the_record() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(folder.path(), fakes::run(&["a"])).unwrap();
        let item: crate::model::ItemId = "a".parse().unwrap();
        let record = AttemptRecord {
            format: RUN_FORMAT,
            item: item.clone(),
            attempt: 1,
            retry: 0,
            outcome: Outcome::Failed,
            error: None,
            cost: Cost::default(),
            detail: (),
        };
        run.begin(&item, 1, 0).unwrap().complete(&record).unwrap();
        let grade = |judge: &str, graded_at: f64, outcome| GradeRecord {
            format: RUN_FORMAT,
            judge: judge.repeat(64),
            version: "0".into(),
            graded_at,
            outcome,
            error: None,
            verdict: None,
        };
        let (newer, older) = (grade("a", 2.0, Outcome::Passed), grade("b", 1.0, Outcome::Failed));
        run.keep_grade("a.1", &newer).unwrap();
        run.keep_grade("a.1", &older).unwrap();
        assert_eq!(run.grades("a.1").unwrap(), [older, newer.clone()]);
        assert_eq!(run.grade("a.1", &newer.judge).unwrap(), Some(newer));
        assert_eq!(run.grade("a.1", &"c".repeat(64)).unwrap(), None);
        assert_eq!(run.last_tries::<()>().unwrap()[0].record, record, "the record is as it was");
        assert!(run.keep_grade("../a.1", &grade("d", 1.0, Outcome::Failed)).is_err());
    }
}
