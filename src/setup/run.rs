//! Runs an outside program and keeps its output in case it fails.

use std::io::ErrorKind;
use std::process::{Command, Output, Stdio};

use super::SetupError;

/// How many lines of a failed program's output are worth showing.
const KEPT_LINES: usize = 15;

/// Runs `command` to its end. Standard output is returned.
pub(super) fn run(program: &'static str, command: &mut Command) -> Result<String, SetupError> {
    let output = command.stdin(Stdio::null()).output().map_err(|source| missing(program, source))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(SetupError::CommandFailed { command: line(command), status: output.status, output: last_lines(&output) })
}

/// Whether `program` can be started at all.
pub(super) fn exists(program: &str) -> bool {
    let probe = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    !matches!(probe, Err(error) if error.kind() == ErrorKind::NotFound)
}

fn missing(program: &'static str, source: std::io::Error) -> SetupError {
    SetupError::ProgramMissing { program, source }
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn last_lines(output: &Output) -> String {
    let text = [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)].concat();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(KEPT_LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Coded;

    #[test]
    fn a_failing_program_is_reported_with_what_it_said() {
        let error = run("sh", Command::new("sh").args(["-c", "echo one; echo two >&2; exit 3"])).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("sh -c") && text.contains("exit status: 3"), "{text}");
        assert!(text.ends_with("one\ntwo"), "{text}");
    }

    #[test]
    fn a_missing_program_is_not_a_failing_one() {
        let error = run("npm", &mut Command::new("scratchbed-no-such-program")).unwrap_err();
        assert!(matches!(error, SetupError::ProgramMissing { program: "npm", .. }), "{error}");
        assert!(error.hint().is_some_and(|hint| hint.contains("Node.js 20")));
        assert!(!exists("scratchbed-no-such-program"));
    }
}
