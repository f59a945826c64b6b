//! Thousands of archives drawn from a seed and meant to break their readers: none may hang, crash or exceed the memory
//! limit.
//!
//! That what is accepted is also read right is for the tests of `project` to show.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::time::{Duration, Instant};

use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::model::Coded;
use crate::notation::from_project;
use crate::project::{Fingerprint, Project};

/// Longest time allowed for an archive.
const TIME: Duration = Duration::from_secs(5);
/// Highest memory allowed, in MB.
const MEMORY_MB: f64 = 1000.0;
/// One in so many is large: it takes a hundred times the time of a small one.
const LARGE: f64 = 0.002;
/// Names of files in archives, misleading ones among them.
const NAMES: [&str; 8] = [
    "project.json",
    "game/project.json",
    "a/../project.json",
    "/project.json",
    "notes.txt",
    "0123456789abcdef0123456789abcdef.svg",
    "game/0123456789abcdef0123456789abcdef.png",
    "a/b/c/d/e.wav",
];

/// The results of reading them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArchivesReport {
    /// Archives read.
    pub archives: u64,
    /// How they ended: `read`, or the code of the error.
    pub endings: BTreeMap<String, u64>,
    /// The longest that one took, in milliseconds.
    pub longest_ms: f64,
    /// Memory at its highest, in MB.
    pub highest_mb: f64,
    /// What is not as it must be, one line each, with the number of the archive.
    pub breaches: Vec<String>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// Reads so many archives; `progress` gets the number read.
pub fn run(archives: u64, seed: u64, progress: impl Fn(u64)) -> ArchivesReport {
    let started = Instant::now();
    let mut report = ArchivesReport { archives, ..ArchivesReport::default() };
    for number in 0..archives {
        let mut random = Pcg64::seed_from_u64(seed.wrapping_add(number));
        let bytes = archive(&mut random);
        let begun = Instant::now();
        let ending = read(&bytes);
        let took = begun.elapsed();
        report.longest_ms = report.longest_ms.max(took.as_secs_f64() * 1000.0);
        if took > TIME {
            report.breaches.push(format!("archive {number} took {took:?}"));
        }
        match ending {
            Ok(code) => *report.endings.entry(code).or_default() += 1,
            Err(breach) => report.breaches.push(format!("archive {number}: {breach}")),
        }
        progress(number + 1);
    }
    report.highest_mb = highest_memory_mb();
    if report.highest_mb > MEMORY_MB {
        report.breaches.push(format!("memory rose to {:.0} MB", report.highest_mb));
    }
    report.seconds = started.elapsed().as_secs_f64();
    report
}

/// Reads an archive as a session and a judge do, and looks at what is in it.
fn read(bytes: &[u8]) -> Result<String, String> {
    let project = match Project::read(bytes) {
        Ok(project) => project,
        Err(error) => return Ok(error.code().to_owned()),
    };
    let _ = Fingerprint::of(&project);
    if let Err(error) = project.check() {
        return Ok(error.code().to_owned());
    }
    let _ = from_project(&project);
    let again = project.pack().map_err(|error| format!("not written again: {error}"))?;
    match Project::read(&again) {
        Ok(same) if same == project => Ok("read".to_owned()),
        Ok(_) => Err("it reads differently after it was written again".to_owned()),
        Err(error) => Err(format!("it can't be read after it was written again: {error}")),
    }
}

fn archive(random: &mut Pcg64) -> Vec<u8> {
    let mut bytes = packed(random);
    match random.random_range(0..6) {
        0 => flip(random, &mut bytes),
        1 => bytes.truncate(random.random_range(0..=bytes.len())),
        2 => {
            let from = random.random_range(0..=bytes.len());
            let part = bytes.get(from..).unwrap_or_default().to_vec();
            bytes.extend(part);
        }
        _ => {}
    }
    bytes
}

fn flip(random: &mut Pcg64, bytes: &mut [u8]) {
    for _ in 0..random.random_range(1..10) {
        let place = random.random_range(0..bytes.len().max(1));
        if let Some(byte) = bytes.get_mut(place) {
            *byte = random.random();
        }
    }
}

fn packed(random: &mut Pcg64) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let files = if random.random_bool(LARGE) { random.random_range(0..5000) } else { random.random_range(0..4) };
    add(&mut zip, random, "project.json", project_json);
    for number in 0..files {
        let name = NAMES.choose(random).copied().unwrap_or_default();
        let name = if random.random_bool(0.5) { format!("{number:032x}.svg") } else { name.to_owned() };
        add(&mut zip, random, &name, content);
    }
    zip.finish().map(Cursor::into_inner).unwrap_or_default()
}

fn add(zip: &mut ZipWriter<Cursor<Vec<u8>>>, random: &mut Pcg64, name: &str, content: fn(&mut Pcg64) -> Vec<u8>) {
    let method = if random.random_bool(0.7) { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    // A name that is there already is refused by the writer, and then the archive is without it.
    if zip.start_file(name, SimpleFileOptions::default().compression_method(method)).is_ok() {
        let _ = zip.write_all(&content(random));
    }
}

fn content(random: &mut Pcg64) -> Vec<u8> {
    if random.random_bool(LARGE) {
        return vec![0; random.random_range(1 << 20..40 << 20)];
    }
    (0..random.random_range(0..300)).map(|_| random.random()).collect()
}

fn project_json(random: &mut Pcg64) -> Vec<u8> {
    if random.random_bool(LARGE) {
        return large_json(random).into_bytes();
    }
    let mut json = sound_project();
    for _ in 0..random.random_range(0..6) {
        spoil(random, &mut json);
    }
    let mut text = json.to_string().into_bytes();
    if random.random_bool(0.1) {
        flip(random, &mut text);
    }
    text
}

/// Small in the archive and large in memory, in one of several ways.
fn large_json(random: &mut Pcg64) -> String {
    let filler = match random.random_range(0..5) {
        0 => format!("[{}1]", "1,".repeat(random.random_range(100_000..12_000_000))),
        1 => format!("[{}{{}}]", "{\"a\":1},".repeat(random.random_range(100_000..3_000_000))),
        2 => format!("\"{}\"", "x".repeat(random.random_range(1 << 20..24 << 20))),
        3 => format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)),
        _ => format!("[{}[]]", "[],".repeat(random.random_range(100_000..6_000_000))),
    };
    format!("{{\"targets\":[],\"filler\":{filler}}}")
}

/// Replaces a value somewhere by one of another kind, or links blocks in a circle.
fn spoil(random: &mut Pcg64, json: &mut Value) {
    let mut place = json;
    for _ in 0..random.random_range(1..8) {
        let inner = match place {
            Value::Array(items) if !items.is_empty() => {
                let index = random.random_range(0..items.len());
                items.get_mut(index)
            }
            Value::Object(fields) if !fields.is_empty() => {
                let index = random.random_range(0..fields.len());
                fields.values_mut().nth(index)
            }
            _ => return,
        };
        let Some(inner) = inner else { return };
        place = inner;
        if random.random_bool(0.3) {
            break;
        }
    }
    *place = strange(random);
}

fn strange(random: &mut Pcg64) -> Value {
    match random.random_range(0..12) {
        0 => Value::Null,
        1 => json!(-1),
        2 => json!(1e308),
        3 => json!(u64::MAX),
        4 => json!(""),
        5 => json!("../../etc/passwd"),
        6 => json!("\u{0}\u{202e}\u{feff}"),
        7 => json!([]),
        8 => json!({}),
        9 => json!("flag"),
        10 => json!([2, "loop"]),
        _ => {
            json!({"opcode": "control_forever", "next": "flag", "parent": "loop", "inputs": {"SUBSTACK": [2, "flag"]}, "fields": {}, "shadow": false, "topLevel": false})
        }
    }
}

fn sound_project() -> Value {
    let costume = json!({
        "name": "one", "assetId": "0123456789abcdef0123456789abcdef", "md5ext": "0123456789abcdef0123456789abcdef.svg",
        "dataFormat": "svg", "bitmapResolution": 1, "rotationCenterX": 0, "rotationCenterY": 0
    });
    let blocks = json!({
        "flag": {"opcode": "event_whenflagclicked", "next": "loop", "parent": null, "inputs": {}, "fields": {}, "shadow": false, "topLevel": true, "x": 0, "y": 0},
        "loop": {"opcode": "control_repeat", "next": null, "parent": "flag", "inputs": {"TIMES": [1, [6, "10"]], "SUBSTACK": [2, "say"]}, "fields": {}, "shadow": false, "topLevel": false},
        "say": {"opcode": "looks_say", "next": null, "parent": "loop", "inputs": {"MESSAGE": [3, [12, "score", "score"], [10, "hi"]]}, "fields": {}, "shadow": false, "topLevel": false}
    });
    let target = |name: &str, is_stage: bool| {
        json!({
            "isStage": is_stage, "name": name, "variables": {"score": ["score", 0]}, "lists": {"items": ["items", [1, "two"]]},
            "broadcasts": {}, "blocks": if is_stage { json!({}) } else { blocks.clone() }, "comments": {}, "currentCostume": 0,
            "costumes": [costume], "sounds": [], "volume": 100, "layerOrder": 0, "tempo": 60, "visible": true, "x": 0, "y": 0,
            "size": 100, "direction": 90, "draggable": false, "rotationStyle": "all around"
        })
    };
    json!({"targets": [target("Stage", true), target("Sprite1", false)], "monitors": [], "extensions": [], "meta": {"semver": "3.0.0"}})
}

/// The highest that this process's memory has been, in MB.
fn highest_memory_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok());
    kilobytes.unwrap_or_default() * 1024.0 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_archives_end_as_they_must_and_some_are_read() {
        let report = run(1000, 16, |_| ());
        assert_eq!(report.breaches, Vec::<String>::new());
        assert!(report.endings["read"] > 10, "{:?}", report.endings);
        assert!(report.endings.len() > 4, "{:?}", report.endings);
    }
}
