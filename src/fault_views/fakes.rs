//! A small project whose score is not set back, its runs, and the page about it: for tests of this room and of those that show it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::film::{drawn, film};
use super::patch::in_words;
use super::suite::table;
use super::{InstancePage, ScriptView};
use crate::bugs::{BugPictures, BugReport};
use crate::judge::Played;
use crate::model::Suite;
use crate::project::Project;
use crate::project::edit::Edit;

/// The flag sets the score to 0 and says "<go>".
pub(super) fn gold() -> Project {
    let json = json!({"targets": [{
        "isStage": true, "name": "Stage", "variables": {"v1": ["score", 5]}, "lists": {}, "broadcasts": {}, "comments": {},
        "costumes": [], "sounds": [], "currentCostume": 0, "layerOrder": 0, "volume": 100,
        "blocks": {
            "hat": {"opcode": "event_whenflagclicked", "next": "set", "parent": null, "inputs": {}, "fields": {}, "shadow": false, "topLevel": true, "x": 0, "y": 0},
            "set": {"opcode": "data_setvariableto", "next": "wait", "parent": "hat", "inputs": {"VALUE": [1, [10, "0"]]}, "fields": {"VARIABLE": ["score", "v1"]}, "shadow": false, "topLevel": false},
            "wait": {"opcode": "control_wait", "next": null, "parent": "set", "inputs": {"DURATION": [1, [5, "1"]]}, "fields": {}, "shadow": false, "topLevel": false}
        }
    }], "monitors": [], "extensions": [], "meta": {}});
    Project::from_json(&json.to_string(), BTreeMap::new()).unwrap()
}

pub(super) fn edits(patch: Value) -> Vec<Edit> {
    serde_json::from_value(patch).unwrap()
}

pub(super) fn suite() -> Suite {
    let suite = json!({"format": 2, "seeds": [1, 2], "horizon": 300, "every": 10, "theta": [0.9, 0.1], "engine": "e", "editor": "1",
        "scenarios": [
            {"id": "s1", "template": "idle", "length": 300, "answers": [], "steps": [{"at": 0, "do": "flag"}]},
            {"id": "s2", "template": "tap(space)", "length": 120, "answers": [],
                "steps": [{"at": 0, "do": "flag"}, {"at": 30, "do": "key", "key": "space", "ticks": 3}]}],
        "assertions": [
            {"id": "a1", "scenario": "s2", "kind": "equals", "signal": "Stage/variable/score", "after": 90, "value": 0,
                "p_golden": 1.0, "p_buggy": 0.0, "says": "…"},
            {"id": "a2", "scenario": "s2", "kind": "event", "event": "broadcast", "name": "over", "by": 60, "n": 1,
                "p_golden": 1.0, "p_buggy": 0.5, "says": "…"}]});
    Suite::read(&suite.to_string()).unwrap()
}

/// A run whose score changes at a tick, with pictures in which a square is seen from another tick on.
fn played(score: &Value, events: &Value, seen_from: Option<u64>, ticks: &[u64]) -> Played {
    let signals = json!({"Stage/variable/score": {"t": [9, 49], "v": [5, score]}, "events/broadcast": events,
        "program/threads": {"t": [9], "v": [if seen_from.is_some() { 1 } else { 2 }]}});
    let run = serde_json::from_value(json!({"ticks": 120, "signals": signals})).unwrap();
    let picture = |tick: u64| {
        let mut stage = image::RgbImage::new(480, 360);
        if seen_from.is_some_and(|from| tick >= from) {
            stage.put_pixel(100, 50, image::Rgb([255, 0, 0]));
            stage.put_pixel(139, 79, image::Rgb([255, 0, 0]));
        }
        let mut png = std::io::Cursor::new(Vec::new());
        stage.write_to(&mut png, image::ImageFormat::Png).unwrap();
        png.into_inner()
    };
    Played { pictures: ticks.iter().map(|tick| (*tick, picture(*tick))).collect(), ..Played::of_run(run) }
}

pub(super) fn runs(ticks: &[u64]) -> [Played; 2] {
    let over = json!({"t": [40], "v": ["over"]});
    [played(&json!(0), &over, None, ticks), played(&json!("7"), &json!({"t": [], "v": []}), Some(70), ticks)]
}

/// A page that says markup and has every part.
pub fn page() -> InstancePage {
    let suite = suite();
    let ticks = drawn(&suite.scenarios[1], &suite.assertions[0], suite.every);
    let [gold_run, buggy_run] = runs(&ticks);
    let script =
        ScriptView { sprite: "<Bee>".to_owned(), svg: "PHN2Zz4=".to_owned(), width: 9, height: 9, marks: 1, gaps: 0 };
    InstancePage {
        id: "bee".to_owned(),
        project: "bee".to_owned(),
        pattern: "missing initialization".to_owned(),
        means: "It means <this>.",
        operator: "MI.delete".to_owned(),
        difficulty: "easy".to_owned(),
        sprite: "<Bee>".to_owned(),
        report: BugReport { symptom: "<b>".to_owned(), expected: "no".to_owned(), reproduce: vec!["Look.".to_owned()] },
        pictures: Some(BugPictures { seen: "AA==".to_owned(), expected: "AQ==".to_owned() }),
        fault: in_words(&gold(), &edits(json!([{"op": "remove", "sprite_id": "Stage", "block_id": "set"}]))).unwrap(),
        repair: Vec::new(),
        scripts: [vec![script], Vec::new()],
        lines: vec![('-', "say [<go>]".to_owned()), (' ', "hide".to_owned())],
        film: Some(film(&suite.scenarios[1], &suite.assertions[0], suite.every, [&gold_run, &buggy_run])),
        suite: table(&suite, &[runs(&[]), runs(&[])]),
        licence: serde_json::from_value(json!({"spdx": "MIT", "source": "here", "publish": true})).unwrap(),
    }
}
