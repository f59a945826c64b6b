//! Tests of `gold`.

use serde_json::json;

use super::*;

fn scenario(id: &str, length: u64) -> Scenario {
    let scenario = json!({"id": id, "template": "idle", "length": length, "answers": [], "steps": []});
    serde_json::from_value(scenario).unwrap()
}

fn played(hash: &str) -> Arc<Played> {
    let run = serde_json::from_value(json!({"ticks": 100, "signals": {}})).unwrap();
    Arc::new(Played { hash: hash.to_owned(), ..Played::of_run(run) })
}

#[test]
fn what_was_played_before_is_not_played_again_and_nothing_else_passes_for_it() {
    let scenarios = [scenario("s1", 2000), scenario("s2", 2000), scenario("s3", 2000)];
    let (shorter, same) = (scenario("s1", 900), scenario("s2", 2000));
    let (of_shorter, of_same) = (played("other length"), played("before"));
    let known = [(&shorter, &of_shorter), (&same, &of_same)];
    let missing: Vec<&str> = missing(&scenarios, &known).iter().map(|one| one.id.as_str()).collect();
    assert_eq!(missing, ["s1", "s3"]);
    let runs = in_their_order(&scenarios, &known, vec![played("first"), played("third")]);
    let told: Vec<(&str, &str)> = runs.iter().map(|(id, run)| (id.as_str(), run.hash.as_str())).collect();
    assert_eq!(told, [("s1", "first"), ("s2", "before"), ("s3", "third")]);
}
