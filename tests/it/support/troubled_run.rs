//! Runs of trials that are killed in the middle and then go on; what their records must be in the end.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::answers::scratchbed;
use crate::support::root;

/// Records by folder name, which is item and attempt.
pub type Trials = BTreeMap<String, Value>;

/// A run that was killed and went on.
pub struct Resumed {
    /// Its folder.
    pub run: PathBuf,
    /// What was recorded when it was killed.
    pub before: Trials,
    /// What the second part answered.
    pub output: Output,
}

/// The recorded trials of a run.
pub fn trials(run: &Path) -> Trials {
    let folders = fs::read_dir(run.join("attempts")).into_iter().flatten().filter_map(Result::ok);
    let record = |folder: fs::DirEntry| {
        let text = fs::read(folder.path().join("attempt.json")).ok()?;
        Some((folder.file_name().into_string().unwrap(), serde_json::from_slice(&text).unwrap()))
    };
    folders.filter_map(record).collect()
}

/// Starts a run, kills it when it is time by what it has recorded, and has it go on. `agent` is its agent's name, used
/// by no other run; `kind` the folder of its benchmark below runs/.
pub async fn killed_and_resumed(
    kind: &'static str,
    agent: &str,
    arguments: Vec<String>,
    is_time: impl Fn(&Trials) -> bool + Send + 'static,
) -> Resumed {
    let mut child = Command::new(env!("CARGO_BIN_EXE_scratchbed"))
        .args(&arguments)
        .current_dir(root())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let name = agent.replace('-', "_");
    let run = tokio::task::spawn_blocking(move || wait_until(kind, &name, is_time)).await.unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let before = trials(&run);
    let folder = run.display().to_string();
    let resume = move || {
        let more = ["--resume".to_owned(), folder];
        let all: Vec<&str> = arguments.iter().chain(&more).map(String::as_str).collect();
        scratchbed(&all)
    };
    Resumed { run, before, output: tokio::task::spawn_blocking(resume).await.unwrap() }
}

/// Waits for the run with this in its name, and until it is time.
fn wait_until(kind: &str, name: &str, is_time: impl Fn(&Trials) -> bool) -> PathBuf {
    let began = Instant::now();
    loop {
        let runs = fs::read_dir(root().join("runs").join(kind)).into_iter().flatten().filter_map(Result::ok);
        let run = runs.map(|entry| entry.path()).find(|path| path.to_string_lossy().contains(name));
        if let Some(run) = run.filter(|run| is_time(&trials(run))) {
            return run;
        }
        assert!(began.elapsed() < Duration::from_secs(240), "the run does not get on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Resumed {
    /// All records, which must have those in them that were there before, and add up to what the answer counts as
    /// outcomes: a list of `{outcome, count}`.
    pub fn all_that_add_up(&self, counts: &Value) -> Trials {
        let all = trials(&self.run);
        for (name, record) in &self.before {
            assert_eq!(&all[name], record, "what was recorded stays as it was");
        }
        let mut sum = 0;
        for counted in counts.as_array().unwrap() {
            let recorded = all.values().filter(|trial| trial["outcome"] == counted["outcome"]).count();
            assert_eq!(counted["count"], recorded, "{counts}");
            sum += recorded;
        }
        assert_eq!(sum, all.len(), "each trial has one outcome: {counts}");
        all
    }
}
