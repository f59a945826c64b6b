//! What is logged, and where to: standard error, warnings only unless asked for more. An event is one line, whatever the
//! names of strangers' files hold.

use std::io::{self, IsTerminal as _, Write};

use tracing_subscriber::EnvFilter;

use crate::flags::failure::{Failure, Status};
use crate::flags::settings::{GlobalArgs, LogFormat};
use scratchbed::mcp;
use scratchbed::page::QUIET_LOG;

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
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(io::stderr().is_terminal());
    let subscriber = subscriber.with_writer(|| OneLine(io::stderr()));
    // A second call in one process keeps the first's settings.
    let _ = match args.log_format {
        Some(LogFormat::Json) => subscriber.json().flatten_event(true).try_init(),
        Some(LogFormat::Text) | None => subscriber.try_init(),
    };
    Ok(())
}

/// Writes each event as one line: an event comes in one piece with its line end.
struct OneLine<W>(W);

impl<W: Write> Write for OneLine<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let (text, end) = event.strip_suffix(b"\n").map_or((event, &b""[..]), |text| (text, b"\n"));
        let mut line = Vec::with_capacity(event.len());
        for byte in text {
            match byte {
                b'\n' => line.extend_from_slice(b"\\n"),
                b'\r' => line.extend_from_slice(b"\\r"),
                _ => line.push(*byte),
            }
        }
        line.extend_from_slice(end);
        self.0.write_all(&line).map(|()| event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
#[path = "logging_tests.rs"]
mod tests;
