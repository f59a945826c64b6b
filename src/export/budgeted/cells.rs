//! `cells.csv`: one row a model and mode. Successes and trajectories with pictures are counts of `n`.

use serde::Serialize;

use super::{Matrix, csv_of};
use crate::grade::budgeted::{Cell, cells};
use crate::model::ControllerMode;

const HEAD: [&str; 12] = [
    "model",
    "provider",
    "mode",
    "n",
    "not_counted",
    "gen",
    "strict",
    "mean_usd",
    "mean_wh",
    "mean_images",
    "mean_attempts",
    "with_images",
];

#[derive(Debug, Serialize)]
struct Row<'a> {
    model: &'a str,
    provider: &'a str,
    mode: ControllerMode,
    n: u32,
    not_counted: u32,
    generated: u32,
    strict: u32,
    mean_usd: Option<f64>,
    mean_wh: Option<f64>,
    mean_images: Option<f64>,
    mean_attempts: Option<f64>,
    with_images: u32,
}

/// The table.
pub(super) fn table(matrix: &Matrix) -> Result<Vec<u8>, csv::Error> {
    csv_of(&HEAD, cells(&matrix.rows(), &matrix.not_counted()).iter().map(row))
}

fn row(Cell { model, mode, group }: &Cell) -> Row<'_> {
    Row {
        model: &model.name,
        provider: &model.provider,
        mode: *mode,
        n: group.n,
        not_counted: group.not_counted,
        generated: group.generated.hits,
        strict: group.strict.hits,
        mean_usd: group.usd,
        mean_wh: group.wh,
        mean_images: group.images,
        mean_attempts: group.attempts,
        with_images: group.with_images.hits,
    }
}
