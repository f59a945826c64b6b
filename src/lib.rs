//! scratchbed: a testbed for agents that program in Scratch.
//!
//! The rooms, from low to high; a room imports only from rooms of a lower level, and
//! `tests/it/house_rooms.rs` enforces it. docs/ARCHITECTURE.md is the map.

pub mod action;
pub mod agent;
pub mod author;
pub mod build;
pub mod cli;
pub mod grade;
pub mod http;
pub mod judge;
pub mod mcp;
pub mod model;
pub use scratchbed_ocr as ocr;
pub mod oracle;
pub mod page;
pub mod perceive;
pub mod project;
pub mod report;
pub mod runner;
pub mod session;
pub mod setup;
pub mod store;
pub mod taskset;
