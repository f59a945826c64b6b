//! Regions of single drags against real mouse drags: `open-scene`, `show-scene`, `scene-state`, `drag-regions` and
//! `block-links` by way of `scratchbed drag verify`.

use crate::cli_answers::{answer, scratchbed};

#[test]
fn real_drags_do_what_the_regions_say() {
    let output = scratchbed(&["drag", "verify", "below_say", "and_into_condition", "--points", "6", "--json"]);
    let answer = answer(&output);
    assert_eq!(answer["agree"], true, "{answer}");
    for scene in answer["scenes"].as_array().unwrap() {
        assert_eq!(scene["drags"], 6, "{scene}");
        assert!(scene["connected"].as_u64().unwrap() > 0, "{scene}");
        assert_eq!(scene["untouched"], true, "blocks, drawing order, undo stack or view were altered: {scene}");
        assert_eq!(scene["resets"], 6, "the blocks of a scene can be put back: {scene}");
        assert!(scene["start_area"].as_u64().unwrap() > 1000, "{scene}");
    }
}

#[test]
fn a_scene_that_is_not_there_is_named() {
    let output = scratchbed(&["drag", "verify", "no_such_scene", "--json"]);
    assert_eq!(answer(&output)["error"]["code"], "unknown_scene");
    assert_eq!(output.status.code(), Some(3));
}
