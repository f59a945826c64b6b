//! What is shown of a small project: a score that is not set back.

use serde_json::{Value, json};
use strum::IntoEnumIterator as _;

use super::FaultViewError;
use super::fakes::{edits, gold, runs, suite};
use super::film::{drawn, film};
use super::marks::marked;
use super::patch::{Piece, in_words};
use super::repair::shown_patched;
use super::suite::table;
use crate::compile::{BuildError, Gap, Mark};
use crate::judge::PlayError;
use crate::mend::{Repair, Stage};
use crate::project::Project;
use crate::project::edit::{apply, inverse};

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
fn a_patched_project_is_shown_where_its_patch_was_applied_and_loads() {
    let (gold, suite) = (gold(), suite());
    let repair = |stage, patch: Value| Repair::stopped(stage, String::new(), edits(patch), &suite);
    let fits =
        json!([{"op": "modify", "sprite_id": "Stage", "block_id": "wait", "path": "inputs/DURATION", "value": "9"}]);
    let shown = Stage::iter().filter(|stage| shown_patched(&gold, &repair(*stage, fits.clone())).is_some());
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [Stage::Hung, Stage::ConsoleError, Stage::AssertionFailed, Stage::GuardFailed, Stage::Passed]
    );
    let unfit = json!([{"op": "remove", "sprite_id": "Stage", "block_id": "nowhere"}]);
    assert!(shown_patched(&gold, &repair(Stage::Passed, unfit)).is_none(), "whatever its record claims");
}

#[test]
fn only_a_broken_testbed_keeps_other_repairs_from_being_shown() {
    assert!(FaultViewError::Play(PlayError::Ended).is_of_testbed());
    let errors = [
        FaultViewError::Play(PlayError::Unloadable("no targets".to_owned())),
        FaultViewError::Build(BuildError::NoPicture),
        FaultViewError::Unsteady { id: "bee".to_owned(), scenario: "s1".to_owned() },
    ];
    assert!(errors.iter().all(|error| !error.is_of_testbed()));
}
