//! Sets of questions about pictures, built in the real editor: `open-canvas`, `arrange-canvas` and `canvas-facts` by way
//! of `scratchbed perception build`, and a run over them.

use std::path::Path;

use serde_json::Value;

use crate::support::digests;
use crate::support::model_endpoint::{Act, Endpoint};
use crate::support::program::{Call, Scratchbed, until};

/// Builds a set of so many items.
fn build(folder: &Path, items: &str) -> Call {
    Scratchbed::new().call(&["perception", "build", "--seed", "4", "--n", items, "--out"]).arg(folder)
}

#[test]
fn a_seed_makes_the_same_files_again_and_its_truths_are_all_right() {
    let folder = tempfile::tempdir().unwrap();
    let [one, again] = ["one", "again"].map(|name| folder.path().join(name));
    for set in [&one, &again] {
        let built = build(set, "4").blocking_answer();
        assert_eq!(built["items"], 4, "{built}");
    }
    let (first, second) = (digests(&one), digests(&again));
    assert!(first.keys().eq(second.keys()), "{:?} and {:?}", first.keys(), second.keys());
    let differ: Vec<_> = first.keys().filter(|name| first[*name] != second[*name]).collect();
    assert!(differ.is_empty(), "{differ:?}");

    let items = std::fs::read_to_string(one.join("items.jsonl")).unwrap();
    for item in items.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let png = image::open(one.join("screenshots").join(item["screenshot"].as_str().unwrap())).unwrap();
        assert_eq!((png.width(), png.height()), (1280, 720));
    }

    let run = |agent: &str| {
        Scratchbed::new().call(&["perception", "run", "--agent", agent, "--set"]).arg(&one).blocking_answer()
    };
    let oracle = run("oracle");
    assert_eq!((&oracle["score"]["all"]["hits"], &oracle["score"]["all"]["n"]), (&4.into(), &4.into()), "{oracle}");
    assert_eq!(run("random")["score"]["all"]["n"], 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_troubled_endpoint_each_attempt_ends_once_and_a_killed_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set");
    let built = build(&set, "2").answer().await;
    assert_eq!(built["items"], 2, "{built}");
    let items = std::fs::read_to_string(set.join("items.jsonl")).unwrap();
    let truths: Vec<String> = items
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["ground_truth"].as_str().unwrap().to_owned())
        .collect();
    // The first attempts at both items come before the second ones. The fourth one is busy while the run is killed.
    let acts = [
        Act::Say(truths[0].clone()),
        Act::Say("I see many blocks.".to_owned()),
        Act::Refuse(500, None),
        Act::Stall,
        Act::Babble,
        Act::Say(format!(" {}\n", truths[1])),
        Act::Say(truths[0].clone()),
    ];
    let right = acts.len() + 5;
    let rest = (0..5).map(|_| Act::Say("no such thing".to_owned()));
    // One more for the attempt that is broken off: it is asked again.
    let (endpoint, address) =
        Endpoint::serve(acts[..4].iter().chain(&acts[3..]).cloned().chain(rest).collect::<Vec<_>>()).await;
    let scratchbed = Scratchbed::new();
    let call = || {
        let call = scratchbed.call(&["perception", "run", "--attempts", "6", "--jobs", "1", "--count", "reference"]);
        let call = call.args(["--agent", "model", "--endpoint", &address, "--model", "scripted"]);
        call.args(["--timeout", "2", "--request-retries", "0", "--set"]).arg(&set)
    };
    let killed = call().killed_when(until("the fourth question", || endpoint.asked().len() == 4)).await;
    let told = call().resuming(killed.run()).answer().await;
    let all = killed.all_that_add_up(&told["outcomes"]);
    assert_eq!((killed.before.len(), all.len(), endpoint.asked().len()), (3, right, right + 1), "{told}");
    let count = |outcome: &str| all.values().filter(|trial| trial["outcome"] == outcome).count();
    assert_eq!((count("passed"), count("failed"), count("call_failed"), count("infra_error")), (3, 6, 3, 0), "{told}");
    assert_eq!(told["score"]["all"]["n"], 12, "calls that failed count as wrong: {told}");
    assert_eq!(told["score"]["all"]["hits"], 3, "{told}");
    let reference = &told["reference"];
    assert_eq!((&reference["all"]["n"], &reference["all"]["hits"]), (&Value::from(9), &Value::from(3)), "{told}");
    assert_eq!(reference["left_out"], serde_json::json!([{"why": "call_failed", "count": 3}]), "{told}");
    let content = &endpoint.asked()[0]["messages"][1]["content"];
    assert!(content[1]["image_url"]["url"].as_str().unwrap().starts_with("data:image/png;base64,"), "{}", content[0]);
}
