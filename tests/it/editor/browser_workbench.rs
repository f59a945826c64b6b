//! Projects built out of sight and one after another in a page: the same bytes as by the editor's own way, in good
//! time, and without a trace in the page. It exercises build-in-editor.js.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use scratchbed::compile::{BuiltProjects, Workbench};
use scratchbed::compile::{Source, compile, compile_in_editor};
use scratchbed::model::Coded;
use scratchbed::page::results::{LoadProject, SnapshotRequest};
use scratchbed::page::scripts;
use scratchbed::taskset::TaskSet;

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::{of_the_day, project_texts, root};

/// Reporters in menus: what hides below them is the menu's first entry, which depends on the project.
const REPORTERS_IN_MENUS: &str = r"
  script
    switch costume to (join [a] [b])
    start sound (join [a] [b])
    switch backdrop to (join [a] [b])
    go to (join [a] [b])
    point towards (join [a] [b])
    create clone of (join [a] [b])
    broadcast (join [a] [b])
    say ([x position v] of (join [a] [b]))
    wait until <key (join [a] [b]) pressed?>
    play drum (join [a] [b]) for (0.25) beats
";

/// How many texts are compared on a day: by the editor's own way each takes a second or two. `SCRATCHBED_TESTS=all`
/// compares all.
const TEXTS_A_DAY: usize = 4;

pub fn sample(name: &str) -> PathBuf {
    root().join("tests/fixtures/projects").join(name).join("project.txt")
}

/// The editor is the authority on what a script is: whatever is built without its workspace must be what it builds.
#[test]
fn what_is_built_out_of_sight_is_what_the_editor_builds() {
    in_shared_browsers(async {
        let texts = project_texts(&root().join("tasks"));
        assert!(texts.len() > 166, "{} texts", texts.len());
        let chosen = of_the_day(&texts, TEXTS_A_DAY);
        let samples = ["kite", "music-box", "names"].map(sample);
        let chosen_samples = of_the_day(&samples, 1);
        let mut sources: Vec<(String, Source)> = chosen
            .into_iter()
            .chain(chosen_samples)
            .map(|path| (path.display().to_string(), Source::read(path).unwrap()))
            .collect();
        let mut menus = Source::read(&sample("kite")).unwrap();
        menus.text.push_str(REPORTERS_IN_MENUS);
        sources.push(("reporters in menus".to_owned(), menus));
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        // All are built one after another before the editor loads the first of them.
        let mut built = Vec::new();
        for (name, source) in &sources {
            let project = compile(page, source).await.unwrap_or_else(|error| panic!("{name}: {error}"));
            built.push(project.write().unwrap());
        }
        for ((name, source), built) in sources.iter().zip(&built) {
            let by_editor = compile_in_editor(page, source).await.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(by_editor.write().unwrap() == *built, "{name}: the editor builds something else");
        }
        fleet.release(lease).await;
    });
}

#[test]
fn building_leaves_no_trace_in_the_project_that_is_loaded() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        let kite = compile(page, &Source::read(&sample("kite")).unwrap()).await.unwrap().write().unwrap();
        let load = LoadProject::file(&kite, None);
        page.call(&scripts::LOAD_PROJECT, &load).await.unwrap();
        let look = SnapshotRequest { revision: None, known: Vec::new() };
        let before = page.call(&scripts::SNAPSHOT, &look).await.unwrap().project.unwrap();
        compile(page, &Source::read(&sample("music-box")).unwrap()).await.unwrap();
        let mut faulty = Source::read(&sample("names")).unwrap();
        faulty.text.push_str("\n  script\n    wait until <(1) + (2)>\n");
        compile(page, &faulty).await.unwrap_err();
        let after = page.call(&scripts::SNAPSHOT, &look).await.unwrap().project.unwrap();
        assert_eq!(before.json, after.json);
        assert_eq!(before.editing_target, after.editing_target);
        let again = compile(page, &Source::read(&sample("kite")).unwrap()).await.unwrap().write().unwrap();
        assert!(again == kite, "what was built and refused before has no effect");
        fleet.release(lease).await;
    });
}

#[test]
fn what_was_built_ahead_needs_no_page_and_a_faulty_text_stops_nothing() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let faulty = folder.path().join("faulty.txt");
        fs::write(&faulty, "scratchbed project 2\n").unwrap();
        let cache = folder.path().join("cache");
        let fleet = fleet().await;
        let bench = Workbench::new(fleet.clone(), cache.clone());
        let texts = BTreeSet::from([faulty.clone(), sample("kite"), sample("names")]);
        let told = std::sync::Mutex::new(Vec::new());
        bench.build_ahead(&texts, |done, of| told.lock().unwrap().push((done, of))).await;
        assert_eq!(*told.lock().unwrap(), [(0, 3), (1, 3), (2, 3)]);
        // Only what is not there is built.
        told.lock().unwrap().clear();
        bench.build_ahead(&texts, |done, of| told.lock().unwrap().push((done, of))).await;
        assert_eq!(*told.lock().unwrap(), [(0, 1)]);
        assert_eq!(bench.build(&faulty).await.unwrap_err().code(), "no_text_header");
        bench.clear().await;
        fleet.shutdown().await;
        let later = Workbench::new(fleet, cache);
        for text in ["kite", "names"].map(sample) {
            assert!(later.build(&text).await.is_ok());
        }
        assert!(later.build(&sample("music-box")).await.is_err(), "there is no browser any more");
    });
}

#[test]
fn a_server_builds_ahead_and_gives_the_page_back() {
    in_shared_browsers(async {
        let tasks = TaskSet::read(root()).unwrap();
        let fleet = fleet().await;
        let cache = tempfile::tempdir().unwrap();
        let some = &tasks.all()[..5];
        let projects = BuiltProjects::ahead_of(fleet.clone(), cache.path().to_owned(), some);
        // Whoever asks in the meantime waits for one project at most, and is given it.
        assert!(!projects.initial(&some[4]).await.unwrap().is_empty());
        let rested = async {
            while !fleet.is_at_rest() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), rested).await.expect("the page is given back");
        let texts: BTreeSet<PathBuf> = some.iter().map(scratchbed::taskset::TaskEntry::initial).collect();
        assert_eq!(fs::read_dir(cache.path()).unwrap().count(), texts.len());
        fleet.shutdown().await;
    });
}
