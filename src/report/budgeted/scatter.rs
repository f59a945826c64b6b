//! Figures 3 and 4 of EcoScratch as numbers for a drawing: cells by cost, energy and success, and what the heuristic gains and saves.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::axis::{Axis, Mark};
use super::words::{energy_head, family_name, figure, gain, mode_name, modes, usd};
use crate::grade::budgeted::{Cell, Comparison, Figures, ModelDelta};
use crate::model::{ControllerMode, shown_name};

/// Pixels of a panel's plot, and around it.
const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 58.0;
const TOP: f64 = 28.0;
const RIGHT: f64 = 22.0;
const BOTTOM: f64 = 44.0;
/// Panels side by side.
const COLUMNS: usize = 2;
/// Outlines of points around their centre, by family: colours alone do not tell families apart.
const SHAPES: [&str; 4] =
    ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z", "M0-6.5L6.5 0L0 6.5L-6.5 0Z", "M-5-5H5V5H-5Z", "M0-6L6 5H-6Z"];

/// The families of the paper, orange and blue.
const PAPERS: [&str; 2] = ["gemini", "openai"];

/// A point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Dot {
    x: f64,
    y: f64,
    family: usize,
    shape: &'static str,
    /// What it is, where it is pointed at.
    title: String,
}

/// A plot of one mode, or against one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Panel {
    title: String,
    x_label: String,
    y_label: &'static str,
    /// Pixels of its plot.
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    /// Marks at pixels.
    x_marks: Vec<Mark>,
    y_marks: Vec<Mark>,
    dots: Vec<Dot>,
}

/// A family in the legend.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Family {
    name: String,
    number: usize,
    shape: &'static str,
}

/// A drawing of panels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Scatter {
    title: String,
    width: f64,
    height: f64,
    families: Vec<Family>,
    panels: Vec<Panel>,
}

/// A point before it has pixels.
struct Value<'a> {
    provider: &'a str,
    x: f64,
    y: f64,
    title: String,
}

/// Figures that have any point: 3 (a), 3 (b) and 4.
pub(super) fn figures_3_and_4(figures: &Figures) -> Vec<Scatter> {
    let energy = energy_head("mean energy of a trajectory", figures);
    let cost = by_mode(
        figures,
        "Figure 3 (a): generation success and cost of each model",
        ("mean cost of a trajectory ($)", true),
        &|cell| cell.group.usd,
    );
    let energy =
        by_mode(figures, "Figure 3 (b): generation success and energy of each model", (&energy, false), &|cell| {
            cell.group.wh
        });
    [cost, energy, deltas(figures)].into_iter().flatten().collect()
}

/// A panel for each mode.
fn by_mode(
    figures: &Figures,
    title: &str,
    (x_label, is_log): (&str, bool),
    x: &dyn Fn(&Cell) -> Option<f64>,
) -> Option<Scatter> {
    let value = |cell: &'_ Cell| Some((x(cell)?, cell.group.generated.percent?));
    let values: Vec<(f64, f64)> = figures.cells.iter().filter_map(value).collect();
    let xs = values.iter().map(|(x, _)| *x);
    let axes = (if is_log { Axis::log(xs) } else { Axis::linear(xs) }?, Axis::linear(values.iter().map(|(_, y)| *y))?);
    let panel = |mode: ControllerMode| {
        let cells = figures.cells.iter().filter(|cell| cell.mode == mode);
        let dots = cells.filter_map(|cell| {
            let (x, y) = value(cell)?;
            let amount = if is_log { format!("${}", usd(Some(x))) } else { format!("{} Wh", figure(Some(x), 3)) };
            let model = shown_name(&cell.model.name);
            let title = format!("{model}: {} %, {amount}, N = {}", figure(Some(y), 1), cell.group.n);
            Some(Value { provider: &cell.model.provider, x, y, title })
        });
        (mode_name(mode).to_owned(), dots.collect())
    };
    let panels = modes(figures).into_iter().map(panel).collect();
    Some(drawing(figures, title, (x_label, "generation success (%)"), &axes, panels))
}

/// A panel for each baseline.
fn deltas(figures: &Figures) -> Option<Scatter> {
    let of = |baseline| move |one: &&Comparison| one.mode == ControllerMode::Heuristic && one.baseline == baseline;
    let found: Vec<&Comparison> = [ControllerMode::AlwaysOn, ControllerMode::Fixed]
        .into_iter()
        .filter_map(|baseline| figures.comparisons.iter().find(of(baseline)))
        .collect();
    let models = || found.iter().flat_map(|one| &one.models).filter_map(value_of);
    let axes = (Axis::linear(models().map(|one| one.x))?, Axis::linear(models().map(|one| one.y))?);
    let panels = found.into_iter().map(panel_of).collect();
    let title = "Figure 4: what the heuristic gains and saves with each model";
    Some(drawing(figures, title, ("cost saved (%)", "generation success gained (pp)"), &axes, panels))
}

fn panel_of(found: &Comparison) -> (String, Vec<Value<'_>>) {
    (format!("against {}", mode_name(found.baseline)), found.models.iter().filter_map(value_of).collect())
}

fn value_of(model: &ModelDelta) -> Option<Value<'_>> {
    let (x, y) = (model.delta.usd?, model.delta.generated);
    let title = format!("{}: {} pp, {} % saved", model.model, gain(y), figure(Some(x), 1));
    Some(Value { provider: &model.provider, x, y, title })
}

fn drawing(
    figures: &Figures,
    title: &str,
    labels: (&str, &'static str),
    axes: &(Axis, Axis),
    panels: Vec<(String, Vec<Value<'_>>)>,
) -> Scatter {
    let families = families(figures);
    let rows = panels.len().div_ceil(COLUMNS);
    let panels = panels.into_iter().enumerate().map(|(at, (name, values))| {
        let (column, row) = (float(at % COLUMNS), float(at / COLUMNS));
        let corner = (LEFT + column * (LEFT + WIDTH + RIGHT), TOP + row * (TOP + HEIGHT + BOTTOM));
        panel(name, labels, axes, corner, values, &families)
    });
    Scatter {
        title: title.to_owned(),
        width: float(COLUMNS) * (LEFT + WIDTH + RIGHT),
        height: float(rows) * (TOP + HEIGHT + BOTTOM),
        panels: panels.collect(),
        families: families
            .into_iter()
            .map(|(name, number)| Family { name: family_name(name), number, shape: SHAPES[number] })
            .collect(),
    }
}

/// The number of each family: the paper's have its colours, others come after them, and those beyond the last shape share it.
fn families(figures: &Figures) -> BTreeMap<&str, usize> {
    let names: BTreeSet<&str> = figures.models.iter().map(|model| model.provider.as_str()).collect();
    let (known, others): (Vec<&str>, Vec<&str>) = names.into_iter().partition(|name| PAPERS.contains(name));
    let known = known.into_iter().filter_map(|name| Some((name, PAPERS.iter().position(|one| *one == name)?)));
    let others = others.into_iter().zip(PAPERS.len()..);
    known.chain(others).map(|(name, number)| (name, number.min(SHAPES.len() - 1))).collect()
}

fn panel(
    title: String,
    (x_label, y_label): (&str, &'static str),
    (x, y): &(Axis, Axis),
    (left, top): (f64, f64),
    values: Vec<Value<'_>>,
    families: &BTreeMap<&str, usize>,
) -> Panel {
    let across = |at: f64| left + at * WIDTH;
    let down = |at: f64| top + (1.0 - at) * HEIGHT;
    let dot = |value: Value<'_>| {
        let family = families.get(value.provider).copied().unwrap_or_default();
        let (x, y) = (across(x.at(value.x)), down(y.at(value.y)));
        Dot { x, y, family, shape: SHAPES[family], title: value.title }
    };
    Panel {
        title,
        x_label: x_label.to_owned(),
        y_label,
        left,
        top,
        right: left + WIDTH,
        bottom: top + HEIGHT,
        x_marks: x.marks().iter().map(|mark| Mark { at: across(mark.at), ..mark.clone() }).collect(),
        y_marks: y.marks().iter().map(|mark| Mark { at: down(mark.at), ..mark.clone() }).collect(),
        dots: values.into_iter().map(dot).collect(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "panels are few")]
const fn float(count: usize) -> f64 {
    count as f64
}
