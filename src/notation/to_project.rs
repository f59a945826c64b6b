//! Turns a document into a project file: first everything except the scripts, then, once the editor has built them, the
//! whole.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use scratchbed_model::md5_hex;
use scratchbed_project::Project;

use super::document::{Document, SpriteState, StageState, TargetState, TextTarget, automatic_places};
use super::error::{LineError, TextError};
use super::monitors::monitors;
use super::names::{DataKind, declared, written};
use super::{content, escape, sound};

/// The VM whose form the written project has; that of the pinned editor.
const VM_VERSION: &str = "15.1.1";

/// Place and size of a comment that is fixed to a block, relative to its script: to the right of all but very
/// wide blocks.
const COMMENT: (f64, f64, f64, f64) = (420.0, 64.0, 240.0, 120.0);

/// What the editor made of the scripts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuiltScripts {
    /// Per target, in the order of the document.
    pub targets: Vec<BuiltTarget>,
    pub broadcasts: Map<String, Value>,
    /// Extensions that the blocks need.
    pub extensions: Vec<String>,
}

/// The scripts of one target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuiltTarget {
    /// `blocks` of project.json.
    pub blocks: Map<String, Value>,
    /// Remarks, as the notation holds them.
    pub comments: Vec<BuiltComment>,
}

/// A remark at a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuiltComment {
    pub block: String,
    pub text: String,
}

/// The id of a variable or list of a target; never the same for two of them.
pub(super) fn id(target: usize, kind: DataKind, name: &str, which: usize) -> String {
    use std::fmt::Write as _;
    let mut id = format!("t{target}.{}.", kind.word());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) && byte != b'\'' {
            id.push(char::from(byte));
        } else {
            // Writing to a String can't fail.
            let _ = write!(id, "%{byte:02X}");
        }
    }
    if which > 1 {
        let _ = write!(id, "#{which}");
    }
    id
}

/// Ids of the variables or lists that a target's scripts can name, by what is written for them: docs/PROJECT-TEXT.md, "Names".
pub fn names_in_scope(document: &Document, target: usize, lists: bool) -> BTreeMap<String, String> {
    let kind = if lists { DataKind::List } else { DataKind::Variable };
    let forms = written(&document.targets, target, kind);
    let ids = forms.into_iter().filter_map(|(form, place)| {
        let (name, which) = *declared(document.targets.get(place.target)?, kind).get(place.at)?;
        Some((form, id(place.target, kind, name, which)))
    });
    ids.collect()
}

/// A number as JSON; whole ones as integers, as the editor writes them.
pub(super) fn number(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        let whole = value as i64;
        json!(whole)
    } else {
        json!(value)
    }
}

/// The assets of a document, by the name that Scratch gives them.
struct Assets<'f> {
    open: &'f dyn Fn(&str) -> Option<Vec<u8>>,
    read: BTreeMap<String, Vec<u8>>,
    faults: Vec<TextError>,
}

/// An asset that has been read.
struct Asset {
    digest: String,
    extension: String,
    samples: Option<(f64, f64)>,
}

impl Assets<'_> {
    /// As `take`; a fault is noted.
    fn take_or_note(&mut self, file: &str, kinds: &[&str]) -> Option<Asset> {
        // Files are looked up after parsing, so the line is not known any more.
        self.take(file, kinds).map_err(|problem| self.faults.push(TextError { line: 0, problem })).ok()
    }

    fn take(&mut self, file: &str, kinds: &[&str]) -> Result<Asset, LineError> {
        let extension =
            file.rsplit_once('.').map(|(_, end)| end.to_lowercase()).filter(|end| kinds.contains(&end.as_str()));
        let extension = extension.ok_or_else(|| LineError::FileKind(file.to_owned()))?;
        let bytes = (self.open)(file).ok_or_else(|| LineError::MissingFile(file.to_owned()))?;
        if !content::is_of_kind(&bytes, &extension) {
            return Err(LineError::NotItsKind { file: file.to_owned(), kind: extension });
        }
        let digest = md5_hex(&bytes);
        let samples = sound::wav_samples(&bytes);
        self.read.insert(format!("{digest}.{extension}"), bytes);
        Ok(Asset { digest, extension, samples })
    }
}

/// Makes the project without its scripts. `open` gives the bytes of a file that the text names.
///
/// # Errors
/// Fails with the first fault of [`skeleton_all`].
pub fn skeleton(document: &Document, open: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Project, TextError> {
    let (project, faults) = skeleton_all(document, open);
    faults.into_iter().next().map_or(Ok(project), Err)
}

/// Makes the project without its scripts, as far as there are files for it, and reports all those that are missing, or are
/// of a kind that Scratch does not know.
pub fn skeleton_all(document: &Document, open: &dyn Fn(&str) -> Option<Vec<u8>>) -> (Project, Vec<TextError>) {
    let mut assets = Assets { open, read: BTreeMap::new(), faults: Vec::new() };
    let targets: Vec<Value> =
        document.targets.iter().enumerate().map(|(index, target)| target_json(target, index, &mut assets)).collect();
    let monitors = in_layers(document);
    let json = json!({
        "targets": targets,
        "monitors": monitors,
        "extensions": [],
        "meta": {"semver": "3.0.0", "vm": VM_VERSION, "agent": "scratchbed"}
    });
    (Project { json, assets: assets.read }, assets.faults)
}

/// The monitors of all targets, those that lie on top last.
fn in_layers(document: &Document) -> Vec<Value> {
    let all = document.targets.iter().enumerate();
    let mut all: Vec<(Option<usize>, Value)> = all
        .flat_map(|(index, target)| target.monitors.iter().map(|one| one.layer).zip(monitors(target, index)))
        .collect();
    all.sort_by_key(|(layer, _)| *layer);
    all.into_iter().map(|(_, monitor)| monitor).collect()
}

fn target_json(target: &TextTarget, index: usize, assets: &mut Assets<'_>) -> Value {
    let variables = target.variables.iter().map(|v| {
        let value = if v.cloud { json!([v.name, v.value, true]) } else { json!([v.name, v.value]) };
        (id(index, DataKind::Variable, &v.name, v.number), value)
    });
    let variables: Map<String, Value> = variables.collect();
    let lists = target.lists.iter().map(|l| (id(index, DataKind::List, &l.name, l.number), json!([l.name, l.items])));
    let lists: Map<String, Value> = lists.collect();
    let comments: Map<String, Value> = target
        .comments
        .iter()
        .enumerate()
        .map(|(n, c)| {
            (
                format!("t{index}.c{n}"),
                json!({
                    "blockId": null, "x": number(c.position.0), "y": number(c.position.1),
                    "width": number(c.size.0), "height": number(c.size.1), "minimized": c.minimized, "text": c.text
                }),
            )
        })
        .collect();
    let costumes: Vec<Value> = target.costumes.iter().filter_map(|costume| {
        let asset = assets.take_or_note(&costume.file, &["svg", "png", "jpg", "jpeg", "bmp", "gif"])?;
        let mut item = json!({
            "name": costume.name, "bitmapResolution": number(costume.resolution.unwrap_or(1.0)),
            "dataFormat": asset.extension, "assetId": asset.digest, "md5ext": format!("{}.{}", asset.digest, asset.extension)
        });
        if let Some((x, y)) = costume.center {
            item["rotationCenterX"] = number(x);
            item["rotationCenterY"] = number(y);
        }
        Some(item)
    }).collect();
    let sounds: Vec<Value> = target
        .sounds
        .iter()
        .filter_map(|sound| {
            let asset = assets.take_or_note(&sound.file, &["wav", "mp3"])?;
            let mut item = json!({
                "name": sound.name, "assetId": asset.digest, "dataFormat": asset.extension, "format": "",
                "md5ext": format!("{}.{}", asset.digest, asset.extension)
            });
            if let Some((rate, count)) = sound.samples.or(asset.samples) {
                item["rate"] = number(rate);
                item["sampleCount"] = number(count);
            }
            Some(item)
        })
        .collect();
    let mut json = json!({
        "isStage": index == 0, "name": target.name, "variables": variables, "lists": lists, "broadcasts": {}, "blocks": {},
        "comments": comments, "currentCostume": target.current - 1, "costumes": costumes, "sounds": sounds, "volume": number(target.volume)
    });
    match &target.state {
        TargetState::Stage(stage) => add_stage(&mut json, stage),
        TargetState::Sprite(sprite) => add_sprite(&mut json, sprite, index),
    }
    json
}

fn add_stage(json: &mut Value, stage: &StageState) {
    json["layerOrder"] = json!(0);
    json["tempo"] = number(stage.tempo);
    json["videoTransparency"] = number(stage.video_transparency);
    json["videoState"] = json!(stage.video);
    json["textToSpeechLanguage"] = json!(stage.speech_language);
}

fn add_sprite(json: &mut Value, sprite: &SpriteState, index: usize) {
    json["layerOrder"] = json!(sprite.layer.unwrap_or(index));
    json["visible"] = json!(sprite.visible);
    json["x"] = number(sprite.position.0);
    json["y"] = number(sprite.position.1);
    json["size"] = number(sprite.size);
    json["direction"] = number(sprite.direction);
    json["draggable"] = json!(sprite.draggable);
    json["rotationStyle"] = json!(sprite.rotation);
}

/// Script and position of a block within its target, from an id such as `t1.s0.12`; other ids sort last.
fn order(id: &str) -> (usize, usize) {
    let mut parts = id.split('.').skip(1);
    let script = parts.next().and_then(|part| part.strip_prefix('s')?.parse().ok());
    let position = parts.next().and_then(|part| part.parse().ok());
    (script.unwrap_or(usize::MAX), position.unwrap_or(usize::MAX))
}

/// Puts the scripts that the editor built into the project.
pub fn with_scripts(mut project: Project, document: &Document, built: BuiltScripts) -> Project {
    let names = data_names(document);
    let Some(targets) = project.json.get_mut("targets").and_then(Value::as_array_mut) else { return project };
    for (json, (target, built)) in targets.iter_mut().zip(document.targets.iter().zip(built.targets)) {
        let places = automatic_places(&target.scripts);
        let mut blocks: Vec<(String, Value)> = built.blocks.into_iter().collect();
        // The order of keys is the order in which scripts run; the editor's own depends on when its events
        // came.
        blocks.sort_by_key(|(id, _)| order(id));
        for (id, block) in &mut blocks {
            let script = order(id).0;
            let place = target.scripts.get(script).and_then(|s| s.at).or_else(|| places.get(script).copied());
            if let Some(place) = place {
                put_at(block, place);
            }
            name_data(block, &names);
        }
        let mut blocks: Map<String, Value> = blocks.into_iter().collect();
        for (n, comment) in built.comments.iter().enumerate() {
            let script = order(&comment.block).0;
            let (x, y) = target
                .scripts
                .get(script)
                .and_then(|s| s.at)
                .or_else(|| places.get(script).copied())
                .unwrap_or_default();
            let Some(block) = blocks.get_mut(&comment.block).and_then(Value::as_object_mut) else { continue };
            let id = format!("{}.comment", comment.block);
            block.insert("comment".to_owned(), json!(id));
            let (right, step, width, height) = COMMENT;
            // Remarks of one target are few, so the conversion is exact.
            let down = step * f64::from(u32::try_from(n).unwrap_or(u32::MAX));
            json["comments"][id] = json!({
                "blockId": comment.block, "x": number(x + right), "y": number(y + down),
                "width": number(width), "height": number(height), "minimized": false, "text": escape::unremark(&comment.text)
            });
        }
        json["blocks"] = Value::Object(blocks);
    }
    project.json["targets"][0]["broadcasts"] = Value::Object(built.broadcasts);
    project.json["extensions"] = json!(built.extensions);
    project
}

/// The names of all variables and lists by their ids.
fn data_names(document: &Document) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (index, target) in document.targets.iter().enumerate() {
        for kind in [DataKind::Variable, DataKind::List] {
            let all = declared(target, kind).into_iter();
            names.extend(all.map(|(name, which)| (id(index, kind, name, which), name.to_owned())));
        }
    }
    names
}

/// Gives what refers to a variable or list its name: where scripts are built, no two have the same one.
fn name_data(block: &mut Value, names: &BTreeMap<String, String>) {
    fn rename(name: usize, id: usize, items: &mut Value, names: &BTreeMap<String, String>) {
        let known = items.get(id).and_then(Value::as_str).and_then(|id| names.get(id)).cloned();
        if let (Some(known), Some(held)) = (known, items.get_mut(name)) {
            *held = Value::String(known);
        }
    }
    if block.is_array() {
        return rename(1, 2, block, names);
    }
    for field in block.get_mut("fields").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
        rename(0, 1, field, names);
    }
    let inputs = block.get_mut("inputs").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut);
    for held in inputs.filter_map(Value::as_array_mut).flatten().filter(|held| held.is_array()) {
        rename(1, 2, held, names);
    }
}

/// Places the first block of a script.
fn put_at(block: &mut Value, (x, y): (f64, f64)) {
    match block {
        Value::Array(items) => {
            items.truncate(3);
            items.extend([number(x), number(y)]);
        }
        other if other.get("topLevel").and_then(Value::as_bool) == Some(true) => {
            other["x"] = number(x);
            other["y"] = number(y);
        }
        _ => {}
    }
}
