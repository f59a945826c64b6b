//! Reports: static HTML pages made from tasks, results and pictures, and exports of results.
//!
//! Parts: `catalogue` gathers what is known of each task, with pictures; `pages` turns that into files; the templates
//! are `assets/catalogue`; `runs` makes the pages of runs, from `assets/reports`, `side` puts runs side by side, and
//! `export` writes runs for other programs. What is measured, judged or scored is measured elsewhere; nothing here
//! serves HTTP.

mod catalogue;
mod error;
pub mod export;
mod pages;
mod runs;
mod side;
mod template;

pub use catalogue::{PictureFile, ProjectView, TaskView, view};
pub use error::ReportError;
pub use pages::{Catalogue, write_index, write_task};
pub use runs::{write_drag_report, write_perception_report, write_run_report};
pub use side::{Comparison, Format, compare};
