//! Faults of all bundled games: each is undone to the byte by a small inverse, and what it adds looks like what was there.

use std::collections::BTreeMap;

use scratchbed::compile::build_file;
use scratchbed::inject::candidates;
use scratchbed::project::edit::{apply, inverse};
use scratchbed::project::normalise::normalise;
use scratchbed::project::{Project, validate};
use serde_json::Value;

use crate::support::{fleet, root};

/// All faults are gone through if `SCRATCHBED_FORGE` is `full`, and some of each game otherwise.
fn step() -> usize {
    if std::env::var("SCRATCHBED_FORGE").is_ok_and(|asked| asked == "full") { 1 } else { 13 }
}

/// The games, normalised.
async fn games() -> Vec<(String, Value)> {
    let fleet = fleet().await;
    let mut games = Vec::new();
    for entry in std::fs::read_dir(root().join("assets/pool")).unwrap() {
        let folder = entry.unwrap().path();
        let built = build_file(&fleet, &folder.join("project.txt")).await.unwrap();
        let mut project = Project::read(&built).unwrap();
        normalise(&mut project.json, "pool");
        games.push((folder.file_name().unwrap().to_string_lossy().into_owned(), project.json));
    }
    fleet.shutdown().await;
    games.sort_by(|one, other| one.0.cmp(&other.0));
    games
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_of_each_game_is_undone_to_the_byte_and_has_ids_like_all_others() {
    let mut operators: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (game, gold) in games().await {
        let before = gold.to_string();
        assert_eq!(inverse(&gold, &[]).unwrap(), Some(Vec::new()), "{game}: nothing is to be undone of nothing");

        for candidate in candidates(&gold).into_iter().step_by(step()) {
            let name = format!("{game} {}", candidate.id());
            let buggy = apply(&gold, &candidate.patch).unwrap();
            let (all, without) = operators.entry(candidate.operator).or_default();
            *all += 1;
            let Some(back) = inverse(&gold, &candidate.patch).unwrap().filter(|back| back.len() <= 3) else {
                eprintln!("no small inverse: {name}");
                *without += 1;
                continue;
            };
            assert_eq!(apply(&buggy, &back).unwrap().to_string(), before, "{name}");
            let project = Project { json: buggy, assets: BTreeMap::new() };
            let broken: Vec<_> = validate(&project).into_iter().filter(|problem| problem.block.is_some()).collect();
            assert!(broken.is_empty(), "{name}: {broken:?}");
            unremarkable(&gold, &project.json, &name);
        }
    }
    assert!(operators.len() >= 20, "{operators:?}");
    assert!(operators.values().all(|(_, without)| *without == 0), "{operators:?}");
}

/// A classifier that looks at length, alphabet and place of ids finds no added block.
fn unremarkable(gold: &Value, buggy: &Value, name: &str) {
    for (before, after) in gold["targets"].as_array().unwrap().iter().zip(buggy["targets"].as_array().unwrap()) {
        let known = before["blocks"].as_object().unwrap();
        let now: Vec<&String> = after["blocks"].as_object().unwrap().keys().collect();
        for (at, id) in now.iter().enumerate().filter(|(_, id)| !known.contains_key(id.as_str())) {
            assert!(id.len() == 8 && id.chars().all(|letter| letter.is_ascii_alphanumeric()), "{name}: {id}");
            let is_last = at + 1 == now.len();
            let starts_script = after["blocks"][id.as_str()]["topLevel"] == true;
            let last_known =
                known.keys().next_back().is_none_or(|last| now.iter().position(|id| *id == last) < Some(at));
            assert!(!is_last || starts_script || last_known, "{name}: {id} was put at the end");
        }
    }
}
