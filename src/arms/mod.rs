//! From flags and files of experiments to arms that can be attempted: which tasks, drags or questions, by which agent, in which
//! browsers, with what doors for programs; the processes of experiments and repairs that a server hosts; and the signs of life meanwhile.
//!
//! Attempts are made by the room `experiment`; commands and their answers are in `cli`.

pub mod apart;
pub mod arm;
pub mod browsers;
pub mod budgeted;
pub mod cases;
pub mod checked;
pub mod desk;
pub mod door;
pub mod drags;
pub mod explanations;
pub mod files;
pub mod hosting;
pub mod house;
pub mod interrupts;
pub mod judge_seeds;
pub mod logging;
pub mod machine;
pub mod output;
pub mod pack;
pub mod pins;
pub mod plan;
pub mod planned;
pub mod progress;
pub mod questions;
pub mod repairing;
pub mod repairs;
pub mod runs;
pub mod signs;
pub mod spending;
pub mod tasks;
pub mod trajectories;
