//! The answer of a call, and the recorded attempts of the run that it is about.

use std::fmt;
use std::ops::Index;
use std::path::{Path, PathBuf};
use std::process::Output;

use scratchbed::model::AttemptRecord;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Scratchbed;
use crate::support::{files, root};

/// The answer of a call. Its index and its display are those of the JSON object.
#[derive(Debug)]
pub struct Answer {
    /// The exit code.
    pub code: i32,
    /// The object on the last line of standard output; null for a call without JSON.
    pub json: Value,
    pub stdout: String,
    pub stderr: String,
    /// Keeps the checkout, and with it the runs, as long as the answer.
    _scratchbed: Scratchbed,
}

impl Answer {
    /// Reads the output of a call.
    ///
    /// Panics if the JSON object is missing, or if the run is below this checkout.
    pub(super) fn of(output: &Output, scratchbed: Scratchbed, is_json: bool) -> Self {
        let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        let json = if is_json {
            let last = stdout.lines().last().unwrap_or_default();
            serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {stdout}\n{stderr}"))
        } else {
            Value::Null
        };
        // A signal ends a process without a code.
        let code = output.status.code().unwrap_or(-1);
        let answer = Self { code, json, stdout, stderr, _scratchbed: scratchbed };
        for run in answer.runs() {
            assert!(!run.starts_with(root()), "{} is below the checkout", run.display());
        }
        answer
    }

    fn runs(&self) -> impl Iterator<Item = PathBuf> {
        let several = self.json["runs"].as_array().into_iter().flatten().map(|run| &run["run"]);
        several.chain([&self.json["run"]]).filter_map(Value::as_str).map(PathBuf::from)
    }

    /// Returns the folder of its run, the first one if there are several.
    pub fn run(&self) -> PathBuf {
        self.runs().next().unwrap_or_else(|| panic!("no run in {self:#}\n{}", self.stderr))
    }

    /// Returns the folder of its run as an argument of a call.
    pub fn run_arg(&self) -> String {
        self.run().to_str().unwrap().to_owned()
    }

    /// Returns the records of attempts in the answer.
    pub fn attempts(&self) -> &Vec<Value> {
        self.json["attempts"].as_array().unwrap_or_else(|| panic!("no attempts in {self:#}\n{}", self.stderr))
    }

    /// Returns the record of the attempt at an item.
    pub fn attempt(&self, item: &str) -> &Value {
        let attempt = self.attempts().iter().find(|attempt| attempt["item"] == item);
        attempt.unwrap_or_else(|| panic!("no attempt at {item} in {self:#}"))
    }

    /// Returns the folder of the last attempt at an item in epoch 1.
    pub fn folder(&self, item: &str) -> PathBuf {
        let attempts = self.json["attempts"].as_array().into_iter().flatten();
        let retry = attempts.filter(|attempt| attempt["item"] == item).filter_map(|attempt| attempt["retry"].as_u64());
        let name = match retry.max() {
            None | Some(0) => format!("{item}.1"),
            Some(retry) => format!("{item}.1.r{retry}"),
        };
        self.run().join("attempts").join(name)
    }

    /// Reads the lines of a file of an attempt.
    pub fn lines(&self, item: &str, file: &str) -> Vec<Value> {
        lines_at(&self.folder(item).join(file))
    }

    /// Reads a JSON file of an attempt.
    pub fn file(&self, item: &str, file: &str) -> Value {
        json_at(&self.folder(item).join(file))
    }

    /// Reads the calls of an attempt with their replies, except observations.
    pub fn acts(&self, item: &str) -> Vec<Value> {
        let mut calls = self.lines(item, "calls.jsonl");
        calls.retain(|call| call["call"]["api"] != "observe");
        calls
    }
}

impl Index<&str> for Answer {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        &self.json[name]
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.json, formatter)
    }
}

/// Reads a JSON file.
pub fn json_at(path: &Path) -> Value {
    serde_json::from_slice(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads a file with one JSON value per line.
pub fn lines_at(path: &Path) -> Vec<Value> {
    let text = String::from_utf8(read(path)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads the records of a run's attempts, in the order of their items.
pub fn records<D: DeserializeOwned>(run: &Path) -> Vec<AttemptRecord<D>> {
    let files = files(run).into_iter().filter(|path| path.ends_with("attempt.json"));
    let mut found: Vec<AttemptRecord<D>> = files.map(|path| serde_json::from_slice(&read(&path)).unwrap()).collect();
    found.sort_by(|one, other| one.item.cmp(&other.item));
    found
}
