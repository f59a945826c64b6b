//! Suspects of small programs: who writes what differs, what decides on that, and where the fault stands among them.

use serde_json::Value;

use super::*;
use crate::patches::lint::fixture::{change, clone_of, decide, flag, forever, hear, part, project, say, send, set};

fn found(json: &Value, differing: &[&str]) -> Vec<String> {
    let differing: Vec<String> = differing.iter().map(|signal| (*signal).to_owned()).collect();
    suspects(json, &differing).into_iter().map(|one| one.block).collect()
}

/// The moth counts what it hears, unless a life is lost; the owl says the score.
fn game(by: &str) -> Value {
    let condition = part("operator_gt").input("OPERAND1", serde_json::json!([12, "lives", "lives0"]));
    let stage = vec![vec![flag().id("flag"), set("lives", by).id("lives"), send("go").id("send")]];
    let moth = vec![vec![hear("go").id("hear"), decide(condition, vec![change("score").id("count")]).id("if")]];
    project(stage, moth, vec![vec![flag().id("owl"), forever(vec![say("score").id("say")]).id("loop")]])
}

#[test]
fn writers_come_first_and_then_what_decides_on_them() {
    let all = found(&game("3"), &["Stage/variable/score"]);
    assert_eq!(all[0], "count");
    assert_eq!(all[1..4], ["send", "hear", "if"], "who starts it, the hat and the condition, in the order of the file");
    assert!(all.contains(&"lives".to_owned()), "what the condition reads: {all:?}");
    assert!(!all.contains(&"say".to_owned()), "who only shows it: {all:?}");
}

#[test]
fn each_kind_of_signal_has_its_writers() {
    let first = |signal: &str| found(&game("3"), &[signal]).first().cloned().unwrap_or_default();
    assert_eq!(first("events/broadcast:Go"), "send");
    assert_eq!(first("Owl/bubble"), "say");
    assert_eq!(first("Owl#2/bubble"), "say", "clones do what their sprite does");
    assert_eq!(first("events/say:Owl: 3"), "say");
    assert_eq!(first("program/threads"), "");
    assert_eq!(first("Moth/x"), "");
    let cloned = vec![part("control_start_as_clone").id("made"), say("score").id("last")];
    let clones = project(vec![vec![flag(), clone_of("Moth").id("clone")]], vec![cloned], vec![]);
    assert_eq!(
        found(&clones, &["clones/Moth"])[..2],
        ["clone", "last"],
        "a clone that is never deleted ends its script"
    );
}

#[test]
fn the_rank_is_that_of_the_best_placed_difference_and_equals_share_theirs() {
    let (buggy, golden) = (game("0"), game("3"));
    let differing = ["Stage/variable/lives".to_owned(), "Stage/variable/score".to_owned()];
    let rank_of = |differing: &[String]| rank(&buggy, &golden, differing).unwrap();
    assert_eq!(rank_of(&differing), Rank { rank: 1.0, of: 9 });
    assert_eq!(rank_of(&[]), Rank { rank: 5.0, of: 9 }, "with nothing to go by, the middle of all");
    assert_eq!(rank(&golden, &golden, &differing), None);
    let all = Localised::of(&[rank_of(&differing), rank_of(&[])]);
    assert_eq!((all.cases, all.top_1, all.top_5, all.top_10), (2, 1, 2, 2));
    assert!((all.exam.unwrap() - 6.0 / 18.0).abs() < 1e-12, "{all:?}");
    assert_eq!(Localised::of(&[]), Localised::default());
}

#[test]
fn a_statement_that_was_taken_away_shows_in_its_neighbours() {
    let of = |script| project(vec![script], vec![], vec![]);
    let golden = of(vec![flag().id("a"), set("score", "0").id("b"), change("score").id("c"), say("lives").id("d")]);
    let buggy = of(vec![flag().id("a"), change("score").id("c"), say("lives").id("d")]);
    let found = rank(&buggy, &golden, &["Stage/variable/score".to_owned()]).unwrap();
    assert_eq!(found, Rank { rank: 1.0, of: 3 });
}
