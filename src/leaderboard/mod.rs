//! A static leaderboard from runs of tasks that lack nothing: a page with filters, which needs no server.

mod entry;
mod grader;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;
use strum::IntoEnumIterator as _;

use self::entry::Entry;
use self::grader::GradeSource;
use crate::benchmarks::tasks::Tasks;
use crate::benchmarks::tasks::regrade::{CurrentJudges, Grading};
use crate::experiment::Benchmark as _;
use crate::grade::PriceTable;
use crate::model::Category;
use crate::report::{CSS, ReportError, check_final, render, write};
use crate::store::RunDir;

/// A file of the page with its name.
macro_rules! asset {
    ($name:literal) => {
        ($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/leaderboard/", $name)))
    };
}

const PAGE: (&str, &str) = asset!("index.html");
const SCRIPT: (&str, &str) = asset!("leaderboard.js");
const OWN_CSS: (&str, &str) = asset!("leaderboard.css");

/// The page as data: `leaderboard.json` beside it has the same.
#[derive(Debug, Serialize)]
pub struct Leaderboard {
    title: String,
    /// Version of scratchbed.
    version: String,
    /// Date of the list of prices; absent where nothing is priced by one.
    prices: Option<String>,
    categories: Vec<Category>,
    /// Runs whose rates this checkout knows, the best success rate first.
    entries: Vec<Entry>,
    /// Runs whose rates a file claims, in the same order. They are no entries of the board until they are judged.
    claimed: Vec<Entry>,
    notes: Vec<String>,
}

impl Leaderboard {
    /// Entries of runs, by the grades that the current judges gave in this checkout, and by the first ones else. Grades
    /// in a bundle are claims, and so is everything in it that was not judged here.
    ///
    /// # Errors
    /// When a run can't be read, is not one of tasks, or lacks attempts.
    pub fn of(title: &str, runs: &[RunDir], judges: &CurrentJudges, prices: &PriceTable) -> Result<Self, ReportError> {
        if let Some(other) = runs.iter().find(|run| run.record().benchmark != Tasks::NAME) {
            return Err(ReportError::OnlyTasks { run: other.record().id.clone() });
        }
        check_final(runs, Grading::Original)?;
        let mut all = runs.iter().map(|run| Entry::of(run, judges, prices)).collect::<Result<Vec<_>, _>>()?;
        all.sort_by(|one, other| other.sr.value.total_cmp(&one.sr.value));
        let mut dates: Vec<String> = all.iter().filter_map(|entry| entry.prices.clone()).collect();
        dates.sort();
        dates.dedup();
        let notes = notes(&all);
        let (claimed, entries) = all.into_iter().partition(|entry| entry.source() == GradeSource::Claimed);
        Ok(Self {
            title: title.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            prices: (!dates.is_empty()).then(|| dates.join(" and ")),
            categories: Category::iter().collect(),
            entries,
            claimed,
            notes,
        })
    }

    /// Writes the page and its data into a folder; returns the page's path.
    ///
    /// # Errors
    /// When the page can't be made or written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, ReportError> {
        let css = Value::from_safe_string(format!("{CSS}{}", OWN_CSS.1));
        let page = render(&[PAGE], PAGE.0, PAGE.0, context! { board => Serde(self), css })?;
        let path = folder.join(PAGE.0);
        let data = serde_json::to_vec_pretty(self)
            .map_err(|error| ReportError::Write { path: path.clone(), source: error.into() })?;
        write(&folder.join(SCRIPT.0), SCRIPT.1.as_bytes())?;
        write(&folder.join("leaderboard.json"), &data)?;
        write(&path, page.as_bytes())?;
        Ok(path)
    }

    /// Entries that the current judges have not graded as a whole in this checkout; runs that are only claimed are not
    /// among them.
    pub fn not_regraded(&self) -> usize {
        self.entries.iter().filter(|entry| entry.source() != GradeSource::Again).count()
    }

    /// Runs whose rates a file claims.
    pub const fn claimed(&self) -> usize {
        self.claimed.len()
    }

    /// Runs whose rates this checkout knows.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

fn notes(entries: &[Entry]) -> Vec<String> {
    let mut notes: Vec<String> = entries.iter().flat_map(Entry::notes).collect();
    if entries.iter().any(|entry| entry.source() == GradeSource::First) {
        notes.push(
            "Entries that are graded `first` have the verdicts of their own runs; their projects were not judged again"
                .to_owned(),
        );
    }
    notes
}
