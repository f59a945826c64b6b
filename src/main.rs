//! The `scratchbed` binary: the command line over the library. The rooms `cli`, `arms` and `flags` are its own, so that a
//! change of a command compiles them alone.

use std::process::ExitCode;

mod arms;
mod cli;
mod flags;

fn main() -> ExitCode {
    cli::main()
}
