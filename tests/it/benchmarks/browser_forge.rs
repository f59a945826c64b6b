//! Faults are forged into two games, by the real program: twice with the same bytes, although the first run is killed; each instance is
//! what it claims to be, and a right repair of it passes where the fault does not.
//!
//! The games are of a few blocks, and one of them is forged twice; `SCRATCHBED_TESTS=all` takes two of the bundled ones, both twice.
//! That the instances are checked and shown has its day, and that agents mend them has the next one.

use std::collections::BTreeSet;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use scratchbed::bugs::{BUGGY, Bench, CANARY, Difficulty, Licence, Pool, PoolEntry};
use scratchbed::model::sha256_hex;
use scratchbed::project::Project;
use scratchbed::project::normalise::normalise;

use crate::support::forged;
use crate::support::plain_browser::PlainBrowser;
use crate::support::program::{Scratchbed, json_at};
use crate::support::{digests, everything, has_its_day, of_the_day, root};

/// Names of two small games that are alike. Their names decide which one comes first: an initialization gets lost in it, and the other
/// one hears a key twice.
const SMALL: [&str; 2] = ["firefly", "lamp"];
/// Bundled games that are played in few ticks.
const BUNDLED: [&str; 2] = ["ice_cream_tower", "lantern_run"];
/// What is done with the instances, one on a day.
const USES: [&str; 2] = ["checked and shown", "mended"];
/// Smaller than a benchmark's, so that the test is.
const FIGURES: [&str; 4] = ["--trials", "6", "--reruns", "2"];

fn games() -> [&'static str; 2] {
    if everything() { BUNDLED } else { SMALL }
}

/// Ticks of a run at most: the flag comes for the second time after 450.
fn horizon() -> &'static str {
    if everything() { "900" } else { "600" }
}

/// A pool of the games.
async fn pool(scratchbed: &Scratchbed, folder: &Path) {
    let mut pool = Pool::create(folder, "paper").unwrap();
    for game in games() {
        let (golden, licence) = if everything() { bundled(scratchbed, folder, game).await } else { small(game) };
        pool.note(game, "licence.json", &licence).unwrap();
        let entry = PoolEntry { id: game.to_owned(), sha256: sha256_hex(&golden), group: game.to_owned() };
        pool.add(entry, &golden).unwrap();
    }
}

/// A game of a few blocks.
fn small(game: &str) -> (Vec<u8>, Licence) {
    let made = forged::instance(game, game, Some("MIT"), forged::report());
    (made.golden, Licence { changes: Vec::new(), ..made.licence })
}

/// A game as its text says.
async fn bundled(scratchbed: &Scratchbed, folder: &Path, game: &str) -> (Vec<u8>, Licence) {
    let (source, built) = (root().join("assets/pool").join(game), folder.join("built.sb3"));
    let call = scratchbed.call(&["task", "build"]).arg(source.join("project.txt")).arg("--out").arg(&built);
    let answer = call.answer().await;
    assert_eq!(answer.code, 0, "{answer:#}");
    let mut project = Project::read(&std::fs::read(&built).unwrap()).unwrap();
    std::fs::remove_file(built).unwrap();
    normalise(&mut project.json, "pool");
    (project.pack().unwrap(), serde_json::from_value(json_at(&source.join("licence.json"))).unwrap())
}

/// Returns true for the first line about the second game.
fn begins_the_second() -> impl FnMut(&str) -> bool {
    let mut seen = BTreeSet::new();
    move |line: &str| {
        seen.extend(games().into_iter().find(|game| line.starts_with(game)));
        seen.len() == games().len()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_benchmark_is_forged_with_the_same_bytes_again_and_each_instance_is_sound() {
    let place = tempfile::tempdir().unwrap();
    let [pool_folder, first, second] = ["pool", "one/bench", "two/bench"].map(|name| place.path().join(name));
    let scratchbed = Scratchbed::new();
    pool(&scratchbed, &pool_folder).await;
    let [pool, one, other] = [&pool_folder, &first, &second].map(|path| path.to_string_lossy().into_owned());
    // How many instances there may be decides how many may be of one pattern.
    let call = |bench: &str, lanes: &str, count: usize| {
        let call = scratchbed.call(&["forge", "run", "--pool", &pool, "--out", bench, "--lanes", lanes]);
        call.args(FIGURES).args(["--horizon", horizon(), "--count", &count.to_string()])
    };
    call(&one, "2", 2).killed_at_line(begins_the_second()).await;
    let forged = call(&one, "1", 2).answer().await;
    assert_eq!((forged.code, &forged["forged"]["instances"]), (0, &2.into()), "{forged:#}");

    // What is found does not depend on how many runs are made at a time, nor on a run that was killed.
    let count = if everything() { 2 } else { 1 };
    let again = call(&other, "1", count).answer().await;
    assert_eq!((again.code, &again["forged"]["instances"]), (0, &count.into()), "{again:#}");
    let (all, mut same) = (digests(&first), digests(&second));
    if !everything() {
        same.remove(Path::new("benchmark.json")).expect("it lists one of the two instances");
    }
    assert!(same.iter().all(|(path, digest)| all.get(path) == Some(digest)), "{same:#?} of {all:#?}");
    assert!(!everything() || same.len() == all.len(), "{same:#?} of {all:#?}");

    // What is asked for again is there, and what was discarded is known, too.
    let kept = call(&one, "2", 2).answer().await;
    assert_eq!((kept.code, &kept["forged"], &kept["spent"]["trial"]["ticks"]), (0, &forged["forged"], &0.into()));
    let refused = scratchbed.answer(&["forge", "run", "--pool", &pool, "--out", &one]).await;
    assert_eq!((refused.code, &refused["error"]["code"]), (3, &"benchmark_differs".into()), "{refused:#}");

    let patterns = forged["forged"]["patterns"].as_object().unwrap();
    assert!(patterns.values().all(|count| *count == 1), "two instances of two patterns: {patterns:?}");
    nothing_is_given_away(&first);
    if has_its_day("checked and shown", &USES) {
        each_is_sound(&scratchbed, &one).await;
        each_has_an_accessible_page(&scratchbed, &first).await;
    }
    if has_its_day("mended", &USES) {
        agents_mend_them_in_the_editor(&scratchbed, &other, &place.path().join("pack").to_string_lossy()).await;
    }
}

/// Gold passes and the fault does not, each time; and gold keeps what is guarded.
async fn each_is_sound(scratchbed: &Scratchbed, bench: &str) {
    let checked = scratchbed.answer(&["bugs", "check", bench, "--repeat", "2", "--lanes", "1"]).await;
    assert_eq!((checked.code, &checked["sound"]), (0, &2.into()), "{checked:#}");
    for one in checked["checked"].as_array().unwrap() {
        assert_eq!((&one["golden"], &one["buggy"], &one["flips"]), (&1.0.into(), &0.0.into(), &0.into()), "{one:#}");
        assert!(one["guards"].as_u64() > Some(0) && one["golden_breaks"] == 0, "gold keeps what is guarded: {one:#}");
    }
}

/// The pack's tasks are read, and the calls that it comes with solve them: the suites judge what was built in the editor.
async fn agents_mend_them_in_the_editor(scratchbed: &Scratchbed, bench: &str, pack: &str) {
    let tasks: Vec<String> =
        Bench::open(Path::new(bench)).unwrap().entries().iter().map(|entry| entry.id.clone()).collect();
    let packed = scratchbed.answer(&["bugs", "pack", bench, "--out", pack]).await;
    assert_eq!(
        (packed.code, &packed["tasks"], &packed["left_out"]),
        (0, &tasks.len().into(), &serde_json::json!([])),
        "{packed:#}"
    );
    // That the calls lead to gold was tried for the pack: one of the tasks has its day.
    let tasks = of_the_day(&tasks, 1);
    let mut call = scratchbed.call(&["run", "--pack", pack, "--mode", "composite", "--jobs", "1", "--agent", "oracle"]);
    for task in &tasks {
        call = call.args(["--task", task.as_str()]);
    }
    let answer = call.answer().await;
    let outcomes: Vec<&str> = answer.attempts().iter().map(|attempt| attempt["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, vec!["passed"; tasks.len()], "{answer:#}");
    // That the buggy projects fail their suites is known: one of them is judged as a task, too.
    let buggy = format!("{bench}/public/{}/buggy.sb3", tasks[0]);
    let judged = scratchbed.answer(&["judge", "--pack", pack, "--task", tasks[0], &buggy]).await;
    assert_eq!((judged.code, &judged["outcome"]), (1, &"failed".into()), "{judged:#}");
}

/// The page of an instance as a person meets it: a plain browser on the file, without a server. That the stages are drawn must not change
/// what the programs do, or there is no page. It exercises draw-scripts.js.
async fn each_has_an_accessible_page(scratchbed: &Scratchbed, folder: &Path) {
    let browser = PlainBrowser::start().await;
    for entry in Bench::open(folder).unwrap().entries().iter().step_by(2) {
        let file = folder.with_file_name(format!("{}.html", entry.id)).to_string_lossy().into_owned();
        let shown = scratchbed.answer(&["bugs", "show", &folder.to_string_lossy(), &entry.id, "--html", &file]).await;
        assert_eq!(
            (shown.code, &shown["page"], shown.json.get("truth")),
            (0, &file.as_str().into(), None),
            "{shown:#}"
        );
        let page = std::fs::read_to_string(&file).unwrap();
        assert!(page.matches("data:image/svg+xml;base64,").count() >= 2, "scripts of both projects");
        assert!(page.matches("data:image/png;base64,").count() >= 4, "both stages at two moments at least");
        assert!(page.contains("first difference") && page.contains("the assertion is decided"), "{}", entry.id);
        assert!(page.contains("class=\"differ\"") && page.contains("✗"), "{}", entry.id);
        marks_are_drawn(&page);
        browser.open(&format!("file://{file}")).await;
        browser.assert_accessible(&format!("the page of {}", entry.id)).await;
    }
    assert_eq!(*browser.complaints.lock().unwrap(), Vec::<String>::new());
    let foreign: Vec<String> =
        browser.requests.lock().unwrap().iter().filter(|url| url.starts_with("http")).cloned().collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    browser.close().await;
}

/// What differs is outlined in at least one of the two projects, in a picture that asks for nothing.
fn marks_are_drawn(page: &str) {
    let pictures = page.split("data:image/svg+xml;base64,").skip(1).map(|rest| rest.split('"').next().unwrap());
    let pictures: Vec<String> =
        pictures.map(|text| String::from_utf8(STANDARD.decode(text).unwrap()).unwrap()).collect();
    assert!(pictures.iter().any(|svg| svg.contains("stroke=\"#a1004f\"")), "{pictures:?}");
    let addresses = pictures.iter().flat_map(|svg| svg.split("href=\"").skip(1));
    assert!(addresses.into_iter().all(|address| address.starts_with("data:image/")));
}

/// What a model sees names no block, opcode or pattern.
fn nothing_is_given_away(folder: &Path) {
    let bench = Bench::open(folder).unwrap();
    for entry in bench.entries() {
        let instance = bench.instance(&entry.id).unwrap();
        let report = serde_json::to_string(&instance.report).unwrap();
        let truth = &instance.truth;
        assert!(entry.search.is_some(), "whether a text search repairs it is tried");
        assert_eq!(entry.search == Some(true), entry.difficulty == Difficulty::Trivial);
        for (name, content) in bench.public_files(&entry.id).unwrap() {
            let text = match name {
                BUGGY => Project::read(&content).unwrap().json["meta"].to_string(),
                _ => String::from_utf8(content).unwrap(),
            };
            assert!(text.contains(CANARY), "{name}: {text}");
        }
        for secret in [&truth.site.block_id, &truth.site.script, &truth.operator, &truth.pattern] {
            assert!(!report.contains(secret.as_str()), "{secret}: {report}");
        }
        assert!(!report.contains('_') || !report.contains("event_"), "{report}");
        assert!(!instance.report.symptom.is_empty() && instance.report.reproduce.len() >= 2, "{report}");
        // What happened, and not what was done to find it: a person can do it, and there is a picture of it.
        assert!(!report.contains("send the message") && instance.report.reproduce.len() <= 12, "{report}");
        assert!(everything() || !report.contains("\\\"score\\\""), "no monitor shows the score: {report}");
        assert!(truth.chain.as_ref().is_some_and(|chain| !chain.triggers.is_empty()), "{truth:?}");
        let pictures = instance.pictures.as_ref().expect("the stage at that moment");
        assert!(!pictures.seen.is_empty() && !pictures.expected.is_empty());
    }
}
