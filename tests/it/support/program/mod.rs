//! The tested program, as all tests start it: in a checkout of the test's own, so that no test writes below this one.

mod answer;
mod begun;
mod killed;

use std::ffi::OsStr;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

pub use answer::{Answer, json_at, lines_at, records};
pub use begun::Begun;
pub use killed::{ended_after_kills, recorded};

use crate::support::root;

/// Entries of this checkout that a test's own checkout does not share: results, and what `cargo` and `git` keep.
const NOT_SHARED: [&str; 3] = ["runs", "target", ".git"];
/// Variables of the user who runs the tests that would change what a call does.
const CLEARED: [&str; 3] = ["SCRATCHBED_ROOT", "SCRATCHBED_CONFIG", "SCRATCHBED_LEDGER"];
/// The variable that lets `serve` run as root, as tests in containers do.
pub const ALLOW_ROOT: &str = "SCRATCHBED_ALLOW_ROOT";
/// The longest time in which a condition must come true.
const PATIENCE: Duration = Duration::from_secs(240);
/// The interval between two looks at a condition.
const LOOK: Duration = Duration::from_millis(20);

/// Returns the path of the tested program.
pub fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_scratchbed"))
}

/// Makes entries of this checkout visible in another folder, by symbolic links.
pub fn link(folder: &Path, entries: &[&str]) {
    for entry in entries {
        let place = folder.join(entry);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        symlink(root().join(entry), place).unwrap();
    }
}

/// Waits until a condition holds, and panics with `what` if it never does.
pub async fn until(what: &str, is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(LOOK).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, waiting).await.is_ok(), "not in {PATIENCE:?}: {what}");
}

/// The tested program with the checkout that it works in. The checkout ends with its last clone.
#[derive(Debug, Clone)]
pub struct Scratchbed {
    root: PathBuf,
    /// The working directory, which relative paths in arguments start from.
    directory: PathBuf,
    _folder: Option<Arc<TempDir>>,
}

impl Scratchbed {
    /// Makes a checkout of the test's own: its own `runs`, and links to all else of this one, caches included.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // A link to a missing folder could not be written through.
        std::fs::create_dir_all(root().join(".cache")).unwrap();
        let names = std::fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let shared: Vec<String> = names.filter(|name| !NOT_SHARED.contains(&name.as_str())).collect();
        link(folder.path(), &shared.iter().map(String::as_str).collect::<Vec<_>>());
        let root = folder.path().to_owned();
        Self { directory: root.clone(), root, _folder: Some(Arc::new(folder)) }
    }

    /// Uses a checkout that the test has made.
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned(), directory: std::env::temp_dir(), _folder: None }
    }

    /// Uses this checkout, for `setup` and `doctor`: installed files contain the path of their checkout.
    pub fn in_this_checkout() -> Self {
        Self::at(root())
    }

    /// Returns the folder of all records of its calls.
    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// Returns the folders of all runs, those of experiments included.
    pub fn run_folders(&self) -> Vec<PathBuf> {
        let (mut found, mut open) = (Vec::new(), vec![self.runs()]);
        while let Some(folder) = open.pop() {
            if folder.join("run.json").is_file() {
                found.push(folder);
            } else {
                let below = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
                open.extend(below.filter(|path| path.is_dir()));
            }
        }
        found
    }

    /// Prepares a call that answers with JSON.
    pub fn call(&self, args: &[&str]) -> Call {
        let mut command = Command::new(binary());
        command.current_dir(&self.directory).stdin(Stdio::null()).env(ALLOW_ROOT, "1");
        for name in CLEARED {
            command.env_remove(name);
        }
        command.args(args);
        Call { scratchbed: self.clone(), command, is_json: true }
    }

    /// Makes a call to its end.
    pub async fn answer(&self, args: &[&str]) -> Answer {
        self.call(args).answer().await
    }

    /// Makes a call to its end, in a test without a runtime.
    pub fn blocking_answer(&self, args: &[&str]) -> Answer {
        self.call(args).blocking_answer()
    }
}

/// A call of the tested program that has not begun.
#[must_use]
pub struct Call {
    scratchbed: Scratchbed,
    command: Command,
    is_json: bool,
}

impl Call {
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.command.args(args);
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Continues a run.
    pub fn resuming(self, run: &Path) -> Self {
        self.arg("--resume").arg(run)
    }

    /// Lets the program have only so many files open at a time.
    pub fn with_open_files(mut self, most: u32) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -S -n \"$0\" && exec \"$@\"", &most.to_string()]);
        shell.arg(self.command.get_program()).args(self.command.get_args()).stdin(Stdio::null());
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        if let Some(directory) = self.command.get_current_dir() {
            shell.current_dir(directory);
        }
        self.command = shell;
        self
    }

    /// Asks for the answer for people, without JSON.
    pub fn plain(mut self) -> Self {
        self.is_json = false;
        self
    }

    /// Makes the call to its end.
    pub async fn answer(self) -> Answer {
        let (scratchbed, is_json, command) = self.ready();
        let mut command = tokio::process::Command::from(command);
        let output = command.kill_on_drop(true).output().await.unwrap();
        Answer::of(&output, scratchbed, is_json)
    }

    /// Makes the call to its end, in a test without a runtime.
    pub fn blocking_answer(self) -> Answer {
        let (scratchbed, is_json, mut command) = self.ready();
        Answer::of(&command.output().unwrap(), scratchbed, is_json)
    }

    /// Begins the call. The process ends with the value, at the latest.
    pub fn begin(self) -> Begun {
        let (scratchbed, is_json, command) = self.ready();
        Begun::start(command.into(), scratchbed, is_json)
    }

    /// Begins a call that reports when it is ready, such as `serve`, and waits for that object.
    pub async fn announced(self) -> (Begun, Value) {
        let mut begun = self.begin();
        let answer = begun.object().await;
        (begun, answer)
    }

    fn ready(mut self) -> (Scratchbed, bool, Command) {
        self.command.arg("--root").arg(&self.scratchbed.root);
        if self.is_json {
            self.command.arg("--json");
        }
        (self.scratchbed, self.is_json, self.command)
    }
}
