//! The table of all blocks as data, for tests that make projects of its blocks or look at blocks in projects.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use scratchbed::project::catalogue::Catalogue;
use serde_json::{Map, Value};

static BLOCKS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    let whole = serde_json::to_value(Catalogue::pinned()).unwrap();
    whole["blocks"].as_object().unwrap().clone()
});

/// Opcodes of blocks that are more than a value, by shape.
static SHAPES: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut shapes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (opcode, block) in BLOCKS.iter().filter(|(opcode, _)| !is_constant(opcode)) {
        shapes.entry(block["shape"].as_str().unwrap()).or_default().push(opcode);
    }
    shapes
});

/// Opcodes of blocks of a shape (`stack`, `cap`, `hat`, `reporter` or `boolean`) that are more than a value.
pub fn of_shape(shape: &str) -> &'static [&'static str] {
    SHAPES.get(shape).map(Vec::as_slice).unwrap_or_default()
}

/// What is known of the blocks, by opcode.
pub fn blocks() -> &'static Map<String, Value> {
    &BLOCKS
}

/// Words, slots, choices and mouths of a block; none of one that the table does not have.
pub fn parts(opcode: &str) -> Option<&'static [Value]> {
    blocks().get(opcode)?["parts"].as_array().map(Vec::as_slice)
}

/// Returns true if a block does nothing but hold the value of its one field: a number, a text, a menu.
pub fn is_constant(opcode: &str) -> bool {
    blocks().get(opcode).is_some_and(|block| {
        block["shape"] == "reporter"
            && block["palette"] == false
            && parts(opcode).is_some_and(|parts| parts.len() == 1 && parts[0]["field"].is_string())
    })
}

#[test]
fn menus_and_values_are_constants_and_reporters_are_not() {
    for opcode in ["text", "math_angle", "colour_picker", "motion_goto_menu", "looks_costume", "sound_sounds_menu"] {
        assert!(is_constant(opcode), "{opcode}");
    }
    for opcode in ["sensing_current", "control_get_counter", "looks_size", "sensing_of", "looks_say", "data_variable"] {
        assert!(!is_constant(opcode), "{opcode}");
    }
}
