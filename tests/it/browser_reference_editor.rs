//! The reference editor beside the current one. Page functions that run in both are called in both: `ready`,
//! `load-project`, `snapshot`, `stage-size`, `settle` and `editor-facts` of every page, `small-stage`, `open-scene`,
//! `show-scene`, `scene-state` and `block-links` of a stage, `drag-watch` and `drag-boxes` of `drag run`.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use scratchbed::action::perform;
use scratchbed::benchmarks::drag::{ScenePack, Stage, import};
use scratchbed::files::Checkout;
use scratchbed::model::{ActionCall, EditorGeneration, Mode, StageSize};
use scratchbed::session::{SessionOptions, Sessions, Start};
use scratchbed::setup::{self, Place};
use serde_json::{Map, Value, json};

use crate::cli_answers::{answer, scratchbed};
use crate::support::{fleet_of, root};

/// A set of our own content, laid out like the published one.
const SET: &str = "tests/fixtures/published_drags";
const BOTH: [EditorGeneration; 2] = [EditorGeneration::Current, EditorGeneration::Reference];
/// A drag on the canvas that connects in both editors.
const EITHER: &str = "T2_901";

fn pack_in(folder: &Path) -> String {
    let pack = folder.join("pack");
    import(&root().join(SET), &pack).unwrap();
    pack.display().to_string()
}

#[test]
fn published_drags_connect_in_the_editor_that_they_were_made_in() {
    let folder = tempfile::tempdir().unwrap();
    let pack = pack_in(folder.path());
    let output = scratchbed(&["drag", "replay", "--pack", &pack, "--json"]);
    let told = answer(&output);
    assert_eq!(
        (&told["editor"], &told["connected"], &told["of"]),
        (&json!("reference"), &json!(6), &json!(6)),
        "{told}"
    );
    assert_eq!((output.status.code(), &told["in_regions"]), (Some(0), &Value::Null));
    // What is drawn elsewhere today does not: the same drags, in today's editor.
    let told = answer(&scratchbed(&["drag", "replay", "--pack", &pack, "--editor", "current", "--json"]));
    assert_eq!(told["editor"], json!("current"));
    assert!(told["connected"].as_u64() < Some(6), "{told}");
}

#[test]
fn runs_in_both_editors_have_a_row_each() {
    let folder = tempfile::tempdir().unwrap();
    let pack = pack_in(folder.path());
    let mut runs = Vec::new();
    for editor in ["reference", "current"] {
        let told = answer(&scratchbed(&[
            "drag", "run", EITHER, "--pack", &pack, "--agent", "oracle", "--editor", editor, "--json",
        ]));
        let run = told["runs"][0]["run"].as_str().unwrap().to_owned();
        let attempt: Value =
            serde_json::from_slice(&fs::read(format!("{run}/attempts/{EITHER}.1/attempt.json")).unwrap()).unwrap();
        assert_eq!(attempt["outcome"], json!("passed"), "{editor}: {attempt}");
        let steps = attempt["detail"]["steps"].as_array().unwrap().clone();
        assert!(steps.iter().all(|step| step["trusted"] == json!(true)), "{editor}");
        assert!(steps.iter().any(|step| step["after"]["block"] == json!("b0")), "{editor}: the block is carried");
        let wanted = json!({"parent": "a1", "input": "SUBSTACK", "child": "b0"});
        let previews = steps.iter().filter_map(|step| step["after"]["preview"].as_array()).flatten();
        assert!(previews.into_iter().any(|link| *link == wanted), "{editor}: {steps:?}");
        runs.push(run);
    }
    let told = answer(&scratchbed(&["report", &runs[0], &runs[1], "--json"]));
    let rows = told["report"]["drags"]["rows"].as_array().unwrap();
    let editors: Vec<&str> = rows.iter().map(|row| row["editor"].as_str().unwrap()).collect();
    assert_eq!(editors, ["reference", "current"], "{told}");
}

#[test]
fn a_drag_that_misses_is_measured_by_the_published_points() {
    let folder = tempfile::tempdir().unwrap();
    let pack = pack_in(folder.path());
    let centre = answer(&scratchbed(&["drag", "run", EITHER, "--pack", &pack, "--agent", "centre", "--json"]));
    let run = centre["runs"][0]["run"].as_str().unwrap();
    let attempt: Value =
        serde_json::from_slice(&fs::read(format!("{run}/attempts/{EITHER}.1/attempt.json")).unwrap()).unwrap();
    let detail = &attempt["detail"];
    assert_eq!((&detail["measured_by"], &detail["in_region"]), (&json!("published_points"), &Value::Null), "{attempt}");
    assert!(attempt["outcome"] == json!("passed") || detail["broke"]["stage"].is_string(), "{attempt}");
}

#[test]
fn what_the_reference_editor_lacks_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let pack = pack_in(folder.path());
    let refused = |arguments: &[&str]| {
        let output = scratchbed(arguments);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, text) = refused(&["drag", "run", EITHER, "--pack", &pack, "--agent", "oracle", "--element-list"]);
    assert!(code != Some(0) && text.contains("not_in_this_editor"), "{text}");
    let (code, text) = refused(&["drag", "regions", EITHER, "--pack", &pack]);
    assert!(code != Some(0) && text.contains("not_in_this_editor"), "{text}");
    let (code, text) = refused(&["drag", "run", "below_say", "--agent", "oracle", "--editor", "reference"]);
    assert!(code != Some(0) && text.contains("no_published_points"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scene_is_set_up_dragged_in_and_put_back_in_both_editors() {
    let place = Place { checkout: Checkout::at(root()), chromium: None };
    tokio::task::spawn_blocking(move || {
        let _lock = setup::lock(&place).unwrap();
        setup::reference_editor_step().carry_out(&place).unwrap()
    })
    .await
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let pack = ScenePack::read(Path::new(&pack_in(folder.path()))).unwrap();
    let [scene] = pack.chosen(&[EITHER.to_owned()]).unwrap()[..] else { panic!() };
    let sb3 = Arc::new(fs::read(pack.folder().join(format!("{EITHER}.sb3"))).unwrap());
    for editor in BOTH {
        let fleet = fleet_of(editor).await;
        assert_eq!(fleet.editor(), editor);
        let sessions = Sessions::new(fleet, SessionOptions { limit: 1, idle: Duration::from_secs(600) });
        let info = sessions.create(Start { stage: StageSize::Small, ..Start::default() }).await.unwrap();
        let handle = sessions.get(&info.id).await.unwrap();
        let mut stage = Stage::new(&handle, scene, Arc::clone(&sb3));
        stage.set_up().await.unwrap();
        let beginning = stage.state().await.unwrap();
        let truth = stage.truth().await.unwrap();
        assert_eq!((truth.start.is_empty(), truth.links.len()), (editor == EditorGeneration::Reference, 1), "{editor}");
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
        let code = listed.error.map(|error| error.code);
        let wanted = (editor == EditorGeneration::Reference).then(|| "not_in_this_editor".to_owned());
        assert_eq!(code, wanted, "{editor}");
        sessions.end(handle).await.unwrap();
        sessions.shutdown().await;
    }
}

#[test]
fn the_doctor_looks_into_both() {
    let told = answer(&scratchbed(&["doctor", "--json"]));
    let checks = told["checks"].as_array().unwrap();
    let detail = |name: &str| {
        let found = checks.iter().find(|check| check["name"] == json!(name));
        found.map(|check| check["detail"].as_str().unwrap_or_default().to_owned())
    };
    if let Some(handles) = detail("reference handles") {
        assert!(handles.starts_with("ScratchBlocks true"), "{told}");
    } else {
        let said = detail("reference editor").unwrap();
        assert!(said.contains("setup --reference-editor"), "{told}");
    }
}
