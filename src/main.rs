//! The `scratchbed` binary: the command line over the library. The rooms `cli`, `forging`, `arms` and `flags` are its own, so that a
//! change of a command compiles them alone.

use std::process::ExitCode;

mod arms;
mod cli;
mod flags;
mod forging;

fn main() -> ExitCode {
    cli::main()
}
