//! Programs of the user's on the command line: what they see of our environment, and how long an answer may take.
//!
//! What they are asked is said where they are asked: whole tasks in `run`, single questions in `trials.rs`.

use std::time::Duration;

use clap::Args;

use super::failure::Failure;
use super::settings::own_binary;
use scratchbed::agent::Program;

/// How a program is run.
#[derive(Debug, Args)]
pub struct ProgramArgs {
    /// A variable of this environment that the program gets; may be given several times. Beside these it gets `PATH`, the
    /// language, and `SCRATCHBED_STARTED_IN`, the folder of this command: it runs in a temporary one, its home.
    #[arg(long, value_name = "NAME")]
    command_env: Vec<String>,
    /// Seconds that the program may take for one answer.
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    command_timeout: u64,
}

impl ProgramArgs {
    /// The program of this command line, guarded by our own binary.
    pub fn program(&self, command: &str) -> Result<Program, Failure> {
        let program = Program::new(command).guarded_by(own_binary()?);
        Ok(self.command_env.iter().fold(program, |program, name| program.passing(name)))
    }

    /// How long one answer may take.
    pub const fn limit(&self) -> Duration {
        Duration::from_secs(self.command_timeout)
    }
}
