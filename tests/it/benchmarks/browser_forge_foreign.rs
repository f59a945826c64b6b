//! A project as converters from Scratch 2 leave it goes through intake and forge; a pool that no fault fits and a budget that is spent
//! say so, before anything is tried.

use std::path::Path;

use scratchbed::bugs::{Pool, PoolEntry};
use scratchbed::model::sha256_hex;
use scratchbed::project::Project;
use serde_json::{Map, Value, json};

use crate::support::forged;
use crate::support::has_its_day;
use crate::support::program::Scratchbed;

/// The game of a few blocks, with a block of its own that nothing but its definition refers to, and without parents.
fn converted() -> Vec<u8> {
    let mut project = Project::read(&forged::instance("moth", "moth", Some("MIT"), forged::report()).golden).unwrap();
    let moth = &mut project.json["targets"][1]["blocks"];
    moth["define"] = json!({"opcode": "procedures_definition", "next": "hide", "inputs": {"custom_block": [1, "words"]}, "fields": {},
        "shadow": false, "topLevel": true, "x": 0, "y": 0});
    moth["words"] = json!({"opcode": "procedures_prototype", "next": null, "inputs": {}, "fields": {}, "shadow": true, "topLevel": false,
        "mutation": {"tagName": "mutation", "children": [], "proccode": "vanish", "argumentids": "[]", "argumentnames": "[]",
            "argumentdefaults": "[]", "warp": "false"}});
    moth["hide"] =
        json!({"opcode": "looks_hide", "next": null, "inputs": {}, "fields": {}, "shadow": false, "topLevel": false});
    for target in project.json["targets"].as_array_mut().unwrap() {
        let blocks = target["blocks"].as_object_mut().unwrap().values_mut();
        for block in blocks.filter_map(Value::as_object_mut) {
            block.shift_remove("parent");
        }
    }
    project.write().unwrap()
}

/// A pool with this file as it is.
fn pool_of(folder: &Path, file: &[u8]) {
    let mut pool = Pool::create(folder, "none").unwrap();
    let licence = forged::instance("moth", "moth", Some("MIT"), forged::report()).licence;
    pool.note("moth", "licence.json", &licence).unwrap();
    pool.add(PoolEntry { id: "moth".to_owned(), sha256: sha256_hex(file), group: "moth".to_owned() }, file).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_converted_project_is_forged_and_what_can_not_be_says_why_before_anything_is_played() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_string_lossy().into_owned();
    std::fs::write(path("moth.sb3"), converted()).unwrap();
    let scratchbed = Scratchbed::new();
    let scan = scratchbed.call(&["intake", "scan", &path("moth.sb3"), "--out", &path("pool")]);
    let scanned = scan.args(["--profile", "none", "--lanes", "1"]).answer().await;
    assert_eq!((scanned.code, &scanned["projects"][0]["outcome"]), (0, &json!("taken")), "{scanned:#}");
    let forge = |pool: &str, bench: &str, more: &[&str]| {
        let call = scratchbed.call(&[
            "forge",
            "run",
            "--pool",
            &path(pool),
            "--out",
            &path(bench),
            "--no-harden",
            "--lanes",
            "1",
        ]);
        call.args(["--count", "1", "--trials", "6", "--reruns", "2", "--horizon", "600"]).args(more)
    };
    let budgets = ["enough", "too small"];
    if has_its_day("enough", &budgets) {
        let forged = forge("pool", "bench", &[]).answer().await;
        assert_eq!((forged.code, &forged["forged"]["instances"]), (0, &json!(1)), "{forged:#}");
        let told = (&forged["mostly_invalid"], &forged["forged"]["over_budget"]);
        assert_eq!(told, (&json!(false), &json!([])), "{forged:#}");
    }
    if has_its_day("too small", &budgets) {
        // The scenarios of gold cost more than that: no fault is tried.
        let spent = forge("pool", "spent", &["--budget", "100"]).answer().await;
        assert_eq!((spent.code, &spent["forged"]["over_budget"]), (1, &json!(["moth"])), "{spent:#}");
        let tried = (&spent["forged"]["trials"], &spent["spent"]["trial"]["loads"]);
        assert_eq!(tried, (&json!(0), &json!(0)), "{spent:#}");
    }

    // A pool that was made otherwise: nothing is played of what no fault could be taken back from.
    pool_of(Path::new(&path("raw")), &converted());
    let unfit = forge("raw", "unfit", &[]).answer().await;
    let why = unfit["forged"]["without"]["moth"].as_str().unwrap_or_default();
    assert!(unfit.code == 1 && why.contains("a patch without edits changes it"), "{unfit:#}");
    assert_eq!(unfit["spent"]["gold"]["loads"], 0, "{unfit:#}");

    // Without blocks there is no place for a fault.
    let mut empty = Project::read(&converted()).unwrap();
    for target in empty.json["targets"].as_array_mut().unwrap() {
        target["blocks"] = Value::Object(Map::new());
    }
    scratchbed::project::normalise::normalise(&mut empty.json, "pool");
    pool_of(Path::new(&path("blank")), &empty.write().unwrap());
    let blank = forge("blank", "nothing", &[]).answer().await;
    assert_eq!(
        (blank.code, &blank["forged"]["without"]["moth"]),
        (1, &json!("it has no place for a fault")),
        "{blank:#}"
    );
    assert_eq!(blank["spent"]["gold"]["loads"], 0, "{blank:#}");
}
