//! MCP: an adapter that walks the action registry and offers it as tools over stdio and streamable HTTP.
//!
//! Parts: [`Bench`] is what all connections share: sessions, tasks, who judges; [`tools()`] makes the tools of a
//! mode from the registry; `server` answers a connection, `call` carries out a tool, `resources` shows tasks;
//! [`serve_stdio`] and [`routes`] are the two transports. What an action means is not known here, and no second list
//! of actions is kept.

mod bench;
mod call;
mod connections;
mod error;
mod lifecycle;
mod reply;
mod resources;
mod schema;
mod server;
mod tools;
mod transport;

pub use bench::{Bench, MayJudge};
pub use error::ToolError;
pub use tools::{Offer, tools};
pub use transport::{routes, serve_stdio};

/// Log directives that silence the protocol library: it reports every mistake of a client, which the client is told.
pub const QUIET_LOG: &str = "rmcp=error";
