//! Tags: what a project does, read off its blocks (ScratchEval, section 2.6). Its genre is for people to say.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::bugs::Features;
use crate::project::view::targets;

/// Tags with the blocks that give them; those that end with `_` are beginnings.
const TAGS: &[(&str, &[&str])] = &[
    (
        "timing",
        &[
            "control_wait",
            "motion_glidesecstoxy",
            "motion_glideto",
            "sensing_timer",
            "sensing_resettimer",
            "looks_sayforsecs",
            "looks_thinkforsecs",
        ],
    ),
    ("sensing", &["sensing_"]),
    ("keyboard", &["event_whenkeypressed", "sensing_keypressed"]),
    ("mouse", &["event_whenthisspriteclicked", "event_whenstageclicked", "sensing_mouse"]),
    ("ask", &["sensing_askandwait"]),
    ("pen", &["pen_"]),
    ("sound", &["sound_", "music_"]),
    ("costumes", &["looks_switchcostumeto", "looks_nextcostume"]),
    ("backdrops", &["looks_switchbackdrop", "looks_nextbackdrop", "event_whenbackdropswitchesto"]),
];

/// Beginnings of opcodes that are not followed by `_` above.
fn gives(opcode: &str, pattern: &str) -> bool {
    let is_beginning = pattern.ends_with('_') || matches!(pattern, "sensing_mouse" | "looks_switchbackdrop");
    if is_beginning { opcode.starts_with(pattern) } else { opcode == pattern }
}

/// The tags of a project, sorted.
pub(super) fn of(project: &Value, features: &Features) -> Vec<String> {
    let opcodes: BTreeSet<&str> =
        targets(project).flat_map(|target| target.blocks().map(|block| block.opcode).collect::<Vec<_>>()).collect();
    let by_blocks = TAGS
        .iter()
        .filter(|(_, patterns)| opcodes.iter().any(|opcode| patterns.iter().any(|pattern| gives(opcode, pattern))));
    let counted = [
        ("concurrency", features.concurrency),
        ("lists", features.lists[0] + features.lists[1]),
        ("clones", features.clones),
        ("broadcasts", features.broadcast_uses()),
        ("custom_blocks", features.custom_blocks),
        ("random", features.random),
    ];
    let counted = counted.into_iter().filter(|(_, count)| *count > 0).map(|(tag, _)| tag);
    let all: BTreeSet<&str> = by_blocks.map(|(tag, _)| *tag).chain(counted).collect();
    all.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tags_follow_from_blocks_and_counts() {
        let block =
            |opcode: &str| json!({"opcode": opcode, "next": null, "inputs": {}, "fields": {}, "topLevel": true});
        let project = json!({"targets": [{"isStage": true, "name": "Stage", "blocks": {
            "a": block("control_wait"), "b": block("sensing_mousedown"), "c": block("pen_clear"), "d": block("looks_sayforsecs"),
            "e": block("looks_switchbackdroptoandwait"), "f": block("control_wait_until")
        }}]});
        let features = Features { clones: 1, lists: [0, 2], ..Features::default() };
        assert_eq!(of(&project, &features), ["backdrops", "clones", "lists", "mouse", "pen", "sensing", "timing"]);
        assert!(of(&json!({"targets": []}), &Features::default()).is_empty());
    }
}
