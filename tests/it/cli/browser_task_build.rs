//! `scratchbed task build` as an author uses it: several texts at once, faults and warnings, and at each change.

use std::fs;
use std::path::{Path, PathBuf};

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::support::program::{Answer, Scratchbed};

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

fn built(arguments: &[&str], texts: &[&Path]) -> Answer {
    Scratchbed::new().call(&["task", "build"]).args(texts).args(arguments).blocking_answer()
}

#[test]
fn several_texts_are_built_at_once_and_each_fault_is_told_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let good = text(folder.path(), "good", "switch backdrop to (sky v)");
    let odd = text(folder.path(), "odd", "switch backdrop to (sly v)");
    let bad = text(folder.path(), "bad", "mvoe (10) steps\n    hied");
    let out = folder.path().join("out");
    let answer = built(&["--out", out.to_str().unwrap()], &[&good, &odd, &bad]);
    let told = &answer.stderr;
    assert_eq!(answer.code, 3, "{told}");
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
    let answer = built(&["--allow-unknown"], &[&odd]);
    assert_eq!(
        (answer.code, &answer["warnings"], &answer["file"]),
        (0, &serde_json::json!([]), &Value::Null),
        "{}",
        answer.stderr
    );
}

#[tokio::test]
async fn a_text_that_is_watched_is_built_again_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = text(folder.path(), "one", "hied");
    let mut watching = Scratchbed::new().call(&["task", "build", "--watch"]).arg(&file).begin();
    assert_eq!(watching.object().await["error"]["code"], "unknown_block");
    // The page is still there, so that what is right now is built without another start.
    fs::rename(text(folder.path(), "two", "show"), &file).unwrap();
    assert!(watching.object().await["bytes"].as_u64().unwrap() > 100);
    watching.signal(Signal::SIGINT);
    assert_eq!(watching.ended().await.code(), Some(0));
}
