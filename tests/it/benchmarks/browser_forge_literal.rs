//! A fault is forged by the letter of the paper's algorithms, under a salt: the instance is sound, and its benchmark says how it came about.

use std::path::Path;

use scratchbed::bugs::{Bench, Licence, Pool, PoolEntry};
use scratchbed::model::sha256_hex;
use scratchbed::project::Project;
use serde_json::json;

use crate::support::forged;
use crate::support::program::Scratchbed;

/// A pool of one game of a few blocks.
fn pool(folder: &Path) -> Vec<u8> {
    let made = forged::instance("firefly", "firefly", Some("MIT"), forged::report());
    let mut pool = Pool::create(folder, "paper").unwrap();
    pool.note("firefly", "licence.json", &Licence { changes: Vec::new(), ..made.licence }).unwrap();
    let sha256 = sha256_hex(&made.golden);
    pool.add(PoolEntry { id: "firefly".to_owned(), sha256, group: "firefly".to_owned() }, &made.golden).unwrap();
    made.golden
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refreshed_fault_by_the_letter_is_sound_and_under_ids_of_its_own() {
    let place = tempfile::tempdir().unwrap();
    let [from, to] = ["pool", "bench"].map(|name| place.path().join(name));
    let golden = pool(&from);
    let [from, bench] = [&from, &to].map(|path| path.to_string_lossy().into_owned());
    let scratchbed = Scratchbed::new();
    let call = scratchbed.call(&["forge", "run", "--pool", &from, "--out", &bench, "--literal", "--refresh", "2027"]);
    let forged = call.args(["--trials", "6", "--reruns", "1", "--horizon", "600", "--lanes", "1"]).answer().await;
    assert_eq!((forged.code, &forged["forged"]["instances"]), (0, &1.into()), "{forged:#}");
    assert_eq!(forged["unbalanced"], json!([]), "one instance is of some pattern");

    let made = Bench::open(&to).unwrap();
    let rules = made.rules();
    assert_eq!((&rules["literal"], &rules["harden"], &rules["salt"]), (&true.into(), &false.into(), &"2027".into()));
    let id = made.entries()[0].id.clone();
    assert!(id.starts_with("firefly-") && made.entries()[0].project == "firefly", "{id}");
    let blocks = |bytes: &[u8]| -> Vec<String> {
        let project = Project::read(bytes).unwrap();
        let targets = project.json["targets"].as_array().unwrap().clone();
        targets.iter().flat_map(|one| one["blocks"].as_object().unwrap().keys().cloned().collect::<Vec<_>>()).collect()
    };
    let before = blocks(&golden);
    let after = blocks(&made.instance(&id).unwrap().golden);
    assert!(before.len() == after.len() && after.iter().all(|id| !before.contains(id)), "{after:?}");

    let checked = scratchbed.answer(&["bugs", "check", &bench, "--lanes", "1"]).await;
    assert_eq!((checked.code, &checked["sound"], &checked["unbalanced"]), (0, &1.into(), &json!([])), "{checked:#}");
}
