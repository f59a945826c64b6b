//! `make test` has two lanes, and names what each of them runs.

use std::collections::BTreeSet;

use crate::house::dependencies::metadata;
use crate::support::root;

/// Values of `--test` on a Makefile's lines that contain a text.
fn named(makefile: &str, on_lines_with: &str) -> BTreeSet<String> {
    let words = makefile.lines().filter(|line| line.contains(on_lines_with)).flat_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.windows(2).filter(|pair| pair[0] == "--test").map(|pair| pair[1].to_owned()).collect::<Vec<_>>()
    });
    words.collect()
}

#[test]
fn each_program_of_tests_is_run_in_one_lane() {
    let makefile = std::fs::read_to_string(root().join("Makefile")).unwrap();
    let [in_browsers, other] = ["phase,tests in browsers", "OTHER_TESTS :="].map(|line| named(&makefile, line));
    assert!(in_browsers.is_disjoint(&other) && makefile.contains("OTHER_TESTS := --lib --bins "));
    let told = metadata();
    let members: BTreeSet<&str> =
        told["workspace_members"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    let packages = told["packages"].as_array().unwrap().iter();
    let ours = packages.filter(|package| members.contains(package["id"].as_str().unwrap()));
    let targets = ours.flat_map(|package| package["targets"].as_array().unwrap());
    let programs: BTreeSet<String> = targets
        .filter(|target| target["kind"][0] == "test")
        .map(|target| target["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(in_browsers.union(&other).cloned().collect::<BTreeSet<_>>(), programs);
}
