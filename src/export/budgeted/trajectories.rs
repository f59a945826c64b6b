//! `functional_results.csv`, `cost_results.csv`, and both in one as `trajectory_results.csv`: one row a trajectory that counts.

use super::columns::{PLACE, Place, REACHED, Reached, SPENT, Spent, WHO, Who};
use super::{Matrix, csv_of};

/// What each reached.
pub(super) fn functional(matrix: &Matrix) -> Result<Vec<u8>, csv::Error> {
    let rows = matrix.counted().map(|(entry, trajectory)| (Who::of(entry, trajectory), Reached::of(trajectory)));
    csv_of(&[&WHO[..], &REACHED].concat(), rows)
}

/// What each cost.
pub(super) fn costs(matrix: &Matrix) -> Result<Vec<u8>, csv::Error> {
    let rows = matrix
        .counted()
        .map(|(entry, trajectory)| (Place::of(entry), trajectory.totals.attempts, Spent::of(trajectory)));
    csv_of(&[&PLACE[..], &["attempts"], &SPENT].concat(), rows)
}

/// Both; columns that both have are there once.
pub(super) fn joined(matrix: &Matrix) -> Result<Vec<u8>, csv::Error> {
    let rows = matrix
        .counted()
        .map(|(entry, trajectory)| (Who::of(entry, trajectory), Reached::of(trajectory), Spent::of(trajectory)));
    csv_of(&[&WHO[..], &REACHED, &SPENT].concat(), rows)
}
