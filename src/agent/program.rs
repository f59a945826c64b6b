//! Programs of users, started in isolation: their own environment, their own folder, and a guard that ends them with all
//! that they have started.
//!
//! What they are for is not known here.

use std::io::PipeWriter;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use command_fds::{CommandFdExt as _, FdMapping};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::process::{Child, Command};

use super::program_guard;
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
    /// What it is not told that we were started in.
    hidden: Option<PathBuf>,
}

impl Program {
    /// This command line, which `sh` reads.
    pub fn new(command: &str) -> Self {
        Self { command: command.to_owned(), environment: Vec::new(), user: None, guard: None, hidden: None }
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

    /// Not told where we were started if that is within this folder.
    pub fn hiding(mut self, folder: Option<&Path>) -> Self {
        self.hidden = folder.map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
        self
    }

    /// Guarded by our own binary, which has the `guard-program` subcommand: all that the program has started ends with it,
    /// and it ends with us, however we end. Without a guard only its process group does, and only while we go on.
    pub fn guarded_by(mut self, binary: PathBuf) -> Self {
        self.guard = Some(binary);
        self
    }

    /// The user as whom it runs, if it is another one.
    pub const fn user(&self) -> Option<&RunAs> {
        self.user.as_ref()
    }

    pub fn command(&self) -> &str {
        &self.command
    }

    /// Starts it in this folder, its streams piped. Its processes end when its first one does, or with the leash.
    ///
    /// # Errors
    /// When there is no shell, or no process can be started.
    pub(super) fn start(&self, home: &Path) -> std::io::Result<(Child, Leash)> {
        self.start_with(Stdio::piped(), home)
    }

    /// The same without input.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub(super) fn start_without_input(&self, home: &Path) -> std::io::Result<(Child, Leash)> {
        self.start_with(Stdio::null(), home)
    }

    fn start_with(&self, input: Stdio, home: &Path) -> std::io::Result<(Child, Leash)> {
        let mut command = Command::new(self.guard.as_deref().unwrap_or(Path::new("sh")));
        command.env_clear().envs(PASSED_ON.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))));
        // Its home and temporary files are private, and deleted with it.
        command.env("HOME", home).env("TMPDIR", home).current_dir(home);
        let is_hidden = |here: &PathBuf| self.hidden.as_ref().is_some_and(|hidden| here.starts_with(hidden));
        if let Some(here) = std::env::current_dir().ok().filter(|here| !is_hidden(here)) {
            command.env(STARTED_IN, here);
        }
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(user) = &self.user {
            user.give(home)?;
        }
        // A group of its own: Ctrl+C in a terminal is for us, who end it in order.
        command.process_group(0);
        let mut pipe = None;
        if self.guard.is_some() {
            pipe = Some(self.behind_guard(&mut command)?);
        } else {
            self.unguarded(&mut command);
        }
        let child = command.spawn()?;
        let leash = Leash::of(&child, pipe);
        Ok((child, leash))
    }

    /// Has our own binary start and guard the program. Returns the writing end of the pipe that it watches.
    fn behind_guard(&self, command: &mut Command) -> std::io::Result<PipeWriter> {
        let (watched, leash) = std::io::pipe()?;
        command.args(program_guard::arguments(self.user.as_ref().map(RunAs::ids), &self.command));
        let mapping = FdMapping { parent_fd: watched.into(), child_fd: program_guard::LEASH };
        command.fd_mappings(vec![mapping]).map_err(std::io::Error::other)?;
        Ok(leash)
    }

    fn unguarded(&self, command: &mut Command) {
        command.args(["-c", &self.command]).kill_on_drop(true);
        if let Some(user) = &self.user {
            user.apply(command);
        }
    }
}

/// The end of a text.
pub(super) fn last(text: &str) -> String {
    let letters = text.trim().chars().count();
    text.trim().chars().skip(letters.saturating_sub(SHOWN)).collect()
}

/// What holds the processes of a program; they end with this value.
#[derive(Debug)]
pub(super) struct Leash {
    /// The other end is the guard's, who ends them when this one closes.
    _pipe: Option<PipeWriter>,
    /// Their group, if there is no guard.
    group: Option<Pid>,
}

impl Leash {
    fn of(child: &Child, pipe: Option<PipeWriter>) -> Self {
        let id = child.id().filter(|_| pipe.is_none()).and_then(|id| i32::try_from(id).ok());
        Self { _pipe: pipe, group: id.map(Pid::from_raw) }
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            // There may be none left, which is as it should be.
            let _ = killpg(group, Signal::SIGKILL);
        }
    }
}
