//! Bars with error bars, as numbers for a drawing.

use serde::Serialize;

use super::table::harmless;

/// Letters of a name that fit beside its bar.
const FITTING: usize = 44;
/// Pixels of the drawing: where bars begin, a percent's width, a bar's height, and a row's.
const LEFT: f64 = 330.0;
const PERCENT: f64 = 4.0;
const ROW: f64 = 20.0;
/// Pixels above the first bar.
const TOP: f64 = 24.0;

/// A bar of a percentage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Bar {
    label: String,
    full: String,
    /// Which series it is of.
    series: &'static str,
    percent: f64,
    y: f64,
    x: f64,
    width: f64,
    /// Ends of the error bar.
    low: f64,
    high: f64,
}

impl Bar {
    /// A bar; `None` without a percentage.
    pub(super) fn new(
        name: &str,
        series: &'static str,
        percent: Option<f64>,
        ends: Option<(f64, f64)>,
    ) -> Option<Self> {
        let percent = percent?;
        let (low, high) = ends.unwrap_or((percent, percent));
        let at = |percent: f64| LEFT + PERCENT * percent;
        let full = harmless(name);
        let mut label: String = full.chars().take(FITTING).collect();
        if label.len() < full.len() {
            label.push('…');
        }
        let (x, width) = (LEFT, PERCENT * percent);
        Some(Self { label, full, series, percent, y: 0.0, x, width, low: at(low), high: at(high) })
    }
}

/// A drawing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Plot {
    title: String,
    series: Vec<&'static str>,
    bars: Vec<Bar>,
    width: f64,
    height: f64,
    /// Lines of the grid with their percentages.
    grid: Vec<(f64, u32)>,
}

impl Plot {
    pub(super) fn new(title: &str, series: &[&'static str], mut bars: Vec<Bar>) -> Self {
        let mut y = TOP;
        for bar in &mut bars {
            bar.y = y;
            y += ROW;
        }
        let grid = [0_u32, 25, 50, 75, 100].map(|percent| (LEFT + PERCENT * f64::from(percent), percent));
        let width = LEFT + 100.0 * PERCENT + 70.0;
        Self { title: title.to_owned(), series: series.to_vec(), bars, width, height: y + 8.0, grid: grid.to_vec() }
    }
}
