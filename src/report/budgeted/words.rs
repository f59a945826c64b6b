//! Cells of tables: figures with as many decimals as the paper has, and dashes for what was not run.

use strum::IntoEnumIterator as _;

use crate::grade::Proportion;
use crate::grade::budgeted::{Figures, Interval, Wins};
use crate::model::{ControllerMode, pluralise};
use crate::report::side::NONE;

/// Sums of floats miss a tie by little: 5.75 may be 5.749999.
const NEARLY: f64 = 1e-6;

/// Watt-hours that two decimals tell nothing of.
const SMALL_WH: f64 = 0.1;

/// Rounds ties away from zero, as most of the paper's figures are.
fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    let rounded = (value.abs() * scale + NEARLY).round() / scale;
    // Nothing is written as -0.0.
    if rounded > 0.0 { rounded.copysign(value) } else { 0.0 }
}

/// A figure with so many decimals, a dash without any.
pub(super) fn figure(value: Option<f64>, decimals: u8) -> String {
    let shown = |value: f64| format!("{:.*}", usize::from(decimals), rounded(value, i32::from(decimals)));
    value.map_or_else(|| NONE.to_owned(), shown)
}

/// US dollars of a trajectory.
pub(super) fn usd(value: Option<f64>) -> String {
    figure(value, 5)
}

/// Watt-hours: as the paper has them, and with two decimals more where they are far below its 0.18.
pub(super) fn watt_hours(value: Option<f64>) -> String {
    figure(value, if value.is_some_and(|value| value < SMALL_WH) { 4 } else { 2 })
}

/// A percentage with its 95 % interval.
pub(super) fn share(of: Proportion) -> String {
    match of.interval {
        Some((low, high)) => with_interval(of.percent, Some(Interval { low, high })),
        None => NONE.to_owned(),
    }
}

/// A figure with one decimal and its interval.
pub(super) fn with_interval(value: Option<f64>, interval: Option<Interval>) -> String {
    let one = |value: f64| figure(Some(value), 1);
    match interval.filter(|_| value.is_some()) {
        Some(Interval { low, high }) => format!("{} [{}, {}]", figure(value, 1), one(low), one(high)),
        None => figure(value, 1),
    }
}

/// A gain with its sign.
pub(super) fn gain(value: f64) -> String {
    let shown = figure(Some(value), 1);
    if value > 0.0 && shown != "0.0" { format!("+{shown}") } else { shown }
}

/// The range of gains or savings over models.
pub(super) fn range(values: impl IntoIterator<Item = f64>, word: fn(f64) -> String) -> String {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    match (values.first(), values.last()) {
        (Some(least), Some(most)) => format!("{} to {}", word(*least), word(*most)),
        _ => NONE.to_owned(),
    }
}

/// `11/12, 1 tie`.
pub(super) fn wins(of: Wins) -> String {
    match (of.n(), of.ties) {
        (0, _) => NONE.to_owned(),
        (n, 0) => format!("{}/{n}", of.better),
        (n, ties) => format!("{}/{n}, {}", of.better, pluralise(ties, "tie")),
    }
}

/// The name of a mode in tables.
pub(super) const fn mode_name(mode: ControllerMode) -> &'static str {
    match mode {
        ControllerMode::TextOnly => "Text-only",
        ControllerMode::AlwaysOn => "Always-on multimodal",
        ControllerMode::Fixed => "Fixed multimodal",
        ControllerMode::Heuristic => "Heuristic",
        ControllerMode::Value => "Value",
    }
}

/// The name of a family in tables.
pub(super) fn family_name(family: &str) -> String {
    match family {
        "openai" => "OpenAI".to_owned(),
        "gemini" => "Gemini".to_owned(),
        "anthropic" => "Anthropic".to_owned(),
        other => other.to_owned(),
    }
}

/// The modes that tables have rows for: those of the paper, and more where they were run.
pub(super) fn modes(figures: &Figures) -> Vec<ControllerMode> {
    let was_run = |mode: ControllerMode| figures.modes.iter().any(|one| one.mode == mode);
    ControllerMode::iter().filter(|mode| *mode != ControllerMode::Value || was_run(*mode)).collect()
}

/// The head of a column in watt-hours, which says where they are estimated.
pub(super) fn energy_head(head: &str, figures: &Figures) -> String {
    format!("{head} ({})", if is_estimated(figures) { "Wh, est." } else { "Wh" })
}

/// The head of a column that compares energies.
pub(super) fn compared_head(head: &str, figures: &Figures) -> String {
    if is_estimated(figures) { format!("{head} (est.)") } else { head.to_owned() }
}

fn is_estimated(figures: &Figures) -> bool {
    figures.modes.iter().any(|mode| mode.group.is_estimated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_rounded_up_and_nothing_has_no_sign() {
        assert_eq!(figure(Some(30.25), 1), "30.3");
        assert_eq!(figure(Some(5.749_999_999), 1), "5.8");
        assert_eq!(
            (figure(Some(-0.01), 1), gain(0.01), gain(3.0), gain(-3.04)),
            ("0.0".into(), "0.0".into(), "+3.0".into(), "-3.0".into())
        );
        assert_eq!((figure(None, 1), usd(Some(0.00409))), (NONE.to_owned(), "0.00409".to_owned()));
        assert_eq!(share(Proportion::of(0, 0)), NONE);
        assert_eq!(share(Proportion::of(16, 100)), "16.0 [10.1, 24.4]");
        assert_eq!(wins(Wins { better: 11, ties: 1, worse: 0 }), "11/12, 1 tie");
        assert_eq!((wins(Wins::default()), range([], gain)), (NONE.to_owned(), NONE.to_owned()));
        assert_eq!(range([4.0, 3.0], gain), "+3.0 to +4.0");
    }
}
