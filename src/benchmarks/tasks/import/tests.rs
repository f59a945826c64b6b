//! Tests of importing, on small checkouts made in a temporary folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::*;
use crate::model::{Category, Coded, StageSize};
use crate::project::Project;
use crate::taskset::{Contract, Selection, TaskSet};

/// What is done to a good task file.
type Change = fn(&mut Value);

/// A checkout with the debug task `pond_lost`, whose golden is the base project's, and `wave`, which has its own.
struct Checkout(tempfile::TempDir);

impl Checkout {
    fn new() -> Self {
        let checkout = Self(tempfile::tempdir().unwrap());
        checkout.task("debug", "pond_lost", |_| ());
        checkout.task("create", "wave", |task| task["initial_project"] = json!("default.sb3"));
        checkout.write("tasks/all_tasks.json", br#"{"debug": ["pond_lost.json"], "create": ["wave.json"]}"#);
        for name in ["pond_lost", "pond_golden", "wave_golden", "default"] {
            checkout.write(&format!("scratch-gui/static/{name}.sb3"), &sb3());
        }
        checkout.write("service/evaluation_scripts/pond_lost.js", b"EvaluationUtils.wait(1);");
        checkout.write("service/evaluation_scripts/wave.js", b"// Waves.");
        checkout.write("service/evaluation_utils.js", b"window.EvaluationUtils = {};");
        checkout
    }

    fn write(&self, path: &str, content: &[u8]) {
        let file = self.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.path().join(path)).unwrap();
    }

    fn task(&self, category: &str, name: &str, change: impl Fn(&mut Value)) {
        let mut task = json!({
            "name": name, "description": "First words. More words.", "type": category,
            "instruction": format!("Solve {name}."), "initial_project": format!("{name}.sb3"),
            "evaluation": {"function": name, "timeout": 20, "description": "Looks."}
        });
        change(&mut task);
        self.write(&format!("tasks/{category}/{name}.json"), task.to_string().as_bytes());
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// The gaps as text, after an import that gives a pack.
    fn gaps(&self) -> Vec<String> {
        import(self.path()).unwrap().report().gaps.iter().map(ToString::to_string).collect()
    }

    fn tasks(&self) -> Vec<String> {
        import(self.path()).unwrap().report().tasks.iter().map(|task| task.id.to_string()).collect()
    }
}

/// The smallest project that the editor loads.
fn sb3() -> Vec<u8> {
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"2\" height=\"2\"/>".to_vec();
    let id = "0123456789abcdef0123456789abcdef";
    let costume = json!({
        "name": "c", "assetId": id, "md5ext": format!("{id}.svg"), "dataFormat": "svg",
        "rotationCenterX": 1, "rotationCenterY": 1
    });
    let stage = json!({
        "isStage": true, "name": "Stage", "variables": {}, "lists": {}, "broadcasts": {}, "blocks": {},
        "comments": {}, "currentCostume": 0, "costumes": [costume], "sounds": [], "volume": 100, "layerOrder": 0
    });
    let project = json!({"targets": [stage], "monitors": [], "extensions": [], "meta": {"semver": "3.0.0"}});
    Project::from_json(&project.to_string(), BTreeMap::from([(format!("{id}.svg"), svg)])).unwrap().write().unwrap()
}

fn out() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a/pack");
    (folder, out)
}

#[test]
fn a_whole_checkout_becomes_a_pack_that_can_be_read() {
    let checkout = Checkout::new();
    let imported = import(checkout.path()).unwrap();
    let report = imported.report();
    assert_eq!(report.gaps, []);
    let golden: Vec<_> = report.tasks.iter().map(|task| (task.golden.as_str(), task.golden_rule)).collect();
    let own = ("scratch-gui/static/wave_golden.sb3", Golden::Own);
    assert_eq!(golden, [own, ("scratch-gui/static/pond_golden.sb3", Golden::Base)]);
    let (_folder, out) = out();
    imported.write(&out, false).unwrap();
    let set = TaskSet::read_pack(&out).unwrap();
    let entry = set.find("pond_lost").unwrap();
    assert_eq!((entry.contract(), entry.task.stage), (Contract::ScratchWorld, StageSize::Small));
    assert_eq!((entry.task.category, entry.task.title.as_str()), (Category::Debug, "First words"));
    assert_eq!(entry.oracle(crate::model::Mode::Composite).unwrap(), None);
    assert_eq!(fs::read(entry.golden()).unwrap(), sb3());
    let sources = entry.evaluation().unwrap();
    assert_eq!(sources.script.source, "EvaluationUtils.wait(1);");
    assert_eq!(sources.prelude.unwrap().name, "evaluation_utils.js");
    assert!(sources.helpers.is_empty());
}

#[test]
fn published_lists_become_splits_of_the_pack() {
    let checkout = Checkout::new();
    checkout.write("tasks/one_task.json", br#"{"debug": ["pond_lost.json"]}"#);
    checkout.write("tasks/twice.json", br#"{"create": ["wave.json", "wave.json"]}"#);
    let imported = import(checkout.path()).unwrap();
    assert_eq!(imported.report().gaps, []);
    let (_folder, out) = out();
    imported.write(&out, false).unwrap();
    let set = TaskSet::read_pack(&out).unwrap();
    let chosen = |split: &str| -> Vec<String> {
        let selection = Selection { split: Some(split.to_owned()), ..Selection::default() };
        set.select(&selection).unwrap().iter().map(|entry| entry.task.id.to_string()).collect()
    };
    assert_eq!((chosen("one_task"), chosen("twice")), (vec!["pond_lost".to_owned()], vec!["wave".to_owned()]));
    assert_eq!((chosen("all_tasks"), chosen("debug")), (chosen("all"), chosen("one_task")));
}

#[test]
fn a_split_has_what_the_pack_has_of_its_list() {
    let checkout = Checkout::new();
    checkout.remove("scratch-gui/static/wave_golden.sb3");
    let imported = import(checkout.path()).unwrap();
    assert!(imported.report().notes.contains(&"split all_tasks: 1 of the 2 names in its list".to_owned()));
    let (_folder, out) = out();
    imported.write(&out, false).unwrap();
    assert!(TaskSet::read_pack(&out).unwrap().splits().contains(&"all_tasks".to_owned()));
}

#[test]
fn a_list_with_the_name_of_another_split_is_left_out() {
    let checkout = Checkout::new();
    checkout.write("tasks/debug.json", br#"{"debug": ["pond_lost.json"]}"#);
    let gaps = checkout.gaps();
    assert!(gaps.len() == 1 && gaps[0].starts_with("ambiguous: tasks/debug.json: every pack has"), "{gaps:?}");
}

#[test]
fn the_same_checkout_gives_the_same_pack() {
    let checkout = Checkout::new();
    let (_folder, out) = out();
    let text = || {
        import(checkout.path()).unwrap().write(&out, true).unwrap();
        fs::read_to_string(out.join("pack.json")).unwrap()
    };
    assert_eq!(text(), text());
}

#[test]
fn what_is_missing_is_listed_and_its_task_left_out() {
    for (file, says) in [
        ("scratch-gui/static/wave_golden.sb3", "missing: wave: golden project: there is no"),
        ("scratch-gui/static/default.sb3", "missing: wave: initial project: there is no scratch-gui/static/default"),
        ("service/evaluation_scripts/wave.js", "missing: wave: script: there is no evaluation_scripts/wave.js"),
        ("tasks/create/wave.json", "missing: wave: task: tasks/all_tasks.json names tasks/create/wave.json"),
    ] {
        let checkout = Checkout::new();
        // The fallback of the reference must not be ours.
        checkout.write("scratch-gui/static/party.sb3", &sb3());
        checkout.remove(file);
        let gaps = checkout.gaps();
        assert!(gaps.len() == 1 && gaps[0].starts_with(says), "{file}: {gaps:?}");
        assert_eq!(checkout.tasks(), ["pond_lost"], "{file}");
    }
}

#[test]
fn a_missing_helper_library_is_reported_only_where_scripts_use_it() {
    let checkout = Checkout::new();
    checkout.remove("service/evaluation_utils.js");
    assert_eq!(checkout.gaps(), ["missing: evaluation_utils.js: there is none, but 1 script uses it; it will fail"]);
    checkout.write("service/evaluation_scripts/pond_lost.js", b"// Looks.");
    assert_eq!(checkout.gaps(), [""; 0]);
    let (_folder, out) = out();
    import(checkout.path()).unwrap().write(&out, false).unwrap();
    assert_eq!(TaskSet::read_pack(&out).unwrap().find("wave").unwrap().evaluation().unwrap().prelude, None);
}

#[test]
fn several_answers_are_ambiguous_unless_they_are_copies() {
    let checkout = Checkout::new();
    checkout.write("service/deep/evaluation_scripts/wave.js", b"// Waves.");
    checkout.write("evaluation_scripts/node_modules/evaluation_utils.js", b"another");
    assert_eq!(checkout.gaps(), [""; 0]);
    checkout.write("service/deep/evaluation_scripts/wave.js", b"// Waves less.");
    checkout.write("old/evaluation_utils.js", b"old");
    let gaps = checkout.gaps();
    assert!(gaps[0].starts_with("ambiguous: wave: script: service/evaluation_scripts/wave.js was taken"), "{gaps:?}");
    assert!(gaps[1].starts_with("ambiguous: evaluation_utils.js: old/evaluation_utils.js was taken"), "{gaps:?}");
    assert_eq!((gaps.len(), checkout.tasks()), (2, vec!["wave".to_owned(), "pond_lost".to_owned()]));
}

#[test]
fn a_task_that_contradicts_itself_is_invalid() {
    let cases: [(&str, Change, &str); 5] = [
        ("name", |task| task["name"] = json!("waver"), "invalid: wave: task: says it is create/waver"),
        ("type", |task| task["type"] = json!("debug"), "invalid: wave: task: says it is debug/wave"),
        ("shape", |task| task["instruction"] = json!(7), "invalid: wave: task: invalid type"),
        ("path", |task| task["initial_project"] = json!("../x.sb3"), "missing: wave: initial project"),
        (
            "function",
            |task| task["evaluation"]["function"] = json!("w"),
            "ambiguous: wave: script: evaluation.function",
        ),
    ];
    for (what, change, says) in cases {
        let checkout = Checkout::new();
        checkout.task("create", "wave", |task| {
            task["initial_project"] = json!("default.sb3");
            change(task);
        });
        let gaps = checkout.gaps();
        assert!(gaps.len() == 1 && gaps[0].starts_with(says), "{what}: {gaps:?}");
    }
}

#[test]
fn broken_projects_and_unknown_types_are_invalid() {
    let checkout = Checkout::new();
    checkout.write("scratch-gui/static/wave_golden.sb3", b"no archive");
    checkout.task("perform", "song", |_| ());
    let gaps = checkout.gaps();
    assert!(gaps.iter().any(|gap| gap.starts_with("invalid: wave: golden project")), "{gaps:?}");
    assert!(gaps.iter().any(|gap| gap.starts_with("invalid: tasks: `perform` is not a type")), "{gaps:?}");
}

#[test]
fn a_starter_that_the_task_does_not_name_is_noted() {
    let checkout = Checkout::new();
    checkout.write("scratch-gui/static/wave.sb3", &sb3());
    let report = import(checkout.path()).unwrap().report();
    assert!(report.gaps.is_empty());
    assert!(report.notes.iter().any(|note| note.contains("wave.sb3 exists")), "{:?}", report.notes);
}

#[test]
fn a_pack_is_replaced_only_by_force_and_other_folders_never() {
    let checkout = Checkout::new();
    let imported = import(checkout.path()).unwrap();
    let (_folder, out) = out();
    imported.write(&out, false).unwrap();
    fs::write(out.join("stray"), "").unwrap();
    assert_eq!(imported.write(&out, false).unwrap_err().code(), "pack_exists");
    imported.write(&out, true).unwrap();
    assert!(!out.join("stray").exists());
    fs::remove_file(out.join("pack.json")).unwrap();
    assert_eq!(imported.write(&out, true).unwrap_err().code(), "not_a_pack");
}

#[test]
fn a_folder_of_another_kind_is_no_checkout() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(import(folder.path()).unwrap_err().code(), "no_checkout_of_scratchworld");
    assert_eq!(TaskSet::read_pack(folder.path()).unwrap_err().code(), "no_pack");
}
