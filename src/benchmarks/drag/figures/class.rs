//! The rows that a scene belongs to: its type of interaction, its kind of connection, and where its block comes from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::{Kind, Relation, Scene};

/// What the figures of a row are of: a type of interaction (paper, appendix I), a kind of connection, or where the block
/// comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Split {
    #[serde(rename = "T1")]
    #[strum(to_string = "T1")]
    T1,
    #[serde(rename = "T2")]
    #[strum(to_string = "T2")]
    T2,
    #[serde(rename = "ALL")]
    #[strum(to_string = "ALL")]
    All,
    /// Right below the target.
    Below,
    /// Right above the target.
    Above,
    /// Below the target and above what followed it.
    Between,
    /// Into a slot for a value or a condition.
    Slot,
    /// Into the mouth of a C-block.
    Mouth,
    /// The target goes into the dragged block.
    Around,
    Palette,
    Canvas,
}

/// What decides the rows that a scene belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneClass {
    /// How the blocks should be connected.
    pub(super) kind: Split,
    /// Where the block comes from.
    pub(super) origin: Split,
    /// Whether it is slot insertion.
    pub(super) is_insertion: bool,
}

impl SceneClass {
    pub fn of(scene: &Scene) -> Self {
        let Relation { kind, input, .. } = &scene.relation;
        let is_mouth = input.as_deref().is_some_and(|name| name.starts_with(MOUTHS));
        let is_insertion = kind.is_insertion();
        let kind = match kind {
            Kind::Below => Split::Below,
            Kind::Above => Split::Above,
            Kind::Between => Split::Between,
            Kind::Into if !is_mouth => Split::Slot,
            Kind::Into | Kind::Atop => Split::Mouth,
            Kind::Around => Split::Around,
        };
        Self { kind, origin: if scene.source.palette { Split::Palette } else { Split::Canvas }, is_insertion }
    }

    pub const fn kind(self) -> Split {
        self.kind
    }

    /// Where its block comes from.
    pub const fn origin(self) -> Split {
        self.origin
    }

    pub const fn interaction(self) -> Split {
        if self.is_insertion { Split::T2 } else { Split::T1 }
    }
}

/// How the inputs of C-blocks begin that are mouths; all others are slots.
const MOUTHS: &str = "SUBSTACK";
/// The rows of the paper's tables 2 and 9.
pub(super) const INTERACTIONS: [Split; 3] = [Split::T1, Split::T2, Split::All];
/// Kinds of connection, in the order of tables.
pub(super) const KINDS: [Split; 6] =
    [Split::Below, Split::Above, Split::Between, Split::Slot, Split::Mouth, Split::Around];
/// Where blocks come from, in the order of tables.
pub(super) const ORIGINS: [Split; 2] = [Split::Palette, Split::Canvas];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mouths_are_distinguished_from_slots() {
        let scenes: Vec<Scene> = [("into", "SUBSTACK2"), ("into", "CONDITION"), ("atop", "SUBSTACK"), ("around", "X")]
            .into_iter()
            .map(|(kind, input)| {
                let block = serde_json::json!({"opcode": "control_if"});
                serde_json::from_value(serde_json::json!({
                    "id": "s", "instruction": "Drag it.", "project": {"file": "s.sb3"},
                    "view": {"scale": 1.0, "x": 0.0, "y": 0.0}, "source": {"block": block, "palette": kind == "atop"},
                    "relation": {"kind": kind, "target": block, "input": input},
                }))
                .unwrap()
            })
            .collect();
        let classes: Vec<SceneClass> = scenes.iter().map(SceneClass::of).collect();
        let kinds: Vec<Split> = classes.iter().map(|class| class.kind()).collect();
        assert_eq!(kinds, [Split::Mouth, Split::Slot, Split::Mouth, Split::Around]);
        assert_eq!((classes[0].origin(), classes[2].origin()), (Split::Canvas, Split::Palette));
        assert!(classes.iter().all(|class| class.interaction() == Split::T2));
    }
}
