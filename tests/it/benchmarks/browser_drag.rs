//! Regions of single drags against real mouse drags: `open-scene`, `show-scene`, `scene-state`, `drag-regions` and
//! `block-links` by way of `scratchbed drag verify`, and scenes made of projects: `scene-blocks` by way of
//! `scratchbed drag generate`.

use crate::support::digests;
use crate::support::program::{Answer, Scratchbed};

fn call(args: &[&str]) -> Answer {
    Scratchbed::new().call(&["drag"]).args(args).blocking_answer()
}

#[test]
fn real_drags_do_what_the_regions_say() {
    let answer = call(&["verify", "below_say", "and_into_condition", "--points", "4"]);
    assert_eq!(answer["agree"], true, "{answer}");
    let scenes = answer["scenes"].as_array().unwrap();
    assert_eq!(scenes.len(), 2, "{answer}");
    for scene in scenes {
        assert_eq!(scene["drags"], 4, "{scene}");
        assert!(scene["connected"].as_u64().unwrap() > 0, "{scene}");
        assert_eq!(scene["untouched"], true, "blocks, drawing order, undo stack or view were altered: {scene}");
        assert_eq!(scene["resets"], 4, "the blocks of a scene can be put back: {scene}");
        assert!(scene["start_area"].as_u64().unwrap() > 1000, "{scene}");
    }
}

#[test]
fn a_block_is_grasped_where_no_other_script_lies_over_it() {
    let answer = call(&["verify", "covered_source", "--pack", "tests/fixtures/drag", "--points", "8"]);
    let scene = &answer["scenes"][0];
    assert_eq!(
        (&answer["agree"], &scene["drags"], &scene["untouched"]),
        (&true.into(), &8.into(), &true.into()),
        "{answer}"
    );
    assert_eq!(scene["kept"], "missing");
}

#[test]
fn a_scene_is_shown_with_a_picture_of_its_regions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.png");
    let told = call(&["show", "below_say", "--picture", file.to_str().unwrap()]);
    assert_eq!((&told["kind"], &told["type"]), (&"below".into(), &"T1".into()), "{told}");
    assert!(told["regions"]["start_px"].as_u64() > Some(200) && told["instruction"].is_string(), "{told}");
    let drawn = image::open(&file).unwrap().to_rgb8();
    assert_eq!(drawn.dimensions(), (1280, 720));
    // The borders of the two regions: nothing in the editor has these colours.
    for colour in [[0, 170, 60], [30, 80, 255]] {
        assert!(drawn.pixels().filter(|pixel| pixel.0 == colour).count() > 40, "{colour:?}");
    }
}

#[test]
fn a_scene_that_is_not_there_is_named() {
    let answer = call(&["verify", "no_such_scene"]);
    assert_eq!((answer.code, &answer["error"]["code"]), (3, &"unknown_scene".into()));
}

#[test]
fn the_same_seed_gives_the_same_scenes() {
    let place = tempfile::tempdir().unwrap();
    let made: Vec<_> = ["one", "two"].map(|name| place.path().join(name)).into_iter().collect();
    for folder in &made {
        let folder = folder.to_str().unwrap();
        let answer = call(&["generate", "--n", "1", "--seed", "5", "--out", folder]);
        assert_eq!(answer["scenes"], 1, "{answer}");
    }
    let scenes = digests(&made[0]);
    assert_eq!(scenes.len(), 2, "a scene and its regions");
    assert_eq!(scenes, digests(&made[1]));
    let again = call(&["generate", "--out", made[0].to_str().unwrap()]);
    assert_eq!(again["error"]["code"], "unwritable_file", "scenes are not mixed: {again}");
}
