//! Turns a project file into its text's document, and its assets into named files.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use scratchbed_project::view::{Slot, TargetView, targets};
use scratchbed_project::{DataSection, Loaded, Project, loaded};

use super::document::{
    Comment, Costume, Document, Listed, Script, Sound, SpriteState, StageState, TargetState, TextTarget, Variable,
    automatic_places,
};
use super::loss::{Loss, LossKind};
use super::monitors_of::{add_monitor, leave_out_layers, shown_by};
use super::names::{DataKind, Place};
use super::references::{References, data};
use super::script::Printer;
use super::sound;

#[derive(Debug, Clone, PartialEq)]
pub struct Decompiled {
    pub document: Document,
    /// The assets by the path that the text gives them.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Paths in the text whose asset the project does not contain.
    pub missing: Vec<String>,
    /// What the text leaves out of the program or says otherwise; without any it is the same program.
    pub losses: Vec<Loss>,
}

/// Gives assets their paths, each once.
#[derive(Default)]
struct Files<'a> {
    assets: BTreeMap<&'a str, &'a [u8]>,
    folders: BTreeSet<String>,
    contents: BTreeMap<String, Vec<u8>>,
    named: BTreeSet<String>,
    missing: Vec<String>,
}

/// Characters of a name that a file's name keeps: file systems allow 255 bytes, and a number and an ending follow.
const SLUG: usize = 80;

/// Lower-case letters and digits, with hyphens for the rest.
fn slug(name: &str) -> String {
    let plain: String = name.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    let mut joined = plain.split_whitespace().collect::<Vec<_>>().join("-");
    joined.truncate(SLUG);
    let joined = joined.trim_end_matches('-').to_owned();
    if joined.is_empty() { "x".to_owned() } else { joined }
}

/// The first of `name`, `name-2`, `name-3` … that `taken` does not hold; it holds it afterwards.
fn unique(taken: &mut BTreeSet<String>, name: impl Fn(&str) -> String) -> String {
    let numbered = std::iter::once(String::new()).chain((2..).map(|n: u32| format!("-{n}")));
    let free = numbered.map(|number| name(&number)).find(|candidate| !taken.contains(candidate)).unwrap_or_default();
    taken.insert(free.clone());
    free
}

impl Files<'_> {
    fn folder(&mut self, target: &str) -> String {
        let base = slug(target);
        unique(&mut self.folders, |number| format!("{base}{number}"))
    }

    fn place(&mut self, folder: &str, item: &Value) -> String {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        let extension = text("dataFormat").unwrap_or("svg");
        let stored = text("md5ext")
            .map_or_else(|| format!("{}.{extension}", text("assetId").unwrap_or_default()), str::to_owned);
        let base = slug(text("name").unwrap_or_default());
        let path = unique(&mut self.named, |number| format!("assets/{folder}/{base}{number}.{extension}"));
        match self.assets.get(stored.as_str()) {
            Some(bytes) => drop(self.contents.insert(path.clone(), bytes.to_vec())),
            None => self.missing.push(path.clone()),
        }
        path
    }
}

/// Turns a project into text and files. Malformed parts read as absent; run `validate` first to have them
/// named.
pub fn from_project(project: &Project) -> Decompiled {
    let mut files = Files {
        assets: project.assets.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect(),
        ..Files::default()
    };
    let Loaded { json, made } = loaded(&project.json);
    let views: Vec<TargetView<'_>> = targets(&json).collect();
    let layers = layers(&views);
    let mut losses = Vec::new();
    let mut out = declarations(&views, layers.as_deref(), &mut files, &mut losses);
    let references: Vec<References<'_>> = (0..views.len()).map(|at| References::new(&views, &out, at)).collect();
    let shown = views.iter().zip(&references).flat_map(|(view, references)| shown_by(*view, references)).collect();
    let mut used = BTreeSet::new();
    for monitor in json.get("monitors").and_then(Value::as_array).into_iter().flatten() {
        losses.extend(add_monitor(&mut out, (&references, &mut used), &shown, monitor));
    }
    leave_out_layers(&mut out);
    for ((view, target), references) in views.iter().zip(&mut out).zip(references) {
        let printer = Printer::new(*view, references);
        target.scripts = scripts(&printer);
        used.extend(printer.references.used());
        // What is fixed to no line that is printed lies free.
        let free = view.entries("comments").filter(|(id, _)| !printer.is_remark(id));
        target.comments = free.map(|(_, item)| comment(item)).collect();
        let lost = printer.take_lost().into_iter();
        losses.extend(lost.map(|(line, kind)| Loss { target: target.name.clone(), line, kind }));
    }
    if let Some(((stage, view), made)) = out.first_mut().zip(views.first()).zip((!made.is_empty()).then_some(made)) {
        leave_out_unused(stage, *view, &made, &used);
    }
    let absent = files.missing.iter().map(|path| LossKind::NoAsset(path.clone()));
    losses.extend(absent.map(|kind| Loss { target: String::new(), line: None, kind }));
    Decompiled { document: Document { targets: out }, files: files.contents, missing: files.missing, losses }
}

/// Leaves out what the machine makes for references that are not printed: nothing shows it.
fn leave_out_unused(
    stage: &mut TextTarget,
    view: TargetView<'_>,
    made: &BTreeSet<(DataSection, String)>,
    used: &BTreeSet<(DataKind, Place)>,
) {
    let unused = |kind: DataKind, section: DataSection| -> Vec<bool> {
        let all = data(view, kind).into_iter().enumerate();
        let is_unused = |(at, (id, ..)): (usize, (&str, &str, &Value))| {
            made.contains(&(section, id.to_owned())) && !used.contains(&(kind, Place { target: 0, at }))
        };
        all.map(is_unused).collect()
    };
    let mut variables = unused(DataKind::Variable, DataSection::Variables).into_iter();
    stage.variables.retain(|_| !variables.next().unwrap_or_default());
    let mut lists = unused(DataKind::List, DataSection::Lists).into_iter();
    stage.lists.retain(|_| !lists.next().unwrap_or_default());
}

/// The targets with all but their scripts, comments and monitors.
fn declarations(
    views: &[TargetView<'_>],
    layers: Option<&[usize]>,
    files: &mut Files<'_>,
    losses: &mut Vec<Loss>,
) -> Vec<TextTarget> {
    let mut names = BTreeSet::new();
    let mut out = Vec::new();
    for (index, view) in views.iter().enumerate() {
        let target = target(*view, index, layers, &mut names, files);
        let mut lose = |kind| losses.push(Loss { target: target.name.clone(), line: None, kind });
        if index > 0 && target.name != view.name() {
            lose(LossKind::SameSprite(view.name().to_owned(), target.name.clone()));
        }
        let nested = |value: &Value| value.is_array() || value.is_object();
        let variables = target.variables.iter().filter(|one| nested(&one.value)).map(|one| &one.name);
        let lists = target.lists.iter().filter(|one| one.items.iter().any(nested)).map(|one| &one.name);
        variables.chain(lists).for_each(|name| lose(LossKind::NestedValue(name.clone())));
        out.push(target);
    }
    out
}

/// Ranks of the sprites from the back, if they are not in the order of the file.
fn layers(views: &[TargetView<'_>]) -> Option<Vec<usize>> {
    let orders: Vec<f64> =
        views.iter().skip(1).map(|v| v.get("layerOrder").and_then(Value::as_f64).unwrap_or_default()).collect();
    let mut ranked: Vec<usize> = (0..orders.len()).collect();
    ranked.sort_by(|a, b| orders[*a].total_cmp(&orders[*b]));
    let mut layers = vec![0; ranked.len()];
    for (rank, sprite) in ranked.iter().enumerate() {
        layers[*sprite] = rank + 1;
    }
    (!layers.iter().copied().eq(1..=layers.len())).then_some(layers)
}

fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        // Projects from other tools sometimes hold numbers as texts.
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_f64(),
    }
}

pub(super) fn pair(item: &Value, x: &str, y: &str) -> Option<(f64, f64)> {
    Some((number(item.get(x))?, number(item.get(y))?))
}

fn text(item: &Value, key: &str) -> String {
    item.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn target(
    view: TargetView<'_>,
    index: usize,
    layers: Option<&[usize]>,
    names: &mut BTreeSet<String>,
    files: &mut Files<'_>,
) -> TextTarget {
    let mut out = if index == 0 {
        TextTarget { state: TargetState::Stage(stage_state(view)), ..TextTarget::stage() }
    } else {
        let name = unique(names, |number| format!("{}{number}", view.name()));
        let state = sprite_state(view, layers.and_then(|layers| layers.get(index - 1).copied()));
        TextTarget { state: TargetState::Sprite(state), ..TextTarget::sprite(name) }
    };
    let folder = files.folder(&out.name);
    out.costumes = view
        .items("costumes")
        .iter()
        .map(|item| Costume {
            name: text(item, "name"),
            file: files.place(&folder, item),
            center: pair(item, "rotationCenterX", "rotationCenterY"),
            resolution: number(item.get("bitmapResolution")).filter(|n| n.to_bits() != 1.0_f64.to_bits()),
        })
        .collect();
    let current =
        view.get("currentCostume").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok()).unwrap_or_default();
    out.current = (current + 1).min(out.costumes.len().max(1));
    out.sounds = view.items("sounds").iter().map(|item| sound_of(item, &folder, files)).collect();
    out.volume = number(view.get("volume")).unwrap_or(100.0);
    let variables = numbered(data(view, DataKind::Variable));
    out.variables = variables
        .map(|(name, number, item)| Variable {
            name,
            number,
            value: item.get(1).cloned().unwrap_or_default(),
            cloud: item.get(2).and_then(Value::as_bool).unwrap_or_default(),
        })
        .collect();
    let items = |item: &Value| item.get(1).and_then(Value::as_array).cloned().unwrap_or_default();
    let lists = numbered(data(view, DataKind::List));
    out.lists = lists.map(|(name, number, item)| Listed { name, number, items: items(item) }).collect();
    out
}

/// Numbers those with one name in their order.
fn numbered<'a>(all: Vec<(&'a str, &'a str, &'a Value)>) -> impl Iterator<Item = (String, usize, &'a Value)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    all.into_iter().map(move |(_, name, item)| {
        let count = counts.entry(name).or_default();
        *count += 1;
        (name.to_owned(), *count, item)
    })
}

fn stage_state(view: TargetView<'_>) -> StageState {
    let usual = StageState::default();
    StageState {
        tempo: number(view.get("tempo")).unwrap_or(usual.tempo),
        video: view.get("videoState").and_then(Value::as_str).map_or(usual.video, str::to_owned),
        video_transparency: number(view.get("videoTransparency")).unwrap_or(usual.video_transparency),
        speech_language: view.get("textToSpeechLanguage").and_then(Value::as_str).map(str::to_owned),
    }
}

fn sprite_state(view: TargetView<'_>, layer: Option<usize>) -> SpriteState {
    let usual = SpriteState::default();
    let read = |key: &str, usual: f64| number(view.get(key)).unwrap_or(usual);
    let flag = |key: &str, usual: bool| view.get(key).and_then(Value::as_bool).unwrap_or(usual);
    SpriteState {
        position: (read("x", 0.0), read("y", 0.0)),
        size: read("size", usual.size),
        direction: read("direction", usual.direction),
        rotation: view.get("rotationStyle").and_then(Value::as_str).map_or(usual.rotation, str::to_owned),
        visible: flag("visible", usual.visible),
        draggable: flag("draggable", usual.draggable),
        layer,
    }
}

fn sound_of(item: &Value, folder: &str, files: &mut Files<'_>) -> Sound {
    let file = files.place(folder, item);
    let stated = pair(item, "rate", "sampleCount");
    let read = files.contents.get(&file).and_then(|bytes| sound::wav_samples(bytes));
    Sound { name: text(item, "name"), file, samples: stated.filter(|_| stated != read) }
}

fn comment(item: &Value) -> Comment {
    Comment {
        text: text(item, "text"),
        position: pair(item, "x", "y").unwrap_or_default(),
        size: pair(item, "width", "height").unwrap_or((200.0, 200.0)),
        minimized: item.get("minimized").and_then(Value::as_bool).unwrap_or_default(),
    }
}

fn scripts(printer: &Printer<'_>) -> Vec<Script> {
    let view = printer.target;
    let mut scripts: Vec<Script> = view
        .scripts()
        .iter()
        .map(|start| {
            let printed = printer.script(start);
            let at = match start {
                Slot::Block(id) => view.block(id).and_then(|block| block.position),
                Slot::Primitive(primitive) => primitive.position,
            };
            Script { lines: Vec::new(), at, without_refresh: printed.without_refresh, text: printed.text }
        })
        .collect();
    for (script, place) in automatic_places(&scripts.clone()).into_iter().enumerate() {
        scripts[script].at = scripts[script].at.filter(|at| *at != place);
    }
    scripts
}
