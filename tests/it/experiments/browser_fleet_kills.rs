//! Chromium is killed during an experiment: each cell is decided all the same, and the tries that this cost are shown.
//! `SCRATCHBED_TESTS=all` does so twenty times at all tasks, and prints the figures (`--nocapture`).

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use scratchbed::model::Outcome;

use crate::editor::own_browser_exposure::tree;
use crate::experiments::browser_experiment::{Place, unique};
use crate::support::everything;
use crate::support::fleet_machines::{arm, file, file_of, seconds, verdicts};
use crate::support::program::{binary, recorded};

/// Attempts at a time.
const JOBS: &str = "2";
/// What `make test` attempts. The first one takes long enough for a kill to meet it, and the other one is in the same browser.
const TASKS: [&str; 2] = ["hungry_beetle", "stuck_ferry"];
/// How often it is looked whether the next kill is due.
const LOOK: Duration = Duration::from_millis(100);
/// The longest that a kill waits when it is due, so that it meets any part of an attempt.
const DELAY_MS: u64 = 1500;

/// A process of a Chromium.
#[derive(Debug, Clone)]
struct Victim {
    id: i32,
    /// What it does, such as `renderer`; `browser` for the one that all others belong to.
    kind: String,
}

/// The Chromium processes among those that descend from a process.
fn chromiums(root: u32) -> Vec<Victim> {
    tree(root).into_iter().filter_map(victim).collect()
}

/// The process, if it is one of Chromium's: it was given a profile, or a kind.
fn victim(id: u32) -> Option<Victim> {
    let line = std::fs::read_to_string(format!("/proc/{id}/cmdline")).ok()?;
    let value =
        |flag: &str| line.split(['\0', ' ']).find_map(|argument| argument.strip_prefix(flag).map(str::to_owned));
    let own = std::fs::read_link(format!("/proc/{id}/exe")).ok()?;
    if own == binary() {
        return None;
    }
    let kind = value("--type=").or_else(|| value("--user-data-dir=").map(|_| "browser".to_owned()))?;
    Some(Victim { id: i32::try_from(id).ok()?, kind })
}

/// Attempts that passed so far.
fn passed(arm: &Path) -> usize {
    recorded(arm).values().filter(|record| record["outcome"] == "passed").count()
}

/// Whether an attempt has made a call and has not ended.
fn acts(arm: &Path) -> bool {
    let folders = arm.join("attempts").read_dir().into_iter().flatten().flatten();
    let acts = |folder: &Path| {
        !folder.join("attempt.json").exists()
            && folder.join("calls.jsonl").metadata().is_ok_and(|calls| calls.len() > 0)
            && !folder.join("project.sb3").exists()
    };
    folders.into_iter().any(|folder| acts(&folder.path()))
}

/// Kills random Chromium processes below a process, evenly over an experiment's cells; what they were. The first is a whole browser,
/// while an attempt acts: of many others nothing is lost.
async fn kills(count: usize, process: u32, (arm, cells): (&Path, usize)) -> Vec<String> {
    let mut chance = Pcg64Mcg::seed_from_u64(20);
    let mut killed = Vec::new();
    while killed.len() < count {
        tokio::time::sleep(LOOK).await;
        if !acts(arm) || passed(arm) < killed.len() * cells / count {
            continue;
        }
        if !killed.is_empty() {
            tokio::time::sleep(Duration::from_millis(chance.random_range(0..DELAY_MS))).await;
        }
        let mut all = chromiums(process);
        all.retain(|one| !killed.is_empty() || one.kind == "browser");
        let Some(victim) = all.choose(&mut chance) else { continue };
        if kill(Pid::from_raw(victim.id), Signal::SIGKILL).is_ok() {
            killed.push(victim.kind.clone());
        }
    }
    killed
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_browsers_cost_tries_that_are_shown_and_no_verdict() {
    let name = unique("kills");
    let (count, (text, cells)) = if everything() { (20, file(&name)) } else { (1, file_of(&name, &TASKS)) };
    let place = Place::with(&text);
    let began = Instant::now();
    let arm = arm(&place.scratchbed, &name);
    let mut working = place.call(&["run", &place.file(), "--jobs", JOBS]).begin();
    let process = working.id();
    let killed = tokio::select! {
        killed = kills(count, process, (arm.as_path(), cells)) => killed,
        ended = working.ended() => panic!("it ended before all kills: {ended}"),
    };
    assert!(working.ended().await.success(), "each cell is decided");
    let seconds = seconds(began);
    let status = place.run(&["status", &name]).await;
    let status = &status["status"];
    assert_eq!(status["cells"]["decided"], cells, "{status:#}");
    let verdicts = verdicts(&arm);
    assert_eq!(verdicts.values().filter(|(outcome, ..)| *outcome == Outcome::Passed).count(), cells, "{verdicts:#?}");

    let spoiled = recorded(&arm).values().filter(|record| record["outcome"] != "passed").count();
    let shown: u64 = status["failures"].as_array().unwrap().iter().map(|failure| failure[1].as_u64().unwrap()).sum();
    assert!(spoiled > 0, "a browser was killed, and nothing came of it: {killed:?}");
    assert_eq!(shown, spoiled as u64, "{status:#}");
    let report = place.run(&["report", &name, "--final"]).await;
    assert_eq!(report.code, 0, "{report:#}");
    let figures = format!(
        "{count} kills ({}) during {cells} cells: {cells} passed, {spoiled} tries spoiled, as `status` shows: {}; {seconds:.1} s\n",
        killed.join(", "),
        status["failures"],
    );
    std::io::stderr().write_all(figures.as_bytes()).unwrap();
}
