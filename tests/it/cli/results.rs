//! Results on the command line: runs against each other, runs that lack attempts, bundles that are read elsewhere, logs for
//! Inspect. The runs are written as the store writes them.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use scratchbed::model::{Outcome, TaskRecord};
use serde_json::{Value, json};
use zip::ZipArchive;

use crate::cli::export::{keep, run_record, task, task_records, write};
use crate::support::program::Scratchbed;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A run of two tasks, twice each, with these results.
fn run(folder: &Path, id: &str, passed: [u32; 4]) -> PathBuf {
    let made: Vec<TaskRecord> = [("a", 1), ("b", 1), ("a", 2), ("b", 2)]
        .into_iter()
        .zip(passed)
        .map(|((item, attempt), passed)| {
            let outcome = if passed == 3 { Outcome::Passed } else { Outcome::Failed };
            task(item, attempt, ("create", outcome), passed)
        })
        .collect();
    write(folder, run_record(id, "tasks", &["a", "b"], 2), &made, keep)
}

#[test]
fn runs_are_compared_at_what_both_have() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (run(folder.path(), "one", [3, 3, 3, 1]), run(folder.path(), "other", [0, 0, 3, 1]));
    let scratchbed = Scratchbed::new();
    let compared = scratchbed.blocking_answer(&["compare", text(&one), text(&other)]);
    assert_eq!(compared.code, 0, "{compared:?}");
    let pair = &compared["compared"]["pairs"][0];
    assert_eq!(
        (&pair["tasks"], &pair["pairs"], &pair["sr"]["test"]),
        (&json!(2), &json!(4), &json!("paired_bootstrap"))
    );
    assert_eq!(
        (&pair["sr"]["first"], &pair["sr"]["second"], &pair["sr"]["points"]),
        (&json!(75.0), &json!(25.0), &json!(50.0))
    );
    let told = scratchbed.call(&["compare", text(&one), text(&other)]).plain().blocking_answer().stdout;
    assert!(told.contains("4 attempts at 2 tasks in both") && told.contains("p (Holm)"), "{told}");
    let alone = scratchbed.blocking_answer(&["compare", text(&one)]);
    assert_eq!((alone.code, &alone["error"]["code"]), (2, &json!("one_run_only")));
}

#[test]
fn a_final_report_lacks_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let whole = run(folder.path(), "whole", [3, 3, 3, 1]);
    let scratchbed = Scratchbed::new();
    assert_eq!(scratchbed.blocking_answer(&["report", text(&whole), "--final"]).code, 0);
    let items = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let part = write(folder.path(), run_record("part", "tasks", &items, 2), &task_records(), keep);
    let refused = scratchbed.blocking_answer(&["report", text(&whole), text(&part), "--final"]);
    assert_eq!(refused.code, 3);
    let error = &refused["error"];
    assert_eq!(error["code"], "not_final");
    // Eleven were made, of which three do not count.
    assert!(error["message"].as_str().unwrap().contains("part: 8 owed, 0 dead"), "{error}");
    // The folder of an experiment stands for all its runs.
    let told = scratchbed.call(&["report", text(folder.path())]).plain().blocking_answer().stdout;
    assert!(told.contains("whole") && told.contains("part") && told.contains("pass^k"), "{told}");
}

#[test]
fn a_bundle_reports_what_its_runs_do() {
    let folder = tempfile::tempdir().unwrap();
    let one = run(folder.path(), "one", [3, 3, 3, 1]);
    let out = folder.path().join("out");
    let scratchbed = Scratchbed::new();
    let export = scratchbed.blocking_answer(&["export", text(&one), "--format", "bundle", "--out", text(&out)]);
    assert_eq!(export.code, 0, "{export:?}");
    fs::rename(&one, folder.path().join("gone")).unwrap();
    let bundle = out.join("bundle.zip");
    let figures = |path: &Path| scratchbed.blocking_answer(&["report", text(path)])["report"].clone();
    let (packed, made) = (figures(&bundle), figures(&folder.path().join("gone")));
    assert_eq!(packed["tasks"], made["tasks"]);
    assert_eq!(made["claims"], json!([]), "it was made here");
    assert!(packed["claims"][0].as_str().unwrap().contains("one: outcomes, tests, scores"), "{packed}");
    let told = scratchbed.call(&["report", text(&bundle)]).plain().blocking_answer().stdout;
    assert!(told.contains("as claimed by the file"), "{told}");
    assert_eq!(packed["tasks"]["rows"][0]["failures"]["actions"], 8, "calls are in it: {packed}");
    let record = entry(&bundle, "runs/one/run.json");
    assert!(!record.to_string().contains("secret"), "{record}");
    assert!(fs::read(&bundle).unwrap().windows(6).all(|bytes| bytes != b"secret"));
}

/// A JSON file in an archive.
fn entry(archive: &Path, name: &str) -> Value {
    let mut archive = ZipArchive::new(File::open(archive).unwrap()).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_log_for_inspect_has_what_the_run_has() {
    let folder = tempfile::tempdir().unwrap();
    let items = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let run = write(folder.path(), run_record("t", "tasks", &items, 2), &task_records(), keep);
    let out = folder.path().join("out");
    let export = Scratchbed::new().blocking_answer(&["export", text(&run), "--format", "inspect", "--out", text(&out)]);
    assert_eq!(export.code, 0, "{export:?}");
    let log = fs::read_dir(&out).unwrap().next().unwrap().unwrap().path();
    assert!(text(&log).contains("2023-11-14T22-13-20+00-00_scratchbed-primitive_"), "{}", log.display());
    let header = entry(&log, "header.json");
    assert_eq!((&header["version"], &header["status"]), (&json!(2), &json!("cancelled")));
    assert_eq!(header["eval"]["model_base_url"], "http://host/v1", "no password");
    assert_eq!((&header["results"]["completed_samples"], &header["results"]["total_samples"]), (&json!(8), &json!(16)));
    let accuracy = header["results"]["scores"][0]["metrics"]["accuracy"]["value"].as_f64().unwrap();
    assert!((accuracy - 3.0 / 8.0).abs() < 1e-9, "{header}");
    assert_eq!(entry(&log, "_journal/start.json")["eval"], header["eval"]);
    assert_eq!(entry(&log, "summaries.json").as_array().unwrap().len(), 11);
    let sample = entry(&log, "samples/a_epoch_1.json");
    assert_eq!((&sample["scores"]["tests"]["value"], &sample["scores"]["psr"]["value"]), (&json!("C"), &json!(1.0)));
    let kinds: Vec<&str> =
        sample["events"].as_array().unwrap().iter().map(|one| one["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["sample_init", "tool", "tool", "tool", "model", "tool", "score", "score"]);
    assert_eq!(sample["events"][4]["input_refs"], json!([[0, 1]]));
    let picture = sample["events"][1]["result"][1]["image"].as_str().unwrap().strip_prefix("attachment://").unwrap();
    assert_eq!(sample["attachments"][picture], "data:image/png;base64,cG5n");
    let lost = entry(&log, "samples/g_epoch_1.json");
    assert!(
        lost.get("scores").is_none() && lost["error"]["message"].as_str().unwrap().starts_with("infra_error"),
        "{lost}"
    );
    let limited = entry(&log, "samples/c_epoch_1.json");
    assert_eq!((&limited["limit"]["type"], &limited["scores"]["tests"]["value"]), (&json!("turn"), &json!("C")));
}
