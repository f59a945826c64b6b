//! What clients call: HTTP, MCP and the ScratchWorld dialect.

pub mod browser_cancelled;
pub mod browser_clients;
pub mod browser_extended;
pub mod browser_http;
pub mod browser_isolation;
pub mod browser_refused_bodies;
pub mod browser_report;
pub mod browser_scratchworld;
pub mod browser_streams;
pub mod connections;
pub mod experiments;
pub mod guests;
pub mod ill_formed;
pub mod isolation;
pub mod openapi;
pub mod orders;
pub mod protocol;
pub mod refused_bodies;
pub mod routes;
pub mod scratchworld;
pub mod scratchworld_input;
pub mod security;
