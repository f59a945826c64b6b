//! Reports in a player's words.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::model::Column;

/// Runs that look at a signal after 10 and after 100 ticks.
fn run(signals: &[(&str, [Value; 2])]) -> TraceRun {
    let column = |values: &[Value; 2]| Column { t: vec![9, 99], v: values.to_vec() };
    let signals: BTreeMap<String, Column> =
        signals.iter().map(|(name, values)| ((*name).to_owned(), column(values))).collect();
    TraceRun { ticks: 300, signals }
}

#[track_caller]
fn says(sense: Sense, signal: &str, [golden, buggy]: [[Value; 2]; 2], seen: &str, expected: &str) {
    let noticed = Noticed { sense, signal: signal.to_owned(), after: 100 };
    let words = told(&noticed, [&run(&[(signal, golden)]), &run(&[(signal, buggy)])]);
    assert_eq!(words, [seen.to_owned(), expected.to_owned()]);
}

#[test]
fn what_shows_is_told_without_names_and_numbers_that_nobody_sees() {
    let both = |golden: [Value; 2], buggy: [Value; 2]| [golden, buggy];
    let one = |value: Value| [value.clone(), value];
    let card = both([json!(false), json!(true)], one(json!(false)));
    says(Sense::Visibility, "Card/visible", card, "Card is hidden", "Card shows");
    let look = both([json!("day"), json!("night")], one(json!("day")));
    says(Sense::Costume, "Owl/costume", look.clone(), "Owl has not changed its look", "Owl has changed its look");
    says(Sense::Backdrop, "Stage/costume", look, "the background has not changed", "the background has changed");
    let other = both([json!("a"), json!("b")], [json!("a"), json!("c")]);
    says(Sense::Costume, "Owl/costume", other, "Owl has the wrong look", "Owl has another look");
    let turned = both(one(json!(90)), one(json!(-90)));
    says(Sense::Direction, "Moth/direction", turned, "Moth faces the wrong way", "Moth faces another way");
    let grown = both(one(json!(100)), one(json!(150)));
    says(Sense::Size, "Moth/size", grown, "Moth is too big", "Moth is smaller");
    let copies = both(one(json!(9)), one(json!(2)));
    says(Sense::Clones, "clones/Moth", copies, "there are too few copies of Moth", "there are more copies of Moth");
    let none = both(one(json!(4)), one(json!(0)));
    says(Sense::Clones, "clones/Moth", none, "there are no copies of Moth", "there are some copies of Moth");
    let left = both(one(json!(0)), one(json!(2)));
    says(Sense::Clones, "clones/Moth", left, "there are still some copies of Moth", "there are no copies of Moth");
}

#[test]
fn what_the_game_says_and_shows_is_told_as_it_is() {
    let bubble = [[Value::Null, json!("say: Well done")], [Value::Null, Value::Null]];
    says(Sense::Speech, "Owl/bubble", bubble, "Owl says nothing", "Owl says \"Well done\"");
    let score = [[json!(0), json!(0)], [json!(0), json!(7)]];
    let (seen, expected) = ("the display \"score\" shows 7", "the display \"score\" shows 0");
    says(Sense::Monitor, "Stage/variable/score", score, seen, expected);
    let speed = [[json!(1), json!(1)], [json!(1), json!(2)]];
    let (seen, expected) = ("the display \"speed\" of Moth shows 2", "the display \"speed\" of Moth shows 1");
    says(Sense::Monitor, "Moth/variable/speed", speed, seen, expected);
    let riders = [[json!("[]"), json!("[]")], [json!("[]"), json!("[3,4]")]];
    let (seen, expected) = ("the list \"riders\" shows 3, 4", "the list \"riders\" is empty");
    says(Sense::Monitor, "Stage/list/riders", riders, seen, expected);
}

#[test]
fn a_display_that_keeps_changing_is_told_without_what_it_shows_at_the_moment() {
    let noticed = Noticed { sense: Sense::Monitor, signal: "Stage/variable/laps".to_owned(), after: 100 };
    let run = |t: &[u64]| {
        let v = (0..t.len()).map(|number| json!(number * 9001)).collect();
        TraceRun {
            ticks: 300,
            signals: BTreeMap::from([("Stage/variable/laps".to_owned(), Column { t: t.to_vec(), v })]),
        }
    };
    let (still, busy) = (run(&[9]), run(&[9, 69, 79, 89, 99, 109]));
    let (changes, shows) = ("the display \"laps\" keeps changing", "the display \"laps\" shows 0");
    assert_eq!(told(&noticed, [&still, &busy]), [changes, shows]);
    assert_eq!(told(&noticed, [&busy, &still]), [shows, changes]);
    assert_eq!(told(&noticed, [&run(&[9, 39, 59]), &still])[1], "the display \"laps\" shows 18002", "it comes to rest");
    assert_eq!(told(&noticed, [&busy, &busy])[0], "the display \"laps\" shows 36004", "both do");
}

#[test]
fn a_place_is_told_as_a_direction_from_where_it_should_be() {
    let noticed = Noticed { sense: Sense::Place, signal: "Moth/x".to_owned(), after: 100 };
    let at = |x: i64, y: i64| run(&[("Moth/x", [json!(0), json!(x)]), ("Moth/y", [json!(0), json!(y)])]);
    let words = |golden: &TraceRun, buggy: &TraceRun| told(&noticed, [golden, buggy]);
    assert_eq!(words(&at(10, 0), &at(90, 5)), ["Moth is too far to the right", "Moth is further to the left"]);
    assert_eq!(words(&at(10, 0), &at(20, -90)), ["Moth is too far down", "Moth is further up"]);
    assert_eq!(words(&at(10, 0), &at(0, 0)), ["Moth has not moved", "Moth has moved"]);
}

#[test]
fn sounds_are_heard_or_not_and_have_no_names() {
    let noticed = Noticed { sense: Sense::Sound, signal: "events/sound:Moth: pop".to_owned(), after: 100 };
    let heard = |ticks: &[u64]| TraceRun {
        ticks: 300,
        signals: BTreeMap::from([(
            "events/sound".to_owned(),
            Column { t: ticks.to_vec(), v: vec![json!("Moth: pop"); ticks.len()] },
        )]),
    };
    let words = |golden: &[u64], buggy: &[u64]| told(&noticed, [&heard(golden), &heard(buggy)]);
    assert_eq!(words(&[50], &[]), ["no sound of Moth is heard", "a sound of Moth is heard"]);
    assert_eq!(words(&[], &[50]), ["a sound of Moth is heard", "no sound of Moth is heard"]);
    assert_eq!(words(&[50], &[50, 60])[0], "a sound of Moth is heard too often");
}

#[test]
fn the_moment_counts_from_the_last_thing_that_the_player_did() {
    let mut scenario = Scenario {
        id: "s1".to_owned(),
        template: "tap(space)".to_owned(),
        length: 300,
        answers: Vec::new(),
        steps: vec![Step::Flag { at: 0 }, Step::Key { at: 60, key: "space".to_owned(), ticks: 3 }],
    };
    assert_eq!(moment(&scenario, 90), "1.0 s after you press the space key");
    assert_eq!(moment(&scenario, 30), "1.0 s after the green flag");
    scenario.steps[1] = Step::Key { at: 60, key: "a".to_owned(), ticks: 60 };
    assert_eq!(moment(&scenario, 90), "1.0 s after you begin to hold the a key for 2.0 s");
    scenario.steps.push(Step::Flag { at: 120 });
    assert_eq!(moment(&scenario, 150), "1.0 s after the second green flag");
}
