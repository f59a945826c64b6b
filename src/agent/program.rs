//! Programs of users, started in isolation: their own environment, their own folder, and a
//! process group that ends with its parent.
//!
//! What they are for is not known here.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::process::{Child, Command};

use super::run_as::RunAs;

/// What of our environment a program gets: where programs and libraries are, the language, the terminal. Tokens and keys
/// are passed by name or not at all.
const PASSED_ON: [&str; 9] =
    ["PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "LD_LIBRARY_PATH", "VIRTUAL_ENV"];
/// Tells a program where we were started, since it is started elsewhere.
const STARTED_IN: &str = "SCRATCHBED_STARTED_IN";
/// Letters of standard error that are kept.
const SHOWN: usize = 600;

/// A command line, as a shell reads it, with what it may see of our environment.
#[derive(Debug, Clone)]
pub struct Program {
    command: String,
    environment: Vec<(String, String)>,
    user: Option<RunAs>,
    guard: Option<PathBuf>,
}

impl Program {
    /// This command line, which `sh` reads.
    pub fn new(command: &str) -> Self {
        Self { command: command.to_owned(), environment: Vec::new(), user: None, guard: None }
    }

    /// With this variable of our own environment, if it is set.
    pub fn passing(self, name: &str) -> Self {
        match std::env::var(name) {
            Ok(value) => self.with(name, &value),
            Err(_) => self,
        }
    }

    /// With a variable in its environment.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Run as this user.
    pub fn running_as(mut self, user: Option<RunAs>) -> Self {
        self.user = user;
        self
    }

    /// Guarded by our own binary, which has the `guard-program` subcommand: a program that works by itself then ends with us,
    /// however we end.
    pub fn guarded_by(mut self, binary: PathBuf) -> Self {
        self.guard = Some(binary);
        self
    }

    pub(super) fn guard(&self) -> Option<&Path> {
        self.guard.as_deref()
    }

    /// The user as whom it runs, if it is another one.
    pub const fn user(&self) -> Option<&RunAs> {
        self.user.as_ref()
    }

    pub fn command(&self) -> &str {
        &self.command
    }

    /// Starts it in this folder, its streams piped.
    ///
    /// # Errors
    /// When there is no shell, or no process can be started.
    pub(super) fn start(&self, home: &Path) -> std::io::Result<(Child, Group)> {
        self.start_with(Stdio::piped(), home)
    }

    /// The same without input.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub(super) fn start_without_input(&self, home: &Path) -> std::io::Result<(Child, Group)> {
        self.start_with(Stdio::null(), home)
    }

    fn start_with(&self, input: Stdio, home: &Path) -> std::io::Result<(Child, Group)> {
        let mut command = Command::new("sh");
        command.env_clear().envs(PASSED_ON.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))));
        // Its home and temporary files are private, and deleted with it.
        command.env("HOME", home).env("TMPDIR", home).current_dir(home);
        if let Ok(here) = std::env::current_dir() {
            command.env(STARTED_IN, here);
        }
        command.args(["-c", &self.command]).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(user) = &self.user {
            user.give(home)?;
            user.apply(&mut command);
        }
        // A group of its own, so that all its children end with it.
        let child = command.process_group(0).kill_on_drop(true).spawn()?;
        let group = Group::of(&child);
        Ok((child, group))
    }
}

/// The end of a text.
pub(super) fn last(text: &str) -> String {
    let letters = text.trim().chars().count();
    text.trim().chars().skip(letters.saturating_sub(SHOWN)).collect()
}

/// The processes of a program; they end with this value.
#[derive(Debug)]
pub(super) struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        Self(child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw))
    }

    /// The group's id, if it was started.
    pub(super) const fn id(&self) -> Option<Pid> {
        self.0
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // There may be none left, which is as it should be.
            let _ = killpg(group, Signal::SIGKILL);
        }
    }
}
