//! MCP: an adapter that walks the action registry and offers it as tools over stdio and streamable HTTP.
//!
//! Parts: [`Backend`] is what all connections share: sessions, tasks, the judge; [`tools()`] makes the tools of a
//! mode from the registry; `server` answers a connection, `call` carries out a tool, `resources` shows tasks, `bugs` has tools for faults;
//! [`serve_stdio`] and [`routes`] are the two transports. There is no second list
//! of actions.

mod backend;
mod bugs;
mod call;
mod connections;
mod error;
mod lifecycle;
mod reply;
mod resources;
mod server;
mod tools;
mod transport;

pub use backend::{Backend, MayJudge};
pub use error::ToolError;
pub use tools::{Offer, tools};
pub use transport::{routes, serve_stdio};

/// Log directives that silence the protocol library: it logs every mistake of a client, which is in the answer anyway.
pub const QUIET_LOG: &str = "rmcp=error";
