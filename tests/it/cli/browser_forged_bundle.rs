//! A bundle whose outcomes, tests and grades were altered, with all digests renewed: it gets its true score, and until
//! then its figures are as claimed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::Path;

use scratchbed::benchmarks::tasks::regrade::JudgeDigests;
use scratchbed::model::{GradeRecord, Outcome, RUN_FORMAT, Verdict, sha256_hex};
use scratchbed::store::RunDir;
use scratchbed::taskset::TaskSet;
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::browser_predictions::write_projects;
use super::export::{run_record, task, write};
use crate::support::program::Scratchbed;
use crate::support::root;

const TASK: &str = "stuck_ferry";

/// What a judge might say that finds one of three tests passed.
fn failed() -> Verdict {
    let details: Vec<Value> = (0..3).map(|at| json!({"name": format!("test {at}"), "passed": at == 0})).collect();
    serde_json::from_value(json!({
        "task": TASK, "outcome": "failed", "passed_tests": 1, "total_tests": 3, "details": details, "seed": 1,
        "clock": "virtual", "hashes": {"project": "", "script": "", "editor": "", "browser": ""},
    }))
    .unwrap()
}

/// Packs a run of two attempts, what the task begins with and its solution. Both failed, and were graded so again by the
/// very judge that is the current one.
fn bundle(folder: &Path) -> String {
    write_projects(TASK, folder);
    let projects = ["initial.sb3", "golden.sb3"].map(|name| fs::read(folder.join(name)).unwrap());
    let records = [1, 2].map(|attempt| task(TASK, attempt, ("debug", Outcome::Failed), 1));
    let run = write(folder, run_record("run", "tasks", &[TASK], 2), &records, |record, dir| {
        dir.keep_project(&projects[record.attempt as usize - 1]).unwrap();
        dir.keep_verdict(&failed()).unwrap();
    });
    // The script draws nothing by chance, so its judge is the same under any secret seed.
    let judge = JudgeDigests::default().of(TaskSet::read(root()).unwrap().find(TASK).unwrap(), None).unwrap();
    let dir = RunDir::open(&run).unwrap();
    for attempt in ["stuck_ferry.1", "stuck_ferry.2"] {
        let (format, version, verdict) = (RUN_FORMAT, "0".to_owned(), Some(failed()));
        let (judge, graded_at, outcome, error) = (judge.clone(), 1.0, Outcome::Failed, None);
        dir.keep_grade(attempt, &GradeRecord { format, judge, version, graded_at, outcome, error, verdict }).unwrap();
    }
    let (run, out) = (run.display().to_string(), folder.join("out").display().to_string());
    let exported = Scratchbed::new().blocking_answer(&["export", &run, "--format", "bundle", "--out", &out]);
    assert_eq!(exported.code, 0, "{exported:?}");
    format!("{out}/bundle.zip")
}

/// Has a verdict, a grade or an attempt's record say that all tests passed.
fn passed(value: &mut Value) {
    let all = [
        ("/outcome", json!("passed")),
        ("/verdict/outcome", json!("passed")),
        ("/passed_tests", json!(3)),
        ("/verdict/passed_tests", json!(3)),
        ("/detail/passed_tests", json!(3)),
    ];
    for (field, claim) in all {
        if let Some(field) = value.pointer_mut(field) {
            *field = claim;
        }
    }
    for details in ["/details", "/verdict/details"] {
        for test in value.pointer_mut(details).and_then(Value::as_array_mut).into_iter().flatten() {
            test["passed"] = json!(true);
        }
    }
}

/// Forges a bundle beside another one: everything passed, and every digest is right.
fn forged(bundle: &str, file: &Path) {
    let mut archive = ZipArchive::new(File::open(bundle).unwrap()).unwrap();
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).unwrap();
        let (name, mut bytes) = (entry.name().unwrap().into_owned(), Vec::new());
        entry.read_to_end(&mut bytes).unwrap();
        files.insert(name, bytes);
    }
    let mut listed: Value = serde_json::from_slice(&files.remove("bundle.json").unwrap()).unwrap();
    let mut altered = 0;
    for (name, bytes) in &mut files {
        if name.ends_with("/attempt.json") || name.ends_with("/verdict.json") || name.contains("/grades/") {
            let mut value = serde_json::from_slice(bytes).unwrap();
            passed(&mut value);
            *bytes = value.to_string().into_bytes();
            altered += 1;
        }
        listed["files"][name.as_str()] = json!(sha256_hex(bytes));
    }
    assert_eq!(altered, 6, "{:?}", files.keys());
    files.insert("bundle.json".to_owned(), listed.to_string().into_bytes());
    let mut archive = ZipWriter::new(File::create(file).unwrap());
    for (name, bytes) in &files {
        archive.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap();
}

/// The leaderboard that a checkout makes of some bundles.
fn leaderboard(scratchbed: &Scratchbed, folder: &Path, bundles: &[&str]) -> Value {
    let site = folder.join("site").display().to_string();
    let answer = scratchbed.call(&["leaderboard", "--out", &site]).args(bundles).blocking_answer();
    assert_eq!(answer.code, 0, "{answer:?}");
    answer["leaderboard"].clone()
}

#[test]
fn a_forged_bundle_gets_its_true_score_and_the_board_says_who_graded() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let (file, out) = (folder.join("forged.zip"), folder.join("regraded.zip").display().to_string());
    forged(&bundle(folder), &file);
    let file = file.display().to_string();
    let scratchbed = Scratchbed::new();

    // Nobody here has judged it: what it says of itself is said to be that.
    let claimed = leaderboard(&scratchbed, folder, &[&file]);
    let entry = &claimed["claimed"][0];
    assert_eq!((&claimed["entries"], &entry["sr"]["value"]), (&json!([]), &json!(100.0)), "{claimed}");
    assert_eq!(
        (&entry["graded"], &entry["graded_by"]),
        (&json!("claimed"), &json!("as claimed by the file")),
        "{entry}"
    );
    let report = |grading: &str| scratchbed.blocking_answer(&["report", &file, "--grading", grading]);
    assert_eq!(report("current")["error"]["code"], "not_regraded", "the grades in it do not count");
    let note = report("original")["report"]["claims"].to_string();
    assert!(note.contains("as claimed by the file"), "{note}");

    // The documented way.
    let regraded = scratchbed.blocking_answer(&["regrade", &file, "--out", &out, "--jobs", "1"]);
    assert_eq!(regraded.code, 1, "a grade changed: {}", regraded.stderr);
    let run = &regraded["runs"][0];
    let outcomes = |one: &Value| [&one["before"]["outcome"], &one["after"]["outcome"], &one["kept"]].map(Clone::clone);
    let found: Vec<_> = run["regraded"].as_array().unwrap().iter().map(outcomes).collect();
    let (failed, passed) = (json!("failed"), json!("passed"));
    assert_eq!(found, [[passed.clone(), failed, json!(false)], [passed.clone(), passed, json!(false)]], "{run}");
    assert_eq!(run["claimed"], true);

    // The true score of either file, in the checkout that has judged it.
    let judged = leaderboard(&scratchbed, folder, &[&out, &file]);
    assert_eq!((judged["entries"].as_array().map(Vec::len), &judged["claimed"]), (Some(2), &json!([])), "{judged}");
    for entry in judged["entries"].as_array().unwrap() {
        assert_eq!((&entry["sr"]["value"], &entry["graded"]), (&json!(50.0), &json!("again")), "{entry}");
        assert_eq!((&entry["graded_by"], &entry["checked"]), (&json!("this checkout"), &json!(true)), "{entry}");
        assert!(entry["judge"].as_str().unwrap().contains("Chrom"), "the browser that judged: {entry}");
    }
    let page = fs::read_to_string(folder.join("site/index.html")).unwrap();
    assert!(page.contains("again <small>this checkout, 20"), "{page}");
    assert_eq!(report("current")["report"]["tasks"]["rows"][0]["figures"][0]["sr"], 50.0);
    // Elsewhere, what was judged here is a claim like any other.
    let elsewhere = leaderboard(&Scratchbed::new(), folder, &[&out]);
    assert_eq!((&elsewhere["entries"], &elsewhere["claimed"][0]["graded"]), (&json!([]), &json!("claimed")));
}
