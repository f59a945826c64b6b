//! The guard of a program that works by itself: a small process that ends the program when we end, however we end.
//!
//! We start our own binary with the hidden subcommand `guard-program`, and tell it on its standard input which processes are
//! the program's. The kernel closes that input when we end, also on SIGKILL; then the guard kills them. When the program has
//! ended in the ordinary way, the guard is killed first, and does nothing.

use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, Command};

use super::free_program::end_marked;

/// Begins the line with the variable that only the program's processes have. It is a secret, so it is no argument.
const MARK: &str = "mark ";
/// Begins the line with the program's process group.
const GROUP: &str = "group ";

/// Runs the guard until its input closes, then ends the program. Returns the process exit code.
pub fn run() -> u8 {
    let mut told = String::new();
    if std::io::stdin().read_to_string(&mut told).is_err() {
        return 1;
    }
    for group in told.lines().filter_map(|line| line.strip_prefix(GROUP)?.parse().ok()) {
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
    for mark in told.lines().filter_map(|line| line.strip_prefix(MARK)) {
        end_marked(mark);
    }
    0
}

/// A guard that watches. Dropping it kills it, and leaves the program alone.
#[derive(Debug)]
pub(super) struct ProgramGuard(Child);

impl ProgramGuard {
    /// Starts a guard from our own binary, before there are any processes with the mark.
    ///
    /// # Errors
    /// When it can't be started.
    pub(super) async fn start(binary: &Path, mark: &str) -> std::io::Result<Self> {
        let mut command = Command::new(binary);
        // A group of its own, so that Ctrl+C in a terminal does not end it before its work.
        command.arg("guard-program").env_clear().current_dir("/").process_group(0).kill_on_drop(true);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let mut guard = Self(child);
        guard.tell(&format!("{MARK}{mark}\n")).await?;
        Ok(guard)
    }

    /// Tells it the program's process group.
    ///
    /// # Errors
    /// When it is gone.
    pub(super) async fn watch(&mut self, group: Pid) -> std::io::Result<()> {
        self.tell(&format!("{GROUP}{group}\n")).await
    }

    async fn tell(&mut self, line: &str) -> std::io::Result<()> {
        match &mut self.0.stdin {
            Some(input) => input.write_all(line.as_bytes()).await,
            None => Ok(()),
        }
    }
}
