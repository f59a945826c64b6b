//! Reports of sightings that are made up, and which scenarios a sighting is of.

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::judge::Played;
use crate::model::Step;
use crate::noticing::{Noticed, Sense, Watch};

fn played(signals: &Value) -> Arc<Played> {
    let run = json!({"ticks": 300, "signals": signals});
    Arc::new(Played { hash: signals.to_string(), ..Played::of_run(serde_json::from_value(run).unwrap()) })
}

fn scenario(steps: Vec<Step>, answers: &[&str]) -> Scenario {
    let answers = answers.iter().map(|answer| (*answer).to_owned()).collect();
    Scenario { id: "s1".to_owned(), template: "tap(space)".to_owned(), length: 300, answers, steps }
}

fn key(at: u64) -> Step {
    Step::Key { at, key: "space".to_owned(), ticks: 3 }
}

#[test]
fn a_report_tells_what_a_player_sees_after_doing_what() {
    let golden = played(&json!({"Card/visible": {"t": [9, 99], "v": [false, true]}}));
    let buggy =
        played(&json!({"Card/visible": {"t": [9], "v": [false]}, "events/question": {"t": [20], "v": ["Name?"]}}));
    let noticed = vec![Noticed { sense: Sense::Visibility, signal: "Card/visible".to_owned(), after: 100 }];
    let scenario = scenario(vec![Step::Flag { at: 0 }, key(70)], &["Ada", "7"]).until(100);
    let report = report(&Sighting { scenario, golden, buggy, noticed });
    assert_eq!(report.symptom, "1.0 s after you press the space key, Card is hidden.");
    assert_eq!(report.expected, "1.0 s after you press the space key, Card shows.");
    assert_eq!(
        report.reproduce,
        [
            "At 0.0 s: click the green flag.",
            "At 2.3 s: press the space key.",
            "When asked, answer \"Ada\".",
            "At 3.3 s: look."
        ]
    );
}

/// The stage shows another backdrop at a key, and in one project the moth sits elsewhere from the flag on.
fn project(x: u64) -> Value {
    let flag = json!({"opcode": "event_whenflagclicked", "next": "to", "parent": null, "inputs": {}, "fields": {}, "shadow": false,
        "topLevel": true, "x": 0, "y": 0});
    let to = json!({"opcode": "motion_setx", "next": null, "parent": "flag", "inputs": {"X": [1, [4, x.to_string()]]}, "fields": {},
        "shadow": false, "topLevel": false});
    let target = |is_stage: bool, name: &str, blocks: Value| {
        json!({"isStage": is_stage, "name": name, "variables": {}, "lists": {}, "broadcasts": {}, "comments": {}, "blocks": blocks,
            "costumes": [], "sounds": []})
    };
    json!({"targets": [target(true, "Stage", json!({})), target(false, "Moth", json!({"flag": flag, "to": to}))], "monitors": [],
        "extensions": [], "meta": {}})
}

#[test]
fn what_only_a_message_from_outside_shows_is_no_sighting() {
    let watch = Watch::between(&project(0), &project(90));
    let at = |x: u64| played(&json!({"Moth/x": {"t": [9, 99], "v": [0, x]}}));
    let (golden, buggy) = (at(0), at(90));
    let seen = |steps: Vec<Step>| {
        Sighting::of(&watch, &scenario(steps, &[]), [&golden, &buggy], 10).map(|sighting| sighting.after())
    };
    let message = |at: u64| Step::Message { at, message: "go".to_owned() };
    assert_eq!(seen(vec![Step::Flag { at: 0 }, key(60)]), Some(100));
    assert_eq!(seen(vec![Step::Flag { at: 0 }, message(60)]), None);
    assert_eq!(seen(vec![Step::Flag { at: 0 }, message(200)]), Some(100), "it comes later");
    let same = Sighting::of(&watch, &scenario(vec![Step::Flag { at: 0 }], &[]), [&golden, &golden], 10);
    assert!(same.is_none());
}

#[test]
fn large_projects_are_harder() {
    assert_eq!([40, 100, 508].map(|blocks| size(blocks, BLOCKS)), [0, 1, 2]);
    assert_eq!([9_000, 50_000, 150_000].map(|bytes| size(bytes, BYTES)), [0, 1, 2]);
    assert!(shows_elsewhere("Card/visible", "Moth") && !shows_elsewhere("Moth/x", "Moth"));
    assert!(!shows_elsewhere("Stage/variable/score", "Moth"));
}
