//! A program of the user's. It gets one JSON object on standard input, with the question, the picture (PNG, base64) and
//! what else is known of the item, and prints its answer.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, Command};

use super::{AskError, Asker, Question, Said};
use crate::model::TrialCost;

/// What of our environment a program gets: where programs and libraries are, the language, the terminal. Tokens and keys
/// are passed by name or not at all.
const PASSED_ON: [&str; 9] =
    ["PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "LD_LIBRARY_PATH", "VIRTUAL_ENV"];
/// Tells a program where we were started, since it is started elsewhere.
const STARTED_IN: &str = "SCRATCHBED_STARTED_IN";
/// Letters of standard error that are kept.
const SHOWN: usize = 600;

/// Asks a program, started anew for each question.
#[derive(Debug, Clone)]
pub struct ProcessAsker {
    /// The program and its arguments, as a shell reads them.
    command: String,
    limit: Duration,
    environment: Vec<(String, String)>,
}

impl ProcessAsker {
    /// Asks by this command line, which `sh` reads, and gives it so long for one answer.
    #[must_use]
    pub fn new(command: &str, limit: Duration) -> Self {
        Self { command: command.to_owned(), limit, environment: Vec::new() }
    }

    /// With this variable of our own environment, if it is set.
    #[must_use]
    pub fn passing(self, name: &str) -> Self {
        match std::env::var(name) {
            Ok(value) => self.with(name, &value),
            Err(_) => self,
        }
    }

    /// With a variable in its environment.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    fn start(&self, home: &Path) -> Result<Child, AskError> {
        let mut command = Command::new("sh");
        command.env_clear().envs(PASSED_ON.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))));
        // What it keeps at home or among temporary files is nobody else's, and gone with it.
        command.env("HOME", home).env("TMPDIR", home).current_dir(home);
        if let Ok(here) = std::env::current_dir() {
            command.env(STARTED_IN, here);
        }
        command.args(["-c", &self.command]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        // A group of its own, so that whatever it started ends with it.
        command.process_group(0).kill_on_drop(true);
        command
            .spawn()
            .map_err(|error| AskError::NoProgram { command: self.command.clone(), reason: error.to_string() })
    }
}

#[async_trait]
impl Asker for ProcessAsker {
    async fn ask(&self, question: &Question) -> Result<Said, AskError> {
        let began = Instant::now();
        let home = tempfile::tempdir()
            .map_err(|error| AskError::NoProgram { command: self.command.clone(), reason: error.to_string() })?;
        let mut child = self.start(home.path())?;
        let group = Group::of(&child);
        let mut input = child.stdin.take();
        let told = told(question);
        let talk = async {
            if let Some(input) = &mut input {
                // A program that reads nothing may have ended before this is written; its answer tells.
                let _ = input.write_all(told.as_bytes()).await;
            }
            drop(input);
            child.wait_with_output().await
        };
        let output = tokio::time::timeout(self.limit, talk).await;
        drop(group);
        let cost = TrialCost { seconds: began.elapsed().as_secs_f64(), calls: 1, ..TrialCost::default() };
        match output {
            Err(_) => Err(AskError::ProgramTooSlow { seconds: self.limit.as_secs(), cost }),
            Ok(Err(error)) => {
                Err(AskError::ProgramFailed { status: "no output".to_owned(), message: error.to_string(), cost })
            }
            Ok(Ok(output)) if !output.status.success() => {
                let message = last(&String::from_utf8_lossy(&output.stderr));
                Err(AskError::ProgramFailed { status: output.status.to_string(), message, cost })
            }
            Ok(Ok(output)) => Ok(Said { text: String::from_utf8_lossy(&output.stdout).into_owned(), cost }),
        }
    }
}

fn told(question: &Question) -> String {
    let mut object = question.about.clone();
    object.insert("system".to_owned(), json!(question.system));
    object.insert("user".to_owned(), json!(question.user));
    object.insert("picture".to_owned(), json!(STANDARD.encode(question.picture.as_slice())));
    Value::Object(object).to_string()
}

/// The end of a text.
fn last(text: &str) -> String {
    let letters = text.trim().chars().count();
    text.trim().chars().skip(letters.saturating_sub(SHOWN)).collect()
}

/// The processes of a program; they end with this value.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        Self(child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw))
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn question() -> Question {
        let about = json!({"item": "one"}).as_object().cloned().unwrap_or_default();
        Question { system: "s".to_owned(), user: "what?".to_owned(), picture: Arc::new(vec![1, 2, 3]), about }
    }

    async fn ask(command: &str, limit: Duration) -> Result<Said, AskError> {
        ProcessAsker::new(command, limit).with("GREETING", "hello").ask(&question()).await
    }

    #[tokio::test]
    async fn a_program_gets_the_question_and_its_output_is_the_answer() {
        let said = ask("cat; echo $GREETING", Duration::from_secs(20)).await.unwrap();
        let (object, greeting) = said.text.trim().rsplit_once('}').unwrap();
        let object: Value = serde_json::from_str(&format!("{object}}}")).unwrap();
        assert_eq!(
            (&object["user"], &object["item"], &object["picture"]),
            (&json!("what?"), &json!("one"), &json!("AQID"))
        );
        assert_eq!((greeting, said.cost.calls), ("hello", 1));
    }

    #[tokio::test]
    async fn a_program_sees_nothing_of_our_environment_that_it_was_not_given() {
        // cargo sets this one for every test, and no program has use for it.
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        let said = ask("env; ls -la \"$HOME\" | wc -l", Duration::from_secs(20)).await.unwrap();
        assert!(!said.text.contains("CARGO_") && said.text.contains("GREETING=hello"), "{}", said.text);
        assert!(!said.text.contains(&format!("HOME={}\n", std::env::var("HOME").unwrap())), "{}", said.text);
        let passed = ProcessAsker::new("echo $CARGO_PKG_NAME", Duration::from_secs(20)).passing("CARGO_PKG_NAME");
        assert_eq!(passed.ask(&question()).await.unwrap().text.trim(), "scratchbed");
    }

    #[tokio::test]
    async fn failures_and_slowness_are_told_apart() {
        let failed = ask("echo broken >&2; exit 3", Duration::from_secs(20)).await.unwrap_err();
        assert!(failed.code() == "program_failed" && failed.to_string().contains("broken"), "{failed}");
        let slow = ask("sleep 60 & sleep 60", Duration::from_millis(300)).await.unwrap_err();
        assert!(slow.code() == "program_too_slow" && !slow.is_final(), "{slow}");
    }
}
