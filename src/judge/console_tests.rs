//! Tests of `console`.

use serde_json::json;

use super::*;

/// A run that wrote this to the console.
fn run(console: &[&str]) -> Arc<Played> {
    let empty = serde_json::from_value(json!({"ticks": 10, "signals": {}})).unwrap();
    let console = console.iter().map(|line| (*line).to_owned()).collect();
    Arc::new(Played { console, ..Played::of_run(empty) })
}

#[test]
fn runs_are_compared_scenario_by_scenario_and_those_of_one_scenario_over_all_seeds() {
    let runs = |first: &[&str], last: &[&str]| -> BTreeMap<String, Arc<Played>> {
        [("s1", run(first)), ("s2", run(last))].map(|(id, run)| (id.to_owned(), run)).into()
    };
    let golden = runs(&["error: odd"], &[]);
    assert_eq!(new_error_in(&runs(&["error: odd"], &["log: hello"]), &golden), None);
    let late = runs(&[], &["error: broken"]);
    assert_eq!(new_error_in(&late, &golden), Some("broken"), "in a scenario where the fault does not show");
    assert_eq!(new_error_in(&runs(&[], &["error: odd"]), &golden), Some("odd"), "gold has it in another scenario");
    let (quiet, noisy) = ([run(&[]), run(&[])], [run(&[]), run(&["error: broken"])]);
    assert_eq!(new_error_under_seeds(&noisy, &quiet), Some("broken"));
    assert_eq!(new_error_under_seeds(&[run(&["error: broken"])], &noisy), None, "by chance gold has it, too");
}

fn new(lines: &[&str], golden: &[&str]) -> Option<String> {
    let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<String>>();
    let (lines, golden) = (owned(lines), owned(golden));
    new_error(&lines, &golden).map(str::to_owned)
}

#[test]
fn only_errors_count_and_only_those_that_gold_lacks() {
    let lines = ["log: hello", "warn: odd", "error: TypeError: x is null"];
    assert_eq!(new(&lines, &[]).as_deref(), Some("TypeError: x is null"));
    assert_eq!(new(&lines, &["error: TypeError: x is null"]), None);
    assert_eq!(new(&lines[..2], &[]), None);
}

#[test]
fn what_an_error_says_is_its_first_line_up_to_a_length_in_units_of_the_page() {
    assert_eq!(new(&["error: x is null\n    at A (/gui.js:1:2)"], &["error: x is null\n    at B (/gui.js:9:9)"]), None);
    let carrots = |count: usize| format!("error: {}", "🥕".repeat(count));
    assert_eq!(new(&[&carrots(246)], &[&carrots(200)]), None, "200 letters are 400 units");
    assert!(new(&[&carrots(200)], &[&carrots(199)]).is_some());
}

#[test]
fn a_long_error_is_the_same_wherever_its_line_is_cut() {
    let line = |time: &str| -> String {
        let line = format!("log: 2024-01-01 12:00:{time}\tERROR\tscratch-vm\t{}", "é".repeat(600));
        line.chars().take(500).collect()
    };
    assert_eq!(new(&[&line("01.25")], &[&line("9")]), None);
    assert!(new(&[&line("01.25")], &["error: é"]).is_some());
}

#[test]
fn an_error_of_the_machines_log_is_the_same_at_another_time() {
    let at =
        |time: &str, level: &str| format!("log: 2024-01-01 12:00:{time}\t{level}\t/vm.js:7\tscratch-vm\tno such block");
    assert_eq!(new(&[&at("01.5", "ERROR")], &[&at("09.0", "ERROR")]), None);
    assert_eq!(new(&[&at("01.5", "WARN")], &[]), None);
    let told = new(&[&at("01.5", "ERROR")], &[&at("01.5", "WARN")]).unwrap();
    assert!(told.starts_with("ERROR") && told.ends_with("no such block"), "{told}");
}
