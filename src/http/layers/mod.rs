//! What holds for many routes: which connections are admitted, where a request comes from, who calls, and how failures
//! are answered. None of them depends on what a route does.

pub mod attempt;
mod closable;
pub mod connection_limit;
pub mod connection_places;
mod connection_table;
pub mod log;
pub mod origin;
mod request_body;
pub mod token;
