//! The energy that the host uses for a piece of work, by stages of it (EcoScratch, section 9). What models' providers use is
//! unknown and not in it.
//!
//! Parts: `choice` says which meter is meant and `choosing` finds the first that works; `external`, `rapl` and `estimate` are the meters,
//! with `coefficients` for estimates; `process_tree`, `tracker` and `watch` know what processes use; `reading` reads a meter, and
//! `stages` does so at the borders of stages and makes the record. `rules` say which figures may be shown and compared.
//! What is done with figures is not known here: no tables, no budgets, no CO2.

mod choice;
mod choosing;
mod coefficients;
mod error;
mod estimate;
mod external;
mod machine;
pub mod process_tree;
mod rapl;
mod reading;
mod rules;
mod stages;
mod tracker;
mod watch;

pub use choice::{MeterChoice, MeterSettings};
pub use choosing::Meters;
pub use coefficients::{Coefficients, CoefficientsError};
pub use error::MeterError;
pub use reading::{Meter, Reading};
pub use rules::{DASH, Unmixable, comparable_wh, figure, heading, may_mix, may_share_a_table};
pub use stages::EnergyTracker;
pub use tracker::Tracker;
