//! Processes of this program that a server starts, such as `scratchbed experiment run`, with little of the server's environment. They end
//! with the server, however that ends: their standard input is closed then.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child as Process, ChildStdin, Command};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::flags::failure::Status;
use scratchbed::http::GRACE;

/// Variables of the server's environment that the process gets: where programs and temporary files are, and the language.
const PASSED: [&str; 8] = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR"];
/// How long the process may finish what runs once the server is gone.
const FINISH: Duration = Duration::from_secs(8);
/// Bytes of its answer that are read.
const ANSWER_LIMIT: u64 = 4 << 20;

/// How processes are started.
#[derive(Debug)]
pub struct Program {
    pub binary: PathBuf,
    pub root: PathBuf,
    pub chromium: Option<PathBuf>,
    /// Variables that the process gets beside [`PASSED`]: keys of endpoints, and the address of the ledger.
    pub variables: Vec<String>,
}

/// How processes of experiments are started.
#[derive(Debug)]
pub struct Nursery {
    pub program: Program,
    /// As `--ledger` names it.
    pub ledger: String,
    /// Attempts at a time.
    pub jobs: u16,
}

/// A process that works for the server.
#[derive(Debug)]
pub struct Child {
    process: Process,
    /// It works until this is closed.
    input: Option<ChildStdin>,
    answer: Option<JoinHandle<String>>,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// All was done that could be.
    Well,
    /// What it was asked for is wrong: the same again would end in the same way.
    Refused { code: String, message: String, hint: Option<String> },
    /// The machine failed it, or somebody killed it: it may be tried again.
    Broken { code: String, message: String },
}

impl Nursery {
    /// Starts a process that works on the experiment of a file for somebody. What it says goes to `log`.
    pub fn start(&self, file: &Path, who: &str, log: &Path) -> std::io::Result<Child> {
        let jobs = self.jobs.to_string();
        let words: [&OsStr; 9] = [
            "experiment".as_ref(),
            "run".as_ref(),
            file.as_ref(),
            "--jobs".as_ref(),
            jobs.as_ref(),
            "--ledger".as_ref(),
            self.ledger.as_ref(),
            "--hosted-for".as_ref(),
            who.as_ref(),
        ];
        self.program.start(&words, log)
    }
}

impl Program {
    /// Starts a process with these words of its command line. What it says goes to `log`.
    pub fn start(&self, words: &[impl AsRef<OsStr>], log: &Path) -> std::io::Result<Child> {
        let log = OpenOptions::new().create(true).append(true).open(log)?;
        let mut command = Command::new(&self.binary);
        let passed = PASSED.iter().copied().chain(self.variables.iter().map(String::as_str));
        command.env_clear().envs(passed.filter_map(|name| Some((name, std::env::var_os(name)?))));
        command.arg("--json").arg("--root").arg(&self.root);
        if let Some(chromium) = &self.chromium {
            command.arg("--chromium").arg(chromium);
        }
        command.args(words);
        // A group of its own: an interrupt at the terminal is for the server, which ends it in order.
        command.process_group(0).kill_on_drop(true);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log).spawn()?;
        let input = process.stdin.take();
        let answer = process.stdout.take().map(|stdout| {
            tokio::spawn(async move {
                let mut text = String::new();
                // What can't be read is no answer, which is told below.
                let _ = stdout.take(ANSWER_LIMIT).read_to_string(&mut text).await;
                text
            })
        });
        Ok(Child { process, input, answer })
    }
}

impl Child {
    /// Waits for its end; may be called again.
    pub async fn ended(&mut self) -> Ended {
        let broken = |message: String| Ended::Broken { code: "process_lost".to_owned(), message };
        let status = match self.process.wait().await {
            Ok(status) => status,
            Err(error) => return broken(error.to_string()),
        };
        let Some(code) = status.code() else { return broken(status.to_string()) };
        if [Status::Success, Status::Negative].iter().any(|well| *well as i32 == code) {
            return Ended::Well;
        }
        let text = match self.answer.take() {
            Some(answer) => answer.await.unwrap_or_default(),
            None => String::new(),
        };
        failure(&text, code).unwrap_or_else(|| broken(status.to_string()))
    }

    /// Lets it finish what runs, for a while; kills it then.
    pub async fn stop(&mut self) -> Ended {
        drop(self.input.take());
        let Ok(ended) = tokio::time::timeout(GRACE, self.ended()).await else {
            // It may have ended by itself meanwhile.
            let _ = self.process.start_kill();
            return self.ended().await;
        };
        ended
    }
}

/// The failure that a process ended with.
fn failure(text: &str, status: i32) -> Option<Ended> {
    let answer: Value = serde_json::from_str(text.lines().last()?).ok()?;
    let said = |part: &str| answer["error"][part].as_str().map(str::to_owned);
    let (code, message) = (said("code")?, said("message")?);
    // Another process may be about to end.
    let is_passing = status == Status::Infrastructure as i32 || code == "run_in_use";
    Some(if is_passing {
        Ended::Broken { code, message }
    } else {
        Ended::Refused { code, message, hint: said("hint") }
    })
}

/// In such a process: lets what runs end once the server closes its standard input, for a while, and ends the process then.
pub fn drain_with_server(drain: CancellationToken) {
    // A thread of its own, which the end of the process does not wait for.
    std::thread::spawn(move || {
        wait_for_server();
        drain.cancel();
        std::thread::sleep(FINISH);
        std::process::exit(Status::Negative as i32);
    });
}

/// In such a process: ends it once the server closes its standard input. Chromium's guards see it go and end Chromium.
pub fn end_with_server() {
    std::thread::spawn(|| {
        wait_for_server();
        std::process::exit(Status::Negative as i32);
    });
}

fn wait_for_server() {
    let mut rest = [0; 64];
    while std::io::stdin().read(&mut rest).is_ok_and(|read| read > 0) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_pass_is_told_from_what_is_wrong() {
        let line = |code: &str| format!("{{\"error\":{{\"code\":\"{code}\",\"message\":\"m\",\"hint\":null}}}}\n");
        let of = |code: &str, status| failure(&line(code), status);
        assert!(matches!(of("unknown_task", 3), Some(Ended::Refused { hint: None, .. })));
        assert!(matches!(of("run_in_use", 3), Some(Ended::Broken { .. })));
        assert!(matches!(of("page_lost", 5), Some(Ended::Broken { .. })));
        assert_eq!(failure("no JSON", 3), None);
        assert_eq!(failure("", 3), None);
    }
}
