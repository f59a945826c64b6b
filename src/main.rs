//! The `scratchbed` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    scratchbed::cli::main()
}
