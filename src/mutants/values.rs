//! Alternatives for a slot or a menu: other numbers and texts, other keys, costumes and sprites.

use crate::project::view::{TargetView, targets};
use serde_json::Value;

/// What a changed value is called in the name of a mutant, and the value.
pub(super) type Variant = (&'static str, String);

/// Other values for what a person typed. `kind` is that of an inline value: 4 number, 5 and 6 positive, 7 whole,
/// 8 angle, 9 colour, 10 text.
pub(super) fn literals(kind: u64, value: &str, opcode: &str) -> Vec<Variant> {
    if kind == 9 {
        return vec![("colour", other_colour(value))];
    }
    let Some(number) = value.trim().parse::<f64>().ok().filter(|number| number.is_finite()) else {
        // A number slot that holds text counts as 0.
        return if kind == 10 { vec![("text", format!("{value}x"))] } else { vec![("more", "1".to_owned())] };
    };
    // A step on the stage must be wider than the tolerance that a fair script grants.
    let least = if opcode.starts_with("motion_") { 10.0 } else { 1.0 };
    let mut variants = vec![("more", (number + (number.abs() / 2.0).ceil().max(least)).to_string())];
    let half_turn = opcode.starts_with("motion_") && (number.abs() - 180.0).abs() < f64::EPSILON;
    // Whether something divides does not depend on the sign.
    let sign_matters = number != 0.0 && !half_turn && opcode != "operator_mod";
    if sign_matters {
        match kind {
            5..=7 => variants.push(("zero", "0".to_owned())),
            _ => variants.push(("negative", (-number).to_string())),
        }
    }
    variants.dedup_by(|(_, b), (_, a)| a == b);
    variants
}

/// The colour with all bits turned, as `#rrggbb`.
fn other_colour(value: &str) -> String {
    let bits = u32::from_str_radix(value.trim_start_matches('#'), 16).unwrap_or_default();
    format!("#{:06x}", !bits & 0x00ff_ffff)
}

/// Another choice for a menu of fixed entries.
fn fixed(field: &str, value: &str) -> Option<&'static str> {
    Some(match (field, value) {
        ("KEY_OPTION", "space") => "right arrow",
        ("KEY_OPTION", _) => "space",
        ("EFFECT", "COLOR") => "GHOST",
        // The effects of looks; sound has PITCH and PAN.
        ("EFFECT", "PITCH") => "PAN",
        ("EFFECT", "PAN") => "PITCH",
        ("EFFECT", _) => "COLOR",
        ("STYLE", "all around") => "don't rotate",
        ("STYLE", _) => "all around",
        ("FRONT_BACK", "front") => "back",
        ("FRONT_BACK", _) => "front",
        ("FORWARD_BACKWARD", "forward") => "backward",
        ("FORWARD_BACKWARD", _) => "forward",
        ("NUMBER_NAME", "number") => "name",
        ("NUMBER_NAME", _) => "number",
        // "other scripts" has another shape, so that these two change places only with each other.
        ("STOP_OPTION", "all") => "this script",
        ("STOP_OPTION", "this script") => "all",
        ("OPERATOR", "floor") => "ceiling",
        ("OPERATOR", "ceiling") => "floor",
        ("OPERATOR", "sin") => "cos",
        ("OPERATOR", "cos") => "sin",
        ("OPERATOR", "abs") => "sqrt",
        ("OPERATOR", _) => "abs",
        _ => return None,
    })
}

/// Another choice for a menu: a fixed one, or another costume, sound or sprite of the project.
pub(super) fn choice(project: &Value, target: TargetView<'_>, field: &str, value: &str) -> Option<String> {
    if let Some(other) = fixed(field, value) {
        return Some(other.to_owned());
    }
    let names = |items: &[Value]| -> Vec<String> {
        items.iter().filter_map(|item| item.get("name")?.as_str().map(str::to_owned)).collect()
    };
    let stage = || targets(project).find(TargetView::is_stage);
    let all = match field {
        "COSTUME" => names(target.items("costumes")),
        "BACKDROP" => names(stage()?.items("costumes")),
        "SOUND_MENU" => names(target.items("sounds")),
        "TOUCHINGOBJECTMENU" => things(project, target, &["_edge_", "_mouse_"]),
        "DISTANCETOMENU" | "TO" | "TOWARDS" => things(project, target, &["_mouse_"]),
        _ => return None,
    };
    other_of(&all, value)
}

/// The other sprites, and the fixed entries of their menu.
fn things(project: &Value, target: TargetView<'_>, fixed: &[&str]) -> Vec<String> {
    let sprites = targets(project).filter(|other| !other.is_stage() && other.name() != target.name());
    sprites.map(|sprite| sprite.name().to_owned()).chain(fixed.iter().map(|name| (*name).to_owned())).collect()
}

/// The entry after `value`, around the end; the first one if `value` is no entry.
pub(super) fn other_of(all: &[String], value: &str) -> Option<String> {
    let after = all.iter().position(|name| name == value).map_or(0, |at| at + 1);
    let around = all.iter().cycle().skip(after).take(all.len());
    around.into_iter().find(|name| *name != value).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(kind: u64, value: &str, opcode: &str) -> Vec<String> {
        literals(kind, value, opcode).into_iter().map(|(_, value)| value).collect()
    }

    #[test]
    fn numbers_grow_and_turn_round() {
        assert_eq!(values(4, "10", "data_setvariableto"), ["15", "-10"]);
        assert_eq!(values(4, "0", "motion_gotoxy"), ["10"]);
        assert_eq!(values(4, "-0.5", "operator_add"), ["0.5"]);
        assert_eq!(values(10, "3", "operator_equals"), ["5", "-3"]);
        assert_eq!(values(6, "4", "control_repeat"), ["6", "0"]);
        assert_eq!(values(8, "180", "motion_pointindirection"), ["270"]);
        assert_eq!(values(4, "", "operator_add"), ["1"]);
    }

    #[test]
    fn texts_and_colours_change() {
        assert_eq!(values(10, "Hello", "looks_say"), ["Hellox"]);
        assert_eq!(values(10, "", "looks_say"), ["x"]);
        assert_eq!(values(9, "#ff0010", "sensing_touchingcolor"), ["#00ffef"]);
    }

    #[test]
    fn the_next_entry_is_another_one() {
        let all = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(other_of(&all, "c").as_deref(), Some("a"));
        assert_eq!(other_of(&all, "nobody").as_deref(), Some("a"));
        assert_eq!(other_of(&all[..1], "a"), None);
    }
}
