//! The real program in this checkout: calls whose last line is their answer, and what runs have recorded.

use std::path::Path;
use std::process::Stdio;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use scratchbed::model::AttemptRecord;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::support::{files, root};

/// A call that answers with JSON.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scratchbed"));
    command.env("SCRATCHBED_ALLOW_ROOT", "1").args(args).args(["--json", "--root"]).arg(root()).kill_on_drop(true);
    command
}

/// A server once it listens, with what it says then: `url` and what else is offered.
pub async fn announced(server: &mut Command) -> (Child, Value) {
    let mut process = server.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    let line = BufReader::new(process.stdout.take().unwrap()).lines().next_line().await.unwrap().unwrap();
    (process, serde_json::from_str(&line).unwrap())
}

/// The exit code of a call, and its answer.
pub async fn answered(args: &[&str]) -> (i32, Value) {
    let done = command(args).output().await.unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    let answer = serde_json::from_str(text.lines().last().unwrap_or_default());
    (done.status.code().unwrap(), answer.unwrap_or_else(|_| panic!("{args:?}: {said}")))
}

/// The answer of a call, however it ended.
pub async fn answer_of(args: &[&str]) -> Value {
    answered(args).await.1
}

/// Ends a call at once, as a machine that goes down does.
pub async fn end_at_once(mut child: Child) {
    kill(Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap()), Signal::SIGKILL).unwrap();
    child.wait().await.unwrap();
}

/// The records of a run's attempts, by item.
pub fn records<D: DeserializeOwned>(run: &Path) -> Vec<AttemptRecord<D>> {
    let files = files(run).into_iter().filter(|path| path.ends_with("attempt.json"));
    let mut found: Vec<AttemptRecord<D>> =
        files.map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()).collect();
    found.sort_by(|one, other| one.item.cmp(&other.item));
    found
}
