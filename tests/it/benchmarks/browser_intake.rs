//! Projects are taken into a pool through `load-original.js` and the smoke run: sound ones, broken ones, an older version, a copy; a scan
//! that goes on where it was; records and the contact sheet.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use scratchbed::project::Project;
use serde_json::{Value, json};

use crate::support::program::{Answer, Scratchbed};

/// A bundled game.
const GAME: &str = "assets/pool/lantern_run";

/// A copy of the game without the record that was written for it.
fn without_record(folder: &Path) {
    fs::create_dir_all(folder.join("assets")).unwrap();
    for place in ["", "assets"] {
        for entry in fs::read_dir(Path::new(GAME).join(place)).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() && entry.file_name() != "record.json" {
                fs::copy(entry.path(), folder.join(place).join(entry.file_name())).unwrap();
            }
        }
    }
}

/// What `intake …` answers.
fn intake(scratchbed: &Scratchbed, args: &[&str]) -> Answer {
    let answer = scratchbed.call(&["intake"]).args(args).blocking_answer();
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    answer
}

/// Outcomes and codes of faults, by name.
fn outcomes(report: &Answer) -> BTreeMap<String, (String, Vec<String>)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let of = |one: &Value| {
        let codes = one["gates"].as_array().unwrap().iter().map(|fault| text(&fault["code"])).collect();
        (text(&one["id"]), (text(&one["outcome"]), codes))
    };
    report["projects"].as_array().unwrap().iter().map(of).collect()
}

fn find<'a>(report: &'a Answer, id: &str) -> &'a Value {
    report["projects"].as_array().unwrap().iter().find(|one| one["id"] == id).unwrap()
}

/// A project of Scratch 2 that waits and counts, with a cloud variable.
fn of_scratch_2() -> Vec<u8> {
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><path fill="navy" d="M0 0h480v360H0z"/></svg>"#;
    let costume = json!({"costumeName": "night", "baseLayerID": 0, "baseLayerMD5": format!("{}.svg", scratchbed::model::md5_hex(svg)),
        "bitmapResolution": 1, "rotationCenterX": 240, "rotationCenterY": 180});
    let script =
        json!([["whenGreenFlag"], ["doRepeat", 3, [["changeVar:by:", "\u{2601} n", 1], ["wait:elapsed:from:", 0.1]]]]);
    let stage = json!({"objName": "Stage", "variables": [{"name": "\u{2601} n", "value": 0, "isPersistent": true}],
        "scripts": [[10, 10, script]], "costumes": [costume], "currentCostumeIndex": 0, "penLayerMD5": "", "penLayerID": -1,
        "tempoBPM": 60, "videoAlpha": 0.5, "children": [], "info": {}});
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in [("project.json", stage.to_string().as_bytes()), ("0.svg", svg.as_slice())] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Writes broken variants of a sound project.
fn write_broken(folder: &Path, golden: &[u8]) {
    let sound = Project::read(golden).unwrap();
    let variant = |name: &str, change: &dyn Fn(&mut Project)| {
        let mut project = sound.clone();
        change(&mut project);
        fs::write(folder.join(name), project.write().unwrap()).unwrap();
    };
    variant("bare.sb3", &|project| project.assets.clear());
    variant("robot.sb3", &|project| project.json["extensions"] = json!(["microbit"]));
    variant("silent.sb3", &|project| {
        for target in project.json["targets"].as_array_mut().unwrap() {
            target["blocks"] = json!({});
        }
    });
    fs::write(folder.join("cut.sb3"), &golden[..golden.len() / 2]).unwrap();
    fs::write(folder.join("junk.sb"), b"ScratchV02 and nothing more").unwrap();
    fs::write(folder.join("copy.sb3"), golden).unwrap();
}

#[test]
fn projects_are_taken_or_refused_with_a_reason_and_a_second_scan_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (files, pool) = (folder.path().join("files"), folder.path().join("pool"));
    fs::create_dir(&files).unwrap();
    fs::write(files.join("old.sb2"), of_scratch_2()).unwrap();
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let (files, pool) = (path(&files), path(&pool));
    let game = folder.path().join("lantern_run");
    without_record(&game);
    let text = game.to_str().unwrap();
    let scratchbed = Scratchbed::new();
    let first = intake(&scratchbed, &["scan", text, &files, "--out", &pool, "--profile", "none", "--lanes", "1"]);
    let found = outcomes(&first);
    for id in ["lantern_run", "old"] {
        assert_eq!(found[id], ("taken".to_owned(), Vec::new()), "{id}");
    }
    let old = find(&first, "old");
    assert_eq!((&old["converted_from"], &old["features"]["blocks"]), (&json!("sb2"), &json!(4)));
    assert_eq!(old["changes"], json!(["converted", "cloud variables made plain", "normalised"]));
    assert!(old["smoke"]["ran"].as_u64().unwrap() >= 4, "{old}");

    drafted(&scratchbed, &pool);
    confirm(&scratchbed, &pool);
    fs::copy(Path::new(GAME).join("record.json"), game.join("record.json")).unwrap();
    let golden = fs::read(Path::new(&pool).join("lantern_run/golden.sb3")).unwrap();
    write_broken(Path::new(&files), &golden);
    let second = intake(&scratchbed, &["scan", text, &files, "--out", &pool, "--profile", "none", "--lanes", "1"]);
    let found = outcomes(&second);
    let codes = |id: &str| found[id].1.iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(codes("bare"), ["asset_missing"]);
    assert_eq!(codes("robot"), ["extension_needed"]);
    assert_eq!(codes("silent"), ["nothing_ran"]);
    assert_eq!(codes("cut"), ["broken_archive"]);
    assert_eq!(codes("junk"), ["project_unloadable"]);
    // Its licence is not known, so the text stays in its place.
    assert_eq!(found["copy"].0, "duplicate");
    assert_eq!(found["lantern_run"].0, "taken");
    for id in ["lantern_run", "old"] {
        let smoke = |report: &Answer| find(report, id)["smoke"].clone();
        assert_eq!(smoke(&first), smoke(&second), "what was measured is used again");
    }
    let written = intake(&scratchbed, &["record", &pool, "lantern_run"]);
    assert_eq!((&written["status"], &written["by"], &written["lacks"]), (&json!("written"), &json!([]), &json!([])));
    assert_eq!(written["written_by"], json!(["scratchbed contributors"]), "nobody has confirmed it by playing");
    assert_eq!(written["goal"]["terms"][0][0], "catch", "what was written takes the place of a draft");
    assert_eq!(intake(&scratchbed, &["record", &pool, "old"])["by"], json!(["r1"]), "what was confirmed stays");
    sheet(&scratchbed, &pool, folder.path());
}

/// Reads a drafted record.
fn drafted(scratchbed: &Scratchbed, pool: &str) {
    let draft = intake(scratchbed, &["record", pool, "lantern_run"]);
    assert_eq!((&draft["status"], &draft["project"]), (&json!("draft"), &json!("lantern_run")));
    let hooks = draft["hooks"].as_array().unwrap();
    assert_eq!(hooks[0]["event"], "green_flag");
    let moved = hooks.iter().any(|hook| hook["event"] == "key:right_arrow" && hook["outcomes"] != json!([]));
    assert!(moved, "{draft:#}");
    let signals = draft["state_signals"].as_array().unwrap();
    assert!(signals.len() <= 24 && signals.contains(&json!("Stage/variable/score")), "{signals:?}");
    assert!(draft["lacks"].as_array().unwrap().contains(&json!("a genre")), "{}", draft["lacks"]);
}

/// A draft is confirmed once a person has said in words what the project is for.
fn confirm(scratchbed: &Scratchbed, pool: &str) {
    let refused = scratchbed.call(&["intake", "record", pool, "old", "--confirm", "r1"]).blocking_answer();
    assert_eq!((refused.code, &refused["error"]["code"]), (3, &json!("record_unfinished")), "{}", refused.stderr);
    let file = Path::new(pool).join("old/record.json");
    let mut record: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    record["goal"]["terms"] = json!([["count", "counts"], ["three"]]);
    fs::write(&file, record.to_string()).unwrap();
    let confirmed = intake(scratchbed, &["record", pool, "old", "--confirm", "r1"]);
    assert_eq!((&confirmed["status"], &confirmed["by"]), (&json!("confirmed"), &json!(["r1"])));
    assert!(confirmed["states"].as_str().unwrap().contains("I have played it"), "{confirmed:#}");
    assert_eq!((confirmed["sha256"].as_str().map(str::len), &confirmed["doubt"]), (Some(64), &Value::Null));
}

/// The sheet shows the two that are taken, with a picture each.
fn sheet(scratchbed: &Scratchbed, pool: &str, folder: &Path) {
    let file = folder.join("sheet.html");
    let list = intake(scratchbed, &["list", pool, "--html", file.to_str().unwrap()]);
    let projects = list["projects"].as_array().unwrap();
    let ids: Vec<&str> = projects.iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["lantern_run", "old"]);
    assert_eq!((&projects[0]["publish"], &projects[1]["publish"]), (&json!(true), &json!(false)));
    let html = fs::read_to_string(file).unwrap();
    assert_eq!(html.matches("data:image/png;base64,iVBOR").count(), 2);
}
