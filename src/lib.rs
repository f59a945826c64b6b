//! scratchbed: a testbed for agents that program in Scratch.
//!
//! A room imports only from rooms of a lower level, and
//! `tests/it/house/rooms.rs` enforces it. docs/ARCHITECTURE.md is the map.

pub mod action;
pub mod agent;
pub mod author;
pub mod benchmarks;
pub mod bugs;
pub mod certify;
pub mod compile;
pub mod experiment;
pub mod explain;
pub use scratchbed_devtools as devtools;
pub mod export;
pub mod fault_views;
pub mod files;
pub mod fleet;
pub mod forge;
pub mod grade;
pub mod http;
pub mod inject;
pub mod intake;
pub use scratchbed_json_patch as json_patch;
pub use scratchbed_notation as notation;
pub mod judge;
pub use scratchbed_ledger as ledger;
pub mod mcp;
pub mod mend;
pub mod meter;
pub use scratchbed_model as model;
pub use scratchbed_ocr as ocr;
pub mod leaderboard;
pub mod mutants;
pub mod noticing;
pub mod page;
pub mod patches;
pub mod perceive;
pub mod perf;
pub use scratchbed_picture as picture;
pub mod probe;
pub use scratchbed_project as project;
pub mod rating;
pub mod recording;
pub mod report;
pub mod scratchworld;
pub mod session;
pub mod setup;
pub mod solver;
pub mod store;
pub mod taskset;
pub mod trajectory;
