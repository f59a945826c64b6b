//! A strange target around its blocks: state, costumes, sounds, values, comments.

use serde_json::{Map, Value, json};

use super::names::{stored, text};
use super::tape::{Oddity, Tape};
use super::world::{Named, World};
use super::yard::Yard;
use crate::support::forged::{ASSET, SOUND};

/// Numbers as people leave them behind.
const PLACES: [f64; 8] = [0.0, 10.0, -120.0, 0.5, -33.333_333_333, 1e7, 240.25, -0.000_001];
const DIRECTIONS: [f64; 8] = [90.0, 0.0, 180.0, -90.0, 45.5, 270.0, -180.0, 720.0];

/// A target with everything that the file has of it.
pub fn target(tape: &mut Tape, world: &World, at: usize) -> Value {
    let blocks = Yard::new(tape, world, at).fill();
    let scope = &world.targets[at];
    let (blocks, comments) = commented(tape, blocks);
    let mut json = json!({
        "isStage": at == 0,
        "name": scope.name,
        "variables": variables(tape, &scope.variables, at == 0),
        "lists": lists(tape, &scope.lists),
        "broadcasts": {},
        "blocks": blocks,
        "comments": comments,
        "currentCostume": tape.below(scope.costumes.len()),
        "costumes": costumes(tape, &scope.costumes),
        "sounds": sounds(&scope.sounds),
        "volume": tape.pick(&[100, 50, 0]),
        "layerOrder": layer(world, at),
    });
    if at == 0 {
        let messages = world.messages.iter().map(|message| (message.id.clone(), json!(message.name)));
        json["broadcasts"] = Value::Object(messages.collect());
    }
    let state = if at == 0 { stage_state(tape) } else { sprite_state(tape) };
    json.as_object_mut().unwrap().extend(state);
    json
}

/// Sprites lie behind one another from the last to the first.
fn layer(world: &World, at: usize) -> usize {
    if at == 0 { 0 } else { world.targets.len() - at }
}

fn stage_state(tape: &mut Tape) -> Map<String, Value> {
    Map::from_iter([
        ("tempo".to_owned(), json!(tape.pick(&[60.0, 120.0, 33.5]))),
        ("videoState".to_owned(), json!(tape.pick(&["on", "off", "on-flipped"]))),
        ("videoTransparency".to_owned(), json!(tape.pick(&[50, 0, 100]))),
        ("textToSpeechLanguage".to_owned(), tape.pick(&[Value::Null, json!("de")]).clone()),
    ])
}

fn sprite_state(tape: &mut Tape) -> Map<String, Value> {
    Map::from_iter([
        ("visible".to_owned(), json!(!tape.chance(20))),
        ("x".to_owned(), json!(tape.pick(&PLACES))),
        ("y".to_owned(), json!(tape.pick(&PLACES))),
        ("size".to_owned(), json!(tape.pick(&[100.0, 55.5, 0.0, 1000.0]))),
        ("direction".to_owned(), json!(tape.pick(&DIRECTIONS))),
        ("draggable".to_owned(), json!(tape.chance(20))),
        ("rotationStyle".to_owned(), json!(tape.pick(&["all around", "left-right", "don't rotate"]))),
    ])
}

fn variables(tape: &mut Tape, all: &[Named], is_stage: bool) -> Value {
    let each = all.iter().map(|variable| {
        let mut parts = vec![json!(variable.name), stored(tape)];
        if is_stage && tape.odd(Oddity::CloudVariables, 30) {
            parts.push(json!(true));
        }
        (variable.id.clone(), Value::Array(parts))
    });
    Value::Object(each.collect())
}

fn lists(tape: &mut Tape, all: &[Named]) -> Value {
    let each = all.iter().map(|list| {
        let count = tape.below(5);
        let items: Vec<Value> = (0..count).map(|_| stored(tape)).collect();
        (list.id.clone(), json!([list.name, items]))
    });
    Value::Object(each.collect())
}

/// No two of them are the same: each has a center of its own.
fn costumes(tape: &mut Tape, names: &[String]) -> Vec<Value> {
    let each = names.iter().enumerate().map(|(number, name)| {
        let y = *tape.pick(&[10.0, 0.0, -3.25]);
        json!({"name": name, "assetId": ASSET, "md5ext": format!("{ASSET}.svg"), "dataFormat": "svg", "bitmapResolution": 1,
            "rotationCenterX": 10 + number, "rotationCenterY": y})
    });
    each.collect()
}

/// Sounds are told apart by their rates.
fn sounds(names: &[String]) -> Vec<Value> {
    let each = names.iter().enumerate().map(|(number, name)| {
        json!({"name": name, "assetId": SOUND, "md5ext": format!("{SOUND}.wav"), "dataFormat": "wav", "format": "",
            "rate": 17 + number, "sampleCount": 4})
    });
    each.collect()
}

/// Comments on any blocks, free ones, and now and then one on a block that is not there.
fn commented(tape: &mut Tape, mut blocks: Map<String, Value>) -> (Map<String, Value>, Map<String, Value>) {
    let may_bear = |block: &Value| {
        let is_seen = block["shadow"] == false && block["opcode"] != "procedures_prototype";
        block.is_object() && (is_seen || tape.allows(Oddity::CoveredComments))
    };
    let ids: Vec<String> = blocks.iter().filter(|(_, block)| may_bear(block)).map(|(id, _)| id.clone()).collect();
    let mut comments = Map::new();
    for id in ids {
        if tape.chance(6) {
            let comment = format!("on {id}");
            blocks[&id]["comment"] = json!(comment);
            comments.insert(comment, comment_on(tape, Some(&id)));
        }
    }
    for number in 0..tape.below(3) {
        comments.insert(format!("free {number}"), comment_on(tape, None));
    }
    if tape.odd(Oddity::LostComments, 40) {
        comments.insert("lost".to_owned(), comment_on(tape, Some("no block")));
    }
    (blocks, comments)
}

fn comment_on(tape: &mut Tape, block: Option<&str>) -> Value {
    json!({"blockId": block, "x": tape.between(0, 500), "y": 12.5, "width": 200, "height": 150, "minimized": tape.chance(30),
        "text": text(tape)})
}
