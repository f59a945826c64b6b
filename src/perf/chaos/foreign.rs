//! Project files of strangers, each made to break what loads, plays or judges it: names that mean something to the
//! language, values of the wrong kind, programs that consume time or memory, lists and texts beyond measure, huge
//! pictures, damaged archives.

use std::collections::BTreeMap;

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64;
use serde_json::{Map, Value, json};

use super::programs;
use crate::model::md5_hex;
use crate::project::Project;

/// Makes a file; what is damaged in it, or is noise, is drawn.
type Make = fn(&mut Pcg64) -> Vec<u8>;

/// All kinds of files.
pub(super) const KINDS: [(&str, Make); 23] = [
    ("monitor __proto__", |_| packed(&with_monitor("__proto__"))),
    ("monitor constructor", |_| packed(&with_monitor("constructor"))),
    ("block __proto__", |_| playing(&programs::next_is("__proto__", true))),
    ("missing toString", |_| playing(&programs::next_is("toString", false))),
    ("inherited names", |_| packed(&with_inherited_names())),
    ("loud volume", |_| packed(&with_property("volume", "loud".into()))),
    ("long name", |_| packed(&with_property("name", "Kite".repeat(100_000).into()))),
    ("string bomb", |_| playing(&programs::string_bomb())),
    ("memory bomb", |_| playing(&programs::memory_bomb())),
    ("clone storm", |_| playing(&programs::clone_storm())),
    ("recursion", |_| playing(&programs::recursion())),
    ("endless loop", |_| playing(&programs::endless())),
    ("list flood", |_| playing(&programs::list_flood())),
    ("huge list", |_| packed(&with_items(&programs::insertions(), ITEMS))),
    ("long text said", |_| packed(&with_text(&programs::shouting(), 1 << 20))),
    ("too long text", |_| packed(&with_text(&Map::new(), 16 << 20))),
    ("too many values", |_| packed(&with_items(&Map::new(), 6 * ITEMS))),
    ("nested blocks", |_| playing(&programs::nested(250))),
    ("huge picture", |_| packed(&project(&Map::new(), &huge_picture()))),
    ("unpacks endlessly", |_| packed(&project(&Map::new(), &" ".repeat(33 << 20)))),
    ("other archive", |_| other_archive()),
    ("damaged archive", |random| damaged(random, &playing(&programs::clone_storm()))),
    ("noise", noise),
];

/// The sprite that all of them have, so that a script that judges a kite starts their programs.
const SPRITE: &str = "Kite";
/// Items that a list may have.
const ITEMS: usize = 200_000;

/// A file of any kind, with its kind.
pub(super) fn any(random: &mut Pcg64) -> (&'static str, Vec<u8>) {
    let (kind, make) = KINDS.choose(random).copied().unwrap_or(("noise", noise));
    (kind, make(random))
}

/// A file of this kind.
pub(super) fn file(kind: &str, random: &mut Pcg64) -> Vec<u8> {
    KINDS.iter().find(|(known, _)| *known == kind).map_or(noise as Make, |(_, make)| *make)(random)
}

fn packed(project: &Project) -> Vec<u8> {
    project.write().unwrap_or_default()
}

/// A project with this program.
fn playing(blocks: &Map<String, Value>) -> Vec<u8> {
    packed(&with_program(blocks))
}

/// A project without a program.
pub(super) fn plain() -> Project {
    with_program(&Map::new())
}

fn with_program(blocks: &Map<String, Value>) -> Project {
    let square = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='40' height='40'/></svg>";
    project(blocks, square)
}

/// The project in which every costume is this picture.
fn project(blocks: &Map<String, Value>, picture: &str) -> Project {
    let digest = md5_hex(picture.as_bytes());
    let file = format!("{digest}.svg");
    let costume = json!({
        "name": "one", "assetId": digest, "md5ext": file, "dataFormat": "svg", "bitmapResolution": 1,
        "rotationCenterX": 20, "rotationCenterY": 20
    });
    let variables = json!({"text": ["text", ""], "longer": ["longer", ""], "count": ["count", 0]});
    let sprite = json!({
        "isStage": false, "name": SPRITE, "variables": variables, "lists": {"items": ["items", []]},
        "broadcasts": {}, "blocks": blocks, "comments": {}, "currentCostume": 0, "costumes": [costume], "sounds": [],
        "volume": 100, "layerOrder": 1, "visible": true, "x": 0, "y": 0, "size": 100, "direction": 90,
        "draggable": false, "rotationStyle": "all around"
    });
    let stage = json!({
        "isStage": true, "name": "Stage", "variables": {}, "lists": {}, "broadcasts": {}, "blocks": {}, "comments": {},
        "currentCostume": 0, "costumes": [costume], "sounds": [], "volume": 100, "layerOrder": 0, "tempo": 60,
        "videoTransparency": 50, "videoState": "on", "textToSpeechLanguage": null
    });
    let json = json!({
        "targets": [stage, sprite], "monitors": [], "extensions": [],
        "meta": {"semver": "3.0.0", "vm": "0.2.0", "agent": "scratchbed"}
    });
    Project { json, assets: BTreeMap::from([(file, picture.as_bytes().to_vec())]) }
}

/// A monitor whose block is looked up by this id, which nothing has.
fn with_monitor(id: &str) -> Project {
    let mut project = plain();
    project.json["monitors"] = json!([{
        "id": id, "opcode": "data_variable", "mode": "default", "params": {"VARIABLE": "text"}, "spriteName": null,
        "value": 0, "x": 5, "y": 5, "visible": true, "targetId": "evil"
    }]);
    project
}

/// Variables, lists, broadcasts and blocks with names of inherited properties for ids, all of them there: a sound
/// project.
fn with_inherited_names() -> Project {
    let mut project = with_program(&programs::named_as_inherited());
    let stage = &mut project.json["targets"][0];
    stage["variables"] = json!({"toString": ["toString", 0], "constructor": ["constructor", 0]});
    stage["lists"] = json!({"hasOwnProperty": ["hasOwnProperty", [1, 2]]});
    stage["broadcasts"] = json!({"valueOf": "valueof"});
    project
}

/// The sprite has something else for this property.
fn with_property(property: &str, value: Value) -> Project {
    let mut project = plain();
    project.json["targets"][1][property] = value;
    project
}

fn with_items(blocks: &Map<String, Value>, items: usize) -> Project {
    let mut project = with_program(blocks);
    project.json["targets"][1]["lists"]["items"][1] = vec![7; items].into();
    project
}

fn with_text(blocks: &Map<String, Value>, letters: usize) -> Project {
    let mut project = with_program(blocks);
    project.json["targets"][1]["variables"]["text"][1] = "x".repeat(letters).into();
    project
}

fn huge_picture() -> String {
    let blur = "<filter id='f'><feGaussianBlur stdDeviation='90'/></filter>";
    let shapes = "<circle cx='9000' cy='9000' r='8000' filter='url(#f)'/>".repeat(200);
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='20000' height='20000'>{blur}{shapes}</svg>")
}

/// An archive with something else in the place of a project.
fn other_archive() -> Vec<u8> {
    let nothing = Project { json: json!({"objName": "Stage", "children": []}), assets: BTreeMap::new() };
    nothing.write().unwrap_or_default()
}

fn damaged(random: &mut Pcg64, sb3: &[u8]) -> Vec<u8> {
    let mut bytes = sb3.to_vec();
    for _ in 0..random.random_range(1..20) {
        let place = random.random_range(0..bytes.len());
        if let Some(byte) = bytes.get_mut(place) {
            *byte ^= random.random_range(1..=255_u8);
        }
    }
    bytes.truncate(random.random_range(bytes.len() / 2..=bytes.len()));
    bytes
}

fn noise(random: &mut Pcg64) -> Vec<u8> {
    (0..random.random_range(0..1 << 20)).map(|_| random.random()).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;
    use crate::model::Coded as _;

    /// What our own checks make of a file: `ok`, or the code of a refusal.
    fn checked(kind: &str) -> String {
        let sb3 = file(kind, &mut Pcg64::seed_from_u64(1));
        let checked = Project::read(&sb3).and_then(|project| project.check());
        checked.map_or_else(|error| error.code().to_owned(), |_| "ok".to_owned())
    }

    #[test]
    fn files_are_refused_or_pass_the_checks_as_they_are_meant_to() {
        for (kind, _) in KINDS {
            let expected = match kind {
                "monitor __proto__" | "monitor constructor" | "block __proto__" | "missing toString" => "bad_id",
                "too long text" | "too many values" | "unpacks endlessly" => "archive_too_large",
                "nested blocks" => "nested_too_deep",
                "other archive" => "not_a_project",
                "damaged archive" | "noise" => continue,
                _ => "ok",
            };
            assert_eq!(checked(kind), expected, "{kind}");
        }
    }

    #[test]
    fn a_seed_gives_the_same_files_again() {
        let draw = |kind| file(kind, &mut Pcg64::seed_from_u64(7));
        assert_eq!((draw("damaged archive"), draw("noise")), (draw("damaged archive"), draw("noise")));
        let drawn = |seed| {
            let mut random = Pcg64::seed_from_u64(seed);
            (0..50).map(|_| KINDS.choose(&mut random).map(|(kind, _)| *kind)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(7), drawn(7));
    }
}
