//! Many projects judged in one process, by way of `scratchbed judge --predictions`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::program::{Answer, Scratchbed};
use crate::support::root;

/// Builds a project of a task.
fn build(scratchbed: &Scratchbed, text: &str, file: &Path) {
    let text = root().join("tasks").join(text);
    let built = scratchbed.blocking_answer(&["task", "build", text.to_str().unwrap(), "--out", file.to_str().unwrap()]);
    assert_eq!(built.code, 0, "{}", built.stderr);
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
    build(&scratchbed, "debug/stuck_ferry/golden.txt", &at("golden.sb3"));
    fs::copy(at("golden.sb3"), at("again.sb3")).unwrap();
    fs::write(at("none.sb3"), "not a zip archive").unwrap();
    let line = |project: &str| json!({"task": "stuck_ferry", "project": project}).to_string();
    let lines = [line("golden.sb3"), "{}".to_owned(), line("none.sb3"), line("nowhere.sb3"), line("again.sb3")];
    fs::write(at("list.jsonl"), lines.join("\n")).unwrap();
    let (list, run) = (at("list.jsonl").display().to_string(), at("run").display().to_string());

    let told = scratchbed.blocking_answer(&["judge", "--predictions", &list, "--out", &run, "--name", "mine"]);
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
    let resume = ["judge", "--predictions", &list, "--resume", &run, "--name", "mine"];
    let resumed = scratchbed.blocking_answer(&resume);
    assert_eq!(outcomes(&resumed), outcomes(&told));
    let lines = &resumed.stderr;
    assert!(lines.contains("(line 5)") && !lines.contains("(line 1)"), "only one is judged again: {lines}");
    fs::write(at("golden.sb3"), "another").unwrap();
    assert_eq!(scratchbed.blocking_answer(&resume)["error"]["code"], "run_differs");
}
