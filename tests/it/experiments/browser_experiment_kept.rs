//! What is kept of experiments, on the command line: a lost ledger is made anew, arms are compared and judged again, attempts count in
//! two experiments, and an experiment leaves the ledger as files.

use std::sync::Mutex;

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::experiments::browser_experiment::{Place, runs_of, unique};
use crate::support::fleet_machines::{Verdicts, arm, verdicts};
use crate::support::program::lines_at;

/// Tasks that take little time, and whose verdicts a fleet must come to as well.
pub const PAIR: [&str; 2] = ["stuck_ferry", "porch_lantern"];

/// Two arms without a model at two tasks.
fn file(name: &str, tasks: [&str; 2], more: &str) -> String {
    format!(
        "format = 1\nname = \"{name}\"\nitems = {{ task = {tasks:?} }}\n{more}\n\
         [[arms]]\nagent = [\"oracle\", \"noop\"]\nmode = \"composite\"\n"
    )
}

/// An experiment at the pair that processes of one machine made, one after the other: the second one with a ledger made anew.
pub struct Finished {
    /// Of the oracle's attempts.
    pub verdicts: Verdicts,
    /// Its place and its name, for the test that goes on with it.
    place: Mutex<Option<(Place, String)>>,
}

/// Such an experiment, made once for all tests that look at it.
pub async fn finished() -> &'static Finished {
    static FINISHED: OnceCell<Finished> = OnceCell::const_new();
    let make = || async {
        let name = unique("whole");
        let place = Place::with(&file(&name, PAIR, ""));
        drained_after_one(&place).await;
        Box::pin(ended_after_the_ledger_was_lost(&place, &name)).await;
        let verdicts = verdicts(&arm(&place.scratchbed, &name));
        Finished { verdicts, place: Mutex::new(Some((place, name))) }
    };
    FINISHED.get_or_init(make).await
}

/// Works until one attempt has ended, and asks the process to drain then.
async fn drained_after_one(place: &Place) {
    let mut working = place.call(&["run", &place.file()]).begin();
    working.line(|line| line.contains("epoch 1")).await;
    working.signal(Signal::SIGINT);
    assert_eq!(working.ended().await.code(), Some(1), "cells are owed");
}

/// What of a status must be the same in a ledger that was made anew.
fn shown(status: &Value) -> Value {
    let arm = |arm: &Value| json!([arm["label"], arm["lane"], arm["state"], arm["cells"]]);
    let arms: Vec<Value> = status["arms"].as_array().unwrap().iter().map(arm).collect();
    json!([status["cells"], status["spent"], status["state"], status["failures"], arms])
}

/// A lost ledger is made anew from folders, and no attempt is made again.
async fn ended_after_the_ledger_was_lost(place: &Place, name: &str) {
    let status = async || place.run(&["status", name]).await["status"].clone();
    let before = status().await;
    let decided = before["cells"]["decided"].as_u64().unwrap();
    assert!((1..4).contains(&decided), "{before:#}");

    std::fs::rename(place.folder.path().join("ledger.sqlite"), place.folder.path().join("lost.sqlite")).unwrap();
    for rest in ["ledger.sqlite-wal", "ledger.sqlite-shm"] {
        let _ = std::fs::remove_file(place.folder.path().join(rest));
    }
    let refused = place.run(&["run", &place.file()]).await;
    assert_eq!((refused.code, refused["error"]["code"].as_str()), (3, Some("experiment_not_in_ledger")), "{refused:#}");
    let folder = runs_of(&place.scratchbed, name);
    let path = folder.display().to_string();
    let rebuilt = place.run(&["rebuild", &path]).await;
    assert_eq!((rebuilt.code, rebuilt["attempts"].as_u64()), (0, Some(decided)), "{rebuilt:#}");
    assert_eq!(shown(&status().await), shown(&before));
    let refused = place.run(&["rebuild", &path]).await;
    assert_eq!((refused.code, refused["error"]["code"].as_str()), (3, Some("experiment_exists")), "{refused:#}");

    let made = |arm: &str, item: &str| folder.join(arm).join(format!("attempts/{item}.1/attempt.json"));
    let all = ["oracle-composite", "noop-composite"].map(|arm| PAIR.map(|item| made(arm, item)));
    let written = || {
        all.as_flattened()
            .iter()
            .map(|path| path.metadata().and_then(|about| about.modified()).ok())
            .collect::<Vec<_>>()
    };
    let old = written();
    let answer = place.run(&["run", &place.file()]).await;
    assert_eq!((answer.code, &answer["status"]["cells"]["decided"]), (0, &4.into()), "{answer:#}");
    let new = written();
    assert!(old.iter().zip(&new).all(|(old, new)| old.is_none() || old == new), "an attempt was made again");
    assert_eq!(old.iter().flatten().count() as u64, decided);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_ledger_is_made_anew_and_arms_are_compared_judged_again_reused_and_archived() {
    let (place, name) = finished().await.place.lock().unwrap().take().unwrap();
    compared_and_judged_again(&place, &name).await;
    let more = reused(&place, &name).await;
    archived(&place, &name, &more).await;
}

async fn compared_and_judged_again(place: &Place, name: &str) {
    let compared = place.run(&["compare", name]).await;
    let pair = &compared["compared"]["pairs"][0];
    assert_eq!(
        (compared.code, pair["tasks"].as_u64(), pair["sr"]["first"].as_f64()),
        (0, Some(2), Some(100.0)),
        "{compared:#}"
    );
    let regraded = place.run(&["regrade", name, "--sample", "75%", "--seed", "3", "--jobs", "1"]).await;
    assert_eq!((regraded.code, regraded["grades"].as_u64()), (0, Some(3)), "{regraded:#}");
    let by_worker = |what: &str| -> u64 {
        regraded["workers"].as_array().unwrap().iter().map(|worker| worker[what].as_u64().unwrap()).sum()
    };
    assert_eq!((by_worker("judged"), by_worker("differ")), (3, 0), "{regraded:#}");
    let refused = place.run(&["report", name, "--grading", "current"]).await;
    assert_eq!(
        (refused.code, refused["error"]["code"].as_str()),
        (3, Some("not_regraded")),
        "one was not judged: {refused:#}"
    );
    assert_eq!(place.run(&["regrade", name, "--jobs", "1"]).await.code, 0);
    assert_eq!(place.run(&["report", name, "--grading", "current"]).await.code, 0);
}

/// The same arms in another experiment, whose name is returned: nothing is attempted.
async fn reused(place: &Place, name: &str) -> String {
    let more = unique("more");
    let again = place.folder.path().join("more.toml").display().to_string();
    std::fs::write(&again, file(&more, PAIR, "reuse = true\nepochs = 1")).unwrap();
    let planned = place.run(&["plan", &again]).await;
    assert_eq!(planned["reused"]["oracle-composite"], 2, "{planned:#}");
    let answer = place.run(&["run", &again]).await;
    assert_eq!((answer.code, answer["status"]["reused"].as_u64()), (0, Some(4)), "{answer:#}");
    assert_eq!(answer["status"]["failures"], json!([]));
    let report = place.run(&["report", &more, "--final"]).await;
    assert!(report.to_string().contains(&format!("made for the experiment `{name}`")), "{report:#}");
    let compared = place.run(&["compare", name, &more]).await;
    assert_eq!((compared.code, compared["compared"]["pairs"].as_array().map(Vec::len)), (0, Some(6)), "{compared:#}");
    more
}

async fn archived(place: &Place, name: &str, more: &str) {
    let out = place.folder.path().join("archive");
    let kept = place.run(&["archive", name, "--out", out.join("1").to_str().unwrap(), "--keep"]).await;
    assert_eq!((kept.code, &kept["removed"]), (0, &json!(false)), "{kept:#}");
    let taken = place.run(&["archive", name, "--out", out.join("2").to_str().unwrap()]).await;
    assert_eq!((taken.code, &taken["removed"]), (0, &json!(true)), "{taken:#}");
    let list = place.run(&["list"]).await;
    let ids: Vec<_> = list["experiments"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
    assert_eq!(ids, [json!(more)]);
    let rows = lines_at(&out.join("2/ledger.jsonl"));
    let of = |table: &str| rows.iter().filter(|row| row["table"] == table).count();
    assert_eq!((of("cell"), of("attempt"), of("grade"), of("experiment")), (4, 4, 4, 1), "{rows:#?}");
    let bundle = out.join("2/bundle.zip").display().to_string();
    let report = place.scratchbed.answer(&["report", &bundle]).await;
    assert_eq!(report["report"]["tasks"]["rows"].as_array().map(Vec::len), Some(2), "{report:#}");
}
