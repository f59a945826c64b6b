//! Reports: static HTML pages made from tasks, results and pictures, and tables of results.
//!
//! Parts: `catalogue` gathers what is known of each task, with pictures; `pages` turns that into files; the templates
//! are `assets/catalogue`; `terminal` makes what commands print of a run, `runs` the pages of runs, from `assets/reports`, `pool` the contact sheet of a pool, `curation` the page on which its projects are reviewed, `instance` the page of a forged fault, `side` puts runs side by side, `budgeted` has the tables and figures of budgeted repair, and `trajectory` the pages of its trajectories. What is measured, judged or scored is measured elsewhere; nothing here
//! serves HTTP.

mod budgeted;
mod catalogue;
mod curation;
mod error;
mod instance;
mod pages;
mod pool;
mod runs;
mod side;
mod template;
mod terminal;
mod trajectories;
mod trajectory;

pub use budgeted::{Budgeted, budgeted_text, write_budgeted_report};
pub use catalogue::{PictureFile, ProjectView, TaskView, view};
pub use curation::ReviewSheet;
pub use error::ReportError;
pub use instance::write_instance_page;
pub use pages::{Catalogue, write_index, write_task};
pub use pool::{Specimen, write_pool_sheet};
pub(crate) use runs::CSS;
pub use runs::{
    Gallery, write_drag_report, write_explain_report, write_perception_report, write_repair_report, write_run_report,
};
pub use side::{Comparison, Format, Pairs, Ways, check_final, compare, pairs, pooled, ways};
pub(crate) use side::{Role, manner};
pub(crate) use template::{render, write};
pub use terminal::{
    AS_THE_REFERENCE, OfWorker, agreement_text, by_worker, by_worker_text, changes_text, distributions_text, drag_text,
    explanations_text, filtered_text, left_out_text, percent, perception_text, plain_table, regrading_text,
    repairs_text, statistics_text, with_interval, with_missing,
};
pub use trajectories::trajectories_text;
pub use trajectory::{Source as TrajectorySource, write_trajectories_report, write_trajectory_page};
