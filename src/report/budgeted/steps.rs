//! Budget curves as numbers for a drawing.

use std::fmt::Write as _;

use serde::Serialize;

use super::axis::{Axis, Mark};
use super::words::mode_name;
use crate::grade::budgeted::{Curve, Figures};

/// Pixels of the plot, and around it.
const WIDTH: f64 = 700.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 58.0;
const TOP: f64 = 16.0;
const RIGHT: f64 = 30.0;
const BOTTOM: f64 = 44.0;

/// A mode's curve.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Line {
    name: &'static str,
    /// Which colour and dashes it has.
    series: usize,
    path: String,
}

/// The drawing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Steps {
    width: f64,
    height: f64,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    x_marks: Vec<Mark>,
    y_marks: Vec<Mark>,
    lines: Vec<Line>,
}

/// Curves of all modes; `None` where no strict success has a price.
pub(super) fn budget_curves(figures: &Figures) -> Option<Steps> {
    let steps = || figures.curves.iter().flat_map(|curve| &curve.steps);
    let x = Axis::log(steps().map(|(usd, _)| *usd))?;
    let y = Axis::linear(steps().map(|(_, passed)| f64::from(*passed)))?;
    let across = |at: f64| LEFT + at * WIDTH;
    let down = |at: f64| TOP + (1.0 - at) * HEIGHT;
    let line = |(series, curve): (usize, &Curve)| {
        let mut path = format!("M{LEFT:.1} {:.1}", down(0.0));
        // What costs nothing has no place on this axis, and is there from the beginning.
        for (usd, passed) in &curve.steps {
            let at = if *usd > 0.0 { x.at(*usd) } else { 0.0 };
            // Writing to a String can't fail.
            let _ = write!(path, "H{:.1}V{:.1}", across(at), down(y.at(f64::from(*passed))));
        }
        let _ = write!(path, "H{:.1}", LEFT + WIDTH);
        Line { name: mode_name(curve.mode), series, path }
    };
    Some(Steps {
        width: LEFT + WIDTH + RIGHT,
        height: TOP + HEIGHT + BOTTOM,
        left: LEFT,
        top: TOP,
        right: LEFT + WIDTH,
        bottom: TOP + HEIGHT,
        x_marks: x.marks().iter().map(|mark| Mark { at: across(mark.at), ..mark.clone() }).collect(),
        y_marks: y.marks().iter().map(|mark| Mark { at: down(mark.at), ..mark.clone() }).collect(),
        lines: figures.curves.iter().enumerate().map(line).collect(),
    })
}
