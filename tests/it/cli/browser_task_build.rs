//! `scratchbed task build` as an author uses it: several texts at once, faults and warnings, and at each change.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::cli::answers::{answer, scratchbed};
use crate::support::root;

/// A project with one script, in a folder of its own.
fn text(folder: &Path, name: &str, script: &str) -> PathBuf {
    let place = folder.join(name);
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("a.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"2\" height=\"2\"/>").unwrap();
    let file = place.join("game.txt");
    let text = format!("scratchbed project 1\n\nstage\n  backdrop \"sky\" file \"a.svg\"\n\n  script\n    {script}\n");
    fs::write(&file, text).unwrap();
    file
}

fn built(arguments: &[&str], texts: &[&Path]) -> (Option<i32>, Value, String) {
    let texts = texts.iter().map(|path| path.to_str().unwrap());
    let all: Vec<&str> =
        ["task", "build", "--json"].into_iter().chain(texts).chain(arguments.iter().copied()).collect();
    let output = scratchbed(&all);
    (output.status.code(), answer(&output), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn several_texts_are_built_at_once_and_each_fault_is_told_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let good = text(folder.path(), "good", "switch backdrop to (sky v)");
    let odd = text(folder.path(), "odd", "switch backdrop to (sly v)");
    let bad = text(folder.path(), "bad", "mvoe (10) steps\n    hied");
    let out = folder.path().join("out");
    let (status, answer, told) = built(&["--out", out.to_str().unwrap()], &[&good, &odd, &bad]);
    assert_eq!(status, Some(3), "{told}");
    let projects = answer["projects"].as_array().unwrap();
    assert_eq!(projects.len(), 3);
    assert!(out.join("good_game.sb3").is_file() && out.join("odd_game.sb3").is_file());
    assert!(!out.join("bad_game.sb3").exists());
    assert_eq!(projects[0]["warnings"], serde_json::json!([]));
    assert_eq!(projects[1]["warnings"][0]["code"], "names_nothing");
    assert!(told.contains(&format!("{}:7: there is no backdrop named \"sly\"", odd.display())), "{told}");
    assert!(told.contains("did you mean \"sky\"?"), "{told}");
    for (line, near) in [(7, "did you mean: move (STEPS) steps"), (8, "did you mean: hide")] {
        assert!(told.contains(&format!("{}:{line}: ", bad.display())) && told.contains(near), "{told}");
    }
    let (status, answer, told) = built(&["--allow-unknown"], &[&odd]);
    assert_eq!(
        (status, &answer["warnings"], &answer["file"]),
        (Some(0), &serde_json::json!([]), &Value::Null),
        "{told}"
    );
}

#[test]
fn a_text_that_is_watched_is_built_again_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = text(folder.path(), "one", "hied");
    let mut command = Command::new(env!("CARGO_BIN_EXE_scratchbed"));
    command.args(["task", "build", "--json", "--watch"]).arg(&file).current_dir(root());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(next()["error"]["code"], "unknown_block");
    // The page is still there, so that what is right now is built without another start.
    fs::rename(text(folder.path(), "two", "show"), &file).unwrap();
    assert!(next()["bytes"].as_u64().unwrap() > 100);
    let id = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
