//! The reference editor beside the current one. Page functions that run in both are called in both: `ready`,
//! `load-project`, `snapshot`, `stage-size` and `settle` of every page, `editor-facts` of the doctor (`cli::browser_commands`),
//! `small-stage`, `open-scene`, `show-scene`, `scene-state` and `block-links` of a stage, `drag-watch` and `drag-boxes` of
//! `drag run`, `open-canvas`, `arrange-canvas` and `canvas-facts` of `perception build`, `list-elements` of primitive mode,
//! `running` of the live view. Other tests that go through both editors name what they call themselves.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use scratchbed::action::perform;
use scratchbed::benchmarks::drag::{ScenePack, Stage, import};
use scratchbed::http::AppState;
use scratchbed::model::{ActionCall, EditorGeneration, Mode, StageSize};
use scratchbed::session::{SessionOptions, Sessions, Start};
use serde_json::{Map, Value, json};

use crate::api::routes::{api_over, bytes, call, request};
use crate::support::browsers::{fleet_of, in_shared_browsers};
use crate::support::composite_editor::todays_editors;
use crate::support::program::{Scratchbed, json_at};
use crate::support::{contents, everything, of_the_day, root};

/// A set of our own content, laid out like the published one.
const SET: &str = "tests/fixtures/published_drags";
/// A drag on the canvas that connects in both editors.
const EITHER: &str = "T2_901";
/// All drags of the set.
const DRAGS: [&str; 6] = ["T1_901", "T1_902", "T2_901", "T2_902", "T2_903", "T2_904"];
/// Drags of the kinds that miss in today's editor, as docs/DRAGS.md explains: of a hat by its curve, and from the
/// palette into a mouth.
const ELSEWHERE: [&str; 2] = ["T1_901", "T2_902"];

fn pack_in(folder: &Path) -> String {
    let pack = folder.join("pack");
    import(&root().join(SET), &pack).unwrap();
    pack.display().to_string()
}

#[test]
fn published_drags_connect_in_the_editor_that_they_were_made_in() {
    let folder = tempfile::tempdir().unwrap();
    let pack = pack_in(folder.path());
    let scratchbed = Scratchbed::new();
    let replay = |drags: &[&str], editor: &[&str]| {
        let told = scratchbed.call(&["drag", "replay", "--pack", &pack]).args(editor).args(drags).blocking_answer();
        assert_eq!(told["of"], json!(drags.len()), "{told}");
        told
    };
    // A third of them on each day.
    let chosen: Vec<&str> = of_the_day(&DRAGS, DRAGS.len() / 3).into_iter().copied().collect();
    let told = replay(&chosen, &[]);
    assert_eq!((&told["editor"], &told["connected"]), (&json!("reference"), &json!(chosen.len())), "{told}");
    assert_eq!((told.code, &told["in_regions"]), (0, &Value::Null));
    // What is drawn elsewhere today does not: the same drags, in today's editor.
    let drags = if everything() { &DRAGS[..] } else { &ELSEWHERE[..] };
    let told = replay(drags, &["--editor", "current"]);
    assert_eq!(told["editor"], json!("current"));
    assert!(told["connected"].as_u64().unwrap() < drags.len() as u64, "{told}");
}

#[test]
fn runs_in_both_editors_have_a_row_each() {
    let folder = tempfile::tempdir().unwrap();
    let pack = pack_in(folder.path());
    let scratchbed = Scratchbed::new();
    let mut runs = Vec::new();
    for editor in ["reference", "current"] {
        let played = ["drag", "run", EITHER, "--pack", &pack, "--agent", "oracle", "--editor", editor];
        let told = scratchbed.blocking_answer(&played);
        let attempt = told.file(EITHER, "attempt.json");
        assert_eq!(attempt["outcome"], json!("passed"), "{editor}: {attempt}");
        let steps = attempt["detail"]["steps"].as_array().unwrap().clone();
        assert!(steps.iter().all(|step| step["trusted"] == json!(true)), "{editor}");
        assert!(steps.iter().any(|step| step["after"]["block"] == json!("b0")), "{editor}: the block is carried");
        let wanted = json!({"parent": "a1", "input": "SUBSTACK", "child": "b0"});
        let previews = steps.iter().filter_map(|step| step["after"]["preview"].as_array()).flatten();
        assert!(previews.into_iter().any(|link| *link == wanted), "{editor}: {steps:?}");
        runs.push(told.run_arg());
    }
    let told = scratchbed.blocking_answer(&["report", &runs[0], &runs[1]]);
    let rows = told["report"]["drags"]["rows"].as_array().unwrap();
    let editors: Vec<&str> = rows.iter().map(|row| row["editor"].as_str().unwrap()).collect();
    assert_eq!(editors, ["reference", "current"], "{told}");
}

#[test]
fn a_drag_that_misses_is_measured_by_the_published_points() {
    let folder = tempfile::tempdir().unwrap();
    let pack = pack_in(folder.path());
    let centre = ["drag", "run", EITHER, "--pack", &pack, "--agent", "centre"];
    let attempt = Scratchbed::new().blocking_answer(&centre).file(EITHER, "attempt.json");
    let detail = &attempt["detail"];
    assert_eq!((&detail["measured_by"], &detail["in_region"]), (&json!("published_points"), &Value::Null), "{attempt}");
    assert!(attempt["outcome"] == json!("passed") || detail["broke"]["stage"].is_string(), "{attempt}");
}

#[test]
fn what_the_reference_editor_lacks_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let pack = pack_in(folder.path());
    let refused = |arguments: &[&str], code: &str| {
        let answer = Scratchbed::new().blocking_answer(arguments);
        assert!(answer.code != 0 && answer["error"]["code"] == code, "{answer}");
    };
    refused(&["drag", "regions", EITHER, "--pack", &pack], "not_in_this_editor");
    refused(&["drag", "run", "below_say", "--agent", "oracle", "--editor", "reference"], "no_published_points");
}

#[test]
fn a_scene_is_set_up_dragged_in_and_put_back_in_both_editors() {
    in_shared_browsers(async {
        let folder = tempfile::tempdir().unwrap();
        let pack = ScenePack::read(Path::new(&pack_in(folder.path()))).unwrap();
        let [scene] = pack.chosen(&[EITHER.to_owned()]).unwrap()[..] else { panic!() };
        let sb3 = Arc::new(fs::read(pack.folder().join(format!("{EITHER}.sb3"))).unwrap());
        for editor in todays_editors() {
            let fleet = fleet_of(editor).await;
            assert_eq!(fleet.editor(), editor);
            let sessions = Sessions::new(fleet, SessionOptions { limit: 1, idle: Duration::from_secs(600) });
            let info = sessions.create(Start { stage: StageSize::Small, ..Start::default() }).await.unwrap();
            let handle = sessions.get(&info.id).await.unwrap();
            let mut stage = Stage::new(&handle, scene, Arc::clone(&sb3));
            stage.set_up().await.unwrap();
            let beginning = stage.state().await.unwrap();
            let truth = stage.truth().await.unwrap();
            assert_eq!(
                (truth.start.is_empty(), truth.links.len()),
                (editor == EditorGeneration::Reference, 1),
                "{editor}"
            );
            stage.drag((684, 169), (439, 234)).await.unwrap();
            assert_ne!(stage.state().await.unwrap(), beginning, "{editor}: the stack is in the loop now");
            let link = r#"Link { parent: "a1", input: Some("SUBSTACK"), child: "b0" }"#;
            let links = format!("{:?}", stage.links().await.unwrap());
            assert!(links.contains(link), "{editor}: {links}");
            // The reference editor needs the project loaded again for that, which gives its default blocks other ids.
            let put_back = stage.reset().await.unwrap();
            assert!(put_back || editor == EditorGeneration::Reference, "{editor}");
            assert!(!put_back || stage.state().await.unwrap() == beginning, "{editor}");
            let links = format!("{:?}", stage.links().await.unwrap());
            assert!(!links.contains(link), "{editor}: {links}");

            let listed = perform(&handle, Mode::Primitive, ActionCall::new("observe", Map::new())).await.unwrap();
            assert!(listed.error.is_none(), "{editor}: {:?}", listed.error);
            let state: AppState = api_over(sessions.clone()).into();
            let told = async |path: String| {
                let reply = call(state.clone(), request("GET", &path).body(Body::empty()).unwrap()).await;
                let wanted: Value = serde_json::from_slice(&bytes(reply).await).unwrap();
                wanted
            };
            assert_eq!(told("/health".to_owned()).await["editor"], json!(editor));
            let session = told(format!("/sessions/{}", info.id)).await;
            let shown = session
                .get("editor")
                .map_or(EditorGeneration::Current, |name| serde_json::from_value(name.clone()).unwrap());
            assert_eq!(shown, editor, "{session}");
            let live = told(format!("/sessions/{}/live", info.id)).await;
            assert_eq!(live["running"], json!(false), "{editor}: {live}");
            sessions.end(handle).await.unwrap();
            sessions.shutdown().await;
        }
    });
}

#[test]
fn pictures_of_questions_are_of_the_editor_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let build = |name: &str, editor: &str| {
        let set = folder.path().join(name);
        let out = set.display().to_string();
        let asked = ["perception", "build", "--seed", "4", "--n", "2", "--editor", editor, "--out", &out];
        let told = Scratchbed::new().blocking_answer(&asked);
        assert_eq!((&told["items"], &told["editor"]), (&json!(2), &json!(editor)), "{told}");
        contents(&set)
    };
    let [first, current] = [("first", "reference"), ("current", "current")].map(|(name, editor)| build(name, editor));
    // `browser_perception` shows it of the current editor.
    assert!(!everything() || first == build("again", "reference"), "the same seed makes the same files");
    let head: Value = serde_json::from_slice(&first[Path::new("set.json")]).unwrap();
    assert_eq!(head["origin"]["built"], json!({"seed": 4, "editor": "reference"}));
    // The same scenes in another look.
    let scene = |set: &BTreeMap<PathBuf, Vec<u8>>| {
        let text = String::from_utf8(set[Path::new("derivation.jsonl")].clone()).unwrap();
        let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        (first["task"].clone(), first["sprite"].clone())
    };
    assert_eq!(scene(&first), scene(&current));
    let picture = Path::new("screenshots/001.png");
    assert_ne!(first[picture], current[picture]);
}

#[test]
fn the_oracles_solve_tasks_in_the_reference_editor_and_their_runs_say_so() {
    let scratchbed = Scratchbed::new();
    let mut runs = Vec::new();
    // Stop blocks that others follow; menus; own blocks with parameters, lists and loops: each task has its day. By
    // mouse one will do.
    let composite = ["windmill_brake", "apple_sort"];
    let by_calls = of_the_day(&composite, 1);
    for (mode, tasks) in [("composite", by_calls), ("primitive", vec![&"till_miscounts"])] {
        let oracle = ["run", "--agent", "oracle", "--mode", mode, "--editor", "reference", "--jobs", "1"];
        let named = tasks.into_iter().flat_map(|task| ["--task", *task]);
        let told = scratchbed.call(&oracle).args(named).blocking_answer();
        assert_eq!(told["solved"], json!(true), "{mode}: {told}");
        runs.push(told.run_arg());
    }
    // What was done by mouse there is found to be, and comes out the same there.
    let attempt = format!("{}/attempts/till_miscounts.1", runs[1]);
    let checked = scratchbed.blocking_answer(&["log", "check", &attempt]);
    assert_eq!(checked["provenance"]["through_the_gui"], json!(true), "{checked}");
    let replayed = scratchbed.blocking_answer(&["log", "replay", &attempt]);
    assert_eq!(replayed["equal"], json!(true), "{replayed}");
    let report = scratchbed.blocking_answer(&["report", &runs[0], &runs[1]]);
    let rows = report["report"]["tasks"]["rows"].as_array().unwrap();
    let is_named = |row: &Value| row["name"].as_str().unwrap().contains("reference editor");
    assert!(rows.len() >= runs.len() && rows.iter().all(is_named), "{rows:#?}");
    for run in runs {
        assert_eq!(json_at(&Path::new(&run).join("run.json"))["options"]["editor"], json!("reference"));
    }
}
