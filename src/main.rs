//! The `scratchbed` binary: the command line over the library. The room `cli` is its own, so that a change of a command
//! compiles that room alone.

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::main()
}
