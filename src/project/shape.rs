//! The shape of a program: what is left of it without names, values, places and ids. Translations of a project have one shape, and
//! remixes a near one (ScratchEval, section 2.5).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::reach::blocks_in_order;
use crate::view::{Slot, targets};
use scratchbed_model::sha256_hex;

/// Opcodes in a shingle.
const SHINGLE: usize = 4;

/// The shape of a project's scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Digest of the trees of opcodes, scripts in any order.
    pub digest: String,
    /// Runs of four opcodes within scripts, in the order in which they are read, with how often each occurs. Shorter scripts are one.
    shingles: BTreeMap<String, u32>,
}

impl Shape {
    /// The shape in a project file.
    pub fn of(project: &Value) -> Self {
        let mut scripts = Vec::new();
        let mut shingles: BTreeMap<String, u32> = BTreeMap::new();
        for target in targets(project) {
            for slot in target.scripts() {
                let Slot::Block(root) = slot else { continue };
                let opcodes: Vec<&str> = blocks_in_order(target, root).iter().map(|block| block.opcode).collect();
                for shingle in opcodes.windows(SHINGLE.min(opcodes.len().max(1))) {
                    *shingles.entry(shingle.join(" ")).or_default() += 1;
                }
                scripts.push(opcodes.join(" "));
            }
        }
        scripts.sort();
        Self { digest: sha256_hex(scripts.join("\n").as_bytes()), shingles }
    }

    /// How alike two shapes are, from 0 to 1: the Jaccard index of their multisets of shingles. Two without scripts are alike.
    pub fn likeness(&self, other: &Self) -> f64 {
        let count = |shape: &Self, shingle: &String| shape.shingles.get(shingle).copied().unwrap_or_default();
        let all: std::collections::BTreeSet<&String> = self.shingles.keys().chain(other.shingles.keys()).collect();
        let (mut shared, mut either) = (0, 0);
        for shingle in all {
            let (one, two) = (count(self, shingle), count(other, shingle));
            shared += one.min(two);
            either += one.max(two);
        }
        if either == 0 { 1.0 } else { f64::from(shared) / f64::from(either) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::edit::fixture::project;

    #[test]
    fn names_and_values_are_no_part_of_a_shape_and_blocks_are() {
        let (first, mut other) = (Shape::of(&project()), project());
        other["targets"][1]["name"] = json!("Falter");
        other["targets"][1]["blocks"]["say"]["inputs"]["MESSAGE"][1][1] = json!("erwischt");
        assert_eq!(first, Shape::of(&other));
        other["targets"][1]["blocks"]["say"]["opcode"] = json!("looks_think");
        let changed = Shape::of(&other);
        assert_ne!(first.digest, changed.digest);
        let likeness = first.likeness(&changed);
        assert!(likeness > 0.4 && likeness < 1.0, "{likeness}");
        assert!((first.likeness(&first) - 1.0).abs() < f64::EPSILON);
        assert!((first.likeness(&changed) - changed.likeness(&first)).abs() < f64::EPSILON);
    }

    #[test]
    fn likeness_is_the_jaccard_index_of_multisets() {
        let of = |opcodes: &[&str]| {
            let mut blocks = json!({});
            for (at, opcode) in opcodes.iter().enumerate() {
                let next = (at + 1 < opcodes.len()).then(|| format!("b{}", at + 1));
                blocks[format!("b{at}")] =
                    json!({"opcode": opcode, "next": next, "shadow": false, "topLevel": at == 0});
            }
            Shape::of(&json!({"targets": [{"isStage": true, "name": "Stage", "blocks": blocks}]}))
        };
        // abcd bcde and abcd bcdf: one of three.
        let (one, two) = (of(&["a", "b", "c", "d", "e"]), of(&["a", "b", "c", "d", "f"]));
        assert!((one.likeness(&two) - 1.0 / 3.0).abs() < 1e-12);
        assert!((of(&["a"]).likeness(&of(&["b"]))).abs() < f64::EPSILON);
        // aaaa twice and once.
        assert!((of(&["a"; 5]).likeness(&of(&["a"; 4])) - 0.5).abs() < 1e-12);
    }
}
