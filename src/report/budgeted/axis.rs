//! Axes of drawings: where values stand between two ends, and which are marked.

use serde::Serialize;

/// Marks of a linear axis, about.
const MARKS: f64 = 4.0;
/// A logarithmic axis with more marks than this has only powers of ten.
const MOST_MARKS: usize = 7;
/// Ends are no marks because of the last digit of a float.
const SLACK: f64 = 1e-9;

/// A mark with its place, 0 to 1, and its label.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Mark {
    pub at: f64,
    pub label: String,
}

/// An axis from one round value to another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    is_log: bool,
    marks: Vec<Mark>,
}

impl Axis {
    /// An axis with zero and all values; `None` without any.
    pub(super) fn linear(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let (low, high) = ends(values)?;
        let (low, high) = (low.min(0.0), high.max(0.0));
        let step = round_above((high - low).max(f64::MIN_POSITIVE) / MARKS);
        let (first, last) = ((low / step + SLACK).floor(), (high / step - SLACK).ceil().max(1.0));
        let values = steps(first, last).map(|number| number * step);
        Some(Self::marked(first * step, last * step, false, values.collect(), step))
    }

    /// An axis in powers of ten with all positive values; `None` without any.
    pub(super) fn log(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let (low, high) = ends(values.into_iter().filter(|value| *value > 0.0))?;
        let low = round_below(low);
        let high = round_above(high).max(round_above(low * 1.5));
        let mut marks = vec![low];
        while let Some(last) = marks.last().copied().filter(|last| *last < high * (1.0 - SLACK)) {
            marks.push(round_above(last * 1.5));
        }
        if marks.len() > MOST_MARKS {
            marks.retain(|mark| (mark.log10() - mark.log10().round()).abs() < SLACK);
        }
        Some(Self::marked(low, high, true, marks, low))
    }

    fn marked(low: f64, high: f64, is_log: bool, values: Vec<f64>, finest: f64) -> Self {
        let bare = Self { low, high, is_log, marks: Vec::new() };
        let label = |value: f64| {
            let own = if is_log { value } else { finest };
            format!("{value:.*}", decimals(own))
        };
        let marks = values.into_iter().map(|value| Mark { at: bare.at(value), label: label(value) }).collect();
        Self { marks, ..bare }
    }

    /// Where a value stands, 0 to 1.
    pub(super) fn at(&self, value: f64) -> f64 {
        let place = |value: f64| if self.is_log { value.log10() } else { value };
        (place(value) - place(self.low)) / (place(self.high) - place(self.low))
    }

    pub(super) fn marks(&self) -> &[Mark] {
        &self.marks
    }
}

/// The whole numbers from one to another.
fn steps(first: f64, last: f64) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(first), |number| Some(number + 1.0)).take_while(move |number| *number <= last + SLACK)
}

fn ends(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.fold(None, |ends: Option<(f64, f64)>, value| {
        let (low, high) = ends.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })
}

/// The power of ten at or below a positive value.
fn decade(value: f64) -> f64 {
    10_f64.powf((value.log10() + SLACK).floor())
}

/// The smallest of 1, 2 and 5 times a power of ten that is no less.
fn round_above(value: f64) -> f64 {
    let unit = decade(value);
    let round = [1.0, 2.0, 5.0].into_iter().find(|times| value <= times * unit * (1.0 + SLACK));
    round.unwrap_or(10.0) * unit
}

/// The largest of them that is no more.
fn round_below(value: f64) -> f64 {
    let unit = decade(value);
    let round = [5.0, 2.0].into_iter().find(|times| value >= times * unit * (1.0 - SLACK));
    round.unwrap_or(1.0) * unit
}

/// How many decimals a round value has.
fn decimals(value: f64) -> usize {
    let power = decade(value).log10().round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
    let decimals = (-power).max(0.0) as usize;
    decimals
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: Option<Axis>) -> Vec<String> {
        axis.unwrap().marks().iter().map(|mark| mark.label.clone()).collect()
    }

    #[test]
    fn axes_end_at_round_values_and_mark_some_between() {
        assert_eq!(labels(Axis::linear([16.0, 31.0])), ["0", "10", "20", "30", "40"]);
        assert_eq!(labels(Axis::linear([0.18, 0.62])), ["0.0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(labels(Axis::linear([-3.0, 4.0])), ["-4", "-2", "0", "2", "4"]);
        assert_eq!(labels(Axis::linear([0.0])).len(), 2, "of nothing there is still an axis");
        assert_eq!(labels(Axis::log([0.0006, 0.019])), ["0.0005", "0.001", "0.002", "0.005", "0.01", "0.02"]);
        assert_eq!(labels(Axis::log([0.000_1, 100.0])), ["0.0001", "0.001", "0.01", "0.1", "1", "10", "100"]);
        assert_eq!((Axis::log([0.0, -1.0]), Axis::linear([f64::NAN])), (None, None));
        let axis = Axis::log([0.001, 0.1]).unwrap();
        assert!((axis.at(0.01) - 0.5).abs() < 1e-9 && axis.marks()[0].at.abs() < 1e-9);
        assert_eq!(labels(Axis::log([0.01])), ["0.01", "0.02"], "one value has an axis too");
    }
}
