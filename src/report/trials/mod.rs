//! Reports of benchmarks that ask one thing at a time: one page a run, beside its records, with the tables of the paper
//! and a gallery of attempts.

mod drag;
mod overlay;
mod page;

pub use drag::write_drag_report;
