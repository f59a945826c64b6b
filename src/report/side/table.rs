//! Tables before they have a format: a title, a head, rows in groups, and notes that no format leaves out.

use serde::Serialize;

use crate::grade::LeftOut;
use crate::model::is_unprintable;

/// What stands where there is no figure.
pub(in crate::report) const NONE: &str = "–";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(in crate::report) struct Table {
    pub(super) title: String,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) notes: Vec<String>,
}

impl Table {
    /// A table; what models and files are called is shown harmlessly, and columns without any figure are left out.
    pub(in crate::report) fn new(title: &str, head: &[&str], rows: Vec<Vec<String>>, notes: &[String]) -> Self {
        let rows: Vec<Vec<String>> =
            rows.into_iter().map(|row| row.iter().map(|cell| harmless(cell)).collect()).collect();
        let is_used =
            |at: usize| rows.is_empty() || rows.iter().any(|row| row.get(at).is_some_and(|cell| !cell.is_empty()));
        let used: Vec<usize> = (0..head.len()).filter(|at| is_used(*at)).collect();
        let kept = |row: &[String]| used.iter().filter_map(|at| row.get(*at).cloned()).collect::<Vec<_>>();
        let head: Vec<String> = head.iter().map(|cell| harmless(cell)).collect();
        Self {
            title: harmless(title),
            head: kept(&head),
            rows: rows.iter().map(|row| kept(row)).collect(),
            notes: notes.iter().map(|note| harmless(note)).collect(),
        }
    }
}

/// Without letters that a terminal obeys.
pub(super) fn harmless(text: &str) -> String {
    text.chars().map(|c| if is_unprintable(c) { '\u{fffd}' } else { c }).collect()
}

/// A percentage or a distance with two decimals.
pub(super) fn two(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| format!("{value:.2}"))
}

/// A 95 % interval.
pub(super) fn interval(ends: Option<(f64, f64)>) -> String {
    ends.map_or_else(|| NONE.to_owned(), |(low, high)| format!("[{low:.2}, {high:.2}]"))
}

/// What a table leaves out, and why.
pub(super) fn left_out(reasons: &[LeftOut]) -> String {
    let reasons: Vec<String> = reasons.iter().map(|one| format!("{} {}", one.count, one.why)).collect();
    or_none(&reasons.join(", "))
}

pub(super) fn or_none(text: &str) -> String {
    if text.is_empty() { NONE.to_owned() } else { text.to_owned() }
}
