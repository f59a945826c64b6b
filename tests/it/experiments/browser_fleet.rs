//! A fleet with real browsers: two workers share a ledger on Postgres, put their attempts into a bucket, and come to the verdicts of
//! one process alone. `SCRATCHBED_TESTS=all` does so with all tasks, and prints the figures (`--nocapture`).

use std::collections::BTreeSet;
use std::io::Write as _;
use std::time::Instant;

use crate::experiments::browser_experiment::{Place, unique};
use crate::experiments::browser_experiment_kept::{PAIR, finished};
use crate::support::everything;
use crate::support::fleet_machines::{Machines, Verdicts, arm, file, file_of, seconds, verdicts};
use crate::support::program::Answer;

/// How the cells were made.
struct Way {
    name: String,
    seconds: f64,
    /// Of the machine, its other users included, without which the time tells little.
    load: f64,
    verdicts: Verdicts,
}

/// Attempts at a time of the process alone, and of each of the two workers: two of them fill two cores.
const SLOTS: &str = "1";

/// The load of the last minutes.
fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap();
    text.split(' ').nth(1).unwrap().parse().unwrap()
}

/// One process, its own ledger, no queue.
async fn alone() -> Way {
    let name = unique("alone");
    let (text, cells) = file(&name);
    let place = Place::with(&text);
    let began = Instant::now();
    let answer = place.run(&["run", &place.file(), "--jobs", SLOTS]).await;
    let (seconds, load) = (seconds(began), load());
    assert_eq!((answer.code, &answer["status"]["cells"]["decided"]), (0, &cells.into()), "{answer:#}");
    Way { verdicts: verdicts(&arm(&place.scratchbed, &name)), name, seconds, load }
}

/// Two workers, and a process that only enters and releases.
async fn by_fleet(machines: &Machines) -> Way {
    let name = unique("fleet");
    let (text, cells) = if everything() { file(&name) } else { file_of(&name, &PAIR) };
    let place = Place::with(&text);
    let began = Instant::now();
    let workers = [machines.worker(SLOTS).await, machines.worker(SLOTS).await];
    let answer = machines.experiment(&["run", &place.file(), "--jobs", "0"]).await;
    let (seconds, load) = (seconds(began), load());
    assert_eq!((answer.code, &answer["status"]["cells"]["decided"]), (0, &cells.into()), "{answer:#}");
    for worker in workers {
        worker.drained().await;
    }
    let arm = arm(machines.scratchbed(), &name);
    assert!(!arm.join("attempts").read_dir().is_ok_and(|mut all| all.next().is_some()), "nothing is here yet");
    let fetched = machines.experiment(&["fetch", &name, "--artefacts", machines.artefacts()]).await;
    assert_eq!((fetched.code, &fetched["fetched"]), (0, &cells.into()), "{fetched:#}");
    Way { verdicts: verdicts(&arm), name, seconds, load }
}

/// The owner judges again what workers handed in, after one of them claimed a pass for a project that does not.
async fn judged_again(machines: &Machines, name: &str) -> Answer {
    let attempts = arm(machines.scratchbed(), name).join("attempts");
    std::fs::copy(attempts.join("stuck_ferry.1/project.sb3"), attempts.join("porch_lantern.1/project.sb3")).unwrap();
    let again = machines.experiment(&["regrade", name, "--sample", "100%", "--jobs", "1"]).await;
    assert_eq!(again.code, 1, "a grade changed: {again:#}");
    again
}

fn by_worker(again: &Answer, what: &str) -> u64 {
    again["workers"].as_array().unwrap().iter().map(|worker| worker[what].as_u64().unwrap()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_come_to_the_verdicts_of_one_process_and_a_false_one_is_found() {
    let machines = Machines::start();
    let fleet = by_fleet(&machines).await;
    // At a few tasks another test has a process alone make the same.
    let alone = if everything() { Some(alone().await) } else { None };
    let expected = match &alone {
        Some(alone) => &alone.verdicts,
        None => &finished().await.verdicts,
    };
    let traces = fleet.verdicts.values().filter(|(_, _, trace)| trace.is_some()).count();
    let all = fleet.verdicts.len();
    assert_eq!((all, traces), (expected.len(), all), "each verdict has a trace");
    for (attempt, verdict) in &fleet.verdicts {
        assert_eq!(Some(verdict), expected.get(attempt), "{attempt}");
    }
    let report = machines.experiment(&["report", &fleet.name, "--final"]).await;
    assert_eq!((report.code, &report["owed"], &report["dead"]), (0, &0.into(), &0.into()), "{report:#}");

    let again = judged_again(&machines, &fleet.name).await;
    let workers: BTreeSet<&str> =
        again["workers"].as_array().unwrap().iter().map(|one| one["worker"].as_str().unwrap()).collect();
    assert_eq!(workers.len(), 2, "both have worked: {again:#}");
    assert_eq!((by_worker(&again, "judged"), by_worker(&again, "differ")), (all as u64, 1), "{again:#}");
    let Some(alone) = alone else { return };
    let figures = format!(
        "one process, {SLOTS} attempt at a time: {:.1} s; two workers, {SLOTS} slot each: {:.1} s ({:.2} times as fast)\n\
         load of the machine meanwhile: {:.1} and {:.1}\n\
         {all} verdicts and {traces} trace hashes are the same; {all} judged again in {:.1} s, and the false one found\n",
        alone.seconds,
        fleet.seconds,
        alone.seconds / fleet.seconds,
        alone.load,
        fleet.load,
        again["seconds"].as_f64().unwrap(),
    );
    std::io::stderr().write_all(figures.as_bytes()).unwrap();
}
