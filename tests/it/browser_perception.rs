//! Sets of questions about pictures, built in the real editor: `open-canvas`, `arrange-canvas` and `canvas-facts` by way
//! of `scratchbed perception build`, and a run over them.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::cli_answers::{answer, scratchbed};

/// Every file of a set by its path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path).into_iter().map(|(name, bytes)| (format!("screenshots/{name}"), bytes)));
        } else {
            all.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap());
        }
    }
    all
}

/// Builds a set of this seed with few items.
fn build(folder: &Path, seed: &str) {
    let out = folder.to_str().unwrap();
    let built = answer(&scratchbed(&["perception", "build", "--seed", seed, "--n", "6", "--out", out, "--json"]));
    assert_eq!(built["items"], 6, "{built}");
}

#[test]
fn a_seed_makes_the_same_files_again_and_its_truths_are_all_right() {
    let folder = tempfile::tempdir().unwrap();
    let [one, again] = ["one", "again"].map(|name| folder.path().join(name));
    build(&one, "4");
    build(&again, "4");
    let (first, second) = (files(&one), files(&again));
    assert!(first.keys().eq(second.keys()), "{:?} and {:?}", first.keys(), second.keys());
    let differ: Vec<_> = first.keys().filter(|name| first[*name] != second[*name]).collect();
    assert!(differ.is_empty(), "{differ:?}");

    let items = String::from_utf8(first["items.jsonl"].clone()).unwrap();
    for item in items.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let picture = &first[&format!("screenshots/{}", item["screenshot"].as_str().unwrap())];
        let png = image::load_from_memory(picture).unwrap();
        assert_eq!((png.width(), png.height()), (1280, 720));
    }

    let run = |agent: &str| {
        let output = scratchbed(&["perception", "run", "--set", one.to_str().unwrap(), "--agent", agent, "--json"]);
        let run = answer(&output);
        std::fs::remove_dir_all(run["run"].as_str().unwrap()).unwrap();
        run
    };
    let oracle = run("oracle");
    assert_eq!((&oracle["score"]["all"]["hits"], &oracle["score"]["all"]["n"]), (&6.into(), &6.into()), "{oracle}");
    assert_eq!(run("random")["score"]["all"]["n"], 6);
}
