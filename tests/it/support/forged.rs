//! A benchmark of faults that was made by hand: a game whose score is not set back, in instances by any name.

use std::collections::BTreeMap;
use std::path::Path;

use scratchbed::bugs::{Bench, BugReport, Difficulty, Instance, InstanceEntry, Licence, Site, Truth, TruthHashes};
use scratchbed::model::{SUITE_FORMAT, Scenario, Suite};
use scratchbed::project::Project;
use scratchbed::project::edit::{Edit, apply, inverse};
use scratchbed::project::normalise::{new_id, normalise};
use serde_json::{Value, json};

pub const SVG: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"20\"><circle cx=\"9\" cy=\"9\" r=\"8\"/></svg>";
/// Its MD5.
pub const ASSET: &str = "7d4c9eaf41afd5640e05641149ee81a4";
/// Four samples of silence.
pub const WAV: [u8; 52] = [
    82, 73, 70, 70, 44, 0, 0, 0, 87, 65, 86, 69, 102, 109, 116, 32, 16, 0, 0, 0, 1, 0, 1, 0, 17, 43, 0, 0, 34, 86, 0,
    0, 2, 0, 16, 0, 100, 97, 116, 97, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
];
/// Its MD5.
pub const SOUND: &str = "207bf8657c69ea250333a0f166fda5b7";

/// A game whose score is set to 0 by the flag, counted by the space key, and told by the key a.
pub fn gold() -> Value {
    let block = |opcode: &str, next: Option<&str>, parent: Option<&str>, inputs: Value, fields: Value| {
        let mut block = json!({"opcode": opcode, "next": next, "parent": parent, "inputs": inputs, "fields": fields,
            "shadow": false, "topLevel": parent.is_none()});
        if parent.is_none() {
            (block["x"], block["y"]) = (json!(0), json!(0));
        }
        block
    };
    let score = || json!({"VARIABLE": ["score", "score"]});
    let key = |key: &str| json!({"KEY_OPTION": [key, null]});
    let costume = || {
        json!({"name": "plain", "assetId": ASSET, "md5ext": format!("{ASSET}.svg"), "dataFormat": "svg",
            "rotationCenterX": 10, "rotationCenterY": 10})
    };
    let sound = || json!({"name": "pop", "assetId": SOUND, "md5ext": format!("{SOUND}.wav"), "dataFormat": "wav", "rate": 100, "sampleCount": 150});
    let target = |is_stage: bool, name: &str, variables: Value, blocks: Value| {
        json!({"isStage": is_stage, "name": name, "variables": variables, "lists": {}, "broadcasts": {}, "comments": {},
            "blocks": blocks, "costumes": [costume()], "currentCostume": 0, "volume": 100, "layerOrder": i32::from(!is_stage), "sounds": [sound()]})
    };
    let none = || json!({});
    let mut project = json!({"targets": [
        target(true, "Stage", json!({"score": ["score", 0]}), json!({
            "flag": block("event_whenflagclicked", Some("reset"), None, none(), none()),
            "reset": block("data_setvariableto", Some("loop"), Some("flag"), json!({"VALUE": [1, [10, "0"]]}), score()),
            "loop": block("control_forever", None, Some("reset"), json!({"SUBSTACK": [2, "wait"]}), none()),
            "wait": block("control_wait", None, Some("loop"), json!({"DURATION": [1, [5, "1"]]}), none()),
        })),
        target(false, "Moth", json!({}), json!({
            "space": block("event_whenkeypressed", Some("count"), None, none(), key("space")),
            "count": block("data_changevariableby", None, Some("space"), json!({"VALUE": [1, [4, "1"]]}), score()),
            "a": block("event_whenkeypressed", Some("say"), None, none(), key("a")),
            "say": block("looks_say", None, Some("a"), json!({"MESSAGE": [3, [12, "score", "score"], [10, "hidden default"]]}), none()),
        })),
    ], "monitors": [], "extensions": [], "meta": {"semver": "3.0.0", "vm": "15.1.1", "agent": ""}});
    normalise(&mut project, "pool");
    project
}

/// The id that a block of the game has after normalisation.
pub fn id(target: &str, block: &str) -> String {
    new_id("pool", target, block)
}

/// What is told of the fault.
pub fn report() -> BugReport {
    BugReport {
        symptom: "1.0 s after the second green flag, \"score\" is 1.".to_owned(),
        expected: "1.0 s after the second green flag, \"score\" is 0.".to_owned(),
        reproduce: [
            "At 0.0 s: click the green flag.",
            "At 2.0 s: press the space key.",
            "At 3.0 s: click the green flag.",
        ]
        .map(str::to_owned)
        .to_vec(),
    }
}

/// An instance of the game whose score is not set back.
pub fn instance(name: &str, group: &str, spdx: Option<&str>, report: BugReport) -> Instance {
    let gold = gold();
    let forward: Vec<Edit> =
        serde_json::from_value(json!([{"op": "remove", "sprite_id": "Stage", "block_id": id("Stage", "reset")}]))
            .unwrap();
    let buggy = apply(&gold, &forward).unwrap();
    let back = inverse(&gold, &forward).unwrap().unwrap();
    let assets =
        BTreeMap::from([(format!("{ASSET}.svg"), SVG.as_bytes().to_vec()), (format!("{SOUND}.wav"), WAV.to_vec())]);
    let pack = |json: Value| Project { json, assets: assets.clone() }.pack().unwrap();
    let words = |word: &str| word.to_owned();
    Instance {
        entry: InstanceEntry {
            id: words(name),
            project: words(group),
            group: words(group),
            pattern: words("missing_initialization"),
            operator: words("MI.delete"),
            difficulty: Difficulty::Easy,
            search: None,
            adequacy: None,
            buggy: String::new(),
            suite: String::new(),
        },
        buggy: pack(buggy),
        golden: pack(gold),
        report,
        pictures: None,
        truth: Truth {
            format: 1,
            id: words(name),
            pattern: words("missing_initialization"),
            operator: words("MI.delete"),
            difficulty: Difficulty::Easy,
            site: Site {
                sprite_id: words("Stage"),
                script: id("Stage", "flag"),
                block_id: id("Stage", "reset"),
                path: words("0.1"),
            },
            forward,
            inverse: back,
            state_signals: Vec::new(),
            drift: None,
            chain: None,
            hashes: TruthHashes { golden: String::new(), buggy: String::new(), engine: String::new() },
        },
        suite: Suite {
            format: SUITE_FORMAT,
            seeds: vec![1],
            horizon: 900,
            every: 10,
            theta: (0.9, 0.1),
            engine: String::new(),
            editor: String::new(),
            scenarios: vec![played()],
            assertions: vec![serde_json::from_value(asserted()).unwrap()],
            guards: vec![serde_json::from_value(guarded()).unwrap()],
        },
        licence: Licence {
            source: words("written for a test"),
            url: None,
            spdx: spdx.map(str::to_owned),
            attribution: None,
            retrieved: None,
            sha256_original: None,
            changes: vec![words("fault injected")],
            share_alike: false,
            publish: spdx.is_some(),
        },
        record: None,
        forge: json!({}),
    }
}

/// The score counts, and the flag comes again.
fn played() -> Scenario {
    let steps = [
        json!({"do": "flag", "at": 0}),
        json!({"do": "key", "at": 60, "key": "space", "ticks": 3}),
        json!({"do": "flag", "at": 90}),
    ];
    let steps = steps.into_iter().map(|step| serde_json::from_value(step).unwrap()).collect();
    Scenario { id: "s1".to_owned(), template: "restart".to_owned(), length: 150, answers: Vec::new(), steps }
}

fn asserted() -> Value {
    json!({"id": "a1", "scenario": "s1", "kind": "equals", "signal": "Stage/variable/score", "after": 120, "value": 0,
        "p_golden": 1.0, "p_buggy": 0.0, "says": "1.0 s after the second green flag, \"score\" is 0"})
}

/// What the space key does must survive: the assertion alone accepts a patch that has it count by 0.
fn guarded() -> Value {
    json!({"id": "g1", "scenario": "s1", "feature": {"kind": "reached", "signal": "Stage/variable/score", "value": 1, "by": 90},
        "says": "\"score\" becomes 1 at the latest 3.0 s after the green flag"})
}

/// A benchmark of these instances.
pub fn bench(folder: &Path, instances: &[Instance]) -> Bench {
    let mut bench = Bench::create(folder, "none", json!({}), "engine", "editor").unwrap();
    for instance in instances {
        bench.add(instance).unwrap();
    }
    bench
}

/// The key a after the flag, of which the instance asserts nothing: the moth says the score.
pub fn told() -> Scenario {
    let scenario = json!({"id": "s2", "template": "tap(a)", "length": 150, "answers": [],
        "steps": [{"do": "flag", "at": 0}, {"do": "key", "at": 30, "key": "a", "ticks": 3}]});
    serde_json::from_value(scenario).unwrap()
}

/// An edit that puts the reset back.
pub fn reset() -> Value {
    json!({"op": "add", "sprite_id": "Stage", "parent": id("Stage", "flag"), "block": {"id": "n1", "opcode": "data_setvariableto",
        "fields": {"VARIABLE": ["score", new_id("pool", "Stage", "score")]}, "inputs": {"VALUE": "0"}}})
}

/// Writes patches as answers to the questions of these names.
pub fn answer(file: &Path, patches: &[(&str, Value)]) {
    let line = |(name, patch): &(&str, Value)| {
        let response = json!({"explanation": "", "patch": patch}).to_string();
        json!({"id": name, "response": response}).to_string()
    };
    std::fs::write(file, patches.iter().map(line).collect::<Vec<_>>().join("\n")).unwrap();
}
