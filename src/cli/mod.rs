//! The command line: clap types, settings, exit codes. The only room that prints.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A testbed for agents that program in Scratch.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Keeps one Chromium from outliving its owner.
    #[command(hide = true)]
    Guard {
        /// The Chromium program.
        #[arg(long)]
        chromium: PathBuf,
        /// The profile folder, removed at the end.
        #[arg(long)]
        profile: PathBuf,
        /// Flags for Chromium.
        #[arg(last = true)]
        flags: Vec<String>,
    },
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Guard { chromium, profile, flags } => {
            ExitCode::from(crate::page::guard::run(&chromium, profile, &flags))
        }
    }
}
