//! Many projects judged in one process, by way of `scratchbed judge --predictions`.

use std::fs;
use std::path::Path;

use scratchbed::taskset::TaskSet;
use serde_json::{Value, json};

use crate::judging::browser_judge::projects;
use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::program::{Answer, Scratchbed};
use crate::support::root;

/// Writes the project that a task begins with and its solution to a folder, as `initial.sb3` and `golden.sb3`.
pub fn write_projects(task: &str, folder: &Path) {
    in_shared_browsers(async {
        let built = projects(&fleet().await, TaskSet::read(root()).unwrap().find(task).unwrap()).await;
        fs::write(folder.join("initial.sb3"), built.initial).unwrap();
        fs::write(folder.join("golden.sb3"), built.golden).unwrap();
    });
}

fn outcomes(told: &Answer) -> Vec<(&str, &str)> {
    let verdicts = told["verdicts"].as_array().unwrap_or_else(|| panic!("{told}"));
    verdicts.iter().map(|one| (one["place"].as_str().unwrap(), one["outcome"].as_str().unwrap())).collect()
}

#[test]
fn a_list_is_judged_with_its_bad_lines_told_and_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let scratchbed = Scratchbed::new();
    write_projects("stuck_ferry", folder.path());
    fs::copy(at("golden.sb3"), at("again.sb3")).unwrap();
    fs::write(at("none.sb3"), "not a zip archive").unwrap();
    let line = |project: &str| json!({"task": "stuck_ferry", "project": project}).to_string();
    let lines = [line("golden.sb3"), "{}".to_owned(), line("none.sb3"), line("nowhere.sb3"), line("again.sb3")];
    fs::write(at("list.jsonl"), lines.join("\n")).unwrap();
    let (list, run) = (at("list.jsonl").display().to_string(), at("run").display().to_string());

    let judge = ["judge", "--predictions", &list, "--jobs", "1", "--name", "mine"];
    let told = scratchbed.call(&judge).args(["--out", &run]).blocking_answer();
    let lines = &told.stderr;
    assert_eq!(told.code, 1, "{lines}");
    assert_eq!(outcomes(&told), [("line 1", "passed"), ("line 3", "failed"), ("line 5", "passed")], "{lines}");
    let lost: Vec<&Value> = told["not_judged"].as_array().unwrap().iter().map(|one| &one["place"]).collect();
    assert_eq!(lost, ["line 2", "line 4"]);
    assert!(lines.contains("not judged  line 4: there is no file") && lines.contains("3/3  stuck_ferry"), "{lines}");
    let all = &told["tables"]["ours"][0];
    assert_eq!((&all["n"], all["sr"].as_f64().unwrap().round()), (&json!(3), 67.0));
    assert!(all["sr_interval"][0].as_f64() < all["sr"].as_f64(), "{all}");
    let page = fs::read_to_string(at("run/report.html")).unwrap();
    assert!(page.contains("mine") && page.contains("stuck_ferry"));
    assert!(at("run/attempts/stuck_ferry.1/verdict.json").is_file());

    // As if the process had been killed while it judged the last one.
    fs::remove_file(at("run/attempts/stuck_ferry.3/attempt.json")).unwrap();
    let resume = || scratchbed.call(&judge).args(["--resume", &run]).blocking_answer();
    let resumed = resume();
    assert_eq!(outcomes(&resumed), outcomes(&told));
    let lines = &resumed.stderr;
    assert!(lines.contains("(line 5)") && !lines.contains("(line 1)"), "only one is judged again: {lines}");
    fs::write(at("golden.sb3"), "another").unwrap();
    assert_eq!(resume()["error"]["code"], "run_differs");
}
