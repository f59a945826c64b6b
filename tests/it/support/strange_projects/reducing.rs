//! A failing project becomes smaller: parts of its `project.json` are left out, large ones first, as long as it fails.

use proptest::strategy::ValueTree;
use scratchbed::project::Project;
use serde_json::{Map, Value, json};

/// Parts of a target that are left out one by one.
const ENTRIES: [&str; 4] = ["comments", "variables", "lists", "broadcasts"];

/// A project that can be made smaller.
pub struct Reducing {
    now: Project,
    /// Before the last cut, until that is undone.
    before: Option<Project>,
    /// The next cut to try; those before it were of no use.
    at: usize,
    /// Whether a cut was of use since the first one was tried: others may be then, too.
    is_smaller: bool,
}

/// A part that can be left out.
enum Cut {
    Monitors,
    Monitor(usize),
    Target(usize),
    Comments(usize),
    /// These scripts of a target.
    Scripts(usize, Vec<String>),
    /// A block with all that follows it.
    Rest(usize, String),
    /// A block, which what follows it takes the place of.
    Block(usize, String),
    /// What a slot holds besides its default.
    Slot(usize, String, String),
    Entry(usize, &'static str, String),
}

impl Reducing {
    pub const fn new(project: Project) -> Self {
        Self { now: project, before: None, at: 0, is_smaller: false }
    }
}

impl ValueTree for Reducing {
    type Value = Project;

    fn current(&self) -> Project {
        self.now.clone()
    }

    fn simplify(&mut self) -> bool {
        self.is_smaller |= self.before.take().is_some();
        let mut cuts = cuts(&self.now.json);
        if self.at >= cuts.len() && self.is_smaller {
            (self.at, self.is_smaller) = (0, false);
        }
        if self.at >= cuts.len() {
            return false;
        }
        let cut = cuts.swap_remove(self.at);
        self.before = Some(self.now.clone());
        cut.apply(&mut self.now.json);
        true
    }

    fn complicate(&mut self) -> bool {
        let Some(before) = self.before.take() else { return false };
        self.now = before;
        self.at += 1;
        true
    }
}

/// Everything that can be left out of a project.
fn cuts(json: &Value) -> Vec<Cut> {
    let targets = json["targets"].as_array().map_or(0, Vec::len);
    let monitors = json["monitors"].as_array().map_or(0, Vec::len);
    // One sprite stays.
    let mut all: Vec<Cut> = (1..targets).filter(|_| targets > 2).map(Cut::Target).collect();
    all.extend((monitors > 1).then_some(Cut::Monitors));
    for (at, target) in json["targets"].as_array().into_iter().flatten().enumerate() {
        all.extend((entries(target, "comments").len() > 1).then_some(Cut::Comments(at)));
        all.extend(halves(&scripts(target)).into_iter().map(|scripts| Cut::Scripts(at, scripts)));
    }
    all.extend((0..monitors).map(Cut::Monitor));
    for (at, target) in json["targets"].as_array().into_iter().flatten().enumerate() {
        all.extend(inside(target, at));
        for part in ENTRIES {
            all.extend(entries(target, part).into_iter().map(|id| Cut::Entry(at, part, id)));
        }
    }
    all
}

/// Cuts inside of the scripts of a target.
fn inside(target: &Value, at: usize) -> Vec<Cut> {
    let mut all = Vec::new();
    let blocks: Vec<(&String, &Value)> = target["blocks"].as_object().into_iter().flatten().collect();
    for (_, block) in &blocks {
        all.extend(block["next"].as_str().map(|next| Cut::Rest(at, next.to_owned())));
    }
    for (id, block) in &blocks {
        if block["next"].is_string() && block["parent"].is_string() {
            all.push(Cut::Block(at, (*id).clone()));
        }
        let held = block["inputs"].as_object().into_iter().flatten().filter(|(name, slot)| is_reducible(name, slot));
        all.extend(held.map(|(name, _)| Cut::Slot(at, (*id).clone(), name.clone())));
    }
    all
}

/// Returns true if a slot holds more than its default.
fn is_reducible(name: &str, slot: &Value) -> bool {
    name != "custom_block" && (slot[0] == 3 || slot[0] == 2 && !slot[1].is_null())
}

fn entries(target: &Value, part: &str) -> Vec<String> {
    target[part].as_object().into_iter().flatten().map(|(id, _)| id.clone()).collect()
}

/// Ids that scripts begin with.
fn scripts(target: &Value) -> Vec<String> {
    let blocks = target["blocks"].as_object().into_iter().flatten();
    blocks.filter(|(_, block)| block.is_array() || block["topLevel"] == true).map(|(id, _)| id.clone()).collect()
}

/// All of them, then halves, then quarters, down to each alone.
fn halves(all: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut size = all.len();
    while size > 0 {
        found.extend(all.chunks(size).map(<[String]>::to_vec));
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    found
}

impl Cut {
    fn apply(&self, json: &mut Value) {
        match self {
            Self::Monitors => json["monitors"] = json!([]),
            Self::Monitor(at) => drop(json["monitors"].as_array_mut().unwrap().remove(*at)),
            Self::Target(at) => drop(json["targets"].as_array_mut().unwrap().remove(*at)),
            Self::Comments(at) => json["targets"][*at]["comments"] = json!({}),
            Self::Scripts(at, ids) => {
                let blocks = blocks(json, *at);
                for id in ids {
                    remove(blocks, id);
                }
            }
            Self::Rest(at, id) => {
                let blocks = blocks(json, *at);
                hand_over(blocks, id, Value::Null);
                remove(blocks, id);
            }
            Self::Block(at, id) => skip(blocks(json, *at), id),
            Self::Slot(at, id, name) => empty(blocks(json, *at), id, name),
            Self::Entry(at, part, id) => {
                drop(json["targets"][*at][*part].as_object_mut().unwrap().shift_remove(id));
            }
        }
    }
}

fn blocks(json: &mut Value, target: usize) -> &mut Map<String, Value> {
    json["targets"][target]["blocks"].as_object_mut().unwrap()
}

/// Removes a block with all that it holds and that follows it.
fn remove(blocks: &mut Map<String, Value>, id: &str) {
    let Some(block) = blocks.shift_remove(id) else { return };
    let slots = block["inputs"].as_object().into_iter().flatten().filter_map(|(_, slot)| slot.as_array());
    for id in slots.flatten().chain([&block["next"]]).filter_map(Value::as_str) {
        remove(blocks, id);
    }
}

/// Puts something in the place where a block is held.
fn hand_over(blocks: &mut Map<String, Value>, id: &str, other: Value) {
    let is_it = |value: &Value| value == id;
    for block in blocks.values_mut().filter(|block| block.is_object()) {
        if is_it(&block["next"]) {
            block["next"] = other;
            return;
        }
        let slots = block["inputs"].as_object_mut().into_iter().flatten();
        if let Some((_, slot)) = slots.into_iter().find(|(_, slot)| is_it(&slot[1])) {
            slot[1] = other;
            return;
        }
    }
}

/// Takes a block out of its stack.
fn skip(blocks: &mut Map<String, Value>, id: &str) {
    let next = std::mem::take(&mut blocks[id]["next"]);
    let parent = blocks[id]["parent"].clone();
    if let Some(next) = next.as_str() {
        blocks[next]["parent"] = parent;
    }
    hand_over(blocks, id, next);
    remove(blocks, id);
}

/// Leaves a slot with its default, if it has one.
fn empty(blocks: &mut Map<String, Value>, id: &str, name: &str) {
    let slot = blocks[id]["inputs"][name].clone();
    if let Some(held) = slot[1].as_str() {
        remove(blocks, held);
    }
    let inputs = blocks[id]["inputs"].as_object_mut().unwrap();
    if slot[0] == 3 && !slot[2].is_null() {
        inputs[name] = json!([1, slot[2]]);
    } else {
        inputs.shift_remove(name);
    }
}
