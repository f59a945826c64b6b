//! Files of all kinds of brokenness go through the gates: each is refused or taken with a reason.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use serde_json::json;

use super::*;

/// A sound project with one costume.
fn project() -> Project {
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec();
    let asset = crate::model::md5_hex(&svg);
    let costume = json!({"name": "c", "assetId": asset, "dataFormat": "svg", "md5ext": format!("{asset}.svg"), "rotationCenterX": 0, "rotationCenterY": 0});
    let hat = json!({"opcode": "event_whenflagclicked", "next": "wait", "parent": null, "inputs": {}, "fields": {}, "shadow": false, "topLevel": true, "x": 0, "y": 0});
    let wait = json!({"opcode": "control_wait", "next": null, "parent": "hat", "inputs": {"DURATION": [1, [5, "1"]]}, "fields": {}, "shadow": false, "topLevel": false});
    let stage = json!({"isStage": true, "name": "Stage", "variables": {"v": ["\u{2601} best", 0, true]}, "lists": {}, "broadcasts": {},
        "blocks": {"hat": hat, "wait": wait}, "comments": {}, "currentCostume": 0, "costumes": [costume], "sounds": [], "volume": 100, "layerOrder": 0});
    let json = json!({"targets": [stage], "monitors": [], "extensions": [], "meta": {"semver": "3.0.0"}});
    Project { json, assets: BTreeMap::from([(format!("{asset}.svg"), svg)]) }
}

fn row() -> Row {
    Row::new("x", Path::new("x.sb3"), String::new())
}

fn codes(project: &Project) -> Vec<String> {
    let mut row = row();
    before_loading(&mut row, &project.write().unwrap());
    row.gates.into_iter().map(|fault| fault.code).collect()
}

fn loaded(project: Project, targets: usize, broken: &[&str]) -> (Row, Project) {
    let bytes = project.write().unwrap();
    let mut row = row();
    assert!(before_loading(&mut row, &bytes));
    let broken = broken.iter().map(|name| (*name).to_owned()).collect();
    let project = after_loading(&mut row, &bytes, Original { project, targets, broken, load_ms: 1.0 });
    (row, project)
}

#[test]
fn each_gate_has_its_code() {
    assert_eq!(codes(&project()), Vec::<String>::new());
    let mut extension = project();
    extension.json["extensions"] = json!(["pen", "microbit"]);
    assert_eq!(codes(&extension), ["extension_needed"]);
    let mut bare = project();
    bare.assets.clear();
    assert_eq!(codes(&bare), ["asset_missing"]);
    let mut circle = project();
    circle.json["targets"][0]["blocks"]["wait"]["next"] = json!("wait");
    assert!(codes(&circle).contains(&"block_cycle".to_owned()), "{:?}", codes(&circle));
    let mut many = project();
    let items: Vec<u32> = (0..200_000).collect();
    many.json["targets"][0]["lists"]["l"] = json!(["items", items]);
    assert_eq!(codes(&many), Vec::<String>::new());
}

#[test]
fn what_the_loader_loses_is_noticed_and_clouds_become_plain() {
    let (row, normal) = loaded(project(), 1, &[]);
    assert_eq!(row.gates, []);
    assert_eq!(row.changes, ["cloud variables made plain", "normalised"]);
    let variables = normal.json["targets"][0]["variables"].as_object().unwrap();
    assert_eq!(variables.values().collect::<Vec<_>>(), [&json!(["\u{2601} best", 0])]);
    assert_eq!(row.features.unwrap().blocks, 2);
    assert_eq!(row.tags, ["timing"]);
    let (lost, _) = loaded(project(), 0, &["Stage: c"]);
    let codes: Vec<&str> = lost.gates.iter().map(|fault| fault.code.as_str()).collect();
    assert_eq!(codes, ["targets_lost", "costume_broken"]);
}

#[test]
fn what_a_patch_without_edits_would_change_is_refused_and_files_without_parents_are_not() {
    let mut bare = project();
    for block in bare.json["targets"][0]["blocks"].as_object_mut().unwrap().values_mut() {
        block.as_object_mut().unwrap().shift_remove("parent");
    }
    assert_eq!(not_editable(&bare.json).unwrap().code, "not_editable", "before it is normalised");
    let (row, normal) = loaded(bare, 1, &[]);
    assert_eq!((row.gates, not_editable(&normal.json)), (Vec::new(), None));
}

/// The archive without one of its entries.
fn without_entry(archive: &[u8], which: usize) -> Vec<u8> {
    let mut from = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    let mut to = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let out = which % from.len();
    for index in (0..from.len()).filter(|index| *index != out) {
        let mut entry = from.by_index(index).unwrap();
        let (name, mut bytes) = (entry.name().unwrap().into_owned(), Vec::new());
        entry.read_to_end(&mut bytes).unwrap();
        to.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        to.write_all(&bytes).unwrap();
    }
    to.finish().unwrap().into_inner()
}

#[test]
fn a_thousand_damaged_archives_are_each_refused_or_taken_with_a_reason() {
    let (deflated, stored) = (project().write().unwrap(), project().pack().unwrap());
    let mut random = Pcg64::seed_from_u64(1);
    let (mut refused, mut taken) = (0, 0);
    for number in 0..1000_usize {
        let mut bytes = if number % 2 == 0 { deflated.clone() } else { stored.clone() };
        match number % 5 {
            0 => bytes.truncate(random.random_range(0..bytes.len())),
            1 => bytes = without_entry(&bytes, number / 5),
            _ => {
                for _ in 0..random.random_range(1..8) {
                    let at = random.random_range(0..bytes.len());
                    bytes[at] ^= 1 << random.random_range(0..8);
                }
            }
        }
        let began = Instant::now();
        let mut row = row();
        let passes = before_loading(&mut row, &bytes);
        assert!(began.elapsed() < Duration::from_secs(2), "{number} took {:?}", began.elapsed());
        if passes {
            taken += 1;
            if let Ok(project) = Project::read(&bytes) {
                let targets = project.json["targets"].as_array().map_or(0, Vec::len);
                after_loading(&mut row, &bytes, Original { project, targets, broken: Vec::new(), load_ms: 0.0 });
            }
        } else {
            refused += 1;
            assert!(
                row.gates.iter().all(|fault| !fault.code.is_empty() && !fault.reason.is_empty()),
                "{:?}",
                row.gates
            );
        }
    }
    assert!(refused > 600 && taken > 0, "{refused} refused, {taken} taken");
}
