//! Recorded projects judged anew, by way of `scratchbed regrade`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::browser_predictions::write_projects;
use crate::support::program::Scratchbed;

/// A run with two projects: the solution of a task, and what it begins with.
fn judged(scratchbed: &Scratchbed, folder: &Path) -> String {
    let tasks = folder.join("projects/stuck_ferry");
    fs::create_dir_all(&tasks).unwrap();
    write_projects("stuck_ferry", &tasks);
    let (projects, run) = (folder.join("projects").display().to_string(), folder.join("run").display().to_string());
    let judged = scratchbed.blocking_answer(&["judge", "--predictions", &projects, "--out", &run, "--jobs", "1"]);
    assert_eq!(judged.code, 1, "the start fails: {}", judged.stderr);
    run
}

fn change(path: &Path, with: impl Fn(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    with(&mut value);
    fs::write(path, value.to_string()).unwrap();
}

#[test]
fn grades_stay_where_judges_agree_and_flip_where_they_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let scratchbed = Scratchbed::new();
    let run = judged(&scratchbed, folder.path());
    let first = scratchbed.blocking_answer(&["regrade", &run, "--jobs", "1"]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    let told = &first["runs"][0]["regraded"];
    let grades = |one: &Value| (one["before"]["outcome"].clone(), one["after"]["outcome"].clone());
    let both: Vec<_> = told.as_array().unwrap().iter().map(grades).collect();
    assert_eq!(both, [(json!("passed"), json!("passed")), (json!("failed"), json!("failed"))]);

    // As if an earlier judge had failed the solution.
    let attempt = folder.path().join("run/attempts/stuck_ferry.1");
    change(&attempt.join("attempt.json"), |record| {
        record["outcome"] = json!("failed");
        record["detail"]["passed_tests"] = json!(0);
    });
    let again = scratchbed.call(&["regrade", &run, "--jobs", "1"]).plain().blocking_answer();
    let text = &again.stdout;
    assert_eq!(again.code, 1, "{text}");
    assert!(text.contains("2 of them before") && text.contains("1 of them between solved and not"), "{text}");
    let rate = |grading: &str| {
        let report = scratchbed.blocking_answer(&["report", &run, "--grading", grading]);
        report["report"]["tasks"]["rows"][0]["figures"][0]["sr"].as_f64().unwrap()
    };
    assert_eq!((rate("original"), rate("current")), (0.0, 50.0));
}
