//! A process of a simulated fleet, for the tests: does what the file says that it is given.

use std::path::PathBuf;
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let Some(spec) = std::env::args_os().nth(1).map(PathBuf::from) else { return ExitCode::from(3) };
    match Box::pin(scratchbed_ledger::simulation::member(&spec)).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            use std::io::Write as _;
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::from(5)
        }
    }
}
