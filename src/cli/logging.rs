//! What is logged, and where to: standard error, warnings only unless asked for more.

use tracing_subscriber::EnvFilter;

use super::failure::{Failure, Status};
use super::settings::{GlobalArgs, LogFormat};
use crate::mcp;
use crate::page::QUIET_LOG;

/// Starts logging for this process.
///
/// # Errors
/// When what is to be logged can't be understood.
pub fn start(args: &GlobalArgs) -> Result<(), Failure> {
    let asked = args.log.as_deref().unwrap_or("warn");
    // What was asked for comes last, so that it can also turn the clients' noise back on.
    let filter = EnvFilter::try_new(format!("{QUIET_LOG},{},{asked}", mcp::QUIET_LOG)).map_err(|error| {
        Failure::new(Status::Usage, "bad_log_filter", format!("`{asked}`: {error}")).hinted(
            "say `error`, `warn`, `info`, `debug` or `trace`, or one of them for a part: `scratchbed::http=debug`",
        )
    })?;
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second call in one process keeps the first's settings.
    let _ = match args.log_format {
        Some(LogFormat::Json) => subscriber.json().flatten_event(true).try_init(),
        Some(LogFormat::Text) | None => subscriber.try_init(),
    };
    Ok(())
}
