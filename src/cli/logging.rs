//! What is logged, and where to: standard error, warnings only unless asked for more.

use tracing_subscriber::EnvFilter;

use super::env;
use crate::mcp;
use crate::page::QUIET_LOG;

/// Starts logging for this process.
pub fn start() {
    let asked = std::env::var(env::LOG).unwrap_or_else(|_| "warn".into());
    // What was asked for comes last, so that it can also turn the client's noise back on.
    let filter = EnvFilter::try_new(format!("{QUIET_LOG},{},{asked}", mcp::QUIET_LOG))
        .unwrap_or_else(|_| EnvFilter::new("warn"));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let as_json = std::env::var(env::LOG_FORMAT).is_ok_and(|format| format == "json");
    // A second call in one process keeps the first's settings.
    let _ = if as_json { subscriber.json().flatten_event(true).try_init() } else { subscriber.try_init() };
}
