//! A program that plays a whole attempt: it gets a JSON object a line on standard input, with what there is to see, and
//! answers each with a line, the call to make.
//!
//! How programs are started and what they may see is in [`super::program`].

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

use super::mind::{Agent, AgentError, Decision, View};
use super::program::{Leash, Program, last};
use crate::model::{ActionCall, Mode};

/// Name of the form in which program and testbed talk.
const PROTOCOL: &str = "scratchbed-lines-1";
/// Bytes of an answer; a call has a few hundred.
const LONGEST_ANSWER: u64 = 1 << 20;
/// Bytes of standard error that are kept, the newest.
const KEPT: usize = 8192;
/// How long a program that has closed its output may take to end, so that its reason is known.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A program as an agent. It is started at its first decision and ends with the attempt.
#[derive(Debug)]
pub struct ProcessAgent {
    program: Program,
    mode: Mode,
    limit: Duration,
    /// Options of the observation before each decision; `None` for a program that asks for its own.
    look: Option<Map<String, Value>>,
    running: Option<Running>,
}

/// A program that runs.
#[derive(Debug)]
struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    stderr: Arc<Mutex<Vec<u8>>>,
    stderr_task: JoinHandle<()>,
    _leash: Leash,
    _home: TempDir,
}

impl ProcessAgent {
    /// An agent that acts in this mode by the program's decisions, each within the limit.
    pub const fn new(program: Program, mode: Mode, limit: Duration, look: Option<Map<String, Value>>) -> Self {
        Self { program, mode, limit, look, running: None }
    }

    fn running(&mut self) -> Result<&mut Running, AgentError> {
        let not_started = |error: std::io::Error| {
            AgentError::Failed(format!("`{}` can't be started: {error}", self.program.command()))
        };
        let running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.program).map_err(not_started)?,
        };
        Ok(self.running.insert(running))
    }
}

#[async_trait]
impl Agent for ProcessAgent {
    fn look(&self) -> Option<Map<String, Value>> {
        self.look.clone()
    }

    async fn decide(&mut self, view: View<'_>) -> Result<Decision, AgentError> {
        let message = json!({
            "protocol": PROTOCOL,
            "mode": self.mode,
            "instruction": view.instruction,
            "step": view.step,
            "steps": view.steps,
            "observation": view.observation,
            "last": view.last,
        });
        let limit = self.limit;
        let answer = tokio::time::timeout(limit, self.running()?.ask(&message)).await;
        let slow = || AgentError::Failed(format!("the program gave no answer within {} seconds", limit.as_secs()));
        let answer = answer.map_err(|_| slow())??;
        let call: Result<ActionCall, _> = serde_json::from_str(&answer);
        call.map(Decision::from).map_err(|error| {
            let shown: String = answer.chars().take(200).collect();
            AgentError::Failed(format!(
                "the program's answer is no call like {{\"api\": …, \"args\": {{}}}} ({error}): {shown}"
            ))
        })
    }
}

impl Running {
    fn start(program: &Program) -> std::io::Result<Self> {
        let home = tempfile::tempdir()?;
        let (mut child, leash) = program.start(home.path())?;
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(std::io::Error::other("it has no streams"));
        };
        let stderr = Arc::<Mutex<Vec<u8>>>::default();
        let stderr_task = tokio::spawn(listen(errors, Arc::clone(&stderr)));
        Ok(Self { child, input, output: BufReader::new(output), stderr, stderr_task, _leash: leash, _home: home })
    }

    /// Sends one line and reads one back.
    async fn ask(&mut self, message: &Value) -> Result<String, AgentError> {
        // Fails if the program has ended; the missing answer is then the error.
        let _ = self.input.write_all(format!("{message}\n").as_bytes()).await;
        let _ = self.input.flush().await;
        let mut answer = String::new();
        loop {
            answer.clear();
            let read = (&mut self.output).take(LONGEST_ANSWER).read_line(&mut answer).await;
            match read {
                Ok(0) => return Err(self.ended().await),
                Ok(_) if answer.trim().is_empty() => {}
                Ok(_) => return Ok(answer),
                Err(error) => return Err(AgentError::Failed(format!("the program's answer can't be read: {error}"))),
            }
        }
    }

    /// How it ended, with its last output.
    async fn ended(&mut self) -> AgentError {
        let status = tokio::time::timeout(LAST_WORDS, self.child.wait()).await;
        let status = status.map_or_else(
            |_| "it has closed its output".to_owned(),
            |status| status.map_or_else(|error| error.to_string(), |status| status.to_string()),
        );
        let _ = tokio::time::timeout(LAST_WORDS, &mut self.stderr_task).await;
        let stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        AgentError::Failed(format!("the program ended ({status}): {}", last(&String::from_utf8_lossy(&stderr))))
    }
}

/// Keeps the end of what a program writes to standard error, so that it never waits for a reader.
async fn listen(mut errors: ChildStderr, stderr: Arc<Mutex<Vec<u8>>>) {
    let mut part = [0; 4096];
    while let Ok(read @ 1..) = errors.read(&mut part).await {
        let mut stderr = stderr.lock().unwrap_or_else(PoisonError::into_inner);
        stderr.extend_from_slice(part.get(..read).unwrap_or_default());
        let surplus = stderr.len().saturating_sub(KEPT);
        stderr.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(command: &str) -> ProcessAgent {
        ProcessAgent::new(Program::new(command), Mode::Composite, Duration::from_secs(20), Some(Map::new()))
    }

    fn act(decided: Result<Decision, AgentError>) -> ActionCall {
        let Ok(Decision::Act(call)) = decided else { panic!("{decided:?}") };
        call
    }

    fn view(observation: &Value) -> View<'_> {
        View { instruction: "Make it hop", step: 1, steps: 9, observation: Some(observation), last: None }
    }

    #[tokio::test]
    async fn a_program_is_told_by_the_line_and_keeps_its_state() {
        let script = r#"read first; echo "$first" | grep -q '"instruction":"Make it hop"' && echo '{"api": "observe"}'
            echo noise >&2; read second; echo; echo '{"api": "done", "args": {"reason": "hopped"}, "note": "twice asked"}'"#;
        let mut agent = agent(script);
        let seen = json!({"pseudocode": "#1"});
        assert_eq!(act(agent.decide(view(&seen)).await).api, "observe");
        let done = act(agent.decide(view(&seen)).await);
        assert_eq!((done.api.as_str(), done.note.as_deref()), ("done", Some("twice asked")));
    }

    #[tokio::test]
    async fn a_program_that_ends_or_talks_nonsense_or_is_slow_says_so() {
        let seen = json!({});
        let error = agent("echo no module named x >&2; exit 3").decide(view(&seen)).await.unwrap_err().to_string();
        assert!(error.contains("exit status: 3") && error.contains("no module named x"), "{error}");
        let error = agent("read line; echo click the flag").decide(view(&seen)).await.unwrap_err().to_string();
        assert!(error.contains("no call") && error.contains("click the flag"), "{error}");
        let mut slow = agent("sleep 60");
        slow.limit = Duration::from_millis(200);
        assert!(slow.decide(view(&seen)).await.unwrap_err().to_string().contains("no answer"));
    }
}
