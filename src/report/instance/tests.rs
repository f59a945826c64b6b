//! The page from a small project: a score that is not set back.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::film::{drawn, film};
use super::marks::marked;
use super::patch::in_words;
use super::suite::table;
use super::*;
use crate::compile::{Gap, Mark};
use crate::judge::Played;
use crate::model::Suite;
use crate::project::Project;
use crate::project::edit::{Edit, apply, inverse};

/// The flag sets the score to 0 and says "<go>".
fn gold() -> Project {
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

fn edits(patch: Value) -> Vec<Edit> {
    serde_json::from_value(patch).unwrap()
}

fn plain(sentences: &[Vec<Piece>]) -> Vec<String> {
    let read = |pieces: &Vec<Piece>| serde_json::to_value(pieces).unwrap();
    let text = |pieces: Value| pieces.as_array().unwrap().iter().map(|piece| piece["text"].as_str().unwrap()).collect();
    sentences.iter().map(read).map(text).collect()
}

/// What a removed block leaves: an outline in gold, a gap in the buggy project, and sentences for both ways.
#[test]
fn a_removed_block_is_outlined_in_gold_and_is_a_gap_in_the_buggy_project() {
    let gold = gold();
    let forward = edits(json!([{"op": "remove", "sprite_id": "Stage", "block_id": "set"}]));
    let back = inverse(&gold.json, &forward).unwrap().unwrap();
    let buggy = Project { json: apply(&gold.json, &forward).unwrap(), ..gold.clone() };
    let [script] = marked(&gold, &back, &forward)["Stage"].clone().try_into().unwrap();
    assert_eq!((script.first.as_str(), script.gaps.len()), ("hat", 0));
    assert_eq!(script.marks, [Mark { block: "set".to_owned(), input: None }]);
    let [script] = marked(&buggy, &forward, &back)["Stage"].clone().try_into().unwrap();
    assert_eq!((script.first.as_str(), script.marks.len()), ("hat", 0));
    let [Gap { above, input, .. }] = script.gaps.try_into().unwrap();
    assert_eq!((above.as_deref(), input), (Some("hat"), None));
    assert_eq!(plain(&in_words(&gold, &forward).unwrap()), ["Stage: remove set [score v] to [0]."]);
    assert_eq!(
        plain(&in_words(&buggy, &back).unwrap()),
        ["Stage: add set [score v] to [0] below when green flag clicked."]
    );
}

#[test]
fn a_changed_slot_is_marked_by_itself_in_both_projects() {
    let gold = gold();
    let forward = edits(
        json!([{"op": "modify", "sprite_id": "Stage", "block_id": "wait", "path": "inputs/DURATION", "value": "9"}]),
    );
    let back = inverse(&gold.json, &forward).unwrap().unwrap();
    let buggy = Project { json: apply(&gold.json, &forward).unwrap(), ..gold.clone() };
    for (project, to, from) in [(&gold, &back, &forward), (&buggy, &forward, &back)] {
        let [script] = marked(project, to, from)["Stage"].clone().try_into().unwrap();
        assert_eq!(script.marks, [Mark { block: "wait".to_owned(), input: Some("DURATION".to_owned()) }]);
    }
    assert_eq!(plain(&in_words(&gold, &forward).unwrap()), ["Stage: change wait (1) seconds to wait (9) seconds."]);
}

fn suite() -> Suite {
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

fn runs(ticks: &[u64]) -> [Played; 2] {
    let over = json!({"t": [40], "v": ["over"]});
    [played(&json!(0), &over, None, ticks), played(&json!("7"), &json!({"t": [], "v": []}), Some(70), ticks)]
}

#[test]
fn the_film_has_the_moments_before_at_and_after_the_parting_and_where_it_is_decided() {
    let suite = suite();
    let (scenario, assertion) = (&suite.scenarios[1], &suite.assertions[0]);
    let ticks = drawn(scenario, assertion, suite.every);
    assert_eq!((ticks.first(), ticks.last(), ticks.len()), (Some(&10), Some(&120), 12));
    let [gold, buggy] = runs(&ticks);
    let film = serde_json::to_value(film(scenario, assertion, suite.every, [&gold, &buggy])).unwrap();
    let frames = film["frames"].as_array().unwrap();
    let told: Vec<(u64, &str)> =
        frames.iter().map(|frame| (frame["tick"].as_u64().unwrap(), frame["why"].as_str().unwrap())).collect();
    assert_eq!(
        told,
        [
            (40, "both runs are still the same"),
            (50, "first difference, not yet on the stage"),
            (70, "first difference on the stage"),
            (80, "a second later"),
            (90, "the assertion is decided"),
        ]
    );
    assert_eq!((&frames[0]["differences"], &frames[0]["is_alike"]), (&json!([]), &json!(true)));
    let both = json!([["\"score\"", "0", "7"], ["the message \"over\"", "once", "not at all"]]);
    assert_eq!((&frames[1]["differences"], &frames[1]["around"]), (&both, &Value::Null));
    assert_eq!(frames[2]["around"], json!([94, 44, 51, 41]), "six pixels around the square");
}

#[test]
fn a_small_film_has_the_same_moments_with_stages_of_half_the_width() {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    let suite = suite();
    let (scenario, assertion) = (&suite.scenarios[1], &suite.assertions[0]);
    let [gold, buggy] = runs(&drawn(scenario, assertion, suite.every));
    let whole = film(scenario, assertion, suite.every, [&gold, &buggy]);
    let [small, whole] = [whole.clone().small(), whole].map(|film| serde_json::to_value(film).unwrap());
    let stage = |film: &Value| STANDARD.decode(film["frames"][2]["stages"][1].as_str().unwrap()).unwrap();
    let size = |film| image::load_from_memory(&stage(film)).unwrap().into_rgb8().dimensions();
    assert_eq!((size(&whole), size(&small)), ((480, 360), (240, 180)));
    assert_eq!(small["frames"][2]["around"], whole["frames"][2]["around"], "boxes are told in the stage's own pixels");
}

#[test]
fn the_table_says_when_assertions_are_decided_and_where_runs_differ() {
    let suite = suite();
    let view = serde_json::to_value(table(&suite, &[runs(&[]), runs(&[])])).unwrap();
    assert_eq!((&view["scenarios"][0]["rows"], &view["axis"][1]), (&json!([]), &json!([80, "1 s"])));
    let [score, over] = [&view["scenarios"][1]["rows"][0], &view["scenarios"][1]["rows"][1]];
    assert_eq!((&score["decided"], &score["shows"]), (&json!("3.0 s"), &json!([["0", true], ["7", false]])));
    assert_eq!(
        (&over["shows"], &over["shares"]),
        (&json!([["once", true], ["not at all", false]]), &json!([100.0, 50.0]))
    );
    assert_eq!(score["line"]["spans"], json!([[133, 320]]), "from the tick 50 to the end, of 120");
    let says = score["line"]["says"].as_str().unwrap();
    assert_eq!(says, "\"score\": differs from 1.7 s to 4.0 s; decided after 3.0 s");
}

#[test]
fn the_page_needs_no_other_file_and_escapes_what_projects_say() {
    let suite = suite();
    let ticks = drawn(&suite.scenarios[1], &suite.assertions[0], suite.every);
    let [gold_run, buggy_run] = runs(&ticks);
    let script =
        ScriptView { sprite: "<Bee>".to_owned(), svg: "PHN2Zz4=".to_owned(), width: 9, height: 9, marks: 1, gaps: 0 };
    let page = InstancePage {
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
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bee.html");
    write_instance_page(&file, &page).unwrap();
    let html = std::fs::read_to_string(&file).unwrap();
    for there in [
        "data:image/svg+xml;base64,PHN2Zz4=",
        "There is no such script here.",
        "data:image/png;base64,AA==",
        "data:image/png;base64,AQ==",
        "<code>set [score v] to [0]</code>",
        "<span class=\"gone\">- say [&lt;go&gt;]",
        "a guard; nothing is asserted in it",
        "first difference on the stage",
    ] {
        assert!(html.contains(there), "{there} is not in {html}");
    }
    assert!(!html.contains("<Bee>") && !html.contains("<b>") && !html.contains("<this>"));
    assert!(!html.contains("http:") && !html.contains("https:") && !html.contains("<script"));
}
