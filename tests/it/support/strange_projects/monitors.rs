//! Monitors of a strange project: of variables, lists and blocks, seen and hidden, in all modes.

use serde_json::{Map, Value, json};

use super::names::name;
use super::tape::{Oddity, Tape};
use super::world::{Named, World};

/// Blocks that can be monitored, with what follows the target in their ids: of a sprite, and of the whole project.
const OF_SPRITES: [(&str, &str); 5] = [
    ("motion_xposition", "xposition"),
    ("motion_yposition", "yposition"),
    ("motion_direction", "direction"),
    ("looks_size", "size"),
    ("sound_volume", "volume"),
];
const OF_ALL: [(&str, &str); 6] = [
    ("sensing_timer", "timer"),
    ("sensing_answer", "answer"),
    ("sensing_loudness", "loudness"),
    ("sensing_username", "username"),
    ("sensing_dayssince2000", "dayssince2000"),
    ("music_getTempo", "music_getTempo"),
];

pub fn monitors(tape: &mut Tape, world: &World) -> Vec<Value> {
    let count = tape.below(5);
    let mut all: Vec<Value> = Vec::new();
    for _ in 0..count {
        let next = monitor(tape, world);
        if all.iter().all(|other| other["id"] != next["id"]) {
            all.push(next);
        }
    }
    all
}

fn monitor(tape: &mut Tape, world: &World) -> Value {
    let at = tape.below(world.targets.len());
    let sprite = world.targets.get(at).filter(|_| at != 0).map(|scope| scope.name.as_str());
    match tape.below(6) {
        0 | 1 => {
            let mode = *tape.pick(&["default", "large", "slider"]);
            of_declared(tape, &world.targets[at].variables, "data_variable", "VARIABLE", sprite, mode)
        }
        2 => of_declared(tape, &world.targets[at].lists, "data_listcontents", "LIST", sprite, "list"),
        3 => {
            let menu = *tape.pick(&["YEAR", "second", "DAYOFWEEK"]);
            let id = format!("current_{}", menu.to_lowercase());
            monitor_of(tape, &id, "sensing_current", json!({"CURRENTMENU": menu}), None, "default")
        }
        4 if sprite.is_some() => {
            let (opcode, end) = *tape.pick(&OF_SPRITES);
            monitor_of(tape, &format!("{at}_{end}"), opcode, json!({}), sprite, "default")
        }
        _ => {
            let (opcode, id) = *tape.pick(&OF_ALL);
            monitor_of(tape, id, opcode, json!({}), None, "large")
        }
    }
}

/// The monitor of a variable or list, now and then under a stale name; of a timer if there is none.
fn of_declared(tape: &mut Tape, all: &[Named], opcode: &str, field: &str, sprite: Option<&str>, mode: &str) -> Value {
    if all.is_empty() {
        return monitor_of(tape, "timer", "sensing_timer", json!({}), None, "default");
    }
    let Named { id, name: called } = tape.pick(all).clone();
    let called = if tape.odd(Oddity::StaleNames, 30) { name(tape) } else { called };
    let params = Map::from_iter([(field.to_owned(), json!(called))]);
    monitor_of(tape, &id, opcode, Value::Object(params), sprite, mode)
}

fn monitor_of(tape: &mut Tape, id: &str, opcode: &str, params: Value, sprite: Option<&str>, mode: &str) -> Value {
    let mut monitor = json!({"id": id, "mode": mode, "opcode": opcode, "params": {}, "spriteName": sprite, "value": "",
        "width": 0, "height": 0, "x": tape.between(0, 400), "y": tape.between(0, 300), "visible": !tape.chance(25)});
    monitor["params"] = params;
    if mode == "list" {
        (monitor["width"], monitor["height"]) = (json!(tape.pick(&[0, 100, 150])), json!(tape.pick(&[0, 200])));
    } else {
        monitor["sliderMin"] = json!(tape.pick(&[0.0, -5.5]));
        monitor["sliderMax"] = json!(tape.pick(&[100.0, 7.0]));
        monitor["isDiscrete"] = json!(!tape.chance(40));
    }
    monitor
}
