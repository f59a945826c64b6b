//! A call in progress: its lines as they come, signals, and its end.

use std::process::{ExitStatus, Output, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::{Answer, Scratchbed};

/// How long a line may not come: a test whose line has changed fails, and does not wait for good.
const LINE_LIMIT: Duration = Duration::from_mins(10);

/// A call in progress. Tasks read its output at once, so that a full pipe never stops it.
#[derive(Debug)]
pub struct Begun {
    child: Child,
    stdout: UnboundedReceiver<String>,
    stderr: UnboundedReceiver<String>,
    scratchbed: Scratchbed,
    is_json: bool,
}

impl Begun {
    pub(super) fn start(mut command: Command, scratchbed: Scratchbed, is_json: bool) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let stdout = lines(child.stdout.take().unwrap());
        let stderr = lines(child.stderr.take().unwrap());
        Self { child, stdout, stderr, scratchbed, is_json }
    }

    /// Returns the id of its process.
    pub fn id(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Returns the next object on standard output.
    pub async fn object(&mut self) -> Value {
        match self.stdout.recv().await {
            Some(line) => serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")),
            None => panic!("it ended without an answer: {}", rest(&mut self.stderr).await),
        }
    }

    /// Returns the next wanted line on standard error, for which it waits ten minutes at most.
    pub async fn line(&mut self, mut is_wanted: impl FnMut(&str) -> bool) -> String {
        let mut others = Vec::new();
        let wanted = async {
            while let Some(line) = self.stderr.recv().await {
                if is_wanted(&line) {
                    return Some(line);
                }
                others.push(line);
            }
            None
        };
        let in_time = tokio::time::timeout(LINE_LIMIT, wanted).await;
        let ended = if in_time.is_ok() { "ended" } else { "goes on" };
        let found = in_time.ok().flatten();
        found.unwrap_or_else(|| panic!("it {ended} without that line: {others:#?}"))
    }

    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(i32::try_from(self.id()).unwrap()), signal).unwrap();
    }

    /// Waits for its end.
    pub async fn ended(&mut self) -> ExitStatus {
        self.child.wait().await.unwrap()
    }

    /// Waits for its end and its answer.
    pub async fn answer(mut self) -> Answer {
        let status = self.ended().await;
        let (stdout, stderr) = (rest(&mut self.stdout).await, rest(&mut self.stderr).await);
        let output = Output { status, stdout: stdout.into_bytes(), stderr: stderr.into_bytes() };
        Answer::of(&output, self.scratchbed, self.is_json)
    }

    /// Sends SIGTERM, and waits for its end, which must be a success.
    pub async fn stop(mut self) {
        self.signal(Signal::SIGTERM);
        let status = self.ended().await;
        assert!(status.success(), "{status}: {}", rest(&mut self.stderr).await);
    }

    /// Sends SIGKILL, and waits for its end.
    pub async fn kill(mut self) {
        self.signal(Signal::SIGKILL);
        self.ended().await;
    }
}

/// Reads the lines of a stream as they come.
fn lines(stream: impl AsyncRead + Unpin + Send + 'static) -> UnboundedReceiver<String> {
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(async move {
        let mut lines = BufReader::new(stream).lines();
        // The receiver may be gone, and the process must be able to write all the same.
        while let Ok(Some(line)) = lines.next_line().await {
            let _ = sender.send(line);
        }
    });
    receiver
}

/// Returns all further lines.
async fn rest(lines: &mut UnboundedReceiver<String>) -> String {
    let mut text = String::new();
    while let Some(line) = lines.recv().await {
        text.push_str(&line);
        text.push('\n');
    }
    text
}
