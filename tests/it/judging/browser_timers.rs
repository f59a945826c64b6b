//! What Chromium does with programs of timers: the record that the virtual clock is held to is true of the Chromium here.
//!
//! `SCRATCHBED_UPDATE=1` writes the record anew.

use std::collections::BTreeMap;
use std::path::PathBuf;

use indexmap::IndexMap;
use scratchbed::page::{Page, PageFn};
use serde::{Deserialize, Serialize};

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::root;

const RUN: PageFn<TimerRun, TimerReport> = PageFn::new("run-timers", include_str!("../support/js/run-timers.js"));

/// Milliseconds that a step may come late: what is due later is due later by more.
const LATE: f64 = 25.0;
/// How often programs are run until the machine does not stall meanwhile.
const TRIES: usize = 40;

#[derive(Debug, Clone, Serialize)]
struct TimerRun {
    source: String,
    names: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct TimerReport {
    /// All programs, in their order.
    names: Vec<String>,
    /// Those that must run alone.
    busy: Vec<String>,
    /// What programs told, in its order.
    told: BTreeMap<String, Vec<Step>>,
}

#[derive(Debug, Deserialize)]
struct Step {
    what: String,
    due: Option<f64>,
    at: f64,
}

/// The file that Node tests read, too.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Record {
    chromium: String,
    orders: IndexMap<String, Vec<String>>,
}

/// The orders of a program's steps, once no step of it was late: a stall of the machine is no finding about timers.
fn in_time(steps: &[Step]) -> Option<Vec<String>> {
    // Dates are whole milliseconds, so what was in time may seem a little early.
    let on_time = |step: &Step| step.due.is_none_or(|due| (-2.0..LATE).contains(&(step.at - due)));
    steps.iter().all(on_time).then(|| steps.iter().map(|step| step.what.clone()).collect())
}

/// Runs programs, those that don't disturb others all at once, until each has run undisturbed.
async fn orders(page: &Page, source: &str) -> IndexMap<String, Vec<String>> {
    let run = async |names| page.call(&RUN, &TimerRun { source: source.to_owned(), names }).await.unwrap();
    let all = run(Vec::new()).await;
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for _ in 0..TRIES {
        let open = all.names.iter().filter(|name| !found.contains_key(*name)).cloned();
        let (alone, together): (Vec<_>, Vec<_>) = open.partition(|name| all.busy.contains(name));
        let batches = alone.into_iter().map(|name| vec![name]).chain([together]);
        for names in batches.filter(|names| !names.is_empty()) {
            let ran = run(names).await;
            found.extend(ran.told.into_iter().filter_map(|(name, steps)| Some((name, in_time(&steps)?))));
        }
    }
    let disturbed: Vec<_> = all.names.iter().filter(|name| !found.contains_key(*name)).collect();
    assert!(disturbed.is_empty(), "this machine stalled in each of {TRIES} runs of {disturbed:?}");
    all.names.into_iter().filter_map(|name| found.remove_entry(&name)).collect()
}

#[test]
fn chromium_runs_timers_in_the_recorded_order() {
    in_shared_browsers(async {
        let folder = root().join("src/page/js/judge/test");
        let source = std::fs::read_to_string(folder.join("timer-programs.js")).unwrap();
        let file: PathBuf = folder.join("timer-record.json");
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let orders = orders(&lease.page, &source).await;
        let chromium = lease.browser_product().to_owned();
        fleet.release(lease).await;
        fleet.shutdown().await;
        if std::env::var_os("SCRATCHBED_UPDATE").is_some() {
            let text = serde_json::to_string_pretty(&Record { chromium, orders: orders.clone() }).unwrap();
            std::fs::write(&file, text + "\n").unwrap();
        }
        let record: Record = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(record.orders, orders, "run this test with SCRATCHBED_UPDATE=1, and look at the difference");
    });
}
