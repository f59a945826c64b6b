//! A program that attempts a task by itself, over HTTP or MCP: it is started, its output goes to files, and it is ended with
//! everything that it has started.

use std::fs;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::fs::File;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Child;
use tokio::task::JoinHandle;

use super::program::{Group, Program};
use super::program_guard::ProgramGuard;

/// Bytes of each stream that are kept; what follows is read and dropped.
const KEPT: u64 = 16 << 20;
/// Bytes of the end of standard error in which the last line is looked for.
const TAIL: usize = 8192;
/// Letters of that line that are shown.
const LONGEST: usize = 600;
/// How long the streams may take to close once all processes are killed. One that got away may hold them.
const CLOSING: Duration = Duration::from_secs(2);
/// How often processes that left the group are looked for: each may start another meanwhile.
const SWEEPS: u32 = 5;

/// A program that runs. Dropping it kills its group.
#[derive(Debug)]
pub struct FreeProgram {
    child: Child,
    group: Option<Group>,
    streams: Vec<JoinHandle<()>>,
    tail: Arc<Mutex<Vec<u8>>>,
    /// A variable that only its processes have.
    mark: String,
    /// Ends it if we can't.
    _guard: Option<ProgramGuard>,
}

impl FreeProgram {
    /// Starts it in the folder `home`, without input; `mark` is `NAME=value` of a variable of its own, by which processes
    /// that leave its group are known. Its output goes to `stdout.txt` and `stderr.txt` of the folder `to`.
    ///
    /// # Errors
    /// When it can't be started, or the files can't be made.
    pub async fn start(program: &Program, mark: String, home: &Path, to: &Path) -> std::io::Result<Self> {
        let (stdout, stderr) = (File::create(to.join("stdout.txt")).await?, File::create(to.join("stderr.txt")).await?);
        let mut guard = match program.guard() {
            Some(binary) => Some(ProgramGuard::start(binary, &mark).await?),
            None => None,
        };
        let (mut child, group) = program.start_without_input(home)?;
        if let (Some(guard), Some(id)) = (&mut guard, group.id()) {
            guard.watch(id).await?;
        }
        let tail = Arc::<Mutex<Vec<u8>>>::default();
        let mut streams = Vec::new();
        if let Some(from) = child.stdout.take() {
            streams.push(tokio::spawn(keep(from, stdout, None)));
        }
        if let Some(from) = child.stderr.take() {
            streams.push(tokio::spawn(keep(from, stderr, Some(Arc::clone(&tail)))));
        }
        Ok(Self { child, group: Some(group), streams, tail, mark, _guard: guard })
    }

    /// Waits until its first process has ended. May be called again.
    ///
    /// # Errors
    /// When the operating system does not say how.
    pub async fn ended(&mut self) -> std::io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Kills what is left of it, waits for its first process, and returns the last line of standard error.
    pub async fn end(mut self) -> String {
        drop(self.group.take());
        let _ = self.child.wait().await;
        let mark = std::mem::take(&mut self.mark);
        // Reading what all processes were started with is not for a thread that answers calls.
        let _ = tokio::task::spawn_blocking(move || end_marked(&mark)).await;
        for stream in &mut self.streams {
            if tokio::time::timeout(CLOSING, &mut *stream).await.is_err() {
                stream.abort();
            }
        }
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        last_line(&String::from_utf8_lossy(&tail))
    }
}

/// Kills all processes whose environment has this variable, and those that they start meanwhile.
pub(super) fn end_marked(mark: &str) {
    let _ = (0..SWEEPS).find(|_| kill_marked(mark) == 0);
}

/// Kills the processes whose environment has this variable, and returns how many there were. A process that has left its
/// group, to outlive it, still has the environment.
fn kill_marked(mark: &str) -> usize {
    marked(mark).into_iter().filter(|id| kill(Pid::from_raw(*id), Signal::SIGKILL).is_ok()).count()
}

/// Returns the processes whose environment has this variable.
fn marked(mark: &str) -> Vec<i32> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_marked = |id: &i32| {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
    };
    ids.filter(is_marked).collect()
}

/// Copies a stream to a file, its first part; the end of it also to `tail`.
async fn keep(mut from: impl AsyncRead + Unpin, mut file: File, tail: Option<Arc<Mutex<Vec<u8>>>>) {
    let (mut part, mut kept) = ([0; 8192], 0);
    while let Ok(read @ 1..) = from.read(&mut part).await {
        let part = part.get(..read).unwrap_or_default();
        if let Some(tail) = &tail {
            let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
            tail.extend_from_slice(part);
            let surplus = tail.len().saturating_sub(TAIL);
            tail.drain(..surplus);
        }
        // A disk that is full must not keep the program waiting.
        if kept < KEPT && file.write_all(part).await.is_ok() {
            kept += read as u64;
        }
    }
    let _ = file.sync_all().await;
}

/// The last line with anything in it, without control characters.
fn last_line(text: &str) -> String {
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn started(command: &str, mark: &str, folder: &Path) -> FreeProgram {
        let (name, value) = mark.split_once('=').unwrap();
        let program = Program::new(command).with(name, value);
        FreeProgram::start(&program, mark.to_owned(), folder, folder).await.unwrap()
    }

    #[tokio::test]
    async fn output_is_kept_and_the_last_line_of_errors_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let command = "echo said; echo first >&2; printf 'no module named \\033[1mx\\n\\n' >&2; exit 3";
        let mut program = started(command, "MARK=free-program-1", folder.path()).await;
        assert_eq!(program.ended().await.unwrap().code(), Some(3));
        assert_eq!(program.end().await, "no module named  [1mx");
        assert_eq!(fs::read_to_string(folder.path().join("stdout.txt")).unwrap(), "said\n");
        assert!(fs::read_to_string(folder.path().join("stderr.txt")).unwrap().starts_with("first\n"));
    }

    #[tokio::test]
    async fn nothing_outlives_it_not_even_what_left_its_group() {
        let folder = tempfile::tempdir().unwrap();
        let command = "sleep 300 & setsid sleep 301 & setsid sh -c 'echo ready; sleep 302' & wait";
        let mark = format!("MARK=free-program-{}", std::process::id());
        let program = started(command, &mark, folder.path()).await;
        let ready = async {
            while fs::read(folder.path().join("stdout.txt")).unwrap().is_empty() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), ready).await.unwrap();
        assert!(marked(&mark).len() >= 4, "a shell, and three that it has started");
        program.end().await;
        let gone = async {
            while !marked(&mark).is_empty() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(5), gone).await.unwrap();
    }
}
