//! A program that attempts a task by itself, over HTTP or MCP: it is started, its output goes to files, and it is ended with
//! everything that it has started.

use std::path::Path;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::fs::File;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Child;
use tokio::task::JoinHandle;

use super::program::{Leash, Program};

/// Bytes of each stream that are kept; what follows is read and dropped.
const KEPT: u64 = 16 << 20;
/// Bytes of the end of standard error in which the last line is looked for.
const TAIL: usize = 8192;
/// Letters of that line that are shown.
const LONGEST: usize = 600;
/// How long its processes may take to end, which are killed.
const ENDING: Duration = Duration::from_secs(10);
/// How long the streams may take to close then. One that got away may hold them.
const CLOSING: Duration = Duration::from_secs(2);

/// A program that runs. Dropping it ends it.
#[derive(Debug)]
pub struct FreeProgram {
    child: Child,
    leash: Option<Leash>,
    streams: Vec<JoinHandle<()>>,
    tail: Arc<Mutex<Vec<u8>>>,
}

impl FreeProgram {
    /// Starts it in the folder `home`, without input. Its output goes to `stdout.txt` and `stderr.txt` of the folder `to`.
    ///
    /// # Errors
    /// When it can't be started, or the files can't be made.
    pub async fn start(program: &Program, home: &Path, to: &Path) -> std::io::Result<Self> {
        let (stdout, stderr) = (File::create(to.join("stdout.txt")).await?, File::create(to.join("stderr.txt")).await?);
        let (mut child, leash) = program.start_without_input(home)?;
        let tail = Arc::<Mutex<Vec<u8>>>::default();
        let mut streams = Vec::new();
        if let Some(from) = child.stdout.take() {
            streams.push(tokio::spawn(keep(from, stdout, None)));
        }
        if let Some(from) = child.stderr.take() {
            streams.push(tokio::spawn(keep(from, stderr, Some(Arc::clone(&tail)))));
        }
        Ok(Self { child, leash: Some(leash), streams, tail })
    }

    /// Waits until its first process has ended, and what it left with it. May be called again.
    ///
    /// # Errors
    /// When the operating system does not say how.
    pub async fn ended(&mut self) -> std::io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Ends what is left of it, waits until that is gone, and returns the last line of standard error.
    pub async fn end(mut self) -> String {
        drop(self.leash.take());
        if tokio::time::timeout(ENDING, self.child.wait()).await.is_err() {
            tracing::warn!("a process that a program has started can't be ended");
        }
        for stream in &mut self.streams {
            if tokio::time::timeout(CLOSING, &mut *stream).await.is_err() {
                stream.abort();
            }
        }
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        last_line(&String::from_utf8_lossy(&tail))
    }
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
    use std::fs;

    use super::*;

    #[tokio::test]
    async fn output_is_kept_and_the_last_line_of_errors_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let command = "echo said; echo first >&2; printf 'no module named \\033[1mx\\n\\n' >&2; exit 3";
        let mut program = FreeProgram::start(&Program::new(command), folder.path(), folder.path()).await.unwrap();
        assert_eq!(program.ended().await.unwrap().code(), Some(3));
        assert_eq!(program.end().await, "no module named  [1mx");
        assert_eq!(fs::read_to_string(folder.path().join("stdout.txt")).unwrap(), "said\n");
        assert!(fs::read_to_string(folder.path().join("stderr.txt")).unwrap().starts_with("first\n"));
    }
}
