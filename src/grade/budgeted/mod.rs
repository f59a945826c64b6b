//! Figures of budgeted repair (EcoScratch, sections 8 to 10 of our specification): what trajectories reach, what they cost, and how modes
//! of the controller compare.
//!
//! `row` is a trajectory as it is counted, `group` the figures of some of them, `pairs` compares two modes at the same cases, `fronts` has
//! the Pareto front and budget curves, and `figures` puts all together. Where rows come from, and how figures are shown, is not known here.

mod figures;
mod fronts;
mod group;
mod pairs;
#[cfg(test)]
pub(crate) mod published;
mod row;
#[cfg(test)]
mod tests;

pub use figures::{Cell, Figures, ModeFigures, ModelName, Part, cells, figures};
pub use fronts::{Curve, Point, curve, front};
pub use group::{Group, Per};
pub use pairs::{Comparison, Delta, Interval, ModelDelta, Wins, compare};
pub use row::{CaseKey, CaseRow, Energy};
