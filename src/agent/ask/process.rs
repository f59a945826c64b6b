//! A program that is asked single questions. It gets one JSON object on standard input, with the question, the picture
//! (PNG, base64) and what else is known of the item, and prints its answer. Files that go with the question are copied into
//! its temporary folder, which is all that it is told of this machine.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;

use super::{AskError, Asker, Question, Response};
use crate::agent::program::{Program, last};
use crate::model::Cost;

/// The status with which a shell says that there is no such program (POSIX, Shell Command Language, 2.8.2).
const NOT_FOUND: i32 = 127;

/// Asks a program, started again for each question.
#[derive(Debug, Clone)]
pub struct ProcessAsker {
    program: Program,
    limit: Duration,
}

impl ProcessAsker {
    /// Asks this program, with a time limit for one answer.
    pub const fn new(program: Program, limit: Duration) -> Self {
        Self { program, limit }
    }

    fn not_started(&self, error: &std::io::Error) -> AskError {
        AskError::NoProgram { command: self.program.command().to_owned(), reason: error.to_string() }
    }

    /// Copies the files of a question into the program's folder, as files of the user as whom it runs.
    fn enclose(&self, question: &Question, home: &Path) -> std::io::Result<()> {
        for file in &question.files {
            let path = home.join(file.name);
            fs::write(&path, &file.content)?;
            if let Some(user) = self.program.user() {
                user.give(&path)?;
            }
        }
        Ok(())
    }
}

#[async_trait]
impl Asker for ProcessAsker {
    async fn ask(&self, question: &Question) -> Result<Response, AskError> {
        let began = Instant::now();
        let home = tempfile::tempdir().map_err(|error| self.not_started(&error))?;
        self.enclose(question, home.path()).map_err(|error| self.not_started(&error))?;
        let (mut child, leash) = self.program.start(home.path()).map_err(|error| self.not_started(&error))?;
        let mut input = child.stdin.take();
        let input_line = line(question, home.path());
        let talk = async {
            if let Some(input) = &mut input {
                // A program that reads nothing may have ended before this is written; its answer shows that.
                let _ = input.write_all(input_line.as_bytes()).await;
            }
            drop(input);
            child.wait_with_output().await
        };
        let output = tokio::time::timeout(self.limit, talk).await;
        drop(leash);
        let cost = Cost { seconds: began.elapsed().as_secs_f64(), calls: 1, ..Cost::default() };
        match output {
            Err(_) => Err(AskError::ProgramTooSlow { seconds: self.limit.as_secs(), cost }),
            Ok(Err(error)) => {
                Err(AskError::ProgramFailed { status: "no output".to_owned(), message: error.to_string(), cost })
            }
            Ok(Ok(output)) if output.status.code() == Some(NOT_FOUND) => {
                Err(self.not_started(&std::io::Error::other(last(&String::from_utf8_lossy(&output.stderr)))))
            }
            Ok(Ok(output)) if !output.status.success() => {
                let message = last(&String::from_utf8_lossy(&output.stderr));
                Err(AskError::ProgramFailed { status: output.status.to_string(), message, cost })
            }
            Ok(Ok(output)) => Ok(Response::whole(String::from_utf8_lossy(&output.stdout).into_owned(), cost)),
        }
    }
}

fn line(question: &Question, home: &Path) -> String {
    let mut object = question.about.clone();
    for file in &question.files {
        if let Some(member) = file.member {
            object.insert(member.to_owned(), json!(home.join(file.name)));
        }
    }
    object.insert("system".to_owned(), json!(question.system));
    object.insert("user".to_owned(), json!(question.user));
    let encoded: Vec<String> = question.pictures.iter().map(|png| STANDARD.encode(png.as_slice())).collect();
    // A question about one picture is what programs were written for first.
    if let [only] = encoded.as_slice() {
        object.insert("picture".to_owned(), json!(only));
    } else if !encoded.is_empty() {
        object.insert("pictures".to_owned(), json!(encoded));
    }
    Value::Object(object).to_string()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::QuestionFile;
    use super::*;
    use crate::model::Coded;

    fn question() -> Question {
        let about = json!({"item": "one"}).as_object().cloned().unwrap_or_default();
        Question {
            system: "s".to_owned(),
            user: "what?".to_owned(),
            pictures: vec![Arc::new(vec![1, 2, 3])],
            about,
            ..Question::default()
        }
    }

    async fn ask(command: &str, limit: Duration) -> Result<Response, AskError> {
        ProcessAsker::new(Program::new(command).with("GREETING", "hello"), limit).ask(&question()).await
    }

    #[tokio::test]
    async fn a_program_gets_the_question_and_its_output_is_the_answer() {
        let answer = ask("cat; echo $GREETING", Duration::from_secs(20)).await.unwrap();
        let (object, greeting) = answer.text.trim().rsplit_once('}').unwrap();
        let object: Value = serde_json::from_str(&format!("{object}}}")).unwrap();
        assert_eq!(
            (&object["user"], &object["item"], &object["picture"]),
            (&json!("what?"), &json!("one"), &json!("AQID"))
        );
        assert_eq!((greeting, answer.cost.calls), ("hello", 1));
    }

    #[tokio::test]
    async fn a_program_sees_nothing_of_our_environment_that_it_was_not_given() {
        // cargo sets this one for every test, and no program has use for it.
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        let answer = ask("env; ls -la \"$HOME\" | wc -l", Duration::from_secs(20)).await.unwrap();
        assert!(!answer.text.contains("CARGO_") && answer.text.contains("GREETING=hello"), "{}", answer.text);
        assert!(!answer.text.contains(&format!("HOME={}\n", std::env::var("HOME").unwrap())), "{}", answer.text);
        let passed = Program::new("echo $CARGO_PKG_NAME").passing("CARGO_PKG_NAME");
        let passed = ProcessAsker::new(passed, Duration::from_secs(20));
        assert_eq!(passed.ask(&question()).await.unwrap().text.trim(), "scratchbed");
    }

    #[tokio::test]
    async fn files_of_a_question_are_copies_in_the_folder_of_the_program() {
        let file = |name: &'static str, member| QuestionFile { name, content: name.as_bytes().to_vec(), member };
        let question =
            Question { files: vec![file("buggy.sb3", Some("project")), file("report.json", None)], ..question() };
        let asker = ProcessAsker::new(Program::new("cat; echo; ls; cat buggy.sb3; pwd"), Duration::from_secs(20));
        let answer = asker.ask(&question).await.unwrap().text;
        let mut lines = answer.lines();
        let object: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
        assert_eq!(
            [lines.next(), lines.next()],
            [Some("buggy.sb3"), Some("report.json")],
            "and nothing else: {answer}"
        );
        let home = Path::new(lines.next().unwrap().strip_prefix("buggy.sb3").unwrap());
        assert_eq!(Path::new(object["project"].as_str().unwrap()), home.join("buggy.sb3"));
        assert!(object.get("report").is_none() && !home.exists(), "the folder goes with the program: {answer}");
    }

    #[tokio::test]
    async fn a_folder_that_is_hidden_is_not_told_as_the_one_we_were_started_in() {
        let here = std::env::current_dir().unwrap();
        let echo = || Program::new("echo \"<$SCRATCHBED_STARTED_IN>\"");
        let told = async |program: Program| {
            ProcessAsker::new(program, Duration::from_secs(20)).ask(&question()).await.unwrap().text
        };
        assert!(told(echo()).await.contains(&here.to_string_lossy().into_owned()));
        assert_eq!(told(echo().hiding(here.parent())).await.trim(), "<>");
        assert_ne!(told(echo().hiding(Some(&here.join("elsewhere")))).await.trim(), "<>");
    }

    #[tokio::test]
    async fn failures_and_slowness_are_told_apart() {
        let failed = ask("echo broken >&2; exit 3", Duration::from_secs(20)).await.unwrap_err();
        assert!(failed.code() == "program_failed" && failed.to_string().contains("broken"), "{failed}");
        let misspelt = ask("nosuchprog --now", Duration::from_secs(20)).await.unwrap_err();
        assert!(misspelt.is_final() && misspelt.to_string().contains("nosuchprog"), "{misspelt}");
        let slow = ask("sleep 60 & sleep 60", Duration::from_millis(300)).await.unwrap_err();
        assert!(slow.code() == "program_too_slow" && !slow.is_final(), "{slow}");
    }
}
