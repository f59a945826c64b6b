//! Programs of the user's that attempt tasks by themselves, over HTTP or MCP, in sessions of this process.
//!
//! Parts: `attempt` makes one: session, pass, program, end; `watch` finds out when it is over; `kept` is what stays of it:
//! calls, refusals, files and costs. Who serves the sessions is not known here: only their address is.

mod attempt;
mod kept;
mod watch;

use std::fmt;
use std::sync::Arc;

use super::testbed::LocalTestbed;
use crate::agent::Program;
use crate::model::{Mode, sha256_hex};
use crate::session::Passes;

/// How a program of the user's attempts tasks.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    strum::Display,
    strum::EnumIter,
    strum::EnumMessage,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
pub enum Via {
    /// It is shown each observation as a line on standard input and answers with a call.
    Lines,
    /// It looks and acts by itself, over HTTP.
    Http,
    /// It looks and acts by itself, over MCP.
    Mcp,
}

/// What keeps a program from reading the solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Isolation {
    /// Nothing.
    None,
    /// It runs as this user, who can't read them.
    User(String),
}

impl fmt::Display for Isolation {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => to.write_str("none"),
            Self::User(name) => write!(to, "user {name}"),
        }
    }
}

impl Isolation {
    /// What is said of it beside the figures of a run.
    pub fn note(&self) -> String {
        let told = format!("isolation of the program: {self}");
        match self {
            Self::User(_) => told,
            Self::None => format!(
                "{told}, so it could read the solutions, and void its attempts by ending the testbed's own processes"
            ),
        }
    }
}

/// Where programs find the sessions of a run.
#[derive(Debug, Clone)]
pub struct Door {
    pub testbed: Arc<LocalTestbed>,
    /// The passes that the server behind the address knows.
    pub passes: Passes,
    /// Address of the API, without a final slash; MCP is below it.
    pub url: String,
}

/// A program with the door that it comes through.
#[derive(Debug, Clone)]
pub struct Outside {
    pub(super) door: Door,
    pub(super) program: Program,
    pub(super) seed: u64,
}

impl Outside {
    /// A program that is told a number made from this seed, task and attempt.
    pub const fn new(door: Door, program: Program, seed: u64) -> Self {
        Self { door, program, seed }
    }

    /// The address of MCP with the tools of a mode.
    fn mcp_url(&self, mode: Mode) -> String {
        format!("{}/mcp/{mode}", self.door.url)
    }

    /// A number of 32 bits for what chance decides, the same for the same seed, task and attempt.
    fn seed_of(&self, task: &str, attempt: u32) -> u32 {
        let digest = sha256_hex(format!("{} {task} {attempt}", self.seed).as_bytes());
        u32::from_str_radix(&digest[..8], 16).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_nothing_is_kept_from_could_have_voided_its_attempts_and_that_is_said() {
        let note = Isolation::None.note();
        assert!(note.starts_with("isolation of the program: none") && note.contains("void its attempts"), "{note}");
        assert_eq!(Isolation::User("agent".to_owned()).note(), "isolation of the program: user agent");
    }
}
