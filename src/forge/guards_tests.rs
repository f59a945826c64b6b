//! Tests of `guards`.

use serde_json::{Value, json};

use super::*;

fn run(score: i64, x: i64) -> TraceRun {
    let signals = json!({"Stage/variable/score": {"t": [9], "v": [score]}, "Moth/x": {"t": [9], "v": [x]}});
    serde_json::from_value(json!({"ticks": 900, "signals": signals})).unwrap()
}

fn features() -> Vec<Feature> {
    let equals = |signal: &str, value: Value| Feature::Equals { signal: signal.to_owned(), after: 500, value };
    let only = Feature::Only { signal: "Moth/x".to_owned(), values: vec![json!(0)], until: 900 };
    vec![equals("Stage/variable/score", json!(3)), equals("Moth/x", json!(0)), only]
}

fn scenario(id: &str) -> Scenario {
    let scenario = json!({"id": id, "template": "idle", "length": 900, "answers": [], "steps": []});
    serde_json::from_value(scenario).unwrap()
}

fn sifted(golden: &[TraceRun], right: &[TraceRun], buggy: &TraceRun) -> (Kept, Sifted) {
    let mut sifted = Sifted::default();
    let witnesses =
        Witnesses { golden: golden.iter().collect(), right: right.iter().collect(), buggy: Some(buggy), every: 10 };
    (witnesses.sift(features(), &mut sifted), sifted)
}

#[test]
fn what_hangs_on_the_seed_or_what_a_right_repair_breaks_is_dropped_and_counted() {
    let gold = run(3, 0);
    let (kept, count) = sifted(&[gold.clone(), run(4, 0)], std::slice::from_ref(&gold), &gold);
    assert_eq!((kept.len(), count.found, count.broken_by_seeds, count.broken_by_right), (2, 3, 1, 0));
    let (kept, count) = sifted(std::slice::from_ref(&gold), &[run(3, 7)], &gold);
    assert_eq!((kept.len(), count.broken_by_seeds, count.broken_by_right), (1, 0, 2));
    assert_eq!(kept[0].0.signal(), "Stage/variable/score");
    let (kept, _) = sifted(std::slice::from_ref(&gold), std::slice::from_ref(&gold), &gold);
    assert!(kept.len() == 3 && kept.iter().all(|(_, is_broken)| !is_broken));
}

#[test]
fn what_a_guarded_course_says_is_not_said_again() {
    let course = |x: i64, margin: Option<f64>| {
        let gold = serde_json::from_value(json!({"t": [9], "v": [x]})).unwrap();
        Feature::Follows { signal: "Moth/x".to_owned(), gold, margin, shift: 60, until: 900 }
    };
    let gold = run(3, 0);
    let all = [&gold];
    let witnesses = Witnesses { golden: all.to_vec(), right: all.to_vec(), buggy: None, every: 10 };
    let with = |first: Feature| {
        let mut sifted = Sifted::default();
        let kept = witnesses.sift([vec![first], features()].concat(), &mut sifted);
        (kept.len(), sifted.implied)
    };
    assert_eq!(with(course(0, None)), (3, 1), "where it is in the end is said, and not what it never is");
    assert_eq!(with(course(0, Some(2.0))), (4, 0), "about where it is says less");
    assert_eq!(with(course(1, None)), (3, 0), "one that does not hold says nothing");
}

#[test]
fn what_the_fault_breaks_is_kept_where_it_settles_and_marked() {
    let gold = run(3, 0);
    let (kept, count) = sifted(std::slice::from_ref(&gold), std::slice::from_ref(&gold), &run(3, 7));
    let told: Vec<(String, bool)> = kept.iter().map(|(feature, broken)| (feature.signal(), *broken)).collect();
    assert_eq!(told, [("Stage/variable/score".to_owned(), false), ("Moth/x".to_owned(), true)]);
    assert_eq!(count.broken_by_fault, 1);
}

#[test]
fn each_scenario_has_its_share() {
    let kept = |many: usize| -> Kept { vec![(features().remove(0), false); many] };
    let (long, short) = (scenario("s1"), scenario("s2"));
    let mut count = Sifted::default();
    let guards = limited(vec![(&long, kept(9)), (&short, kept(2))], 6, &mut count);
    let of = |id: &str| guards.iter().filter(|guard| guard.scenario == id).count();
    assert_eq!((of("s1"), of("s2"), count.kept, count.left_out), (4, 2, 6, 5));
    let ids: Vec<&str> = guards.iter().map(|guard| guard.id.as_str()).collect();
    assert_eq!(ids, ["g1", "g2", "g3", "g4", "g5", "g6"]);
    assert!(guards[0].says.contains("\"score\" is 3"), "{}", guards[0].says);
    assert_eq!(limited(vec![(&long, kept(1))], 6, &mut count).len(), 1);
}
