//! Projects are taken into a pool: sound ones, broken ones, a scan that goes on where it was, and records.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::root;

/// The command with this folder's answer.
fn intake(args: &[&str]) -> (i32, Value) {
    let mut command = assert_cmd();
    let output = command.arg("--json").arg("intake").args(args).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().unwrap(), serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}\n{}", String::from_utf8_lossy(&output.stderr))))
}

fn assert_cmd() -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_scratchbed"));
    command.current_dir(root());
    command
}
